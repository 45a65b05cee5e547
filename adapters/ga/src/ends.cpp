// SPDX-License-Identifier: BSD-3-Clause
#include "ends.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <string>

#include "daptor/adapter/library.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "exports.hpp"
#include "immortal.hpp"
#include "library.hpp"

// GA's interfaces for C, C++ and Fortran call `pnga_destroy` and so on. The linker leads these
// calls to the functions here (--wrap, in dependencies.cmake), and `__real_` names GA's own. The
// callers are C and Fortran, so that nothing here may throw.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): the linker wants these names.
logical __real_pnga_destroy(Integer array);
logical __real_pnga_deallocate(Integer array);
void __real_pnga_set_property(Integer array, char* property);
void __real_pnga_unset_property(Integer array);
void __real_pnga_terminate();
Integer __real_pnga_pgroup_create(Integer* list, Integer count);
Integer __real_pnga_pgroup_duplicate(Integer group);
Integer __real_pnga_pgroup_self();
Integer __real_pnga_pgroup_split(Integer group, Integer count);
Integer __real_pnga_pgroup_split_irreg(Integer group, Integer color);
void __real_pnga_set_restricted(Integer array, Integer* list, Integer size);
void __real_pnga_set_restricted_range(Integer array, Integer first, Integer last);
logical __real_pnga_duplicate(Integer array, Integer* copy, char* name);
logical __wrap_pnga_destroy(Integer array);
logical __wrap_pnga_deallocate(Integer array);
void __wrap_pnga_set_property(Integer array, char* property);
void __wrap_pnga_unset_property(Integer array);
void __wrap_pnga_terminate();
Integer __wrap_pnga_pgroup_create(Integer* list, Integer count);
Integer __wrap_pnga_pgroup_duplicate(Integer group);
Integer __wrap_pnga_pgroup_self();
Integer __wrap_pnga_pgroup_split(Integer group, Integer count);
Integer __wrap_pnga_pgroup_split_irreg(Integer group, Integer color);
void __wrap_pnga_set_restricted(Integer array, Integer* list, Integer size);
void __wrap_pnga_set_restricted_range(Integer array, Integer first, Integer last);
logical __wrap_pnga_duplicate(Integer array, Integer* copy, char* name);
// NOLINTEND(bugprone-reserved-identifier)
}

namespace daptor::ga::detail {
namespace {

/// What has happened to GA's arrays, in tables that are there from the start.
struct Ends {
  std::mutex mutex;
  std::uint64_t session = 0;
  bool groups = false;  ///< have been made in this session
  std::array<std::uint64_t, handle_count> of_handle{};
  std::bitset<handle_count> read_only;
  std::array<Integer, handle_count> restricted{};
};

/// Values of `restricted` that are no number of processes.
enum : Integer { unrestricted = 0, in_another_order = -1 };

bool in_table(std::size_t place) noexcept {
  return place < static_cast<std::size_t>(handle_count);
}

/// Of a number that is no handle, a place outside of the tables.
std::size_t place_of(int handle) noexcept {
  return static_cast<std::size_t>(static_cast<std::int64_t>(handle) - first_handle);
}

void note_end(int handle) noexcept {
  forget_export(handle);
  Ends& all = immortal<Ends>();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const std::size_t place = place_of(handle);
  if (!in_table(place)) return;
  ++all.of_handle[place];
  all.read_only[place] = false;
  all.restricted[place] = unrestricted;
}

/// `count`: of the first processes, on which the array is to be.
void note_restricted(int handle, Integer count) noexcept {
  Ends& all = immortal<Ends>();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (in_table(place_of(handle))) all.restricted[place_of(handle)] = count;
}

Integer restricted_of(int handle) noexcept {
  Ends& all = immortal<Ends>();
  const std::lock_guard<std::mutex> lock(all.mutex);
  return in_table(place_of(handle)) ? all.restricted[place_of(handle)] : Integer{unrestricted};
}

/// How many processes the list has, if they are the first ones in order.
Integer first_processes(const Integer* list, Integer size) noexcept {
  for (Integer i = 0; i < size; ++i)
    if (list[i] != i) return in_another_order;
  return size;
}

void note_property(int handle, const char* property) noexcept {
  note_end(handle);  // the elements are elsewhere then
  if (std::strcmp(property, "read_only") != 0) return;
  Ends& all = immortal<Ends>();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const std::size_t place = place_of(handle);
  if (in_table(place)) all.read_only[place] = true;
}

/// Not of the groups that GA_Initialize makes, of which some linkers tell.
void note_group() noexcept {
  if (GA_Initialized() == 0) return;
  Ends& all = immortal<Ends>();
  const std::lock_guard<std::mutex> lock(all.mutex);
  all.groups = true;
}

void note_terminate() noexcept {
  forget_exports();
  Ends& all = immortal<Ends>();
  const std::lock_guard<std::mutex> lock(all.mutex);
  ++all.session;
  all.groups = false;
  all.of_handle.fill(0);
  all.read_only.reset();
  all.restricted.fill(unrestricted);
}

}  // namespace

Life life_of(int handle) noexcept {
  Ends& all = immortal<Ends>();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const std::size_t place = place_of(handle);
  return {handle, all.session, in_table(place) ? all.of_handle[place] : 0};
}

bool is_read_only(int handle) noexcept {
  Ends& all = immortal<Ends>();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const std::size_t place = place_of(handle);
  return in_table(place) && all.read_only[place];
}

bool in_order_of_group(int handle, int processes) noexcept {
  const Integer count = restricted_of(handle);
  return count == unrestricted || count == processes;
}

bool has_made_groups() noexcept {
  Ends& all = immortal<Ends>();
  const std::lock_guard<std::mutex> lock(all.mutex);
  return all.groups;
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
  throw Stale(
      "a Global Array that has been destroyed, deallocated, or given a property since it "
      "was exported (handle " +
          std::to_string(life.handle) + ")",
      "Export it again, if it still exists.");
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
Integer __wrap_pnga_pgroup_create(Integer* list, Integer count) {
  daptor::ga::detail::note_group();
  return __real_pnga_pgroup_create(list, count);
}
Integer __wrap_pnga_pgroup_duplicate(Integer group) {
  daptor::ga::detail::note_group();
  return __real_pnga_pgroup_duplicate(group);
}
Integer __wrap_pnga_pgroup_self() {
  daptor::ga::detail::note_group();
  return __real_pnga_pgroup_self();
}
Integer __wrap_pnga_pgroup_split(Integer group, Integer count) {
  daptor::ga::detail::note_group();
  return __real_pnga_pgroup_split(group, count);
}
Integer __wrap_pnga_pgroup_split_irreg(Integer group, Integer color) {
  daptor::ga::detail::note_group();
  return __real_pnga_pgroup_split_irreg(group, color);
}
void __wrap_pnga_set_restricted(Integer array, Integer* list, Integer size) {
  const Integer count = daptor::ga::detail::first_processes(list, size);
  daptor::ga::detail::note_restricted(static_cast<int>(array), count);
  __real_pnga_set_restricted(array, list, size);
}
void __wrap_pnga_set_restricted_range(Integer array, Integer first, Integer last) {
  using namespace daptor::ga::detail;
  note_restricted(static_cast<int>(array), first == 0 ? last + 1 : Integer{in_another_order});
  __real_pnga_set_restricted_range(array, first, last);
}
logical __wrap_pnga_duplicate(Integer array, Integer* copy, char* name) {
  using namespace daptor::ga::detail;
  const logical made = __real_pnga_duplicate(array, copy, name);
  if (made != 0) note_restricted(static_cast<int>(*copy), restricted_of(static_cast<int>(array)));
  return made;
}
// NOLINTEND(bugprone-reserved-identifier)
