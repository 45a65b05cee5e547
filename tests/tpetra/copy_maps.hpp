// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstring>
#include <random>

#include "support.hpp"

/// Maps of many kinds, and MultiVectors on them whose values say where they belong.

namespace daptor::test {

inline double value_of(Index row, Index column = 0) {
  return std::sqrt(static_cast<double>(row + 1000 * column) + 2.0);
}

inline Teuchos::RCP<const Map> map_of(const std::vector<Global>& list, Global base) {
  return Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(), list.data(),
                              static_cast<Local>(list.size()), base, Tpetra::getDefaultComm()));
}

/// The kinds of Maps with `size` indices, beginning at `base`.
struct MapKind {
  std::string name;
  std::function<Teuchos::RCP<const Map>(Index size, Global base)> make;
  bool one_to_one = true;
};

inline std::ostream& operator<<(std::ostream& out, const MapKind& kind) {
  return out << kind.name;
}

inline std::vector<Global> dealt(Index size, Global base, int shift = 0) {
  std::vector<Global> list;
  for (Index i = size - 1; i >= 0; --i)
    if ((i * 7 + i / 3 + shift) % world_size() == world_rank()) list.push_back(base + i);
  return list;
}

/// Dealt out; each process also has two thirds of the indices of the others.
inline std::vector<Global> overlapping(Index size, Global base) {
  std::mt19937 random(static_cast<unsigned>(world_rank()) + 7);
  std::vector<Global> list = dealt(size, base);
  for (Index i = 0; i < size; ++i)
    if ((i * 7 + i / 3) % world_size() != world_rank() && random() % 3 != 0)
      list.push_back(base + i);
  return list;
}

inline std::vector<MapKind> map_kinds() {
  return {
      {"even",
       [](Index size, Global base) {
         return Teuchos::RCP<const Map>(Teuchos::rcp(
             new Map(static_cast<Tpetra::global_size_t>(size), base, Tpetra::getDefaultComm())));
       }},
      {"uneven",
       [](Index size, Global base) {
         const Index most = size / world_size() / 2;
         const Index mine = world_rank() == 0 ? size - most * (world_size() - 1) : most;
         return Teuchos::RCP<const Map>(
             Teuchos::rcp(new Map(static_cast<Tpetra::global_size_t>(size),
                                  static_cast<std::size_t>(mine), base, Tpetra::getDefaultComm())));
       }},
      {"dealt", [](Index size, Global base) { return map_of(dealt(size, base), base); }},
      {"one_rank_empty",
       [](Index size, Global base) {
         auto list = dealt(size, base, 1);
         if (world_size() == 1) return map_of(list, base);
         list.clear();
         for (Index i = 0; i < size; ++i)
           if (i % (world_size() - 1) + 1 == world_rank()) list.push_back(base + i);
         return map_of(list, base);
       }},
      {"overlapping", [](Index size, Global base) { return map_of(overlapping(size, base), base); },
       false},
      {"replicated",
       [](Index size, Global base) {
         std::vector<Global> all;
         for (Index i = 0; i < size; ++i) all.push_back(base + i);
         return map_of(all, base);
       },
       false},
  };
}

inline void expect_equal(const MultiVector& found, const MultiVector& expected) {
  const auto a = found.getLocalViewHost(Tpetra::Access::ReadOnly);
  const auto b = expected.getLocalViewHost(Tpetra::Access::ReadOnly);
  ASSERT_EQ(a.extent(0), b.extent(0));
  ASSERT_EQ(a.extent(1), b.extent(1));
  for (std::size_t j = 0; j < a.extent(1); ++j)
    for (std::size_t i = 0; i < a.extent(0); ++i)
      // The bits, of values that are not numbers too.
      // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
      EXPECT_EQ(std::memcmp(&a(i, j), &b(i, j), sizeof(double)), 0) << i << ", column " << j;
}

inline void number(MultiVector& x) {
  const auto values = x.getLocalViewHost(Tpetra::Access::OverwriteAll);
  const Global base = x.getMap()->getIndexBase();
  for (std::size_t j = 0; j < values.extent(1); ++j)
    for (std::size_t i = 0; i < values.extent(0); ++i)
      values(i, j) = value_of(x.getMap()->getGlobalElement(static_cast<Local>(i)) - base,
                              static_cast<Index>(j));
}

inline void expect_numbered(const MultiVector& x) {
  MultiVector expected(x.getMap(), x.getNumVectors());
  number(expected);
  expect_equal(x, expected);
}

}  // namespace daptor::test
