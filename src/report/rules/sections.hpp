// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace daptor::rule_table {

/// The sections of the checklist, by the first letter of their rules' ids, in the order of tables
/// and reports.
inline constexpr std::string_view sections = "TDNBPCUEVA";

}  // namespace daptor::rule_table
