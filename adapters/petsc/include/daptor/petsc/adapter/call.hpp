// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <limits>
#include <string>
#include <utility>

#include <petscsys.h>

#include "daptor/comm.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"
#include "daptor/types.hpp"

/// \file
/// For this adapter and for adapters that join PETSc with another library: tells to which PETSc
/// session an object belongs, and converts error codes to exceptions.

namespace daptor::petsc::detail {

/// Number of the running PETSc session; each PetscInitialize begins a new one. Throws
/// InvalidArgument if PETSc is not initialized, Finalized after PetscFinalize. Works with any
/// PETSc: a collective call that starts from a PETSc object asks this before it takes the object's
/// communicator, and require_session in its first local check, whose error is that of all ranks.
unsigned require_running();
/// The same, and throws InvalidArgument (`petsc.build`) unless this is the PETSc that Daptor was
/// built with.
unsigned require_session();
/// Number of the running session; after PetscFinalize, the number of the next one.
extern std::atomic<unsigned> session_number;
/// Whether PETSc objects made in this session may still be used. When PETSc is finalized, the hook
/// that require_running has installed increases the number.
inline bool alive(unsigned session) noexcept {
  return session == session_number.load(std::memory_order_relaxed);
}
[[noreturn]] void refuse_finalized();
/// Throws Finalized if objects of this session may no longer be used.
inline void require_alive(unsigned session) {
  if (!alive(session)) refuse_finalized();
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
/// Throws the same unless the code is success.
inline void check(PetscErrorCode code, const char* function) {
  if (static_cast<int>(code) != 0) fail(code, function);
}

/// Calls a PETSc function, and turns an error code into an exception.
template <class... Parameters, class... Arguments>
void call(const char* name, PetscErrorCode (*function)(Parameters...), Arguments&&... arguments) {
  const QuietErrors quiet;
  check(function(std::forward<Arguments>(arguments)...), name);
}

/// A collective PETSc function, for `Call::library`, whose call is a fault point with its name:
/// `call.library(Routine("VecCopy", VecCopy), x, y)`.
template <class... Parameters>
class Routine {
 public:
  static constexpr const char* library = "petsc";
  const char* const name;

  Routine(const char* of, PetscErrorCode (*function)(Parameters...))
      : name(of), function_(function) {}
  template <class... Arguments>
  void operator()(Arguments&&... arguments) const {
    daptor::detail::fault_point(name);
    call(name, function_, std::forward<Arguments>(arguments)...);
  }

 private:
  PetscErrorCode (*const function_)(Parameters...);
};

/// The common header with which every PETSc object begins.
template <class Object>
PetscObject object(Object native) {
  return reinterpret_cast<PetscObject>(native);
}

/// The communicator of an export. PETSc makes objects on a copy of its own of the communicator that
/// it is given, so this is PETSC_COMM_WORLD or PETSC_COMM_SELF for objects on the same processes,
/// and PETSc's copy for others. Process-local.
Comm comm_of(PetscObject object);

/// The number that PETSc has given to the object; no other object of this process gets it later.
PetscObjectId id_of(PetscObject object);

/// The only cast to PetscInt. Throws NotRepresentable (rule `petsc.index-range`) if the value does
/// not fit.
PetscInt petsc_int(Index value);
inline constexpr Index largest_petsc_int = std::numeric_limits<PetscInt>::max();
inline bool fits_petsc_int(Index value) {
  return value >= std::numeric_limits<PetscInt>::min() && value <= largest_petsc_int;
}

}  // namespace daptor::petsc::detail
