// SPDX-License-Identifier: BSD-3-Clause
#include "running_petsc.hpp"

#include <dlfcn.h>

#include "daptor/petsc/adapter/found.hpp"

namespace daptor::petsc::plugin {
namespace {

/// The library in which an address is; the caller closes it. Null if it has no PETSc.
void* library_with(const void* address, std::string& file) {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return nullptr;
  file = info.dli_fname;
  void* library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  // A program that contains PETSc itself is not found by its path.
  if (library == nullptr) library = dlopen(nullptr, RTLD_LAZY);
  if (library == nullptr || dlsym(library, "PetscGetVersionNumber") != nullptr) return library;
  dlclose(library);
  return nullptr;
}

}  // namespace

RunningPetsc::RunningPetsc(const void* caller) : library_(library_with(caller, file_)) {}

RunningPetsc::~RunningPetsc() {
  if (library_ != nullptr) dlclose(library_);
}

template <class Function>
Function RunningPetsc::find(const char* name, Function linked) const {
  void* const found = library_ == nullptr ? nullptr : dlsym(library_, name);
  return found == nullptr ? linked : reinterpret_cast<Function>(found);
}

bool RunningPetsc::is_linked() const {
  const auto library_of = [](auto* function) {
    Dl_info info{};
    return dladdr(reinterpret_cast<const void*>(function), &info) == 0 ? nullptr : info.dli_fbase;
  };
  // Not one that a tool puts its own function before, as before PetscInitialize.
  return library_of(find("PetscDataTypeGetSize", &PetscDataTypeGetSize)) ==
         library_of(&PetscDataTypeGetSize);
}

MPI_Comm RunningPetsc::world() const {
  // A program may have the variable in its own memory, where the linker has moved it.
  const auto* const own = static_cast<const MPI_Comm*>(dlsym(RTLD_DEFAULT, "PETSC_COMM_WORLD"));
  const MPI_Comm* const its = find("PETSC_COMM_WORLD", &PETSC_COMM_WORLD);
  for (const MPI_Comm* comm : {its, own})
    if (comm != nullptr && *comm != MPI_COMM_NULL) return *comm;
  return MPI_COMM_WORLD;
}

std::string RunningPetsc::difference() const {
  const auto kind = detail::petsc_kind({find("PetscDataTypeFromString", &PetscDataTypeFromString),
                                        find("PetscDataTypeGetSize", &PetscDataTypeGetSize),
                                        find("PetscGetVersionNumber", &PetscGetVersionNumber)});
  const std::string runs = "the program runs " + kind.text;
  if (!kind.fits)
    return runs + ", and this plug-in was built for " + kind.expected +
           "; build Daptor with the program's PETSc, or run the program with the plug-in's (for "
           "petsc4py, PETSC_DIR chooses one)";
  if (is_linked()) return {};
  return runs + " of " + file_ +
         ", and this plug-in is linked to another library of the same kind, which is not running; "
         "build Daptor with the program's PETSc";
}

PetscErrorCode RunningPetsc::raise(const std::string& text) const {
  return find("PetscError", &PetscError)(world(), __LINE__, "daptor", __FILE__, PETSC_ERR_SUP,
                                         PETSC_ERROR_INITIAL, "daptor: %s", text.c_str());
}

}  // namespace daptor::petsc::plugin
