// SPDX-License-Identifier: BSD-3-Clause
#include "allocations.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#if defined(DAPTOR_ADDRESS_SANITIZED)
#include <execinfo.h>
#endif

namespace {

std::atomic<std::size_t> threshold{0};  // 0 if nothing is counted
std::atomic<std::size_t> number{0};
std::atomic<std::size_t> bytes{0};
std::atomic<std::size_t> in_mpi{0};
std::atomic<const void*> first_caller{nullptr};

/// File name, without its folder, of the library or program that has this address.
const char* file_of(const void* address) {
  Dl_info info{};
  if (address == nullptr || dladdr(address, &info) == 0 || info.dli_fname == nullptr) return "";
  const char* const slash = std::strrchr(info.dli_fname, '/');
  return slash == nullptr ? info.dli_fname : slash + 1;
}

bool begins_with(const char* text, const char* prefix) {
  return std::strncmp(text, prefix, std::strlen(prefix)) == 0;
}

/// The libraries of Open MPI and MPICH, and those that transport messages for them.
bool is_mpi(const char* file) {
  for (const char* prefix : {"libmpi", "libmpich", "libopen-pal", "libopen-rte", "mca_", "libpmix",
                             "libprrte", "libuc", "libfabric", "libpsm", "libhwloc", "libevent"})
    if (begins_with(file, prefix)) return true;
  return false;
}

bool counts(std::size_t size) {
  const std::size_t least = threshold.load(std::memory_order_relaxed);
  return least != 0 && size >= least;
}

void note(std::size_t size, const void* caller) {
  if (is_mpi(file_of(caller))) {
    in_mpi.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (number.fetch_add(1, std::memory_order_relaxed) == 0) first_caller = caller;
  bytes.fetch_add(size, std::memory_order_relaxed);
}

}  // namespace

namespace allocations {

void start(std::size_t least_bytes) {
  number = 0;
  bytes = 0;
  in_mpi = 0;
  first_caller = nullptr;
  threshold = least_bytes > 0 ? least_bytes : 1;
}

Count stop() {
  threshold = 0;
  return {number, bytes, in_mpi, first_caller};
}

std::ostream& operator<<(std::ostream& out, const Count& count) {
  out << count.number << " requests, " << count.bytes << " bytes in total";
  if (count.first_caller == nullptr) return out;
  Dl_info info{};
  const bool known = dladdr(count.first_caller, &info) != 0 && info.dli_sname != nullptr;
  return out << ", the first by " << (known ? info.dli_sname : "code") << " in "
             << file_of(count.first_caller);
}

}  // namespace allocations

#if defined(DAPTOR_ADDRESS_SANITIZED)

extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*,
                                                                  std::size_t),
                                                         void (*)(const volatile void*));
namespace {

/// The innermost frame outside the sanitizer, whose malloc has called this code.
const void* caller_of_malloc() {
  constexpr int depth = 16;
  void* frames[depth];
  const int found = backtrace(frames, depth);
  bool in_sanitizer = false;
  for (int i = 0; i < found; ++i) {
    const bool here = begins_with(file_of(frames[i]), "libasan");
    if (in_sanitizer && !here) return frames[i];
    in_sanitizer = in_sanitizer || here;
  }
  return nullptr;
}

void hook(const volatile void*, std::size_t size) {
  thread_local bool inside = false;  // backtrace may allocate
  if (!counts(size) || inside) return;
  inside = true;
  note(size, caller_of_malloc());
  inside = false;
}

const int installed = __sanitizer_install_malloc_and_free_hooks(hook, [](const volatile void*) {});

}  // namespace

#elif defined(__GLIBC__)

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

// The C library has names of its own for the parameters.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
void* malloc(std::size_t size) {
  if (counts(size)) note(size, __builtin_return_address(0));
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  if (counts(count * size)) note(count * size, __builtin_return_address(0));
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  if (counts(size)) note(size, __builtin_return_address(0));
  return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  if (counts(size)) note(size, __builtin_return_address(0));
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  if (counts(size)) note(size, __builtin_return_address(0));
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  if (counts(size)) note(size, __builtin_return_address(0));
  void* const memory = __libc_memalign(alignment, size);
  if (memory == nullptr) return ENOMEM;
  *result = memory;
  return 0;
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
}

#endif
