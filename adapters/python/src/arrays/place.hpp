// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "arrays/array.hpp"

/// \file
/// Where a section is in the whole array.

namespace daptor::python {

/// The widths of the boundary padding of the whole array, for each dimension. Process-local.
Edges edges_of(const Array& array);

/// Global extents of the interior, without padding of either kind. Process-local.
std::vector<Index> interior_extents(const Array& array);

/// A new int64 array of NumPy. Needs the GIL. Process-local.
py::object numpy_of(const std::vector<Index>& values);

/// The indices of the elements [first, last) of a section along one dimension, in those of the
/// interior. Needs the GIL. Process-local.
/// @param edge  width of the boundary padding at the lower end of the whole dimension
py::object global_indices_along(const Dimension& dimension, Index first, Index last, Index edge);

using ArrayClass = py::class_<Array>;
/// Adds to the class what says where a section is.
void bind_place(ArrayClass& type);

}  // namespace daptor::python
