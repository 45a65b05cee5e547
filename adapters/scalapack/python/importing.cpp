// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.hpp"
#include "calls/call.hpp"
#include "daptor/error.hpp"
#include "grid.hpp"

namespace daptor::python {
namespace {

using scalapack::detail::MatrixForm;

/// The communicator of the grid's processes or, where an argument of this rank is no grid, of the
/// array.
HeldComm inside_comm_of(const py::object& grid, const py::object& array) {
  if (!is_a<PythonGrid>(grid) && is_a<Array>(array)) return array_of("array", array).comm;
  return *grid_of(grid).inside;
}

py::tuple import_matrix(const py::object& array_object, const py::object& grid_object,
                        const py::object& readonly) {
  if (is_a<PythonGrid>(grid_object) && !grid_of(grid_object).inside) {
    const PythonGrid& outside = grid_of(grid_object);
    const MatrixForm nothing =
        scalapack::detail::import_form(DistArray(), outside.grid, DataType::of<double>(), false);
    return matrix_parts(nothing, outside, false, {});
  }
  const HeldComm comm = inside_comm_of(grid_object, array_object);
  Call call = python_call(comm, "scalapack.import_matrix");
  bool reading = false;
  call.check([&] {
    grid_of(grid_object);
    array_of("array", array_object);
    reading = flag_of("readonly", readonly);
    call.same("readonly", reading);
  });
  const Array& array = array_of("array", array_object);
  const PythonGrid& grid = grid_of(grid_object);
  const MatrixForm form = [&] {
    const Unlocked unlocked;
    return scalapack::detail::import_form(array.array, grid.grid, array.array.type(), !reading);
  }();
  return matrix_parts(form, grid, reading, array.kept);
}

Array transposed(const py::object& object) {
  const Array& array = array_of("array", object);
  DistArray result = scalapack::transposed(array.array);
  result.defect().raise();
  return {std::move(result), array.comm, array.kept};
}

}  // namespace

void bind_importing_matrix(py::module_& module) {
  module.def("import_matrix", import_matrix, py::arg("array"), py::arg("grid"), py::kw_only(),
             py::arg("readonly"));
  module.def("transposed", transposed, py::arg("array"));
}

}  // namespace daptor::python
