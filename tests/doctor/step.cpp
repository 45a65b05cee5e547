// SPDX-License-Identifier: BSD-3-Clause
// A Vec is written through a pointer that was kept, and used in the line of the comment. The
// function is put into its caller by the compiler, and the library's headers call it and what it
// calls.
#include <petscvec.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace {

void ok(PetscErrorCode code) {
  if (static_cast<int>(code) != 0) MPI_Abort(PETSC_COMM_WORLD, 1);
}

class Flow {
 public:
  Flow() {
    Vec velocity = nullptr;
    PetscReal norm = 0;
    ok(VecCreateMPI(PETSC_COMM_WORLD, 10, PETSC_DETERMINE, &velocity));
    ok(PetscObjectSetName(reinterpret_cast<PetscObject>(velocity), "velocity"));
    ok(VecSet(velocity, 1));
    ok(VecGetArray(velocity, &kept_));
    PetscScalar* values = kept_;
    ok(VecRestoreArray(velocity, &values));
    ok(VecNorm(velocity, NORM_2, &norm));
    kept_[0] = 7;
    vecs_.push_back(velocity);
  }

  void advance() {
    std::for_each(vecs_.begin(), vecs_.end(), [](Vec vec) { advance_velocity(vec); });
  }

  void close() {
    for (Vec& vec : vecs_) ok(VecDestroy(&vec));
  }

 private:
  [[gnu::always_inline]] static inline void advance_velocity(Vec vec) {
    PetscScalar dot = 0;
    ok(std::invoke(VecDot, vec, vec, &dot));  // the place of velocity
  }

  PetscScalar* kept_ = nullptr;
  std::vector<Vec> vecs_;
};

}  // namespace

int main(int argc, char** argv) {
  ok(PetscInitialize(&argc, &argv, nullptr, nullptr));
  Flow flow;
  flow.advance();
  flow.close();
  ok(PetscFinalize());
  return 0;
}
