// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "array.hpp"

namespace daptor::python {

/// Who owns the indices that ranks share, as `owned=` says: how many of the first of this rank's
/// list, or a list of those it owns; nothing for None. Needs the GIL. Throws InvalidArgument.
std::optional<Dimension> owners_of(const std::vector<Array>& arrays, py::handle owned);

}  // namespace daptor::python
