// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <vector>

#include <ISO_Fortran_binding.h>

#include "daptor/error.hpp"
#include "daptor/types.hpp"

namespace daptor::fortran {

inline Index size_of(const CFI_cdesc_t& list) {
  return static_cast<Index>(list.dim[0].extent);
}

/// An argument of rank 1, of integers of either kind, and what it gets.
struct Result {
  const std::vector<Index>& numbers;
  const CFI_cdesc_t& list;

  bool is_small() const { return list.elem_len == sizeof(std::int32_t); }
};

/// Throws InvalidArgument, and writes nothing, if one of the numbers is no default integer and its
/// list is of these.
/// @param names  of the arguments
inline void store(const char* names, std::initializer_list<Result> results) {
  constexpr Index largest = std::numeric_limits<std::int32_t>::max();
  for (const Result& result : results)
    for (const Index number : result.numbers)
      if (result.is_small() && (number > largest || number < -largest))
        throw InvalidArgument(names, "numbers beyond the range of a default integer",
                              "arguments of kind int64");
  for (const Result& result : results) {
    auto* at = static_cast<std::byte*>(result.list.base_addr);
    for (const Index number : result.numbers) {
      if (result.is_small())
        *reinterpret_cast<std::int32_t*>(at) = static_cast<std::int32_t>(number);
      else
        *reinterpret_cast<std::int64_t*>(at) = number;
      at += result.list.dim[0].sm;
    }
  }
}

}  // namespace daptor::fortran
