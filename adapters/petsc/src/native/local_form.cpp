// SPDX-License-Identifier: BSD-3-Clause
#include "local_form.hpp"

#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/state.hpp"

namespace daptor::petsc::detail {
namespace {

/// Gives the Vec the lowest state while this lives. PETSc gives a Vec and its local form the higher
/// one of their states, which is then that of the local form.
class LowestState {
 public:
  explicit LowestState(Vec vec) : object_(object(vec)), state_(object_state(object_)) {
    set_object_state(object_, 0);
  }
  LowestState(const LowestState&) = delete;
  LowestState& operator=(const LowestState&) = delete;
  ~LowestState() { set_object_state(object_, state_); }

 private:
  PetscObject object_;
  PetscObjectState state_;
};

}  // namespace

LocalForm::LocalForm(Vec vec) : vec_(vec) {
  const LowestState low(vec);
  call("VecGhostGetLocalForm", VecGhostGetLocalForm, vec, &local_);
}

LocalForm::~LocalForm() {
  const LowestState low(vec_);
  const QuietErrors quiet;
  static_cast<void>(VecGhostRestoreLocalForm(vec_, &local_));
}

}  // namespace daptor::petsc::detail
