// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <ostream>

/// Counts the heap requests of the program, in all its libraries: `allocations.cpp` replaces malloc
/// and related functions. Requests of the MPI library itself are counted separately, because it
/// buffers messages that arrive before they are waited for, and how many these are is left to
/// chance.
namespace allocations {

struct Count {
  std::size_t number = 0;
  std::size_t bytes = 0;
  std::size_t in_mpi = 0;              ///< number of requests of the MPI library itself
  const void* first_caller = nullptr;  ///< address in the code that made the first counted request
};

/// "2 requests, 800 bytes in total, the first by operator new in libstdc++.so.6".
std::ostream& operator<<(std::ostream& out, const Count& count);

/// Counts requests of at least `least_bytes` from now on, until `stop`.
void start(std::size_t least_bytes);
Count stop();

}  // namespace allocations
