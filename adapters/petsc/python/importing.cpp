// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <utility>
#include <vector>

#include "arrays/array.hpp"
#include "bindings.hpp"
#include "calls/options.hpp"
#include "daptor/petsc.hpp"
#include "petsc4py.hpp"

namespace daptor::python {
namespace {

/// Collective. Runs the call `name`, a method of Array that returns a petsc4py Vec, which keeps the
/// PETSc object alive. `make` gets a flag for the padded section, and the options.
template <class Options, class Make>
py::object petsc4py_vec(const char* name, const Given& given, const Array& self, const Make& make) {
  Call call = python_call(self.comm, name);
  bool section = false;
  Options options;
  call.check([&] {
    require_petsc4py();
    section = given.flag("padded");
    call.same("padded", section);
    options = given.read<Options>();
  });
  petsc::ImportedVec vec;
  {
    const Unlocked unlocked;
    vec = make(section, options);
  }
  return to_petsc4py(vec.get());
}

/// A Vec on the memory of the array, which it keeps alive.
py::object to_vec(const Given& given, const Array& self) {
  return petsc4py_vec<petsc::VecOptions>(
      "Array.to_petsc", given, self, [&](bool section, const petsc::VecOptions& options) {
        return section ? petsc::import_padded_vec(self.array, options)
                       : petsc::import_vec(self.array, options);
      });
}

py::object copy_to_vec(const Given& given, const Array& self) {
  return petsc4py_vec<petsc::CopyOptions>(
      "Array.copy_to_petsc", given, self, [&](bool section, const petsc::CopyOptions& options) {
        return section ? petsc::copy_to_padded_vec(self.array, options)
                       : petsc::copy_to_vec(self.array, options);
      });
}

/// A DMDA on the memory of an Array, which it keeps alive.
struct Grid {
  petsc::ImportedDMDA dmda;
  Array array;
};

Grid to_dmda(const Given& given, const Array& self) {
  Call call = python_call(self.comm, "Array.to_dmda");
  petsc::DMDAOptions options;
  call.check([&] {
    require_petsc4py();
    options = given.read<petsc::DMDAOptions>();
  });
  const Unlocked unlocked;
  return {petsc::import_dmda(self.array, options), self};
}

Grid copy_to_dmda(const Given& given, const Array& self) {
  Call call = python_call(self.comm, "Array.copy_to_dmda");
  petsc::DMDAOptions options;
  petsc::DMDACopyOptions how;
  call.check([&] {
    require_petsc4py();
    options = given.read<petsc::DMDAOptions>();
    how = given.read<petsc::DMDACopyOptions>();
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

Keywords with_padded(const char* text) {
  return Keywords().with("padded", "bool", "False", text);
}

}  // namespace

void bind_importing_petsc(py::module_& module) {
  bind_grid(module);
  define(module, "to_petsc",
         with_padded("the whole section, including padding, as a sequential Vec, instead of the "
                     "owned part as a Vec on all ranks")
             .of<petsc::VecOptions>(),
         to_vec, py::arg("array"), "{options}");
  define(module, "copy_to_petsc",
         with_padded("each rank's section, with its padding filled, as a sequential Vec in C order")
             .of<petsc::CopyOptions>(),
         copy_to_vec, py::arg("array"), "{options}");
  define(module, "to_dmda", Keywords().of<petsc::DMDAOptions>(), to_dmda, py::arg("array"),
         "{options}");
  define(module, "copy_to_dmda",
         Keywords().of<petsc::DMDACopyOptions>().of<petsc::DMDAOptions>(
             {"boundary", "readonly", "trust_readonly"}),
         copy_to_dmda, py::arg("array"), "{options}");
}

}  // namespace daptor::python
