// SPDX-License-Identifier: BSD-3-Clause
#include <optional>
#include <string>
#include <utility>

#include "bindings.hpp"
#include "collective.hpp"
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

/// The options of both copies, unchecked.
struct GivenCopy {
  py::object read_from_any, convert, fill_padding;

  RedistributionOptions read() const {
    RedistributionOptions options;
    options.read_from_any = flag_of("read_from_any", read_from_any);
    options.convert = flag_of("convert", convert);
    options.fill_padding = flag_of("fill_padding", fill_padding);
    return options;
  }
};

/// The communicator of the grid or, where an argument of this rank is no grid, of the array.
HeldComm comm_of(const py::object& grid, const py::object& array) {
  if (!is_a<PythonGrid>(grid) && is_a<Array>(array)) return array_of("array", array).comm;
  return grid_of(grid).comm;
}

py::tuple copy_to_matrix(const py::object& array_object, const py::object& grid_object,
                         const py::object& row_block, const py::object& column_block,
                         const py::object& dtype, const GivenCopy& given) {
  Collective call(comm_of(grid_object, array_object), "scalapack.copy_to_matrix");
  scalapack::Blocks blocks;
  std::optional<DataType> type;
  RedistributionOptions options;
  call.check([&] {
    const Array& array = array_of("array", array_object);
    grid_of(grid_object);
    blocks = {integer_of("blocks", row_block), integer_of("blocks", column_block)};
    type = type_named(dtype, array);
    options = given.read();
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
void copy_from_matrix(const py::object& matrix, const py::object& grid_object,
                      const py::object& array_object, const GivenCopy& given) {
  Collective call(comm_of(grid_object, array_object), "scalapack.copy_from_matrix");
  RedistributionOptions options;
  call.check([&] {
    const PythonGrid& grid = grid_of(grid_object);
    if (grid.inside) array_of("matrix", matrix);
    array_of("array", array_object);
    options = given.read();
  });
  const Array& array = array_of("array", array_object);
  const PythonGrid& grid = grid_of(grid_object);
  const MatrixForm form{grid.inside ? array_of("matrix", matrix).array : DistArray(), grid.grid};
  const Unlocked unlocked;
  scalapack::detail::copy_back(form, array.array, options);
}

}  // namespace

void bind_copying_matrix(py::module_& module) {
  using Object = const py::object&;
  module.def(
      "copy_to_matrix",
      [](Object array, Object grid, Object row_block, Object column_block, Object dtype,
         Object read_from_any, Object convert) {
        return copy_to_matrix(array, grid, row_block, column_block, dtype,
                              {read_from_any, convert, py::bool_(false)});
      },
      py::arg("array"), py::arg("grid"), py::kw_only(), py::arg("row_block"),
      py::arg("column_block"), py::arg("dtype"), py::arg("read_from_any"), py::arg("convert"));
  module.def(
      "copy_from_matrix",
      [](Object matrix, Object grid, Object array, Object fill_padding, Object convert) {
        copy_from_matrix(matrix, grid, array, {py::bool_(false), convert, fill_padding});
      },
      py::arg("matrix"), py::arg("grid"), py::arg("array"), py::kw_only(), py::arg("fill_padding"),
      py::arg("convert"));
}

}  // namespace daptor::python
