// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "daptor/dimension.hpp"
#include "daptor/report.hpp"
#include "daptor/version.hpp"

namespace daptor::detail {

/// What a version of the protocol has no words for: padding on an edge on which that version has
/// only the other kind (V09, V18). `nullopt` for a dimension that it can express.
/// @param number  of the dimension, for the finding
std::optional<Finding> find_inexpressible(const Dimension& dimension, int number,
                                          Version::Rules rules);

}  // namespace daptor::detail
