// SPDX-License-Identifier: BSD-3-Clause
#include "assembly.hpp"

#include <petsc/private/matimpl.h>
#include <petsc/private/vecimpl.h>

#include <string>

#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "objects.hpp"
#include "petsc/src/native/names.hpp"

namespace daptor::petsc::detail {

InsertMode mode_of(Vec vec) {
  return is_one_of(object(vec), {VECMPI}) && vec->stash.donotstash == PETSC_FALSE
             ? vec->stash.insertmode
             : NOT_SET_VALUES;
}

/// What a rank sets of the rows of others is told apart by the mode of its assembly. Without such
/// values, every rank may have a mode of its own.
InsertMode mode_of(Mat mat) {
  return is_one_of(object(mat), {MATMPIAIJ, MATMPIBAIJ, MATMPISBAIJ, MATMPIDENSE}) &&
                 mat->nooffprocentries == PETSC_FALSE
             ? mat->insertmode
             : NOT_SET_VALUES;
}

InsertMode last_mode_of(Vec vec) noexcept {
  return vec->stash.insertmode;
}

void look_at_unassembled(Vec vec, Findings& findings) {
  if (!is_one_of(object(vec), {VECMPI})) return;
  const VecStash &single = vec->stash, &blocks = vec->bstash;
  const Index count = Index{single.n} + Index{blocks.n} * Index{blocks.bs};
  if (count <= 0) return;
  const Index first = single.n > 0 ? Index{single.idx[0]} : Index{blocks.idx[0]} * blocks.bs;
  findings.error("check.vec.unassembled",
                 counted(count, "value that this rank has set", "values that this rank has set") +
                     " for elements of other ranks, the first for index " + std::to_string(first) +
                     ", not assembled",
                 "an assembly between setting values and using the Vec: they are not in it before",
                 "Call " + names::function("VecAssemblyBegin") + " and " +
                     names::function("VecAssemblyEnd") + " on all ranks behind the last value.");
}

void SetModes::gather(Vec vec, Call& call, bool both) {
  gather(mode_of(vec), both, "check.vec.add-and-insert", call);
}

void SetModes::gather(Mat mat, Call& call, bool both) {
  gather(mode_of(mat), both, "check.mat.add-and-insert", call);
}

void SetModes::gather(InsertMode mode, bool both, const char* rule, Call& call) {
  rule_ = rule;
  both_ = both;
  adds_ = both || mode == ADD_VALUES;
  nobody_adds_ = call.all(!adds_);
  nobody_inserts_ = call.all(!both && mode != INSERT_VALUES);
}

void SetModes::tell(Findings& findings) const {
  if (settled() || !adds_) return;
  findings.error(rule_,
                 both_ ? "values are set with ADD_VALUES and with INSERT_VALUES on this rank"
                       : "values are set with ADD_VALUES on this rank, and with INSERT_VALUES on "
                         "others",
                 "one mode on all ranks between two assemblies: values for other ranks are all "
                 "taken in the same way",
                 "Assemble between the two, on all ranks.");
}

Report check_modes(PetscObject of, bool both) {
  PetscClassId id = 0;
  Inspection look(of);
  SetModes modes;
  look.gather([&](Findings&) {
    call("PetscObjectGetClassId", PetscObjectGetClassId, of, &id);
    if (id == MAT_CLASSID)
      modes.gather(reinterpret_cast<Mat>(of), look.call(), both);
    else
      modes.gather(reinterpret_cast<Vec>(of), look.call(), both);
  });
  return look.conclude(modes);
}

}  // namespace daptor::petsc::detail
