// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "calls/held.hpp"
#include "daptor/section.hpp"

namespace daptor::python {

/// The dictionary of `__distarray__` in the words of `version` (`nullopt`: the array's own).
/// Buffers are memoryviews of the same memory. Throws NotRepresentable and Unsupported as
/// `to_value`.
py::dict write(const Section& array, const std::optional<std::string>& version);

/// The dimension dictionaries alone.
py::tuple write_dimensions(const std::vector<Dimension>& dimensions);

}  // namespace daptor::python
