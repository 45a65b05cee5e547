// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "arrays/array.hpp"

namespace daptor::python {

/// The owners of the indices that ranks share, from the argument `owned=`: the number of indices at
/// the front of this rank's list, or a list of those it owns. `nullopt` for None. Needs the GIL.
/// Throws InvalidArgument.
std::optional<Dimension> owners_of(const std::vector<Array>& arrays, py::handle owned);

}  // namespace daptor::python
