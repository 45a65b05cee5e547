// SPDX-License-Identifier: BSD-3-Clause
#include <optional>
#include <string>
#include <utility>

#include "bindings.hpp"
#include "calls/options.hpp"
#include "daptor/error.hpp"
#include "grid.hpp"

namespace daptor::python {
namespace {

using scalapack::detail::MatrixForm;

/// The element type of a matrix; that of the array where `object` is None.
DataType type_named(const py::object& object, const Array& array) {
  if (object.is_none()) return array.array.type();
  std::string name;
  try {
    name = py::cast<std::string>(py::module_::import("numpy").attr("dtype")(object).attr("str"));
  } catch (const py::error_already_set&) {
    throw InvalidArgument("dtype", type_text(object), "an element type of NumPy");
  }
  const auto type = DataType::from_typestr(name);
  if (!type) throw InvalidArgument("dtype", name, "an element type of numbers");
  return *type;
}

/// The communicator of the grid or, where an argument of this rank is no grid, of the array.
HeldComm comm_of(const py::object& grid, const py::object& array) {
  if (!is_a<PythonGrid>(grid) && is_a<Array>(array)) return array_of("array", array).comm;
  return grid_of(grid).comm;
}

py::tuple copy_to_matrix(const Given& given, const py::object& array_object,
                         const py::object& grid_object, const py::object& row_block,
                         const py::object& column_block, const py::object& dtype) {
  const HeldComm comm = comm_of(grid_object, array_object);
  Call call = python_call(comm, "scalapack.copy_to_matrix");
  scalapack::Blocks blocks;
  std::optional<DataType> type;
  RedistributionOptions options;
  call.check([&] {
    const Array& array = array_of("array", array_object);
    grid_of(grid_object);
    blocks = {integer_of("blocks", row_block), integer_of("blocks", column_block)};
    type = type_named(dtype, array);
    options = given.read<RedistributionOptions>();
  });
  const Array& array = array_of("array", array_object);
  const PythonGrid& grid = grid_of(grid_object);
  const MatrixForm form = [&] {
    const Unlocked unlocked;
    return scalapack::detail::copy_form(array.array, grid.grid, *type, blocks, options);
  }();
  return matrix_parts(form, grid, false, {});
}

/// `matrix` is the array of a Matrix, None outside of its grid.
void copy_from_matrix(const Given& given, const py::object& matrix, const py::object& grid_object,
                      const py::object& array_object) {
  const HeldComm comm = comm_of(grid_object, array_object);
  Call call = python_call(comm, "scalapack.copy_from_matrix");
  RedistributionOptions options;
  call.check([&] {
    const PythonGrid& grid = grid_of(grid_object);
    if (grid.inside) array_of("matrix", matrix);
    array_of("array", array_object);
    options = given.read<RedistributionOptions>();
  });
  const Array& array = array_of("array", array_object);
  const PythonGrid& grid = grid_of(grid_object);
  const MatrixForm form{grid.inside ? array_of("matrix", matrix).array : DistArray(), grid.grid};
  const Unlocked unlocked;
  scalapack::detail::copy_back(form, array.array, options);
}

}  // namespace

void bind_copying_matrix(py::module_& module) {
  define(module, "copy_to_matrix",
         Keywords().of<RedistributionOptions>(
             {"fill_padding", "buffer_bytes", "through_host", "within_node"}),
         copy_to_matrix, py::arg("array"), py::arg("grid"), py::arg("row_block"),
         py::arg("column_block"), py::arg("dtype"), "{options}");
  define(module, "copy_from_matrix",
         Keywords().of<RedistributionOptions>(
             {"read_from_any", "buffer_bytes", "through_host", "within_node"}),
         copy_from_matrix, py::arg("matrix"), py::arg("grid"), py::arg("array"), "{options}");
}

}  // namespace daptor::python
