// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "daptor/error.hpp"
#include "daptor/report.hpp"

/// \file
/// For authors of adapters: reasons why a native object cannot be made, and refusals of a caller's
/// arguments.

namespace daptor::adapter {

/// The reasons why a target cannot hold an array; empty if it can.
using Reasons = std::vector<Finding>;

/// One reason, of severity error, about the array as a whole or, if `dimension` is given, about
/// that dimension. Process-local.
/// @param rule      begins with the prefix of the target (`petsc.vec.one-run`)
/// @param found     what the array has: a phrase without a full stop
/// @param expected  what the target requires: a phrase without a full stop
/// @param remedy    one or more sentences that name existing calls
/// @param copy      a copy that the target could hold; its sentence follows the remedy
/// \code
/// reason("petsc.vec.ghosts", "a Vec without ghosts", "one made by VecCreateGhost",
///        "Export it without VecExportOptions::ghosts.");
/// \endcode
Finding reason(std::string rule, Terms found, Terms expected, Terms remedy = {},
               Suggestion copy = {});
Finding reason(std::string rule, int dimension, Terms found, Terms expected, Terms remedy = {},
               Suggestion copy = {});

/// Returns if there are no reasons. Process-local: call it inside an agreement.
/// @throws NotRepresentable with all reasons, if there are any
void require_none(Reasons reasons);

/// Throws InvalidArgument with the given rule. Process-local: call it inside an agreement.
/// @param rule             begins with the prefix of the target
/// @param found, expected  phrases, see `reason`
/// @param remedy, copy     see `reason`
[[noreturn]] void refuse_argument(std::string rule, Terms found, Terms expected, Terms remedy = {},
                                  Suggestion copy = {});

}  // namespace daptor::adapter
