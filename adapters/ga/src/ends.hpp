// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>

namespace daptor::ga::detail {

/// In the least of the numbers of all ranks: what a process does not know.
inline constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();

/// GA counts its arrays from here on, and has a table of so many: GA_OFFSET and MAX_ARRAYS of GA
/// 5.8 and 5.9, in headers that are not installed.
/// \{
inline constexpr int first_handle = -1000;
inline constexpr int handle_count = 32768;
/// \}

/// An array of GA, told from a later one with the same handle. The adapter is told when an array
/// ends (see ends.cpp).
struct Life {
  int handle = 0;
  std::uint64_t session = 0;  ///< how often GA has been terminated
  std::uint64_t ends = 0;     ///< how many arrays with this handle have ended

  friend bool operator==(const Life& a, const Life& b) {
    return a.handle == b.handle && a.session == b.session && a.ends == b.ends;
  }
};

/// The array that has this handle now, or would have it. Process-local.
Life life_of(int handle) noexcept;
/// GA was told that the array is read-only (`NGA_Set_property`). Process-local.
bool is_read_only(int handle) noexcept;
/// Whether blocks are on these processes of the array's group in the order of their numbers, which
/// GA_Set_restricted changes. Process-local.
bool in_order_of_group(int handle, int processes) noexcept;
/// Whether this process has made a processor group since GA_Initialize. Without groups all arrays
/// are made on all processes, and have the same handle on each. Process-local.
bool has_made_groups() noexcept;

/// Returns if GA can be called. Process-local. Throws Finalized after GA_Terminate or MPI_Finalize,
/// InvalidArgument (`ga.initialized`) before GA_Initialize.
void require_running();
/// GA can be called, and the array is the one that it was. Process-local.
bool alive(const Life& life) noexcept;
/// Throws Finalized, or Stale for another array or none. Process-local.
void require_alive(const Life& life);

}  // namespace daptor::ga::detail
