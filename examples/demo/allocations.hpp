// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <ostream>

/// Counts what the program asks the heap for, in all its libraries: `allocations.cpp` takes the
/// place of malloc and its relatives. What the MPI library itself asks for is counted apart: it
/// buffers messages that arrive before they are waited for, as many as chance brings.
namespace allocations {

struct Count {
  std::size_t number = 0;
  std::size_t bytes = 0;
  std::size_t in_mpi = 0;              ///< number of requests of the MPI library itself
  const void* first_caller = nullptr;  ///< address in the code that made the first one counted
};

/// "2 requests, 800 bytes in all, the first by operator new in libstdc++.so.6".
std::ostream& operator<<(std::ostream& out, const Count& count);

/// From now on counts requests of at least `least_bytes`, until `stop`.
void start(std::size_t least_bytes);
Count stop();

}  // namespace allocations
