// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <limits>
#include <string>
#include <utility>

#include <petscsys.h>

#include "daptor/adapter/library.hpp"
#include "daptor/agreement.hpp"
#include "daptor/comm.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"

/// \file
/// For adapters that join PETSc with another library, and for this one: which session an object
/// belongs to, error codes as exceptions, and what happens around calls that are collective in
/// PETSc.

namespace daptor::petsc::detail {

using daptor::agreed_minima;
using daptor::detail::fault_point;

/// Number of the running PETSc session; a new one begins with each PetscInitialize. Throws
/// InvalidArgument where PETSc is not initialized, Finalized after PetscFinalize.
unsigned require_session();
/// The running session, or the next one after PetscFinalize.
extern std::atomic<unsigned> session_number;
/// Whether PETSc objects that were made in this session may still be used. The hook that
/// require_session installs increases the number when PETSc is finalized.
inline bool alive(unsigned session) noexcept {
  return session == session_number.load(std::memory_order_relaxed);
}
/// Throws Finalized if they may not.
inline void require_alive(unsigned session) {
  if (!alive(session)) throw Finalized("PETSc");
}
/// Prints, once in this process, that an object outlived PetscFinalize.
void note_outlived() noexcept;

/// While this lives, PETSc returns error codes without calling the program's error handler. The
/// destructor restores the handler.
class QuietErrors {
 public:
  QuietErrors();
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;
  ~QuietErrors();
};

/// Throws LibraryFailed("petsc", function, PETSc's text).
[[noreturn]] void fail(PetscErrorCode code, const char* function);
/// The same if the code is not success.
inline void check(PetscErrorCode code, const char* function) {
  if (static_cast<int>(code) != 0) fail(code, function);
}

/// Calls a PETSc function, and turns an error code into an exception.
template <class... Parameters, class... Arguments>
void call(const char* name, PetscErrorCode (*function)(Parameters...), Arguments&&... arguments) {
  const QuietErrors quiet;
  check(function(std::forward<Arguments>(arguments)...), name);
}

/// Calls a collective PETSc function on all ranks of `comm`. All of its preconditions must have
/// been proven. If it fails, throws on a communicator of one process, and ends the job on any
/// other.
template <class... Parameters, class... Arguments>
void collective(const Comm& comm, const char* name, PetscErrorCode (*function)(Parameters...),
                Arguments&&... arguments) {
  adapter::collectively(comm, "petsc", name, [&] {
    fault_point(name);
    call(name, function, std::forward<Arguments>(arguments)...);
  });
}

/// The common header, with which every PETSc object begins.
template <class Object>
PetscObject object(Object native) {
  return reinterpret_cast<PetscObject>(native);
}

/// The number that PETSc has given to the object; no other object of this process gets it later.
PetscObjectId id_of(PetscObject object);

/// The one cast to PetscInt. Throws NotRepresentable (rule `petsc.index-range`).
PetscInt petsc_int(Index value);
inline constexpr Index largest_petsc_int = std::numeric_limits<PetscInt>::max();
inline bool fits_petsc_int(Index value) {
  return value >= std::numeric_limits<PetscInt>::min() && value <= largest_petsc_int;
}

}  // namespace daptor::petsc::detail
