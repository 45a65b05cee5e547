// SPDX-License-Identifier: BSD-3-Clause
#include "grid.hpp"

#include <memory>
#include <string>
#include <utility>

#include "bindings.hpp"
#include "calls/options.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/error.hpp"

namespace daptor::python {
namespace {

/// The communicator of the processes of the grid, as an object of mpi4py where it is not the
/// caller's own.
std::optional<HeldComm> inside_of(const scalapack::Grid& grid, const HeldComm& comm) {
  if (!grid.inside()) return std::nullopt;
  const Comm& ranks = grid.inside_comm();
  if (ranks == comm.ranks) return comm;
  const py::object object =
      py::module_::import("mpi4py.MPI").attr("Comm").attr("f2py")(MPI_Comm_c2f(ranks->original()));
  return HeldComm{ranks, std::make_shared<const Held>(object.ptr()),
                  std::make_shared<const scalapack::Grid>(grid)};
}

/// mpi4py is needed where a grid leaves processes out. Throws on a rank that lacks it.
void require_mpi4py() {
  py::module_::import("mpi4py.MPI");
}

std::unique_ptr<PythonGrid> make_grid(const py::object& comm_object, const py::object& rows,
                                      const py::object& columns, const py::object& order) {
  const HeldComm comm = communicator_of(comm_object);
  Call call = python_call(comm, "scalapack.Grid");
  Index asked_rows = 0, asked_columns = 0;
  scalapack::GridOrder asked_order = scalapack::GridOrder::row;
  call.check([&] {
    require_mpi4py();
    asked_rows = integer_of("rows", rows);
    asked_columns = integer_of("columns", columns);
    asked_order = OptionValue<scalapack::GridOrder>::read("order", order);
  });
  const scalapack::Grid grid = [&] {
    const Unlocked unlocked;
    return scalapack::Grid(*comm, asked_rows, asked_columns, asked_order);
  }();
  return std::make_unique<PythonGrid>(PythonGrid{grid, comm, inside_of(grid, comm)});
}

std::unique_ptr<PythonGrid> grid_of_array(const py::object& object) {
  const Array& array = array_of("array", object);
  const scalapack::Grid grid = [&] {
    const Unlocked unlocked;
    return scalapack::Grid::of(array.array);
  }();
  return std::make_unique<PythonGrid>(PythonGrid{grid, array.comm, array.comm});
}

std::string represented(const PythonGrid& self) {
  const scalapack::Grid& grid = self.grid;
  const std::string place = grid.inside() ? "process (" + std::to_string(grid.row()) + ", " +
                                                std::to_string(grid.column()) + ')'
                                          : std::string("a process outside");
  return "<daptor.scalapack.Grid " + std::to_string(grid.rows()) + " x " +
         std::to_string(grid.columns()) + ", " + place + '>';
}

using GridClass = py::class_<PythonGrid>;

template <int (scalapack::Grid::*number)() const>
int number_of(const PythonGrid& self) {
  return (self.grid.*number)();
}

void bind_numbers(GridClass& type) {
  using scalapack::Grid;
  type.def_property_readonly("context", number_of<&Grid::context>,
                             "The BLACS context; -1 outside of the grid. Do not end it.")
      .def_property_readonly("rows", number_of<&Grid::rows>, "Rows of processes.")
      .def_property_readonly("columns", number_of<&Grid::columns>, "Columns of processes.")
      .def_property_readonly("row", number_of<&Grid::row>,
                             "The row of this process; -1 outside of the grid.")
      .def_property_readonly("column", number_of<&Grid::column>,
                             "The column of this process; -1 outside of the grid.")
      .def_property_readonly(
          "inside", [](const PythonGrid& self) { return self.grid.inside(); },
          "Whether this process has a part in the grid.");
}

}  // namespace

const PythonGrid& grid_of(py::handle object) {
  if (!is_a<PythonGrid>(object))
    throw InvalidArgument("grid", type_text(object), "a daptor.scalapack.Grid");
  return py::cast<const PythonGrid&>(object);
}

py::tuple matrix_parts(const scalapack::detail::MatrixForm& form, const PythonGrid& grid,
                       bool readonly, const std::weak_ptr<const Kept>& kept) {
  py::list desc;
  for (const int number : form.desc) desc.append(number);
  py::object array = py::none();
  if (grid.inside)
    array = py::cast(Array{readonly ? form.array.as_readonly() : form.array, *grid.inside, kept});
  return py::make_tuple(array, desc, form.local_rows, form.local_columns);
}

void bind_grid(py::module_& module) {
  GridClass type(module, "Grid",
                 R"(Processes as ScaLAPACK has them: rows and columns, with a BLACS context.

comm     a communicator of mpi4py; all its processes take part in the call
rows, columns
         of the grid; 0: as many as fit, and if both are 0, a grid of all processes that is as
         square as possible. Processes after the first `rows * columns` are outside
order    which ranks follow each other: "row", along the rows of the grid, or "column"

Collective over `comm`. One context is made for each communicator and shape, and kept beside the
communicator. Raises on all ranks InvalidArgument: for a grid of more processes than there are
(`scalapack.grid.shape`), for arguments of a wrong type or that differ between ranks.

Six processes:
    daptor.scalapack.Grid(comm)          3 x 2: rank 3 is at row 1, column 1
    daptor.scalapack.Grid(comm, 2, 2)    ranks 4 and 5 are outside)");
  refuse_pickling(type);
  type.def(py::init(&make_grid), py::arg("comm"), py::arg("rows") = 0, py::arg("columns") = 0,
           py::kw_only(), py::arg("order") = "row");
  type.def_static("of", grid_of_array, py::arg("array"),
                  R"(The grid whose processes are where the array's sections are.

Collective over the array's communicator. Raises on all ranks: NotRepresentable for an array of
other than one or two dimensions, Malformed if its sections do not form one array; InvalidArgument,
on this rank alone, for an object that is no daptor.Array.)");
  bind_numbers(type);
  type.def_property_readonly(
          "comm", [](const PythonGrid& self) { return to_mpi4py(self.comm); },
          "The communicator of all processes that made the grid, those outside included.")
      .def_property_readonly(
          "inside_comm",
          [](const PythonGrid& self) -> py::object {
            if (!self.inside) return py::none();
            return to_mpi4py(*self.inside);
          },
          "The communicator of the processes of the grid; None outside of it. Do not free it.")
      .def("__repr__", represented);
}

}  // namespace daptor::python
