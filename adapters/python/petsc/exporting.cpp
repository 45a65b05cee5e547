#include <utility>

#include "array.hpp"
#include "bindings.hpp"
#include "daptor/agreement.hpp"
#include "daptor/petsc.hpp"
#include "petsc4py.hpp"

namespace daptor::python {
namespace {

/// The DMDA that a Vec was made by; null where it was not.
DM dmda_behind(Vec vec) {
  DM dm = nullptr;
  if (vec == nullptr || static_cast<int>(VecGetDM(vec, &dm)) != 0 || dm == nullptr) return nullptr;
  PetscBool is_dmda = PETSC_FALSE;
  static_cast<void>(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(dm), DMDA, &is_dmda));
  return is_dmda == PETSC_TRUE ? dm : nullptr;
}

DistArray described(Vec vec, DM dm, bool ghosts, bool readonly) {
  petsc::VecExportOptions options;
  options.ghosts = ghosts;
  DistArray array = dm != nullptr ? petsc::export_dmda(dm, vec) : petsc::export_vec(vec, options);
  return readonly ? array.as_readonly() : array;
}

/// A local vector of a DMDA is one rank's alone: the array is that of the DMDA's ranks.
Array export_vec(const py::object& vec_object, const py::object& dm_object, bool flat, bool ghosts,
                 bool readonly) {
  require_petsc4py();
  Vec const vec = vec_of(vec_object);
  DM dm = nullptr;
  if (!dm_object.is_none()) {
    dm = dm_of(dm_object);
  } else if (!flat && !ghosts) {
    dm = dmda_behind(vec);
  }
  Comm comm = communicator_behind(dm == nullptr ? reinterpret_cast<PetscObject>(vec)
                                                : reinterpret_cast<PetscObject>(dm));
  const Unlocked unlocked;
  DistArray array = agreed(*comm, [&] { return described(vec, dm, ghosts, readonly); });
  return {std::move(array), std::move(comm)};
}

}  // namespace

void bind_exporting(py::module_& module) {
  module.def("export", export_vec, py::arg("vec"), py::arg("dm") = py::none(), py::kw_only(),
             py::arg("flat") = false, py::arg("ghosts") = false, py::arg("readonly") = false);
}

}  // namespace daptor::python
