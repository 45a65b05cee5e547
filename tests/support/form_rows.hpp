// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/form.hpp"
#include "daptor/builders.hpp"
#include "daptor/dist_array.hpp"
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
/// @param layout  `one_run` or `strided`
/// @param part    `all` for a Form that lists with ghosts anywhere fit
template <class T>
std::vector<BrokenRow> broken_rows(adapter::Form::Layout layout,
                                   adapter::SectionPart part = adapter::SectionPart::owned) {
  constexpr auto item = static_cast<Index>(sizeof(T));
  const auto dimensions = [] { return std::vector<Dimension>{block(4 * world_size(), line())}; };
  const auto broken_stride = [=](std::string rule, Index stride) {
    return BrokenRow{std::move(rule), [=](void* memory, bool broken) {
                       return daptor::describe(static_cast<T*>(memory) + 8, dimensions(),
                                               std::vector<Index>{broken ? stride : item});
                     }};
  };
  const auto apart = [](std::string rule) {
    return BrokenRow{std::move(rule), [](void* memory, bool broken) {
                       const Index first = 3 * world_rank();
                       const IndexList indices(std::vector<Index>{first, first + 1, first + 2});
                       const OwnedPart owned = broken ? OwnedPart::at({0, 2}) : OwnedPart(2);
                       return daptor::describe(
                           static_cast<T*>(memory), 3,
                           {unstructured(3 * world_size(), line(), indices, owned)});
                     }};
  };
  std::vector<BrokenRow> rows = {
      {".device",
       [=](void* memory, bool broken) {
         return daptor::describe(static_cast<T*>(memory), dimensions())
             .in_space(broken ? MemorySpace{MemorySpace::cuda, 0} : MemorySpace{});
       }},
      {".alignment",
       [=](void* memory, bool broken) {
         return daptor::describe(DataType::of<T>(), static_cast<char*>(memory) + (broken ? 1 : 0),
                                 dimensions());
       }},
      {".readonly",
       [=](void* memory, bool broken) {
         return daptor::describe(DataType::of<T>(), memory, dimensions(), Order::c, broken);
       }},
  };
  if (layout == adapter::Form::Layout::one_run) {
    rows.push_back(broken_stride(".one-run", 2 * item));
    rows.push_back(broken_stride(".one-run", -item));
    if (part == adapter::SectionPart::owned) rows.push_back(apart(".one-run"));
  } else {
    rows.push_back(broken_stride(".alignment", item + item / 2));
    rows.push_back(broken_stride(".shared-memory", 0));
    rows.push_back(apart(".apart"));
  }
  return rows;
}

/// What a Form of matrices of T asks that have each column in one run.
template <class T>
std::vector<BrokenRow> broken_column_rows() {
  constexpr auto item = static_cast<Index>(sizeof(T));
  const auto dimensions = [] {
    return std::vector<Dimension>{block(4 * world_size(), line()), undistributed(3)};
  };
  const auto broken_strides = [=](std::string rule, Index row, Index column) {
    return BrokenRow{std::move(rule), [=](void* memory, bool broken) {
                       return daptor::describe(
                           static_cast<T*>(memory) + 8, dimensions(),
                           std::vector<Index>{broken ? row : item, broken ? column : 4 * item});
                     }};
  };
  return {
      broken_strides(".columns", 3 * item, item),
      broken_strides(".rows-run", 2 * item, 8 * item),
      broken_strides(".rows-run", -item, 4 * item),
      broken_strides(".leading-dimension", item, item),
      broken_strides(".leading-dimension", item, -4 * item),
      broken_strides(".leading-dimension", item, 4 * item + item / 2),
      {".alignment",
       [=](void* memory, bool broken) {
         return daptor::describe(DataType::of<T>(), static_cast<char*>(memory) + (broken ? 1 : 0),
                                 dimensions(), Order::fortran);
       }},
      {".readonly",
       [=](void* memory, bool broken) {
         return daptor::describe(DataType::of<T>(), memory, dimensions(), Order::fortran, broken);
       }},
      {".device",
       [=](void* memory, bool broken) {
         return daptor::describe(static_cast<T*>(memory), dimensions(), Order::fortran)
             .in_space(broken ? MemorySpace{MemorySpace::cuda, 0} : MemorySpace{});
       }},
  };
}

/// What a Form of block-cyclic matrices of T asks.
/// @param gaps  see Form::Matrix
template <class T>
std::vector<BrokenRow> broken_matrix_rows(bool gaps) {
  constexpr auto item = static_cast<Index>(sizeof(T));
  const auto dimensions = [] {
    return std::vector<Dimension>{cyclic(4 * world_size(), line(), 2), undistributed(3)};
  };
  const auto broken_strides = [=](std::string rule, Index row, Index column) {
    return BrokenRow{std::move(rule), [=](void* memory, bool broken) {
                       return daptor::describe(
                           static_cast<T*>(memory) + 12, dimensions(),
                           std::vector<Index>{broken ? row : item, broken ? column : 4 * item});
                     }};
  };
  const std::string columns = gaps ? ".leading-dimension" : ".order";
  std::vector<BrokenRow> rows = {
      broken_strides(".order", 2 * item, 8 * item),
      broken_strides(".order", -item, 4 * item),
      broken_strides(".order", 3 * item, item),
      broken_strides(columns, item, item),
      broken_strides(columns, item, -4 * item),
      broken_strides(columns, item, 4 * item + item / 2),
      {".alignment",
       [=](void* memory, bool broken) {
         return daptor::describe(DataType::of<T>(), static_cast<char*>(memory) + (broken ? 1 : 0),
                                 dimensions(), Order::fortran);
       }},
      {".readonly",
       [=](void* memory, bool broken) {
         return daptor::describe(DataType::of<T>(), memory, dimensions(), Order::fortran, broken);
       }},
      {".device",
       [=](void* memory, bool broken) {
         return daptor::describe(static_cast<T*>(memory), dimensions(), Order::fortran)
             .in_space(broken ? MemorySpace{MemorySpace::cuda, 0} : MemorySpace{});
       }},
  };
  if (!gaps) rows.push_back(broken_strides(".order", item, 5 * item));
  return rows;
}

/// Collective. Breaks each row on each rank alone, and expects the error of that row, with that
/// rank, everywhere; the memory stays as it is.
template <class T, class Import>
void expect_rows(const std::string& id, const Import& import, const std::vector<BrokenRow>& rows,
                 const std::vector<std::string>& skip = {}) {
  for (const BrokenRow& row : rows) {
    if (std::find(skip.begin(), skip.end(), row.rule) != skip.end()) continue;
    // The space of memory, and with it the device, is the same on all ranks of an array.
    if (row.rule == ".device" && world_size() > 1) continue;
    for (int victim = 0; victim < world_size(); ++victim) {
      std::vector<T> memory(24, T(5));
      const DistArray a = row.describe(memory.data(), world_rank() == victim).on(MPI_COMM_WORLD);
      expect_refused_everywhere<NotRepresentable>(
          id + row.rule, [&] { import(a); }, victim);
      EXPECT_EQ(memory, std::vector<T>(24, T(5)));
    }
  }
}

/// Collective. `expect_rows` for a Form of vectors, with the rows that all ranks break.
/// @param id      of the form
/// @param import  the import
/// @param skip    rows that this form does not have
/// @param layout  that of the form, `one_run` or `strided`
/// @param part    see `broken_rows`
template <class T, class Import>
void expect_form(const std::string& id, const Import& import,
                 const std::vector<std::string>& skip = {},
                 adapter::Form::Layout layout = adapter::Form::Layout::one_run,
                 adapter::SectionPart part = adapter::SectionPart::owned) {
  expect_rows<T>(id, import, broken_rows<T>(layout, part), skip);
  const auto refused = [&](const char* rule, const DistArray& a) {
    if (std::find(skip.begin(), skip.end(), rule) == skip.end())
      expect_refused_everywhere<NotRepresentable>(id + rule, [&] { import(a); });
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

/// Collective. The same for a Form of block-cyclic matrices, on a grid of one column.
/// @param gaps  see Form::Matrix
template <class T, class Import>
void expect_matrix_form(const std::string& id, const Import& import, bool gaps,
                        const std::vector<std::string>& skip = {}) {
  expect_rows<T>(id, import, broken_matrix_rows<T>(gaps), skip);
  const auto refused = [&](const char* rule, const Section& a) {
    expect_refused_everywhere<NotRepresentable>(id + rule, [&] { import(a.on(MPI_COMM_WORLD)); });
  };
  const auto allocated = [](std::vector<Dimension> dimensions) {
    return allocate(DataType::of<T>(), std::move(dimensions), Order::fortran);
  };
  const auto too_large = [&](const Dimension& rows, const Dimension& columns) {
    refused(".index-range",
            daptor::describe(DataType::of<T>(), nullptr, {rows, columns}, Order::fortran));
  };
  const Index ranks = world_size(), large = Index{1} << 31;
  const GridPosition one{1, 0};
  const Dimension dealt = cyclic(4 * ranks, line(), 2);
  refused(".type", allocate(DataType::of<std::int8_t>(), {dealt, undistributed(3)}));
  refused(".dimensions", allocated({dealt, undistributed(3), undistributed(2)}));
  const std::vector<Index> mine{world_rank(), world_rank() + ranks};
  refused(".distribution",
          allocated({unstructured(2 * ranks, line(), IndexList(mine), true), undistributed(3)}));
  if (ranks > 2)
    refused(".uneven-blocks", allocated({block(8 * ranks + 1, line()), undistributed(3)}));
  too_large(cyclic(0, line(), large), cyclic(16, one, 3));
  too_large(cyclic(ranks << 16, line(), 64), cyclic(1 << 16, one, 64));
}

}  // namespace daptor::test
