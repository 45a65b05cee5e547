// SPDX-License-Identifier: BSD-3-Clause
#include "ends.hpp"

#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>

#include "daptor/adapter/library.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "exports.hpp"
#include "library.hpp"

// GA's interfaces for C, C++ and Fortran call `pnga_destroy` and so on. The linker leads these
// calls to the functions here (--wrap, in dependencies.cmake), and `__real_` names GA's own.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): the linker wants these names.
logical __real_pnga_destroy(Integer array);
logical __real_pnga_deallocate(Integer array);
void __real_pnga_set_property(Integer array, char* property);
void __real_pnga_unset_property(Integer array);
void __real_pnga_terminate();
logical __wrap_pnga_destroy(Integer array);
logical __wrap_pnga_deallocate(Integer array);
void __wrap_pnga_set_property(Integer array, char* property);
void __wrap_pnga_unset_property(Integer array);
void __wrap_pnga_terminate();
// NOLINTEND(bugprone-reserved-identifier)
}

namespace daptor::ga::detail {
namespace {

struct Ends {
  std::mutex mutex;
  std::uint64_t session = 0;
  std::unordered_map<int, std::uint64_t> of_handle;
  std::set<int> read_only;
};

Ends& ends() {
  static Ends* const instance = new Ends;  // outlives all static objects of the program
  return *instance;
}

void note_end(int handle) {
  forget_export(handle);
  Ends& all = ends();
  const std::lock_guard<std::mutex> lock(all.mutex);
  ++all.of_handle[handle];
  all.read_only.erase(handle);
}

void note_property(int handle, const char* property) {
  note_end(handle);  // the elements are elsewhere then
  if (std::strcmp(property, "read_only") != 0) return;
  Ends& all = ends();
  const std::lock_guard<std::mutex> lock(all.mutex);
  all.read_only.insert(handle);
}

void note_terminate() {
  forget_exports();
  Ends& all = ends();
  const std::lock_guard<std::mutex> lock(all.mutex);
  ++all.session;
  all.of_handle.clear();
  all.read_only.clear();
}

}  // namespace

Life life_of(int handle) {
  Ends& all = ends();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.of_handle.find(handle);
  return {handle, all.session, found == all.of_handle.end() ? 0 : found->second};
}

bool is_read_only(int handle) {
  Ends& all = ends();
  const std::lock_guard<std::mutex> lock(all.mutex);
  return all.read_only.count(handle) > 0;
}

void require_running() {
  adapter::require_mpi_running();
  if (GA_Initialized() != 0) return;
  if (life_of(0).session > 0) throw Finalized("Global Arrays");
  adapter::refuse_argument("ga.initialized", "Global Arrays before GA_Initialize",
                           "Global Arrays that is running",
                           "Call GA_Initialize after MPI_Init, and MA_init after it.");
}

bool alive(const Life& life) noexcept {
  return adapter::mpi_running() && GA_Initialized() != 0 && GA_Valid_handle(life.handle) != 0 &&
         life_of(life.handle) == life;
}

void require_alive(const Life& life) {
  require_running();
  if (life_of(life.handle).session != life.session) throw Finalized("Global Arrays");
  if (alive(life)) return;
  throw Stale("a Global Array that has been destroyed, handle " + std::to_string(life.handle),
              "Export before GA_Destroy only what is used before it, or export another array.");
}

}  // namespace daptor::ga::detail

// NOLINTBEGIN(bugprone-reserved-identifier)
logical __wrap_pnga_destroy(Integer array) {
  daptor::ga::detail::note_end(static_cast<int>(array));
  return __real_pnga_destroy(array);
}
logical __wrap_pnga_deallocate(Integer array) {
  daptor::ga::detail::note_end(static_cast<int>(array));
  return __real_pnga_deallocate(array);
}
void __wrap_pnga_set_property(Integer array, char* property) {
  daptor::ga::detail::note_property(static_cast<int>(array), property);
  __real_pnga_set_property(array, property);
}
void __wrap_pnga_unset_property(Integer array) {
  daptor::ga::detail::note_end(static_cast<int>(array));
  __real_pnga_unset_property(array);
}
void __wrap_pnga_terminate() {
  daptor::ga::detail::note_terminate();
  __real_pnga_terminate();
}
// NOLINTEND(bugprone-reserved-identifier)
