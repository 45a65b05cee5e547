// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "reading.hpp"

namespace daptor::search {

/// Judges the dictionary of one dimension. Returns the dimension if its keys and types are right,
/// even if its values break clauses.
std::optional<Piece> judge_dimension(const Dictionary& map, bool v0_10,
                                     const DimensionFindings& findings);

}  // namespace daptor::search
