#pragma once

#include <cstddef>

/// Counts what the program asks the heap for, in all its libraries: `allocations.cpp` takes the
/// place of malloc and its relatives.
namespace allocations {

struct Count {
  std::size_t number = 0;
  std::size_t bytes = 0;
};

/// From now on counts requests of at least `least_bytes`, until `stop`.
void start(std::size_t least_bytes);
Count stop();

}  // namespace allocations
