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

/// One reason, of severity error, about the array as a whole or, given a `dimension`, about that
/// dimension of it. Process-local.
/// @param rule      begins with the prefix of the target (`petsc.vec.one-run`)
/// @param found     what the array has: a phrase without a full stop
/// @param expected  what the target holds: a phrase without a full stop
/// @param remedy    one or more sentences that name existing calls
/// \code
/// reason("petsc.vec.ghosts", "a Vec without ghosts", "one made by VecCreateGhost",
///        "Export it without VecExportOptions::ghosts.");
/// \endcode
Finding reason(std::string rule, std::string found, std::string expected, std::string remedy = "");
Finding reason(std::string rule, int dimension, std::string found, std::string expected,
               std::string remedy = "");

/// Goes on where there is no reason. Process-local: call it inside an agreement.
/// @throws NotRepresentable with all reasons where there are any
void require_none(Reasons reasons);

/// Throws InvalidArgument with a rule of its own. Process-local: call it inside an agreement.
/// @param rule             begins with the prefix of the target
/// @param found, expected  phrases as `reason`
/// @param remedy           as `reason`
[[noreturn]] void refuse_argument(std::string rule, std::string found, std::string expected,
                                  std::string remedy = "");

}  // namespace daptor::adapter
