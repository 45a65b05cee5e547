// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include <filesystem>
#include <string>

#include <petscsys.h>

#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/callback.hpp"
#include "daptor/petsc/plugin.h"
#include "daptor/petsc/plugin.hpp"
#include "names.hpp"

namespace daptor::petsc {
namespace {

/// The plug-in's file, beside the library that has this function.
std::string path_of_plugin() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&load_plugin), &info) == 0 || info.dli_fname == nullptr)
    return "";
  const std::filesystem::path library(info.dli_fname);
  return (library.parent_path() / "libdaptor_pc.so").lexically_normal().string();
}

/// Requires that PETSc will be able to open the plug-in, which is never unloaded.
void require_loadable(const std::string& path) {
  if (dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL) != nullptr) return;
  const char* const why = dlerror();
  throw LibraryFailed("dl", "dlopen", why == nullptr ? path : why);
}

/// The session of PETSc that has it.
unsigned loaded_in = 0;

}  // namespace

void load_plugin() {
  detail::require_running();
  Call call(Comm(PETSC_COMM_WORLD), names::in_load_plugin);
  std::string path;
  const Agreed<bool> loaded = call.check([&] {
    const Agreed<bool> before = call.all(detail::require_session() == loaded_in);
    path = path_of_plugin();
    require_loadable(path);
    return before;
  });
  if (loaded) return;
  const PetscErrorCode code = [&] {
    const detail::QuietErrors quiet;
    return PetscDLLibraryAppend(PETSC_COMM_WORLD, &PetscDLLibrariesLoaded, path.c_str());
  }();
  call.check([&] {
    detail::check(code, "PetscDLLibraryAppend");
    loaded_in = detail::require_session();
  });
}

}  // namespace daptor::petsc

PetscErrorCode DaptorLoadPlugin() {
  using namespace daptor::petsc;
  return detail::guarded(PETSC_COMM_SELF, "DaptorLoadPlugin", load_plugin);
}
