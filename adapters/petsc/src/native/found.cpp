// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/petsc/adapter/found.hpp"

#include <cstddef>
#include <cstdint>

#include <petscsys.h>

#include "daptor/adapter/found.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/petsc/config.hpp"

namespace daptor::petsc::detail {
namespace {

/// What a PETSc is that decides whether compiled code fits it, and its whole version.
struct Kind {
  bool complex = false;
  std::size_t scalar_bytes = 0;
  std::size_t index_bytes = 0;
  int major = 0, minor = 0, subminor = 0;
  /// 1 for a release, 0 for PETSc's main branch, which has the numbers of the last release and
  /// other private structures. Two states of the main branch look alike.
  int release = 1;

  bool fits(const Kind& other) const {
    return complex == other.complex && scalar_bytes == other.scalar_bytes &&
           index_bytes == other.index_bytes && major == other.major && minor == other.minor &&
           release == other.release;
  }

  /// `PETSc 3.18.5, real double, 32-bit indices`
  std::string text() const {
    const std::size_t real_bytes = complex ? scalar_bytes / 2 : scalar_bytes;
    std::string text = "PETSc " + std::to_string(major) + '.' + std::to_string(minor) + '.' +
                       std::to_string(subminor) + (release == 1 ? "" : " (development)") +
                       (complex ? ", complex " : ", real ");
    text += real_bytes == sizeof(double)  ? "double"
            : real_bytes == sizeof(float) ? "single"
                                          : "other";
    return text + ", " + std::to_string(8 * index_bytes) + "-bit indices";
  }
};

Kind kind_of_headers() {
  return {PETSC_SCALAR == PETSC_COMPLEX, sizeof(PetscScalar), sizeof(PetscInt),
          PETSC_VERSION_MAJOR,           PETSC_VERSION_MINOR, PETSC_VERSION_SUBMINOR,
          PETSC_VERSION_RELEASE};
}

/// Large enough for a PetscInt of any width, which the library writes.
union AnyInt {
  std::int64_t wide;
  std::int32_t narrow;
};

Kind kind_of(const PetscFunctions& petsc) {
  Kind kind;
  PetscDataType type = PETSC_DATATYPE_UNKNOWN;
  AnyBool known;
  static_cast<void>(petsc.type_of_name("scalar", &type, known.place()));
  static_cast<void>(petsc.size_of_type(type, &kind.scalar_bytes));
  static_cast<void>(petsc.size_of_type(PETSC_INT, &kind.index_bytes));
  kind.complex = type == PETSC_COMPLEX;
  AnyInt parts[4] = {};
  const auto place = [&](int i) { return reinterpret_cast<PetscInt*>(&parts[i]); };
  static_cast<void>(petsc.version(place(0), place(1), place(2), place(3)));
  const auto value = [&](int i) {
    return kind.index_bytes == sizeof(std::int64_t) ? static_cast<int>(parts[i].wide)
                                                    : static_cast<int>(parts[i].narrow);
  };
  kind.major = value(0);
  kind.minor = value(1);
  kind.subminor = value(2);
  kind.release = value(3);
  return kind;
}

/// The PETSc that this library calls.
Kind kind_of_library() {
  return kind_of({PetscDataTypeFromString, PetscDataTypeGetSize, PetscGetVersionNumber});
}

}  // namespace

bool is_finalized() noexcept {
  AnyBool finalized;
  static_cast<void>(PetscFinalized(finalized.place()));
  return static_cast<bool>(finalized);
}

bool is_running() noexcept {
  AnyBool initialized;
  static_cast<void>(PetscInitialized(initialized.place()));
  return initialized && !is_finalized();
}

PetscMismatch petsc_mismatch() {
  const Kind library = kind_of_library();
  const Kind headers = kind_of_headers();
  if (library.fits(headers)) return {};
  return {library.text(), headers.text()};
}

PetscKind petsc_kind(const PetscFunctions& functions) {
  const Kind found = kind_of(functions);
  const Kind headers = kind_of_headers();
  return {found.text(), headers.text(), found.fits(headers)};
}

void require_same_petsc() {
  static const PetscMismatch mismatch = petsc_mismatch();
  if (mismatch.found.empty()) return;
  adapter::refuse_argument("petsc.build", "a program that runs " + mismatch.found,
                           mismatch.expected + ", with which Daptor was built",
                           "Build Daptor with the program's PETSc.");
}

void register_found_petsc() {
  adapter::register_found("petsc", [] {
    const Kind library = kind_of_library();
    return adapter::FoundLibrary{"petsc", library.text(), library.fits(kind_of_headers())};
  });
}

}  // namespace daptor::petsc::detail
