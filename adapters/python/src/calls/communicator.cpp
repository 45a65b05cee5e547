// SPDX-License-Identifier: BSD-3-Clause
#include "calls/communicator.hpp"

#include <cstring>
#include <string>

#include "daptor/detail/only_communicator.hpp"
#include "daptor/error.hpp"

namespace daptor::python {
namespace {

constexpr const char* wanted = "a communicator of mpi4py or petsc4py";

py::module_ mpi4py() {
  return py::module_::import("mpi4py.MPI");
}

/// Refuses mpi4py built with another MPI library: its communicators are invalid handles here.
void require_same_library(const py::module_& mpi) {
  static bool known_same = false;
  if (known_same) return;
  char own[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(own, &length);
  const auto theirs = py::cast<std::string>(mpi.attr("Get_library_version")());
  const bool same_size =
      py::cast<std::size_t>(mpi.attr("_sizeof")(mpi.attr("Comm"))) == sizeof(MPI_Comm);
  if (!same_size || std::strcmp(theirs.c_str(), own) != 0)
    throw InvalidArgument("comm", "mpi4py with the MPI library " + theirs,
                          std::string("the MPI library with which Daptor was built: ") + own);
  known_same = true;
}

/// The communicator at the address that mpi4py gives.
MPI_Comm of_mpi4py(const py::module_& mpi, py::handle object) {
  require_same_library(mpi);
  const auto address = py::cast<std::uintptr_t>(mpi.attr("_addressof")(object));
  MPI_Comm comm = MPI_COMM_NULL;
  // NOLINTNEXTLINE(performance-no-int-to-ptr, bugprone-sizeof-expression): a handle, by its address
  std::memcpy(&comm, reinterpret_cast<const void*>(address), sizeof comm);
  return comm;
}

/// An integer may be a handle in Fortran, but is more often a rank or a size that was passed by
/// mistake, and these are the handles of other communicators.
[[noreturn]] void refuse_integer(py::handle object) {
  throw InvalidArgument(Report({error_finding(
      "argument", -1, "comm", "the integer " + std::string(py::str(object)), wanted,
      "Pass the communicator itself, and for its handle in Fortran MPI.Comm.f2py(handle).")}));
}

MPI_Comm of_mpi4py_object(py::handle object) {
  // Importing mpi4py would start MPI. If the object is one of its communicators, it is imported.
  if (py::module_::import("sys").attr("modules").contains("mpi4py.MPI")) {
    const py::module_ mpi = mpi4py();
    if (py::isinstance(object, mpi.attr("Comm"))) return of_mpi4py(mpi, object);
  }
  throw InvalidArgument("comm", std::string("a value of type ") + Py_TYPE(object.ptr())->tp_name,
                        wanted);
}

MPI_Comm mpi_comm_of(py::handle object) {
  if (PyLong_Check(object.ptr()) && !PyBool_Check(object.ptr())) refuse_integer(object);
  if (py::hasattr(object, "tompi4py")) return of_mpi4py_object(object.attr("tompi4py")());
  return of_mpi4py_object(object);
}

}  // namespace

HeldComm communicator_of(py::handle object) {
  return {Comm(mpi_comm_of(object)), std::make_shared<const Held>(object.ptr()), {}};
}

py::object to_mpi4py(const HeldComm& comm) {
  const py::handle object = comm.object->get();
  if (py::hasattr(object, "tompi4py")) return object.attr("tompi4py")();
  return py::reinterpret_borrow<py::object>(object);
}

HeldComm communicator_for_failure(const std::exception_ptr& failure) {
  auto only = daptor::detail::only_communicator();
  if (!only) std::rethrow_exception(own_error(failure));
  return {*std::move(only), std::make_shared<const Held>(Py_None), {}};
}

}  // namespace daptor::python
