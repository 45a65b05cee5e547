#include "petsc4py.hpp"

#include <exception>
#include <string>

#include <petsc4py/petsc4py.h>

#include "daptor/agreement.hpp"
#include "daptor/error.hpp"

namespace daptor::python {
namespace {

constexpr const char* module_name = "petsc4py.PETSc";

/// PETSc of other scalars or indices may stand beside ours under the same names.
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

py::object checked(PyObject* object) {
  if (object == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(object);
}

}  // namespace

void require_petsc4py() {
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

void agree_on_petsc4py(const Comm& comm) {
  std::exception_ptr failure;
  try {
    require_petsc4py();
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  const py::gil_scoped_release unlocked;
  agree(*comm, failure);
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
  return PyPetscVec_Get(object.ptr());
}

DM dm_of(py::handle object) {
  if (PyObject_TypeCheck(object.ptr(), &PyPetscDM_Type) == 0)
    refuse(object, "dm", "a petsc4py DMDA");
  return PyPetscDM_Get(object.ptr());
}

Mat mat_of(py::handle object) {
  if (PyObject_TypeCheck(object.ptr(), &PyPetscMat_Type) == 0)
    refuse(object, "mat", "a petsc4py Mat");
  return PyPetscMat_Get(object.ptr());
}

Comm communicator_behind(const py::object& object) {
  return communicator_of(object.attr("getComm")().attr("tompi4py")());
}

}  // namespace daptor::python
