// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "arrays.hpp"

/// \file
/// Arrays that are too large to be drawn element by element.

namespace daptor::test {

// Under sanitizers a description takes many times as long.
#ifdef DAPTOR_ADDRESS_SANITIZED
inline constexpr Index rank_rows = 25;
#else
inline constexpr Index rank_rows = 250;
#endif

inline Recorded many_ranks() {
  constexpr Index ranks = rank_rows * 400;
  return recorded_on({ranks}, [](const std::vector<Index>& at) {
    return std::vector<Dimension>{block(Index{1} << 40, {ranks, at[0]})};
  });
}

inline Recorded many_ranks_2d() {
  return recorded_on({rank_rows, 400}, [](const std::vector<Index>& at) {
    return std::vector<Dimension>{
        block(Index{1} << 30, {rank_rows, at[0]}, padding({2, 2}, {1, 1})),
        block(Index{1} << 29, {400, at[1]}, padding({3, 3}))};
  });
}

inline Recorded many_dealt() {
  return recorded_on({8, 8}, [](const std::vector<Index>& at) {
    return std::vector<Dimension>{cyclic(Index{1} << 40, {8, at[0]}),
                                  cyclic(Index{1} << 20, {8, at[1]}, 3)};
  });
}

inline Recorded long_dealt() {
  return recorded_on({8}, [](const std::vector<Index>& at) {
    return std::vector<Dimension>{cyclic(Index{1} << 40, {8, at[0]})};
  });
}

/// As many bytes as 64 bits can count, and padding.
inline Recorded longest() {
  constexpr Index size = INT64_MAX;
  std::vector<Section> sections;
  for (Index rank = 0; rank < 4; ++rank)
    sections.push_back(
        describe(DataType::of<bool>(), nullptr,
                 {block(size, {4, rank}, padding({1000, 1000}, {}, true)), undistributed(2)}));
  return record("", sections);
}

/// Every second index of a million on each of two ranks.
inline Recorded many_listed() {
  return recorded_on({2}, [](const std::vector<Index>& at) {
    std::vector<Index> indices;
    for (Index i = at[0]; i < 1'000'000; i += 2) indices.push_back(i);
    return std::vector<Dimension>{unstructured(1'000'000, {2, at[0]}, IndexList(indices))};
  });
}

inline Recorded wide() {
  return recorded_on({2, 2}, [](const std::vector<Index>& at) {
    return std::vector<Dimension>{block(3, {2, at[0]}), block(Index{1} << 40, {2, at[1]})};
  });
}

}  // namespace daptor::test
