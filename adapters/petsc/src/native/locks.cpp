// SPDX-License-Identifier: BSD-3-Clause
#include "locks.hpp"

#include "daptor/adapter/reason.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/found.hpp"
#include "names.hpp"

namespace daptor::petsc::detail {
namespace {

bool try_locks() {
  Vec vec = nullptr;
  call("VecCreateSeq", VecCreateSeq, PETSC_COMM_SELF, PetscInt{1}, &vec);
  lock_for_reading(vec);
  PetscScalar* values = nullptr;
  const QuietErrors quiet;
  const bool refused = static_cast<int>(VecGetArray(vec, &values)) != 0;
  if (!refused) check(VecRestoreArray(vec, &values), "VecRestoreArray");
  check(static_cast<PetscErrorCode>(VecLockReadPop(vec)), "VecLockReadPop");
  check(VecDestroy(&vec), "VecDestroy");
  return refused;
}

}  // namespace

// If the library has no locks, the lock calls are macros that ignore their argument.
void lock_for_reading([[maybe_unused]] Vec vec) {
  const QuietErrors quiet;
  check(static_cast<PetscErrorCode>(VecLockReadPush(vec)), "VecLockReadPush");
}

int lock_depth([[maybe_unused]] Vec vec) {
  const QuietErrors quiet;
  PetscInt depth = 0;
  check(static_cast<PetscErrorCode>(VecLockGet(vec, &depth)), "VecLockGet");
  return static_cast<int>(depth);
}

void readonly_reason(const char* prefix, const Section& array, bool lock_asked, bool trusted,
                     adapter::Reasons& reasons) {
  if (!(array.readonly() || lock_asked) || trusted || locks_enforced()) return;
  reasons.push_back(adapter::reason(
      std::string(prefix) + ".readonly",
      array.readonly() ? "read-only memory" : "a vector that is to be locked for reading",
      "a PETSc that enforces its read locks, which this one does not",
      "Import a writable array, use a PETSc that enforces locks (a debug build, or 3.22), or " +
          names::trust_readonly + " to promise that nobody writes."));
}

bool locks_enforced() {
  static bool known = false;
  static bool enforced = false;
  if (!known && is_running()) {
    try {
      enforced = try_locks();
    } catch (const Error&) {
      return false;
    }
    known = true;
  }
  return enforced;
}

}  // namespace daptor::petsc::detail
