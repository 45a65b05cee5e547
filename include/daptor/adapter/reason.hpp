// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "daptor/error.hpp"
#include "daptor/report.hpp"

/// \file
/// For authors of adapters: reasons against a native object, and refusals of what a caller asks.

namespace daptor::adapter {

/// Why a target cannot hold an array; empty where it can.
using Reasons = std::vector<Finding>;

/// One reason. `rule` begins with the prefix of the target (`vec.one-run`); `found` and `expected`
/// are phrases without a full stop; `remedy` is one or more sentences that name existing calls.
/// `dimension`: where the reason is about one dimension of the array.
/// \code
/// reason("petsc.vec.ghosts", "a Vec without ghosts", "one made by VecCreateGhost",
///        "Export it without VecExportOptions::ghosts.");
/// \endcode
Finding reason(std::string rule, std::string found, std::string expected, std::string remedy = "");
Finding reason(std::string rule, int dimension, std::string found, std::string expected,
               std::string remedy = "");

/// Throws NotRepresentable with all reasons where there are any. Process-local: call it inside an
/// agreement.
void require_none(Reasons reasons);

/// Throws InvalidArgument with a rule of its own. Process-local.
[[noreturn]] void refuse_argument(std::string rule, std::string found, std::string expected,
                                  std::string remedy = "");

}  // namespace daptor::adapter
