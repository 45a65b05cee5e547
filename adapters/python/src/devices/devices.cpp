// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "daptor/detail/runtime_copies.hpp"
#include "daptor/error.hpp"

namespace daptor::python {
namespace {

/// A kind of device whose runtime library has the functions of CUDA's, by names that begin
/// otherwise.
struct Runtime {
  const char* kind;
  const char* prefix;
  std::vector<int> device_types;
  const char* library;  // without .so and its version
  std::vector<const char*> versions;
};

std::string file_of(const Runtime& runtime, const std::string& version) {
  return runtime.library + std::string(".so") + (version.empty() ? "" : "." + version);
}

const Runtime& runtime_of(const std::string& kind) {
  static const Runtime known[] = {
      {"cuda",
       "cuda",
       {MemorySpace::cuda, MemorySpace::cuda_managed},
       "libcudart",
       {"13", "12", "11.0", ""}},
      {"rocm", "hip", {MemorySpace::rocm}, "libamdhip64", {"7", "6", "5", ""}}};
  for (const Runtime& each : known)
    if (kind == each.kind) return each;
  throw InvalidArgument("kind", "'" + kind + "'", "'cuda' or 'rocm'");
}

/// The library that the process has already, by any of its names; else the first one that the
/// linker finds. Null if there is none.
void* find_library(const Runtime& runtime) {
  for (const int mode : {RTLD_NOW | RTLD_NOLOAD, RTLD_NOW | RTLD_LOCAL})
    for (const char* version : runtime.versions)
      if (void* const library = dlopen(file_of(runtime, version).c_str(), mode)) return library;
  return nullptr;
}

/// Never closed: what it has is called as long as the process lives.
void* library_of(const Runtime& runtime, const std::optional<std::string>& file) {
  void* const library = file ? dlopen(file->c_str(), RTLD_NOW | RTLD_LOCAL) : find_library(runtime);
  if (library != nullptr) return library;
  if (file) {
    const char* const why = dlerror();
    throw InvalidArgument("library", why == nullptr ? *file : why, "a library that can be loaded");
  }
  throw InvalidArgument("library", "no " + file_of(runtime, ""),
                        "its path, or a folder with it in LD_LIBRARY_PATH");
}

template <class Function>
void find(void* library, const std::string& name, Function*& function) {
  void* const found = dlsym(library, name.c_str());
  if (found == nullptr)
    throw InvalidArgument("library", "a library without " + name,
                          "the runtime library of CUDA or ROCm");
  function = reinterpret_cast<Function*>(found);
}

void register_device_of(const std::string& kind, const std::optional<std::string>& file) {
  const Runtime& runtime = runtime_of(kind);
  void* const library = library_of(runtime, file);
  const std::string prefix = runtime.prefix;
  daptor::detail::RuntimeFunctions functions;
  functions.library = prefix;
  find(library, prefix + "GetDevice", functions.get_device);
  find(library, prefix + "SetDevice", functions.set_device);
  find(library, prefix + "MemcpyAsync", functions.copy);
  find(library, prefix + "Memcpy2DAsync", functions.copy_pitched);
  find(library, prefix + "StreamSynchronize", functions.synchronize);
  find(library, prefix + "GetErrorString", functions.text);
  const auto copies = std::make_shared<daptor::detail::RuntimeCopies>(std::move(functions));
  for (const int type : runtime.device_types) register_device(type, copies);
}

}  // namespace

void bind_devices(py::module_& module) {
  module.def(
      "register_device", register_device_of, py::arg("kind") = "cuda", py::kw_only(),
      py::arg("library") = py::none(),
      R"(Has Daptor copy memory of a kind of device where you ask for copies: copy_to_host(a), and
exchanges and redistributions with through_host=True. Process-local; call it on all ranks.

kind     "cuda", also for CUDA's managed memory, or "rocm"
library  path of the runtime library, libcudart or libamdhip64; None: the one that this process
         has loaded, as with PyTorch or CuPy, or that the linker finds

Raises InvalidArgument for another kind, and if the library or one of its functions is not found.
What fails in it later is LibraryFailed (library.cuda, library.hip).

    a = daptor.block(torch.zeros(100, device="cuda"), comm, ghosts=1)
    daptor.register_device("cuda")
    daptor.HaloExchange(a, through_host=True).update())");
}

}  // namespace daptor::python
