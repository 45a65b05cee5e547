// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/petsc/adapter/call.hpp"

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/note.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/petsc/adapter/found.hpp"
#include "daptor/petsc/adapter/names.hpp"

namespace daptor::petsc::detail {

std::atomic<unsigned> session_number{1};

namespace {

// The session in which the finalize hook was registered. It shows when PetscInitialize was called
// again.
std::atomic<unsigned> hooked_session{0};
// The session of which require_session has found the PETSc right.
std::atomic<unsigned> known_session{0};
std::atomic<bool> noted{false};

PetscErrorCode end_session() {
  ++session_number;
  return PetscErrorCode{};
}

/// Calls PetscErrorMessage, whose last parameter is char** up to PETSc 3.24 and const char** from
/// 3.25.
template <class Code, class Text>
std::pair<const char*, const char*> texts_of(PetscErrorCode (*message)(Code, const char**, Text**),
                                             PetscErrorCode code) {
  const char* general = nullptr;
  Text* specific = nullptr;
  static_cast<void>(message(code, &general, &specific));
  return {general, specific};
}

std::string error_text(PetscErrorCode code) {
  const auto [general, specific] = texts_of(PetscErrorMessage, code);
  std::string text = "error " + std::to_string(static_cast<int>(code));
  if (general != nullptr) text += std::string(": ") + general;
  if (specific != nullptr && *specific != '\0') text += std::string(": ") + specific;
  return text;
}

}  // namespace

unsigned require_running() {
  if (!is_running()) {
    if (is_finalized()) throw Finalized("PETSc");
    throw InvalidArgument("PETSc", "a program that has not initialized PETSc",
                          "PetscInitialize before the first import or export");
  }
  const unsigned session = session_number;
  if (hooked_session != session) {
    call("PetscRegisterFinalize", PetscRegisterFinalize, end_session);
    hooked_session = session;
  }
  return session;
}

unsigned require_session() {
  const unsigned known = session_number;
  if (known_session == known) return known;  // its end has not been told
  const unsigned session = require_running();
  require_same_petsc();
  known_session = session;
  return session;
}

void refuse_finalized() {
  throw Finalized("PETSc");
}

void note_outlived() noexcept {
  if (noted.exchange(true)) return;
  adapter::note(
      "an import or export of a PETSc object still existed at PetscFinalize, so the object is not "
      "destroyed. Destroy or close() imports and exports before PetscFinalize.");
}

QuietErrors::QuietErrors() {
  static_cast<void>(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
}

QuietErrors::~QuietErrors() {
  static_cast<void>(PetscPopErrorHandler());
}

void fail(PetscErrorCode code, const char* function) {
  throw LibraryFailed("petsc", function, error_text(code));
}

PetscObjectId id_of(PetscObject object) {
  PetscObjectId id = 0;
  call("PetscObjectGetId", PetscObjectGetId, object, &id);
  return id;
}

PetscInt petsc_int(Index value) {
  if (!fits_petsc_int(value))
    throw NotRepresentable(adapter::reason(
        "petsc.index-range", std::to_string(value),
        "an integer of " + std::to_string(8 * sizeof(PetscInt)) + " bits (" + names::integer + ")",
        "Use a PETSc configured with 64-bit indices."));
  return static_cast<PetscInt>(value);
}

Comm comm_of(PetscObject object) {
  const MPI_Comm inner = PetscObjectComm(object);
  for (const MPI_Comm known : {PETSC_COMM_WORLD, PETSC_COMM_SELF})
    if (adapter::same_processes(inner, known)) return known;
  return inner;
}

}  // namespace daptor::petsc::detail
