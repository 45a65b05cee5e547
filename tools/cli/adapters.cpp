// SPDX-License-Identifier: BSD-3-Clause
#include "cli/adapters.hpp"

#include <dlfcn.h>

namespace daptor::cli {

std::vector<AdapterFailure> load_adapters() {
  std::vector<AdapterFailure> failures;
  for (const Adapter& adapter : adapters()) {
    if (adapter.register_targets != nullptr) adapter.register_targets();
    if (adapter.file.empty()) continue;
    // Never closed, because targets stay registered.
    if (dlopen(adapter.file.c_str(), RTLD_LAZY | RTLD_LOCAL) == nullptr)
      failures.push_back(
          {adapter.name, "the " + adapter.name + " adapter does not load: " + dlerror()});
  }
  return failures;
}

}  // namespace daptor::cli
