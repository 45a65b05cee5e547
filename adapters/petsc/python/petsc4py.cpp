// SPDX-License-Identifier: BSD-3-Clause
#include "petsc4py.hpp"

#include <cstddef>
#include <exception>
#include <memory>
#include <string>

#include <petsc4py/petsc4py.h>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/library.hpp"
#include "daptor/error.hpp"
#include "daptor/petsc/adapter/found.hpp"

namespace daptor::python {
namespace {

constexpr const char* module_name = "petsc4py.PETSc";

/// Refuses a petsc4py whose PETSc has other scalars or indices: several such builds may be
/// installed side by side.
void require_same_kind(const py::module_& petsc) {
  const auto dtype = py::module_::import("numpy").attr("dtype");
  const py::object scalar = dtype(petsc.attr("ScalarType"));
  const py::object index = dtype(petsc.attr("IntType"));
  const auto kind = py::cast<std::string>(scalar.attr("str"));
  const bool complex = kind.find('c') != std::string::npos;
  const bool same = complex == (sizeof(PetscScalar) != sizeof(PetscReal)) &&
                    py::cast<std::size_t>(scalar.attr("itemsize")) == sizeof(PetscScalar) &&
                    py::cast<std::size_t>(index.attr("itemsize")) == sizeof(PetscInt);
  if (!same)
    throw InvalidArgument("petsc4py",
                          "a PETSc of " + kind + " scalars and indices of " +
                              std::string(py::str(index.attr("itemsize"))) + " bytes",
                          "the PETSc that Daptor was built with");
}

[[noreturn]] void refuse(py::handle object, const char* key, const char* expected) {
  throw InvalidArgument(key, std::string("a value of type ") + Py_TYPE(object.ptr())->tp_name,
                        expected);
}

template <class Object>
Object made(Object object, const char* key) {
  if (object == nullptr)
    throw InvalidArgument(key, "an object that was destroyed or never made", "one that exists");
  return object;
}

/// Keeps PETSc's communicator `inner` alive as long as the result lives.
std::shared_ptr<const void> kept(MPI_Comm inner) {
  MPI_Comm reference = MPI_COMM_NULL;
  if (static_cast<int>(PetscCommDuplicate(inner, &reference, nullptr)) != 0) return nullptr;
  return std::shared_ptr<const void>(nullptr, [reference](std::nullptr_t) mutable {
    if (!petsc::detail::is_finalized()) static_cast<void>(PetscCommDestroy(&reference));
  });
}

py::object checked(PyObject* object) {
  if (object == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(object);
}

}  // namespace

void require_petsc4py() {
  if (petsc::detail::is_finalized()) throw Finalized("PETSc");
  static bool ready = false;
  if (ready) return;
  const py::object modules = py::module_::import("sys").attr("modules");
  if (!modules.contains(module_name))
    throw InvalidArgument("petsc4py", "a program that has not imported it",
                          "from petsc4py import PETSc, which starts PETSc, before this call");
  require_same_kind(py::module_::import(module_name));
  if (import_petsc4py() != 0) throw py::error_already_set();
  ready = true;
}

py::object to_petsc4py(Vec vec) {
  return checked(PyPetscVec_New(vec));
}

py::object to_petsc4py(DM dm) {
  return checked(PyPetscDM_New(dm));
}

py::object to_petsc4py(Mat mat) {
  return checked(PyPetscMat_New(mat));
}

Vec vec_of(py::handle object) {
  if (PyObject_TypeCheck(object.ptr(), &PyPetscVec_Type) == 0)
    refuse(object, "vec", "a petsc4py Vec");
  return made(PyPetscVec_Get(object.ptr()), "vec");
}

DM dm_of(py::handle object) {
  if (PyObject_TypeCheck(object.ptr(), &PyPetscDM_Type) == 0)
    refuse(object, "dm", "a petsc4py DMDA");
  return made(PyPetscDM_Get(object.ptr()), "dm");
}

Mat mat_of(py::handle object) {
  if (PyObject_TypeCheck(object.ptr(), &PyPetscMat_Type) == 0)
    refuse(object, "mat", "a petsc4py Mat");
  return made(PyPetscMat_Get(object.ptr()), "mat");
}

void require_exportable(py::handle object) {
  const auto is = [&](const PyTypeObject& type) {
    return PyObject_TypeCheck(object.ptr(), const_cast<PyTypeObject*>(&type)) != 0;
  };
  if (is(PyPetscDM_Type)) {
    static_cast<void>(dm_of(object));
  } else if (is(PyPetscMat_Type)) {
    static_cast<void>(mat_of(object));
  } else {
    static_cast<void>(vec_of(object));
  }
}

Vec vec_or_null(py::handle object) {
  if (PyObject_TypeCheck(object.ptr(), &PyPetscVec_Type) == 0) return nullptr;
  return PyPetscVec_Get(object.ptr());
}

DM dm_or_null(py::handle object) {
  if (PyObject_TypeCheck(object.ptr(), &PyPetscDM_Type) == 0) return nullptr;
  return PyPetscDM_Get(object.ptr());
}

Mat mat_or_null(py::handle object) {
  if (PyObject_TypeCheck(object.ptr(), &PyPetscMat_Type) == 0) return nullptr;
  return PyPetscMat_Get(object.ptr());
}

std::optional<Checkable> checkable_of(py::handle object) {
  PyObject* const thing = object.ptr();
  const auto is = [&](const PyTypeObject& type) {
    return PyObject_TypeCheck(thing, const_cast<PyTypeObject*>(&type)) != 0;
  };
  if (is(PyPetscVec_Type)) return vec_of(object);
  if (is(PyPetscMat_Type)) return mat_of(object);
  if (is(PyPetscDM_Type)) return dm_of(object);
  if (is(PyPetscSF_Type)) return made(PyPetscSF_Get(thing), "sf");
  if (is(PyPetscScatter_Type)) return made(PyPetscScatter_Get(thing), "scatter");
  if (is(PyPetscKSP_Type)) return made(PyPetscKSP_Get(thing), "ksp");
  if (is(PyPetscIS_Type)) return made(PyPetscIS_Get(thing), "is");
  if (is(PyPetscLGMap_Type)) return made(PyPetscLGMap_Get(thing), "lgmap");
  return std::nullopt;
}

HeldComm communicator_behind(PetscObject object) {
  adapter::require_mpi_running();
  const MPI_Comm inner = PetscObjectComm(object);
  const auto mpi = py::module_::import("mpi4py.MPI");
  if (adapter::same_processes(inner, MPI_COMM_WORLD))
    return communicator_of(mpi.attr("COMM_WORLD"));
  if (adapter::same_processes(inner, MPI_COMM_SELF)) return communicator_of(mpi.attr("COMM_SELF"));
  HeldComm comm = communicator_of(mpi.attr("Comm").attr("f2py")(MPI_Comm_c2f(inner)));
  comm.keeper = kept(inner);
  return comm;
}

}  // namespace daptor::python
