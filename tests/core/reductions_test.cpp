// SPDX-License-Identifier: BSD-3-Clause
// Reductions on simulated ranks, against sums over the elements of the whole array.

#include "daptor/reductions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "daptor/adapter/reduce.hpp"
#include "daptor/lease.hpp"
#include "daptor/simulated.hpp"
#include "layouts.hpp"

namespace daptor {
namespace {

using test::Axis;
using test::Layout;

template <class T>
constexpr bool has_fractions = !std::is_integral_v<T>;

/// The elements of a whole array: few different values, so that extremes are not unique.
template <class T>
class Whole {
 public:
  Whole(std::vector<Index> shape, unsigned seed) : shape_(std::move(shape)) {
    std::mt19937 random(seed);
    std::size_t count = 1;
    for (const Index extent : shape_) count *= static_cast<std::size_t>(extent);
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = static_cast<int>(random() % 40) - 20;
      if constexpr (std::is_class_v<T>)
        elements_.push_back(T(static_cast<float>(value), static_cast<float>(random() % 5)));
      else if constexpr (std::is_unsigned_v<T>)
        elements_.push_back(static_cast<T>(value < 0 ? -value : value));
      else
        elements_.push_back(static_cast<T>(has_fractions<T> ? value / 7.0 : value));
    }
  }
  T at(const std::vector<Index>& indices) const { return elements_[number(indices)]; }
  std::size_t number(const std::vector<Index>& indices) const {
    Index number = 0;
    for (std::size_t d = 0; d < shape_.size(); ++d) number = number * shape_[d] + indices[d];
    return static_cast<std::size_t>(number);
  }
  std::vector<Index> indices(std::size_t number) const {
    std::vector<Index> result(shape_.size());
    for (std::size_t d = shape_.size(); d-- > 0;) {
      const auto extent = static_cast<std::size_t>(shape_[d]);
      result[d] = static_cast<Index>(number % extent);
      number /= extent;
    }
    return result;
  }
  const std::vector<T>& elements() const { return elements_; }

 private:
  std::vector<Index> shape_;
  std::vector<T> elements_;
};

/// A rank's section with the elements of the whole, in memory with gaps, and others in its padding.
template <class T>
struct Filled {
  std::vector<T> memory;
  DistArray array;

  Filled(const Layout& layout, const Comm& comm, const Whole<T>& whole, bool fortran) {
    const auto dimensions = layout.dimensions(comm.rank());
    std::vector<Index> strides(dimensions.size());
    Index count = 2;  // a gap after each element
    for (std::size_t k = 0; k < strides.size(); ++k) {
      const std::size_t d = fortran ? k : strides.size() - 1 - k;
      strides[d] = count * static_cast<Index>(sizeof(T));
      count *= dimensions[d].local_extent();
    }
    memory.assign(static_cast<std::size_t>(count), static_cast<T>(77));
    array = describe(memory, dimensions, strides).as_readonly().on(comm);
    const auto at = layout.coordinates(comm.rank());
    std::vector<std::vector<std::pair<Index, Index>>> owned(dimensions.size());
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      const auto& indices = layout.axes[d].owned[static_cast<std::size_t>(at[d])];
      const IndexList positions = dimensions[d].owned_part().positions();
      std::vector<Index> sorted(indices.begin(), indices.end());
      const Padding edge = dimensions[d].boundary_padding();
      for (std::size_t i = 0; i < sorted.size(); ++i)
        if (static_cast<Index>(i) >= edge.lower &&
            static_cast<Index>(i + 1) + edge.upper <= static_cast<Index>(sorted.size()))
          owned[d].emplace_back(positions[static_cast<Index>(i)], sorted[i]);
    }
    std::vector<Index> indices(dimensions.size());
    fill(owned, strides, whole, 0, 0, indices);
  }
  void fill(const std::vector<std::vector<std::pair<Index, Index>>>& owned,
            const std::vector<Index>& strides, const Whole<T>& whole, std::size_t d, Index offset,
            std::vector<Index>& indices) {
    if (d == owned.size()) {
      memory[static_cast<std::size_t>(offset) / sizeof(T)] = whole.at(indices);
      return;
    }
    for (const auto& [position, index] : owned[d]) {
      indices[d] = index;
      fill(owned, strides, whole, d + 1, offset + position * strides[d], indices);
    }
  }
};

/// Whether an element is in the interior of the whole array.
bool inside(const Layout& layout, const std::vector<Index>& indices, Index boundary) {
  for (std::size_t d = 0; d < indices.size(); ++d)
    if (d == 0 && (indices[d] < boundary || indices[d] >= layout.axes[d].size - boundary))
      return false;
  return true;
}

template <class T>
using Wide = std::conditional_t<
    std::is_class_v<T>, std::complex<double>,
    std::conditional_t<std::is_integral_v<T>,
                       std::conditional_t<std::is_unsigned_v<T>, std::uint64_t, std::int64_t>,
                       double>>;

template <class T>
bool less_than(const T& a, const T& b) {
  if constexpr (std::is_class_v<T>)
    return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
  else
    return a < b;
}

template <class T>
double size_of(const T& value) {
  if constexpr (std::is_class_v<T>)
    return std::abs(std::complex<double>(value));
  else
    return std::abs(static_cast<double>(value));
}

template <class W>
void expect_near(const W& found, const W& right) {
  EXPECT_LE(size_of(static_cast<W>(found - right)), 1e-12 * (1 + size_of(right)))
      << found << ' ' << right;
}

template <class T>
void check_against_whole(const Layout& layout, Index boundary, bool fortran, bool masked) {
  using W = Wide<T>;
  std::vector<Index> shape;
  for (const Axis& axis : layout.axes) shape.push_back(axis.size);
  const Whole<T> whole(shape, static_cast<unsigned>(layout.processes()));
  const Whole<std::uint8_t> flags(shape, 5);
  std::vector<T> counted;
  std::vector<std::vector<Index>> places;
  for (std::size_t i = 0; i < whole.elements().size(); ++i) {
    const auto indices = whole.indices(i);
    if (!inside(layout, indices, boundary) || (masked && flags.elements()[i] == 0)) continue;
    counted.push_back(whole.elements()[i]);
    places.push_back(indices);
  }
  run_simulated(static_cast<int>(layout.processes()), [&](const Comm& comm) {
    const Filled<T> filled(layout, comm, whole, fortran);
    const Filled<std::uint8_t> mask(layout, comm, flags, !fortran);
    const DistArray& a = filled.array;
    ReductionOptions options;
    if (masked) options.where = mask.array;

    W total{};
    double squares = 0, largest = 0, sizes = 0;
    Index nonzero = 0;
    for (const T& value : counted) {
      total = static_cast<W>(total + static_cast<W>(value));
      squares += size_of(value) * size_of(value);
      sizes += size_of(value);
      largest = std::max(largest, size_of(value));
      nonzero += value != T(0);
    }
    expect_near(sum<W>(a, options), total);
    expect_near(norm(a, Norm::two, options), std::sqrt(squares));
    expect_near(norm(a, Norm::one, options), sizes);
    expect_near(norm(a, Norm::infinity, options), largest);
    EXPECT_EQ(count_nonzero(a, options), nonzero);
    EXPECT_EQ(any(a, options), nonzero > 0);
    EXPECT_EQ(all(a, options), nonzero == static_cast<Index>(counted.size()));
    EXPECT_TRUE(allclose(a, a, {}, options));
    expect_near(vdot<std::complex<double>>(a, a, options), std::complex<double>(squares));
    if (counted.empty()) return;
    const auto count = static_cast<double>(counted.size());
    using M = std::conditional_t<std::is_class_v<T>, std::complex<double>, double>;
    const M centre = mean<M>(a, options);
    expect_near(centre * count, static_cast<M>(total));
    double deviations = 0;
    for (const T& value : counted) {
      const double far = size_of(static_cast<M>(static_cast<M>(value) - centre));
      deviations += far * far;
    }
    expect_near(var(a, 0, options) * count, deviations);
    expect_near(stddev(a, 0, options), std::sqrt(deviations / count));
    const auto least = std::min_element(counted.begin(), counted.end(), less_than<T>);
    const auto greatest = std::max_element(counted.begin(), counted.end(), less_than<T>);
    EXPECT_EQ(min<W>(a, options), static_cast<W>(*least));
    EXPECT_EQ(max<W>(a, options), static_cast<W>(*greatest));
    EXPECT_EQ(argmin(a, options), places[static_cast<std::size_t>(least - counted.begin())]);
    EXPECT_EQ(argmax(a, options), places[static_cast<std::size_t>(greatest - counted.begin())]);
  });
}

template <class T>
void check_layout(const Layout& layout, Index boundary = 0) {
  for (const bool fortran : {false, true})
    for (const bool masked : {false, true}) {
      SCOPED_TRACE(DataType::of<T>().name() + (fortran ? " columns" : " rows") +
                   (masked ? ", masked" : ""));
      check_against_whole<T>(layout, boundary, fortran, masked);
    }
}

void check_all_types(const Layout& layout, Index boundary = 0) {
  check_layout<double>(layout, boundary);
  check_layout<std::int32_t>(layout, boundary);
  check_layout<std::complex<float>>(layout, boundary);
}

TEST(Reductions, BlocksWithPaddingCountTheirInterior) {
  const BlockPadding padding({1, 1}, {2, 2});
  for (const Index ranks : {1, 2, 5})
    check_all_types({{test::even_axis(13, ranks, padding), test::undistributed_axis(3)}, {}}, 2);
  check_all_types({{test::even_axis(9, 2, BlockPadding({2, 1}, {}, true)), test::even_axis(8, 3)},
                   {4, 1, 0, 5, 2, 3}});
}

TEST(Reductions, EmptyRanks) {
  check_all_types({{test::block_axis({0, 4, 0, 3, 0})}, {}});
  check_layout<double>({{test::block_axis({0, 0, 0})}, {}});
  check_layout<std::uint16_t>({{test::block_axis({0, 1100, 3}), test::undistributed_axis(2)}, {}});
}

TEST(Reductions, CyclicAndLists) {
  check_all_types({{test::cyclic_axis(11, 3, 2, 1), test::cyclic_axis(7, 2, 1)}, {}});
  check_all_types({{test::ghosted_axis(12, 4, 3), test::undistributed_axis(4)}, {}});
  check_all_types({{test::undistributed_axis(4), test::mixed_axis(12, 4, 3)}, {}});
}

TEST(Reductions, AnIndexOfSeveralRanksCountsOnce) {
  Axis axis = test::unstructured_axis(6, {{5, 0, 1}, {1, 2, 5}, {}, {4, 3, 0}});
  check_all_types({{axis, test::undistributed_axis(2)}, {}});
  run_simulated(4, [&](const Comm& comm) {  // what was found is kept for the description
    const auto a = allocate<double>({axis.make({4, comm.rank()})}).on(comm);
    EXPECT_EQ(sum(a), 0);
    const auto before = a.with_memory(a.mutable_data());
    EXPECT_EQ(sum(before), 0);
  });
}

TEST(Reductions, NotANumber) {
  run_simulated(3, [](const Comm& comm) {
    double u[2] = {1.0 + comm.rank(), comm.rank() == 1 ? std::nan("") : 9.0};
    const auto a = describe(u, {block(6, {3, comm.rank()})}).on(comm);
    EXPECT_TRUE(std::isnan(min(a)) && std::isnan(max(a)) && std::isnan(sum(a)));
    EXPECT_EQ(argmin(a), std::vector<Index>{3});
    EXPECT_EQ(argmax(a), std::vector<Index>{3});
    EXPECT_FALSE(allclose(a, a));
    EXPECT_TRUE(allclose(a, a, {0, 0, true}));
    EXPECT_TRUE(any(a));
  });
}

/// Also where they have more digits than a double.
TEST(Reductions, IntegersAreCompared) {
  run_simulated(2, [](const Comm& comm) {
    const auto on = [&](auto& memory) {
      return describe(memory, {block(2, {2, comm.rank()})}).on(comm);
    };
    using Limits = std::numeric_limits<std::int64_t>;
    std::int64_t large[1] = {Limits::max()}, next[1] = {Limits::max() - 1},
                 least[1] = {Limits::min()};
    const auto a = on(large), b = on(next), c = on(least);
    EXPECT_FALSE(allclose(a, b, {0, 0}));
    EXPECT_TRUE(allclose(a, b, {0, 1}));
    EXPECT_TRUE(allclose(b, a, {0, 1}));
    EXPECT_TRUE(allclose(a, b));
    EXPECT_FALSE(allclose(a, c, {1, 0}));
    EXPECT_TRUE(allclose(a, c, {2, 0}));
    std::uint64_t greatest[1] = {std::numeric_limits<std::uint64_t>::max()}, zero[1] = {0};
    EXPECT_FALSE(allclose(on(zero), on(greatest), {0.5, 0}));
    EXPECT_TRUE(allclose(on(zero), on(greatest), {1, 0}));
  });
}

TEST(Reductions, ElementsThatCppHasNoTypeFor) {
  run_simulated(2, [](const Comm& comm) {
    // 1.5, -2, 2^-24 and infinity in half precision, on each rank
    std::uint16_t halves[4] = {0x3e00, 0xc000, 0x0001, 0x7c00};
    const auto h = describe(DataType(Kind::floating, 2), halves, 4, {block(8, {2, comm.rank()})});
    EXPECT_EQ(max(h.on(comm)), std::numeric_limits<double>::infinity());
    EXPECT_EQ(min(h.on(comm)), -2);
    halves[3] = 0;
    EXPECT_EQ(sum(h.on(comm)), 2 * (-0.5 + std::ldexp(1, -24)));
    const ByteOrder foreign =
        native_byte_order() == ByteOrder::little ? ByteOrder::big : ByteOrder::little;
    unsigned char bytes[8] = {0, 0, 1, 2, 0xff, 0xff, 0xff, 0xfe};  // 258 and -2, big-endian
    if (foreign == ByteOrder::little)
      std::reverse(bytes, bytes + 4), std::reverse(bytes + 4, bytes + 8);
    const auto s = describe(DataType(Kind::signed_integer, 4, foreign), bytes, 2,
                            {block(4, {2, comm.rank()})});
    EXPECT_EQ(sum<int>(s.on(comm)), 512);
    EXPECT_EQ(argmax(s.on(comm)), std::vector<Index>{0});
    long double extended[1] = {1 + std::ldexp(1.0L, -60)};
    const auto e = describe(extended, {block(2, {2, comm.rank()})}).on(comm);
    EXPECT_EQ(sum<long double>(e), 2 + std::ldexp(1.0L, -59));
  });
}

TEST(Reductions, SumsArePairwise) {
  run_simulated(2, [](const Comm& comm) {
    const std::vector<float> tenths(100000, 0.1F);
    const auto a = describe(tenths, {block(200000, {2, comm.rank()})}).on(comm);
    EXPECT_NEAR(sum(a), 200000 * static_cast<double>(0.1F), 1e-9);
    EXPECT_NEAR(stddev(a), 0, 1e-12);
  });
}

TEST(Reductions, OperandsMayDifferInPaddingAndStrides) {
  run_simulated(3, [](const Comm& comm) {
    const GridPosition at{3, comm.rank()};
    const auto padded = allocate<double>({block(7, at, BlockPadding::ghosts({2, 2}))}).on(comm);
    const auto plain = allocate<float>({block(7, at)}).on(comm);
    {
      WriteLease lease(padded), other(plain);
      const auto u = interior_view<double, 1>(padded);
      const auto v = interior_view<float, 1>(plain);
      for (Index i = 0; i < u.extent(0); ++i) u(i) = 2, v(i) = 3;
    }
    EXPECT_EQ(dot(padded, plain), 42);
    EXPECT_EQ(dot(plain, padded, {allocate<int>({block(7, at)}).on(comm)}), 0);
  });
}

/// The error that all ranks throw.
template <class F>
std::string rule_told(int ranks, const F& call) {
  std::vector<std::string> said(static_cast<std::size_t>(ranks), "none");
  run_simulated(ranks, [&](const Comm& comm) {
    try {
      call(comm);
    } catch (const Error& error) {
      said[static_cast<std::size_t>(comm.rank())] = error.rule();
    }
  });
  for (const auto& each : said) EXPECT_EQ(each, said.front());
  return said.front();
}

TEST(Reductions, WhatIsWrongOnOneRankIsToldToAll) {
  for (int victim = 0; victim < 3; ++victim) {
    const auto of = [&](const Comm& comm, Index size) {
      return allocate<double>({block(size, {3, comm.rank()})}).on(comm);
    };
    const auto is_victim = [&](const Comm& comm) { return comm.rank() == victim; };
    EXPECT_EQ(rule_told(3, [&](const Comm& c) { dot(of(c, 9), of(c, is_victim(c) ? 12 : 9)); }),
              "reduction.layout");
    EXPECT_EQ(rule_told(3,
                        [&](const Comm& c) {
                          const auto mask = allocate<int>({block(9, {3, c.rank()})}).on(c);
                          sum(of(c, 9), is_victim(c) ? ReductionOptions{} : ReductionOptions{mask});
                        }),
              "collective.different");
    EXPECT_EQ(rule_told(3,
                        [&](const Comm& c) {
                          sum(is_victim(c) ? of(c, 9).with_memory(nullptr) : of(c, 9));
                        }),
              "lease.memory");
    EXPECT_EQ(rule_told(3,
                        [&](const Comm& c) {
                          const auto a = of(c, 9);
                          sum(a.in_space({MemorySpace::cuda, 0}));
                        }),
              "view.device");
    EXPECT_EQ(
        rule_told(3,
                  [&](const Comm& c) { sum(is_victim(c) ? DistArray(Section(), c) : of(c, 9)); }),
        "array.empty");
  }
  const auto ones = [](const Comm& c) { return allocate<double>({block(9, {3, c.rank()})}).on(c); };
  EXPECT_EQ(rule_told(3, [&](const Comm& c) { sum(ones(c), {ones(c)}); }), "reduction.type");
  EXPECT_EQ(rule_told(3, [&](const Comm& c) { sum<int>(ones(c)); }), "reduction.type");
  EXPECT_EQ(
      rule_told(3, [&](const Comm& c) { norm(ones(c), c.rank() == 1 ? Norm::one : Norm::two); }),
      "collective.different");
  EXPECT_EQ(rule_told(2,
                      [](const Comm& c) {
                        max(allocate<double>({block(0, {2, c.rank()})}).on(c));
                      }),
            "reduction.empty");
  EXPECT_EQ(rule_told(1,
                      [](const Comm& c) {
                        std::int64_t large[1] = {std::int64_t{1} << 40};
                        sum<std::int32_t>(describe(large, {undistributed(1)}).on(c));
                      }),
            "reduction.type");
}

TEST(Reductions, TheFirstExtremeInColumnOrderForFortran) {
  run_simulated(2, [](const Comm& comm) {
    // 0 1 1 on rank 0 and 1 0 0 on rank 1
    const double rows[2][3] = {{0, 1, 1}, {1, 0, 0}};
    const auto a =
        describe(rows[comm.rank()], {block(2, {2, comm.rank()}), undistributed(3)}).on(comm);
    adapter::ReduceArguments arguments;
    arguments.how = adapter::Reduce::argmax;
    arguments.column_major = true;
    const auto all =
        adapter::combine_partials(comm, a, arguments, adapter::reduce_local(a, nullptr, arguments));
    EXPECT_EQ(adapter::reduced(a, arguments, all).place, (std::vector<Index>{1, 0}));
    EXPECT_EQ(argmax(a), (std::vector<Index>{0, 1}));
  });
}

}  // namespace
}  // namespace daptor
