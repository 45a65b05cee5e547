#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "array.hpp"
#include "bindings.hpp"
#include "daptor/agreement.hpp"
#include "daptor/petsc.hpp"
#include "petsc4py.hpp"
#include "stencil.hpp"

namespace daptor::python {
namespace {

/// The petsc4py Vec keeps the PETSc object, which keeps the array.
py::object to_vec(const Array& self, bool padded, const petsc::VecOptions& options) {
  agree_on_petsc4py(self.comm);
  const MPI_Comm comm = users_own(self.comm);
  petsc::ImportedVec vec;
  {
    const Unlocked unlocked;
    vec = padded ? petsc::import_padded_vec(self.array, comm, options)
                 : petsc::import_vec(self.array, comm, options);
  }
  return to_petsc4py(vec.get());
}

py::object copy_to_vec(const Array& self, bool padded, const petsc::CopyOptions& options) {
  agree_on_petsc4py(self.comm);
  const MPI_Comm comm = users_own(self.comm);
  petsc::ImportedVec vec;
  {
    const Unlocked unlocked;
    vec = padded ? petsc::copy_to_padded_vec(self.array, comm, options)
                 : petsc::copy_to_vec(self.array, comm, options);
  }
  return to_petsc4py(vec.get());
}

petsc::VecOptions vec_options(bool flat, bool readonly, bool trust_readonly, bool allow_overlap,
                              bool local_to_global, bool ghosts) {
  petsc::VecOptions options;
  options.flat = flat;
  options.readonly = readonly;
  options.trust_readonly = trust_readonly;
  options.allow_overlap = allow_overlap;
  options.local_to_global = local_to_global;
  options.ghosts = ghosts;
  return options;
}

/// A DMDA on the memory of an Array, which it keeps.
struct Grid {
  petsc::ImportedDMDA dmda;
  Array array;
};

petsc::DMDABoundary boundary_of(const std::optional<std::string>& name) {
  if (!name) return petsc::DMDABoundary::as_exported;
  if (*name == "grid") return petsc::DMDABoundary::grid;
  if (*name == "ghosted") return petsc::DMDABoundary::ghosted;
  throw InvalidArgument("boundary", '"' + *name + '"', "None, \"grid\" or \"ghosted\"");
}

Grid to_dmda(const Array& self, const std::string& stencil,
             const std::optional<std::string>& boundary, petsc::DMDAOptions options) {
  agree_on_petsc4py(self.comm);
  const MPI_Comm comm = users_own(self.comm);
  const Unlocked unlocked;
  agreed(*self.comm, [&] {
    options.stencil = stencil_of(stencil);
    options.boundary = boundary_of(boundary);
  });
  return {petsc::import_dmda(self.array, comm, options), self};
}

petsc::DMDAVector vector_of(const std::string& name) {
  if (name == "local") return petsc::DMDAVector::local;
  if (name == "global") return petsc::DMDAVector::global;
  throw InvalidArgument("vector", '"' + name + '"', "\"local\" or \"global\"");
}

Grid copy_to_dmda(const Array& self, const std::string& vector, const std::string& stencil,
                  petsc::DMDAOptions options, petsc::DMDACopyOptions how) {
  agree_on_petsc4py(self.comm);
  const MPI_Comm comm = users_own(self.comm);
  const Unlocked unlocked;
  agreed(*self.comm, [&] {
    how.vector = vector_of(vector);
    options.stencil = stencil_of(stencil);
  });
  petsc::ImportedDMDA dmda = petsc::copy_to_dmda(self.array, comm, options, how);
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
              R"(The padded section as the DMDA's local Vec, sequential. NotRepresentable
(`dmda.local-run`) where the section is not the DMDA's ghosted box.)")
          .def_property_readonly(
              "global_vec", [](const Grid& self) { return to_petsc4py(self.dmda.global()); },
              R"(The owned part as the DMDA's global Vec. NotRepresentable (`dmda.global-run`) where it
is not one contiguous run.)")
          .def_property_readonly(
              "has_local", [](const Grid& self) { return self.dmda.has_local(); },
              "Whether there is a local_vec.")
          .def_property_readonly(
              "has_global", [](const Grid& self) { return self.dmda.has_global(); },
              "Whether there is a global_vec.")
          .def_property_readonly(
              "reordered", [](const Grid& self) { return self.dmda.reordered(); },
              "Ranks were reordered: the DMDA has a communicator of its own.")
          .def_property_readonly(
              "array", [](const Grid& self) { return self.array; },
              "The array whose memory the vectors lie on.")
          .def("update_padding", update_padding,
               "Fills the communication padding, in the producer's buffer. Collective.")
          .def("close", close,
               "Releases vectors and DMDA. Collective; does nothing the second time.")
          .def("__enter__", [](py::object self) { return self; })
          .def("__exit__", [](Grid& self, const py::args&) { close(self); });
  refuse_pickling(type);
}

void bind_copies(py::module_& module) {
  module.def(
      "copy_to_vec",
      [](const Array& self, bool padded, std::optional<PetscInt> local_size, bool flat,
         bool read_from_any, bool convert) {
        petsc::CopyOptions options;
        options.local_size = local_size.value_or(PETSC_DECIDE);
        options.flat = flat;
        options.read_from_any = read_from_any;
        options.convert = convert;
        return copy_to_vec(self, padded, options);
      },
      py::arg("array"), py::kw_only(), py::arg("padded"), py::arg("local_size"), py::arg("flat"),
      py::arg("read_from_any"), py::arg("convert"));
  module.def(
      "copy_to_dmda",
      [](const Array& self, const std::string& vector, std::optional<std::vector<Index>> grid,
         const std::string& stencil, int stencil_width, bool no_dof, bool allow_reorder,
         bool read_from_any, bool convert) {
        petsc::DMDAOptions options;
        options.stencil_width = stencil_width;
        options.no_dof = no_dof;
        options.allow_reorder = allow_reorder;
        petsc::DMDACopyOptions how;
        if (grid) how.grid = std::move(*grid);
        how.read_from_any = read_from_any;
        how.convert = convert;
        return copy_to_dmda(self, vector, stencil, options, how);
      },
      py::arg("array"), py::kw_only(), py::arg("vector"), py::arg("grid"), py::arg("stencil"),
      py::arg("stencil_width"), py::arg("no_dof"), py::arg("allow_reorder"),
      py::arg("read_from_any"), py::arg("convert"));
}

}  // namespace

void bind_importing_petsc(py::module_& module) {
  bind_grid(module);
  bind_copies(module);
  module.def(
      "to_vec",
      [](const Array& self, bool padded, bool flat, bool readonly, bool trust_readonly,
         bool allow_overlap, bool local_to_global, bool ghosts) {
        return to_vec(self, padded, vec_options(flat, readonly, trust_readonly, allow_overlap,
                                                local_to_global, ghosts));
      },
      py::arg("array"), py::kw_only(), py::arg("padded"), py::arg("flat"), py::arg("readonly"),
      py::arg("trust_readonly"), py::arg("allow_overlap"), py::arg("local_to_global"),
      py::arg("ghosts"));
  module.def(
      "to_dmda",
      [](const Array& self, const std::string& stencil, int stencil_width,
         const std::optional<std::string>& boundary, bool no_dof, bool allow_reorder, bool readonly,
         bool trust_readonly) {
        petsc::DMDAOptions options;
        options.stencil_width = stencil_width;
        options.no_dof = no_dof;
        options.allow_reorder = allow_reorder;
        options.readonly = readonly;
        options.trust_readonly = trust_readonly;
        return to_dmda(self, stencil, boundary, options);
      },
      py::arg("array"), py::kw_only(), py::arg("stencil"), py::arg("stencil_width"),
      py::arg("boundary"), py::arg("no_dof"), py::arg("allow_reorder"), py::arg("readonly"),
      py::arg("trust_readonly"));
}

}  // namespace daptor::python
