// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Arrays whose elements know their global indices, and the transform that they must have.

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include "daptor/block_dimensions.hpp"
#include "daptor/builders.hpp"
#include "daptor/fft.hpp"
#include "daptor/fftw.hpp"
#include "daptor/layout.hpp"
#include "daptor/local_index_map.hpp"
#include "daptor/view.hpp"
#include "effort.hpp"
#include "everywhere.hpp"

namespace daptor::fft::test {

using daptor::test::all_rounds;
using daptor::test::expect_different;
using daptor::test::expect_refused_everywhere;
using daptor::test::tried;
using daptor::test::world_rank;
using daptor::test::world_size;
using Complex = std::complex<double>;
using Shape = std::vector<Index>;

inline const MPI_Comm world = MPI_COMM_WORLD;
inline const DataType complex128 = DataType::of<Complex>();
inline const DataType float64 = DataType::of<double>();

/// A whole array in row-major order.
struct Whole {
  Shape shape;
  std::vector<Complex> values;

  explicit Whole(Shape of) : shape(std::move(of)) {
    Index count = 1;
    for (const Index size : shape) count *= size;
    values.resize(static_cast<std::size_t>(count));
  }
};

/// Numbers without any symmetry.
inline Whole field(const Shape& shape, bool real) {
  Whole whole(shape);
  double i = 1;
  for (Complex& value : whole.values) {
    value = {std::sin(1.7 * i * i), real ? 0 : std::cos(0.3 * i * i)};
    ++i;
  }
  return whole;
}

/// The transform by its definition, along one dimension after the other.
inline Whole transformed(Whole whole, const std::vector<int>& dimensions, int halved = -1) {
  constexpr double pi = 3.14159265358979323846;
  for (const int dimension : dimensions) {
    const auto d = static_cast<std::size_t>(dimension);
    const Index size = whole.shape[d];
    Index inner = 1;
    for (std::size_t e = d + 1; e < whole.shape.size(); ++e) inner *= whole.shape[e];
    const Index outer =
        static_cast<Index>(whole.values.size()) / (inner * std::max<Index>(1, size));
    const std::vector<Complex> before = whole.values;
    for (Index o = 0; o < outer; ++o)
      for (Index i = 0; i < inner; ++i)
        for (Index k = 0; k < size; ++k) {
          Complex sum = 0;
          for (Index x = 0; x < size; ++x)
            sum += before[static_cast<std::size_t>((o * size + x) * inner + i)] *
                   std::polar(1.0, -2 * pi * static_cast<double>(k * x % size) /
                                       static_cast<double>(size));
          whole.values[static_cast<std::size_t>((o * size + k) * inner + i)] = sum;
        }
  }
  if (halved < 0) return whole;
  const auto d = static_cast<std::size_t>(halved);
  Shape shape = whole.shape;
  shape[d] = shape[d] / 2 + 1;
  Whole half(shape);
  Index inner = 1;
  for (std::size_t e = d + 1; e < shape.size(); ++e) inner *= shape[e];
  for (std::size_t i = 0; i < half.values.size(); ++i) {
    const auto row = static_cast<Index>(i) / inner;
    const Index from = row / shape[d] * whole.shape[d] + row % shape[d];
    half.values[i] =
        whole.values[static_cast<std::size_t>(from * inner + static_cast<Index>(i) % inner)];
  }
  return half;
}

/// Calls `visit(element, number)` for each owned element: its address, and its row-major number.
inline void for_each_owned(const Section& a, const std::function<void(std::byte*, Index)>& visit) {
  const LocalIndexMap map(a);
  const std::vector<Index> numbers = map.owned_natural();
  auto* const first = static_cast<std::byte*>(const_cast<void*>(a.data()));
  Index n = 0;
  std::function<void(std::byte*, int)> descend = [&](std::byte* at, int d) {
    if (d == a.ndim()) {
      visit(at, numbers[static_cast<std::size_t>(n++)]);
      return;
    }
    const OwnedPart owned = a.dimension(d).owned_part();
    for (Index i = 0; i < owned.count(); ++i)
      descend(at + owned.position(i) * a.byte_strides()[static_cast<std::size_t>(d)], d + 1);
  };
  if (a.owned_count() > 0) descend(first, 0);
}

inline Complex read(const Section& a, const std::byte* at) {
  const DataType& type = a.type();
  if (type == DataType::of<double>()) return *reinterpret_cast<const double*>(at);
  if (type == DataType::of<float>()) return *reinterpret_cast<const float*>(at);
  if (type == DataType::of<Complex>()) return *reinterpret_cast<const Complex*>(at);
  return Complex(*reinterpret_cast<const std::complex<float>*>(at));
}

inline void write(const Section& a, std::byte* at, Complex value) {
  const DataType& type = a.type();
  if (type == DataType::of<double>())
    *reinterpret_cast<double*>(at) = value.real();
  else if (type == DataType::of<float>())
    *reinterpret_cast<float*>(at) = static_cast<float>(value.real());
  else if (type == DataType::of<Complex>())
    *reinterpret_cast<Complex*>(at) = value;
  else
    *reinterpret_cast<std::complex<float>*>(at) = std::complex<float>(value);
}

inline void fill(const Section& a, const Whole& whole) {
  for_each_owned(a, [&](std::byte* at, Index number) {
    write(a, at, whole.values[static_cast<std::size_t>(number)]);
  });
}

inline void expect_values(const Section& a, const Whole& whole, double factor = 1,
                          double tolerance = 1e-10) {
  double worst = 0;
  for_each_owned(a, [&](std::byte* at, Index number) {
    const Complex expected = factor * whole.values[static_cast<std::size_t>(number)];
    const double error = std::abs(read(a, at) - expected);
    worst = std::isnan(error) ? 1e300 : std::max(worst, error);
  });
  EXPECT_LT(worst, tolerance * std::max(1.0, factor));
}

/// A way to lay an array out, on any number of ranks.
struct Layout {
  std::string name;
  std::function<std::vector<Dimension>(const Shape&)> dimensions;
  Order order = Order::c;
  Index spread = 1;  ///< elements from one to the next along the fastest dimension
};

/// An array in memory that is filled with guards, which the transform must leave alone.
struct Guarded {
  std::vector<std::byte> memory;
  DistArray array;

  Guarded(const DataType& type, const Layout& layout, const Shape& shape) {
    const std::vector<Dimension> dimensions = layout.dimensions(shape);
    const auto item = static_cast<Index>(type.itemsize());
    std::vector<Index> strides(dimensions.size());
    Index step = item * layout.spread;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      const std::size_t d = layout.order == Order::c ? dimensions.size() - 1 - i : i;
      strides[d] = step;
      step *= std::max<Index>(1, dimensions[d].local_extent());
    }
    memory.assign(static_cast<std::size_t>(step), std::byte{0x5a});
    array = daptor::describe(type, memory.data(), step / item, dimensions, strides).on(world);
  }

  /// The memory of a box or of a tile, `length` elements, with guards before and behind it.
  template <class BoxOrTile>
  Guarded(const DataType& type, const BoxOrTile& part, Index length) {
    constexpr std::size_t around = 4;
    const std::size_t item = type.itemsize();
    memory.assign((static_cast<std::size_t>(length) + 2 * around) * item, std::byte{0x5a});
    array = fft::describe(type, memory.data() + around * item, length, part, world);
  }

  /// Whether every byte that is no owned element is as it was.
  bool guards_are_whole() const {
    std::vector<bool> owned(memory.size());
    for_each_owned(array, [&](std::byte* at, Index) {
      const auto begin = static_cast<std::size_t>(at - memory.data());
      std::fill_n(owned.begin() + static_cast<std::ptrdiff_t>(begin), array.type().itemsize(),
                  true);
    });
    for (std::size_t i = 0; i < memory.size(); ++i)
      if (!owned[i] && memory[i] != std::byte{0x5a}) return false;
    return true;
  }
};

inline std::vector<Dimension> of_layout(const TargetLayout& layout, const Shape& shape) {
  return layout.dimensions(shape, world_rank(), world_size());
}

inline Layout slabs(int d) {
  return {"slabs of dimension " + std::to_string(d),
          [d](const Shape& shape) { return of_layout(layout::slab(d), shape); }};
}

inline Layout bricks() {
  return {"bricks", [](const Shape& shape) { return of_layout(layout::blocks(), shape); }};
}

inline Layout padded() {
  return {"blocks with ghost cells", [](const Shape& shape) {
            BlockOptions options;
            options.communication.assign(shape.size(), Padding{1, 2});
            return block_dimensions(shape, world, options);
          }};
}

inline Layout uneven(std::size_t d) {
  return {"slabs of which rank 0 has most, along dimension " + std::to_string(d),
          [d](const Shape& shape) {
            std::vector<Dimension> dimensions;
            for (const Index size : shape) dimensions.push_back(undistributed(size));
            const Index ranks = world_size();
            const Index first = std::max<Index>(0, shape[d] - (ranks - 1));
            const auto cut = [&](Index rank) {
              return rank == 0 ? 0 : std::min(shape[d], first + rank - 1);
            };
            const IndexRange owned{cut(world_rank()),
                                   world_rank() + 1 == ranks ? shape[d] : cut(world_rank() + 1)};
            dimensions[d] = block(shape[d], {ranks, world_rank()}, owned);
            return dimensions;
          }};
}

inline Layout dealt() {
  return {"indices dealt in turn", [](const Shape& shape) {
            std::vector<Dimension> dimensions;
            for (const Index size : shape) dimensions.push_back(undistributed(size));
            dimensions.back() = cyclic(shape.back(), {world_size(), world_rank()}, 1);
            return dimensions;
          }};
}

inline Layout reversed() {
  return {
      "a list of indices, from the last one", [](const Shape& shape) {
        std::vector<Dimension> dimensions;
        for (const Index size : shape) dimensions.push_back(undistributed(size));
        std::vector<Index> mine;
        for (Index i = shape[0] - 1 - world_rank(); i >= 0; i -= world_size()) mine.push_back(i);
        dimensions[0] = unstructured(shape[0], {world_size(), world_rank()}, IndexList(mine), true);
        return dimensions;
      }};
}

/// Every index twice in a row, of which the second is a ghost.
inline Layout between_ghosts(std::size_t d) {
  return {"a list with ghosts between owned elements", [d](const Shape& shape) {
            std::vector<Dimension> dimensions;
            for (const Index size : shape) dimensions.push_back(undistributed(size));
            std::vector<Index> indices;
            std::vector<bool> owned;
            for (Index i = world_rank(); i < shape[d]; i += world_size())
              for (const bool ghost : {false, true}) {
                indices.push_back(i);
                owned.push_back(!ghost);
              }
            dimensions[d] =
                unstructured(shape[d], {world_size(), world_rank()}, IndexList(indices), owned);
            return dimensions;
          }};
}

inline Layout on_the_last_rank() {
  return {"all on the last rank", [](const Shape& shape) {
            std::vector<Dimension> dimensions;
            for (const Index size : shape) dimensions.push_back(undistributed(size));
            const bool last = world_rank() + 1 == world_size();
            dimensions[0] = block(shape[0], {world_size(), world_rank()},
                                  last ? IndexRange{0, shape[0]} : IndexRange{0, 0});
            return dimensions;
          }};
}

inline Layout column_major(Layout layout) {
  layout.name += ", column-major";
  layout.order = Order::fortran;
  return layout;
}

inline Layout spread_out(Layout layout) {
  layout.name += ", every third element";
  layout.spread = 3;
  return layout;
}

/// Layouts of every kind.
inline std::vector<Layout> layouts() {
  return {slabs(0),
          slabs(1),
          bricks(),
          padded(),
          column_major(slabs(0)),
          column_major(padded()),
          spread_out(bricks()),
          uneven(0),
          dealt(),
          reversed(),
          between_ghosts(1),
          on_the_last_rank()};
}

}  // namespace daptor::fft::test
