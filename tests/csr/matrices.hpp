// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "../support/divisions.hpp"
#include "../support/world.hpp"
#include "../support/world_comm.hpp"
#include "daptor/daptor.hpp"

namespace daptor::test {

/// A whole matrix, on each rank.
struct Whole {
  Index columns = 0;
  std::vector<Index> offsets{0};  // counted from 0
  std::vector<Index> entry_columns;
  std::vector<int> values;

  Index rows() const { return static_cast<Index>(offsets.size()) - 1; }
  Index entries() const { return offsets.back(); }

  /// Adds a row with the given columns, counted from 0, and values.
  Whole& row(const std::vector<Index>& its_columns, const std::vector<int>& its_values) {
    entry_columns.insert(entry_columns.end(), its_columns.begin(), its_columns.end());
    values.insert(values.end(), its_values.begin(), its_values.end());
    offsets.push_back(static_cast<Index>(values.size()));
    return *this;
  }

  /// The bounds at which entries are divided with their rows.
  Bounds entries_of(const Bounds& row_bounds) const {
    Bounds bounds;
    for (const Index row : row_bounds) bounds.push_back(offsets[static_cast<std::size_t>(row)]);
    return bounds;
  }

  template <class T>
  std::vector<T> times(const std::vector<T>& x) const {
    std::vector<T> y;
    for (Index r = 0; r < rows(); ++r) {
      auto total = T(0);
      for (Index e = offsets[static_cast<std::size_t>(r)];
           e < offsets[static_cast<std::size_t>(r) + 1]; ++e) {
        const auto entry = static_cast<std::size_t>(e);
        total = static_cast<T>(total + static_cast<T>(values[entry]) *
                                           x[static_cast<std::size_t>(entry_columns[entry])]);
      }
      y.push_back(total);
    }
    return y;
  }
};

/// The 5 x 5 matrix of the Global Arrays documentation.
inline Whole text_matrix() {
  Whole whole;
  whole.columns = 5;
  whole.row({2, 3}, {1, 3}).row({0, 4}, {2, 5}).row({1, 3}, {7, 9});
  whole.row({0, 2, 4}, {3, 4, 5}).row({1, 4}, {2, 6});
  return whole;
}

/// The product of that matrix and 1, 2, 3, 4, 5.
inline const std::vector<double> text_product{15, 27, 50, 40, 34};

inline Whole random_matrix(std::mt19937& random) {
  Whole whole;
  const auto rows = static_cast<Index>(random() % 30);
  whole.columns = 1 + static_cast<Index>(random() % 30);
  const unsigned density = 1 + random() % 10;
  const bool sparse_rows = random() % 2 == 0;
  for (Index r = 0; r < rows; ++r) {
    std::vector<Index> columns;
    std::vector<int> values;
    const bool empty = sparse_rows && random() % 3 == 0;
    for (Index c = 0; c < whole.columns && !empty; ++c)
      if (random() % 10 < density) {
        columns.push_back(c);
        values.push_back(static_cast<int>(random() % 5) + 1);
      }
    whole.row(columns, values);
  }
  return whole;
}

/// This rank's part of a matrix, with rows and entries divided as given.
template <class T, class I = std::int64_t>
struct Part {
  Part(const Whole& whole, const Bounds& row_bounds, const Bounds& entry_bounds, Index index_base)
      : base(index_base), columns_in_all(whole.columns), rows_in_all(whole.rows()) {
    entries = part(entry_bounds);
    offset_range = part(row_bounds);
    if (line().last()) ++offset_range.stop;
    for (Index r = offset_range.start; r < offset_range.stop; ++r)
      offsets.push_back(static_cast<I>(whole.offsets[static_cast<std::size_t>(r)] + base));
    for (Index e = entries.start; e < entries.stop; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      values.push_back(static_cast<T>(whole.values[entry]));
      columns.push_back(static_cast<I>(whole.entry_columns[entry] + base));
    }
    entries_in_all = whole.entries();
  }

  /// The arrays refer to the vectors of this object.
  CsrArrays arrays() {
    return {describe(values, {block(entries_in_all, line(), entries)}).on(world()),
            describe(columns, {block(entries_in_all, line(), entries)}).on(world()),
            describe(offsets, {block(rows_in_all + 1, line(), offset_range)}).on(world()),
            rows_in_all,
            columns_in_all,
            base};
  }

  Index base, columns_in_all, rows_in_all, entries_in_all = 0;
  IndexRange entries, offset_range;
  std::vector<T> values;
  std::vector<I> columns, offsets;
};

/// Each row on one rank.
template <class T, class I = std::int64_t>
Part<T, I> aligned_part(const Whole& whole, const Bounds& row_bounds, Index base = 1) {
  return {whole, row_bounds, whole.entries_of(row_bounds), base};
}

/// Values, columns and offsets divided evenly, as Global Arrays does.
template <class T, class I = std::int64_t>
Part<T, I> even_part(const Whole& whole, Index base = 1) {
  return {whole, even_bounds(whole.rows()), even_bounds(whole.entries()), base};
}

inline MPI_Datatype mpi_type(int) {
  return MPI_INT;
}
inline MPI_Datatype mpi_type(double) {
  return MPI_DOUBLE;
}

/// Collective. All elements of a one-dimensional block array, on each rank, as numbers of type T.
template <class T, class Element>
std::vector<T> whole(const Section& array) {
  std::vector<T> all(static_cast<std::size_t>(array.dimension(0).global_size()));
  const auto* const block_form = array.dimension(0).as<Block>();
  const IndexRange owned =
      block_form != nullptr ? block_form->owned : IndexRange{0, static_cast<Index>(all.size())};
  const auto* data = static_cast<const std::byte*>(array.owned_data());
  for (Index i = 0; i < owned.size(); ++i)
    all[static_cast<std::size_t>(owned.start + i)] =
        static_cast<T>(*reinterpret_cast<const Element*>(data + i * array.byte_strides().front()));
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), mpi_type(T()), MPI_SUM,
                MPI_COMM_WORLD);
  return all;
}

/// A vector of which this rank has a block; `value` gives the elements.
template <class T, class F>
std::vector<T> block_of(const Bounds& bounds, const F& value) {
  const IndexRange range = part(bounds);
  std::vector<T> elements;
  for (Index i = range.start; i < range.stop; ++i) elements.push_back(static_cast<T>(value(i)));
  return elements;
}

/// The text's vector b = 1, 2, 3, ...
template <class T = double>
std::vector<T> counting(const Bounds& bounds) {
  return block_of<T>(bounds, [](Index i) { return static_cast<int>(i) + 1; });
}

template <class T>
DistArray in_blocks(T& elements, const Bounds& bounds) {
  return describe(elements, {block(bounds.back(), line(), part(bounds))}).on(world());
}

}  // namespace daptor::test
