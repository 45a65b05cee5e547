// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>

#include "daptor/error.hpp"

namespace daptor::detail {

/// Throws InvalidArgument with a rule of its own.
[[noreturn]] inline void refuse_argument(std::string rule, std::string found, std::string expected,
                                         std::string remedy = "") {
  throw InvalidArgument(Report({error_finding(std::move(rule), -1, "", std::move(found),
                                              std::move(expected), std::move(remedy))}));
}

}  // namespace daptor::detail
