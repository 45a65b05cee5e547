// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/builders.hpp"
#include "everywhere.hpp"

/// \file
/// The table test of a Form (daptor/adapter/form.hpp) of vectors: each of its rows is broken once.

namespace daptor::test {

/// An array of which one rank breaks a row.
struct BrokenRow {
  std::string rule;  ///< without the form's id
  /// Describes this rank's section on the memory, which has room for 16 elements.
  std::function<Section(void* memory, bool broken)> describe;
};

/// What a Form of one-dimensional arrays of T asks, each time broken by one rank alone.
template <class T>
std::vector<BrokenRow> broken_rows() {
  const auto dimensions = [] { return std::vector<Dimension>{block(4 * world_size(), line())}; };
  const auto in_space = [=](void* memory, MemorySpace space) {
    const Buffer buffer(DataType::of<T>(), {4}, {sizeof(T)}, memory, false, nullptr, space);
    return Section(protocol_0_9, buffer, dimensions());
  };
  const auto strided = [=](void* first, Index stride) {
    return daptor::describe(static_cast<T*>(first), dimensions(), std::vector<Index>{stride});
  };
  return {
      {".device",
       [=](void* memory, bool broken) {
         return in_space(memory, broken ? MemorySpace{MemorySpace::cuda, 0} : MemorySpace{});
       }},
      {".alignment",
       [=](void* memory, bool broken) {
         return daptor::describe(DataType::of<T>(), static_cast<char*>(memory) + (broken ? 1 : 0),
                                 dimensions());
       }},
      {".one-run",
       [=](void* memory, bool broken) {
         return strided(memory, static_cast<Index>(sizeof(T)) * (broken ? 2 : 1));
       }},
      {".one-run",
       [=](void* memory, bool broken) {
         return strided(static_cast<T*>(memory) + 8,
                        static_cast<Index>(sizeof(T)) * (broken ? -1 : 1));
       }},
      {".one-run",
       [=](void* memory, bool broken) {
         const Index first = 3 * world_rank();
         const IndexList indices(std::vector<Index>{first, first + 1, first + 2});
         const OwnedPart owned = broken ? OwnedPart::at({0, 2}) : OwnedPart(2);
         return daptor::describe(static_cast<T*>(memory), 3,
                                 {unstructured(3 * world_size(), line(), indices, owned)});
       }},
      {".readonly",
       [=](void* memory, bool broken) {
         return daptor::describe(DataType::of<T>(), memory, dimensions(), Order::c, broken);
       }},
  };
}

/// Collective. Breaks each row on each rank alone, and expects the error of that row, with that
/// rank, everywhere; the memory stays as it is.
/// @param id      of the form
/// @param import  the import
template <class T, class Import>
void expect_rows(const std::string& id, const std::vector<BrokenRow>& rows, const Import& import) {
  for (const BrokenRow& row : rows) {
    for (int victim = 0; victim < world_size(); ++victim) {
      std::vector<T> memory(17, T(5));
      const DistArray a = row.describe(memory.data(), world_rank() == victim).on(MPI_COMM_WORLD);
      // The space of memory, and with it the device, is the same on all ranks of an array.
      if (row.rule == ".device" && world_size() > 1) continue;
      expect_refused_everywhere<NotRepresentable>(
          id + row.rule, [&] { import(a); }, victim);
      EXPECT_EQ(memory, std::vector<T>(17, T(5)));
    }
  }
}

/// Collective. The same of what every Form of vectors asks. Rows that belong to all ranks are
/// broken by all.
/// @param skip    rows that this form does not have
template <class T, class Import>
void expect_form(const std::string& id, const Import& import,
                 const std::vector<std::string>& skip = {}) {
  const auto has = [&](const std::string& rule) {
    return std::find(skip.begin(), skip.end(), rule) == skip.end();
  };
  std::vector<BrokenRow> rows = broken_rows<T>();
  rows.erase(std::remove_if(rows.begin(), rows.end(),
                            [&](const BrokenRow& row) { return !has(row.rule); }),
             rows.end());
  expect_rows<T>(id, rows, import);
  const auto refused = [&](const char* rule, const DistArray& a) {
    if (has(rule)) expect_refused_everywhere<NotRepresentable>(id + rule, [&] { import(a); });
  };
  const auto allocated = [](const DataType& type, std::vector<Dimension> dimensions,
                            Order order = Order::c) {
    return allocate(type, std::move(dimensions), order).on(MPI_COMM_WORLD);
  };
  refused(".type", allocated(DataType::of<std::int8_t>(), {block(4 * world_size(), line())}));
  if (world_size() == 1) return;
  // Index r + 1 is on ranks r and r + 1.
  const std::vector<Index> mine{world_rank(), world_rank() + 1};
  refused(".overlap",
          allocated(DataType::of<T>(), {unstructured(world_size() + 1, line(), IndexList(mine))}));
  refused(".order",
          allocated(DataType::of<T>(), {block(2 * world_size(), line()), undistributed(3)},
                    world_rank() == 0 ? Order::fortran : Order::c));
}

}  // namespace daptor::test
