// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>

namespace daptor::ga::detail {

/// In the minima of an agreement: what a process does not know.
inline constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();

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
Life life_of(int handle);
/// GA was told that the array is read-only (`NGA_Set_property`). Process-local.
bool is_read_only(int handle);

/// Returns if GA can be called. Process-local. Throws Finalized after GA_Terminate or MPI_Finalize,
/// InvalidArgument (`ga.initialized`) before GA_Initialize.
void require_running();
/// GA can be called, and the array is the one that it was. Process-local.
bool alive(const Life& life) noexcept;
/// Throws Finalized, or Stale for another array or none. Process-local.
void require_alive(const Life& life);

}  // namespace daptor::ga::detail
