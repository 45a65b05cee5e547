// SPDX-License-Identifier: BSD-3-Clause
#include "cli/adapters.hpp"

#include <dlfcn.h>

#include "cli/build.hpp"
#include "cli/trilinos.hpp"

#ifdef DAPTOR_LINKS_PETSC
#include "daptor/petsc.hpp"
#endif
#ifdef DAPTOR_LINKS_TPETRA
#include "daptor/tpetra.hpp"
#endif

namespace daptor::cli {

const std::vector<Adapter>& adapters() {
  static const std::vector<Adapter> built = {DAPTOR_CLI_ADAPTERS};
  return built;
}

std::vector<std::string> load_adapters() {
#ifdef DAPTOR_LINKS_PETSC
  petsc::register_targets();
#endif
#ifdef DAPTOR_LINKS_TPETRA
  tpetra::register_targets();
#endif
  std::vector<std::string> failures;
  for (const Adapter& adapter : adapters()) {
    if (adapter.file.empty()) continue;
    // Never closed: targets are registered for good.
    if (dlopen(adapter.file.c_str(), RTLD_LAZY | RTLD_LOCAL) == nullptr)
      failures.push_back("the " + adapter.name + " adapter does not load: " + dlerror());
  }
  return failures;
}

}  // namespace daptor::cli
