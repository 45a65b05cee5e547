// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "arrays/array.hpp"
#include "calls/arguments.hpp"
#include "daptor/scalapack.hpp"

namespace daptor::python {

/// `daptor.scalapack.Grid`: a grid with the communicators of Python.
struct PythonGrid {
  scalapack::Grid grid;
  HeldComm comm;                   ///< of all that made the grid
  std::optional<HeldComm> inside;  ///< of the processes of the grid; empty outside of it
};

/// The PythonGrid behind a Python object. Throws InvalidArgument for any other object.
const PythonGrid& grid_of(py::handle object);

/// What `daptor.scalapack.Matrix` is made of: the array (None outside of the grid), the descriptor,
/// and the local numbers of rows and columns. `readonly`: the array is not to be written through.
py::tuple matrix_parts(const scalapack::detail::MatrixForm& form, const PythonGrid& grid,
                       bool readonly, const std::weak_ptr<const Kept>& kept);

}  // namespace daptor::python
