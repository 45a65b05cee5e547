// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <utility>
#include <vector>

#include "array.hpp"
#include "bindings.hpp"
#include "collective.hpp"
#include "daptor/petsc.hpp"
#include "petsc4py.hpp"
#include "stencil.hpp"

namespace daptor::python {
namespace {

constexpr int petsc_bits = 8 * sizeof(PetscInt);

/// The options for a Vec, which are not checked yet.
struct GivenVec {
  py::object flat, readonly, trust_readonly, allow_overlap, local_to_global, ghosts, interior;

  petsc::VecOptions read() const {
    petsc::VecOptions options;
    options.flat = flag_of("flat", flat);
    options.readonly = flag_of("readonly", readonly);
    options.trust_readonly = flag_of("trust_readonly", trust_readonly);
    options.allow_overlap = flag_of("allow_overlap", allow_overlap);
    options.local_to_global = flag_of("local_to_global", local_to_global);
    options.ghosts = flag_of("ghosts", ghosts);
    options.interior = flag_of("interior", interior);
    return options;
  }
};

/// The options for a copy, which are not checked yet.
struct GivenCopy {
  py::object local_size, flat, read_from_any, convert, interior;

  petsc::CopyOptions read() const {
    petsc::CopyOptions options;
    options.local_size =
        local_size.is_none()
            ? PETSC_DECIDE
            : static_cast<PetscInt>(integer_of("local_size", local_size, petsc_bits));
    options.flat = flag_of("flat", flat);
    options.read_from_any = flag_of("read_from_any", read_from_any);
    options.convert = flag_of("convert", convert);
    options.interior = flag_of("interior", interior);
    return options;
  }
};

/// Collective. Runs the call `name`, a method of Array that returns a petsc4py Vec, which keeps the
/// PETSc object alive. `make` gets a flag for the padded section, and the checked options.
template <class Given, class Make>
py::object petsc4py_vec(const char* name, const Array& self, const py::object& padded,
                        const Given& given, const Make& make) {
  Collective call(self.comm, name);
  bool section = false;
  decltype(given.read()) options;
  call.check([&] {
    require_petsc4py();
    section = flag_of("padded", padded);
    call.same("padded", section);
    options = given.read();
  });
  petsc::ImportedVec vec;
  {
    const Unlocked unlocked;
    vec = make(section, options);
  }
  return to_petsc4py(vec.get());
}

/// A Vec on the memory of the array, which it keeps alive.
py::object to_vec(const Array& self, const py::object& padded, const GivenVec& given) {
  return petsc4py_vec("Array.to_petsc", self, padded, given,
                      [&](bool section, const petsc::VecOptions& options) {
                        return section ? petsc::import_padded_vec(self.array, options)
                                       : petsc::import_vec(self.array, options);
                      });
}

py::object copy_to_vec(const Array& self, const py::object& padded, const GivenCopy& given) {
  return petsc4py_vec("Array.copy_to_petsc", self, padded, given,
                      [&](bool section, const petsc::CopyOptions& options) {
                        return section ? petsc::copy_to_padded_vec(self.array, options)
                                       : petsc::copy_to_vec(self.array, options);
                      });
}

/// A DMDA on the memory of an Array, which it keeps alive.
struct Grid {
  petsc::ImportedDMDA dmda;
  Array array;
};

petsc::DMDABoundary boundary_of(const py::object& given) {
  if (given.is_none()) return petsc::DMDABoundary::as_exported;
  const std::string name = word_of("boundary", given);
  if (name == "grid") return petsc::DMDABoundary::grid;
  if (name == "ghosted") return petsc::DMDABoundary::ghosted;
  throw InvalidArgument("boundary", '"' + name + '"', "None, \"grid\" or \"ghosted\"");
}

/// The options for a DMDA, which are not checked yet.
struct GivenDMDA {
  py::object stencil, stencil_width, no_dof, allow_reorder;

  petsc::DMDAOptions read() const {
    petsc::DMDAOptions options;
    options.stencil = stencil_of(word_of("stencil", stencil));
    options.stencil_width = static_cast<int>(integer_of("stencil_width", stencil_width, 32));
    options.no_dof = flag_of("no_dof", no_dof);
    options.allow_reorder = flag_of("allow_reorder", allow_reorder);
    return options;
  }
};

Grid to_dmda(const Array& self, const GivenDMDA& given, const py::object& boundary,
             const py::object& readonly, const py::object& trust_readonly) {
  Collective call(self.comm, "Array.to_dmda");
  petsc::DMDAOptions options;
  call.check([&] {
    require_petsc4py();
    options = given.read();
    options.boundary = boundary_of(boundary);
    options.readonly = flag_of("readonly", readonly);
    options.trust_readonly = flag_of("trust_readonly", trust_readonly);
  });
  const Unlocked unlocked;
  return {petsc::import_dmda(self.array, options), self};
}

petsc::DMDAVector vector_of(const std::string& name) {
  if (name == "local") return petsc::DMDAVector::local;
  if (name == "global") return petsc::DMDAVector::global;
  throw InvalidArgument("vector", '"' + name + '"', "\"local\" or \"global\"");
}

std::vector<Index> grid_of(const py::object& sizes) {
  std::vector<Index> grid;
  if (sizes.is_none()) return grid;
  const auto items = py::reinterpret_steal<py::object>(PySequence_List(sizes.ptr()));
  if (!items) {
    PyErr_Clear();
    throw InvalidArgument("grid", type_text(sizes), "a sequence of integers");
  }
  for (const py::handle item : items) grid.push_back(integer_of("grid", item));
  return grid;
}

Grid copy_to_dmda(const Array& self, const py::object& vector, const py::object& grid,
                  const GivenDMDA& given, const py::object& read_from_any,
                  const py::object& convert, const py::object& interior) {
  Collective call(self.comm, "Array.copy_to_dmda");
  petsc::DMDAOptions options;
  petsc::DMDACopyOptions how;
  call.check([&] {
    require_petsc4py();
    options = given.read();
    how.vector = vector_of(word_of("vector", vector));
    how.grid = grid_of(grid);
    how.read_from_any = flag_of("read_from_any", read_from_any);
    how.convert = flag_of("convert", convert);
    how.interior = flag_of("interior", interior);
  });
  const Unlocked unlocked;
  petsc::ImportedDMDA dmda = petsc::copy_to_dmda(self.array, options, how);
  Array copy{dmda.array(), self.comm};
  return {std::move(dmda), std::move(copy)};
}

void update_padding(Grid& self) {
  const Unlocked unlocked;
  self.dmda.update_padding();
}

void close(Grid& self) {
  const Unlocked unlocked;
  self.dmda.close();
}

void bind_grid(py::module_& module) {
  auto type =
      py::class_<Grid>(module, "ImportedDMDA", not_made_by_python(),
                       R"(A petsc4py DMDA with its vectors on the memory of a daptor.Array.

A `with` block closes it at its end. Without one its last reference should go on all ranks at the
same place: the last release of a PETSc object is collective.)")
          .def_property_readonly(
              "dm", [](const Grid& self) { return to_petsc4py(self.dmda.dm()); },
              "The petsc4py DMDA. PETSc's x is the dimension that varies fastest in memory.")
          .def_property_readonly(
              "local_vec", [](const Grid& self) { return to_petsc4py(self.dmda.local()); },
              R"(The padded section as the DMDA's local Vec, sequential. Raises NotRepresentable
(`petsc.dmda.local-run`) if the section is not the DMDA's ghosted box.)")
          .def_property_readonly(
              "global_vec", [](const Grid& self) { return to_petsc4py(self.dmda.global()); },
              R"(The owned part as the DMDA's global Vec. Raises NotRepresentable
(`petsc.dmda.global-run`) if it is not one contiguous run.)")
          .def_property_readonly(
              "has_local", [](const Grid& self) { return self.dmda.has_local(); },
              "Whether there is a local_vec.")
          .def_property_readonly(
              "has_global", [](const Grid& self) { return self.dmda.has_global(); },
              "Whether there is a global_vec.")
          .def_property_readonly(
              "reordered", [](const Grid& self) { return self.dmda.reordered(); },
              "Whether ranks were reordered, so that the DMDA has a communicator of its own.")
          .def_property_readonly(
              "array", [](const Grid& self) { return self.array; },
              "The array whose memory the vectors lie on.")
          .def("update_padding", update_padding,
               "Fills the communication padding, in the producer's buffer. Collective.")
          .def("close", close,
               "Releases vectors and DMDA. Collective; a second call has no effect.")
          .def("__repr__",
               [](const Grid& self) {
                 const std::string of = py::str(py::repr(py::cast(self.array)));
                 return "<daptor.ImportedDMDA of " + of + (self.dmda ? ">" : ", closed>");
               })
          .def("__enter__", [](py::object self) { return self; })
          .def("__exit__", [](Grid& self, const py::args&) { close(self); });
  refuse_pickling(type);
}

using Object = const py::object&;

void bind_copies(py::module_& module) {
  module.def(
      "copy_to_vec",
      [](const Array& self, Object padded, Object local_size, Object flat, Object read_from_any,
         Object convert, Object interior) {
        return copy_to_vec(self, padded, {local_size, flat, read_from_any, convert, interior});
      },
      py::arg("array"), py::kw_only(), py::arg("padded"), py::arg("local_size"), py::arg("flat"),
      py::arg("read_from_any"), py::arg("convert"), py::arg("interior"));
  module.def(
      "copy_to_dmda",
      [](const Array& self, Object vector, Object grid, Object stencil, Object stencil_width,
         Object no_dof, Object allow_reorder, Object read_from_any, Object convert,
         Object interior) {
        return copy_to_dmda(self, vector, grid, {stencil, stencil_width, no_dof, allow_reorder},
                            read_from_any, convert, interior);
      },
      py::arg("array"), py::kw_only(), py::arg("vector"), py::arg("grid"), py::arg("stencil"),
      py::arg("stencil_width"), py::arg("no_dof"), py::arg("allow_reorder"),
      py::arg("read_from_any"), py::arg("convert"), py::arg("interior"));
}

}  // namespace

void bind_importing_petsc(py::module_& module) {
  bind_grid(module);
  bind_copies(module);
  module.def(
      "to_vec",
      [](const Array& self, Object padded, Object flat, Object readonly, Object trust_readonly,
         Object allow_overlap, Object local_to_global, Object ghosts, Object interior) {
        return to_vec(
            self, padded,
            {flat, readonly, trust_readonly, allow_overlap, local_to_global, ghosts, interior});
      },
      py::arg("array"), py::kw_only(), py::arg("padded"), py::arg("flat"), py::arg("readonly"),
      py::arg("trust_readonly"), py::arg("allow_overlap"), py::arg("local_to_global"),
      py::arg("ghosts"), py::arg("interior"));
  module.def(
      "to_dmda",
      [](const Array& self, Object stencil, Object stencil_width, Object boundary, Object no_dof,
         Object allow_reorder, Object readonly, Object trust_readonly) {
        return to_dmda(self, {stencil, stencil_width, no_dof, allow_reorder}, boundary, readonly,
                       trust_readonly);
      },
      py::arg("array"), py::kw_only(), py::arg("stencil"), py::arg("stencil_width"),
      py::arg("boundary"), py::arg("no_dof"), py::arg("allow_reorder"), py::arg("readonly"),
      py::arg("trust_readonly"));
}

}  // namespace daptor::python
