// SPDX-License-Identifier: BSD-3-Clause
// What Global Arrays' text and its implementation state about the operations, and what Daptor
// states where they are silent: a test for each statement, named after it.

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>

#include "counting_communicator.hpp"
#include "everywhere.hpp"
#include "line.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

const std::vector<int> copy_mask{1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0};
const std::vector<int> copy_source{5, 8, 7, 3, 2, 6, 9, 7, 3, 4, 8, 2, 3, 6, 9, 10, 7};
const std::vector<int> copied{5, 5, 5, 5, 5, 6, 6, 7, 7, 7, 8, 8, 8, 8, 9, 10, 10};
const std::vector<int> add_mask{1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0};
const std::vector<int> added{1, 3, 6, 10, 15, 21, 7, 15, 9, 19, 30, 12, 25, 39, 15, 16, 33};
const std::vector<int> added_before{0, 1, 3, 6, 10, 15, 0, 7, 0, 9, 19, 0, 12, 25, 0, 0, 16};
const std::vector<int> pack_mask{1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0};
const std::vector<int> pack_values{1, 6, 8, 11, 15};

std::vector<int> counted(int count, int first = 1) {
  std::vector<int> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), first);
  return values;
}

template <class T>
std::vector<T> as(const std::vector<int>& values) {
  return std::vector<T>(values.begin(), values.end());
}

ScanOptions exclusive() {
  ScanOptions options;
  options.exclusive = true;
  return options;
}
ScanOptions within(Index start, Index stop) {
  ScanOptions options;
  options.range = IndexRange{start, stop};
  return options;
}

/// Three arrays of 17 elements, divided alike.
template <class T>
struct Three {
  explicit Three(Dimension dimension = even(17))
      : source(dimension), target(dimension), mask(dimension) {
    source.set(as<T>(counted(static_cast<int>(source.size()))));
    target.fill(static_cast<T>(99));
  }
  Three& masked(const std::vector<int>& bits) {
    mask.set(bits);
    return *this;
  }
  void expect(const std::vector<int>& values) {
    EXPECT_EQ(target.wrong(as<T>(values)), 0);
    EXPECT_TRUE(target.rest_untouched());
  }

  Line<T> source, target;
  Line<std::int32_t> mask;
};

const Comm& everybody() {
  static const Comm comm(MPI_COMM_WORLD);
  return comm;
}

TEST(SparseStatements, G1_OperandsHaveOneDimension) {
  std::vector<double> memory(12);
  const auto wide =
      describe(memory, {block(3 * world_size(), {world_size(), world_rank()}), undistributed(4)});
  Three<double> line;
  line.masked(add_mask);
  expect_refused_everywhere<InvalidArgument>("sparse.ndim",
                                             [&] { enumerate(wide, 0, 1, everybody()); });
  expect_refused_everywhere<InvalidArgument>(
      "sparse.ndim", [&] { scan_add(wide, line.target, line.mask, everybody()); });
  expect_refused_everywhere<InvalidArgument>(
      "sparse.ndim", [&] { pack(line.source, line.mask, wide, everybody()); });
  expect_refused_everywhere<InvalidArgument>(
      "sparse.ndim", [&] { unpack(wide, line.mask, line.target, everybody()); });
  EXPECT_EQ(memory, std::vector<double>(12));
}

template <class M>
void expect_mask_type() {
  Three<int> line;
  Line<M> mask(even(17));
  std::vector<M> bits;
  for (const int bit : add_mask)
    bits.push_back(bit == 0 ? M(0)
                   : sizeof(M) == 1
                       ? M(1)
                       : static_cast<M>(M(1) << (8 * sizeof(M) - 1)));  // the highest bit alone
  mask.set(bits);
  scan_add(line.source, line.target, mask, everybody());
  line.expect(added);
  Line<int> few(even(9));
  few.fill(0);
  EXPECT_EQ(pack(line.source, mask, few, everybody()), 6);
}

TEST(SparseStatements, G2_MasksAreIntegersOfAnyWidth) {
  expect_mask_type<bool>();
  expect_mask_type<std::int8_t>();
  expect_mask_type<std::uint8_t>();
  expect_mask_type<std::int16_t>();
  expect_mask_type<std::uint16_t>();
  expect_mask_type<std::int32_t>();
  expect_mask_type<std::uint32_t>();
  expect_mask_type<std::int64_t>();
  expect_mask_type<std::uint64_t>();
  Three<int> line;
  Line<float> real(even(17));
  Line<std::complex<double>> complex(even(17));
  Line<std::int64_t> other(even(17));
  real.fill(1);
  complex.fill(1);
  for (const DistArray& mask : {real.array(), complex.array()})
    expect_refused_everywhere<InvalidArgument>(
        "sparse.mask", [&] { scan_copy(line.source, line.target, mask, everybody()); });
  expect_refused_everywhere<InvalidArgument>(
      "sparse.type", [&] { scan_copy(line.source, other, line.mask, everybody()); });
}

template <class T>
void expect_element_type() {
  Three<T> line;
  line.masked(add_mask);
  scan_add(line.source, line.target, line.mask, everybody());
  line.expect(added);
  line.source.set(as<T>(copy_source));
  line.masked(copy_mask);
  scan_copy(line.source, line.target, line.mask, everybody());
  line.expect(copied);
  Line<T> few(even(17));
  few.fill(0);
  line.source.set(as<T>(counted(17)));
  line.masked(pack_mask);
  EXPECT_EQ(pack(line.source, line.mask, few, everybody()), 5);
  auto front = pack_values;
  front.resize(17);
  EXPECT_EQ(few.wrong(as<T>(front)), 0);
  enumerate(line.target, 1, 1, everybody());
  line.expect(counted(17));
}

TEST(SparseStatements, G3_ElementTypes) {
  expect_element_type<std::int8_t>();
  expect_element_type<std::uint8_t>();
  expect_element_type<std::int16_t>();
  expect_element_type<std::uint16_t>();
  expect_element_type<std::int32_t>();
  expect_element_type<std::uint32_t>();
  expect_element_type<std::int64_t>();
  expect_element_type<std::uint64_t>();
  expect_element_type<float>();
  expect_element_type<double>();
  expect_element_type<std::complex<float>>();
  expect_element_type<std::complex<double>>();
  Three<bool> bools;
  bools.source.fill(true);
  bools.masked(add_mask);
  expect_refused_everywhere<InvalidArgument>(
      "sparse.type", [&] { scan_add(bools.source, bools.target, bools.mask, everybody()); });
  expect_refused_everywhere<InvalidArgument>("sparse.type",
                                             [&] { enumerate(bools.target, 0, 1, everybody()); });
  scan_copy(bools.source, bools.target, bools.mask, everybody());
  EXPECT_EQ(bools.target.wrong(std::vector<bool>(17, true)), 0);
}

TEST(SparseStatements, G4_RangesAreHalfOpenAndInside) {
  Three<int> line;
  line.masked(add_mask);
  for (const IndexRange empty : {IndexRange{5, 5}, IndexRange{9, 4}, IndexRange{17, 17}}) {
    scan_copy(line.source, line.target, line.mask, everybody(), within(empty.start, empty.stop));
    EXPECT_EQ(pack(line.source, line.mask, line.target, everybody(), empty), 0);
    enumerate(line.target, 0, 1, everybody(), empty);
    line.expect(std::vector<int>(17, 99));
  }
  for (const IndexRange outside : {IndexRange{-1, 5}, IndexRange{0, 18}, IndexRange{18, 18}}) {
    expect_refused_everywhere<InvalidArgument>("sparse.range", [&] {
      scan_add(line.source, line.target, line.mask, everybody(),
               within(outside.start, outside.stop));
    });
    expect_refused_everywhere<InvalidArgument>(
        "sparse.range", [&] { enumerate(line.target, 0, 1, everybody(), outside); });
    expect_refused_everywhere<InvalidArgument>(
        "sparse.range", [&] { pack(line.source, line.mask, line.target, everybody(), outside); });
    line.expect(std::vector<int>(17, 99));
  }
}

TEST(SparseStatements, G5_ElementsOutsideTheRangeAndPaddingStay) {
  const Dimension padded = block(17, {world_size(), world_rank()}, BlockPadding({1, 1}));
  Three<int> line(padded);
  line.masked(add_mask);
  scan_add(line.source, line.target, line.mask, everybody(), within(6, 11));
  auto expected = std::vector<int>(17, 99);
  std::copy(added.begin() + 6, added.begin() + 11, expected.begin() + 6);
  line.expect(expected);
}

TEST(SparseStatements, G6_OtherDivisionsAreRefusedWithTheCopyNamed) {
  if (world_size() == 1) return;
  Three<int> line;
  Line<std::int32_t> mask(Division::all_at(0, 17).here());
  Line<std::int32_t> longer(even(18));
  mask.set(add_mask);
  longer.fill(1);
  const auto text = expect_refused<InvalidArgument>(
      "sparse.division", [&] { scan_add(line.source, line.target, mask, everybody()); });
  EXPECT_NE(text.find("daptor::redistribute(mask, copy, comm)"), std::string::npos) << text;
  expect_refused_everywhere<InvalidArgument>(
      "sparse.division", [&] { pack(line.source, longer, line.target, everybody()); });
  line.expect(std::vector<int>(17, 99));
  // The copy that the message names is accepted.
  const DistArray copy = allocate(mask.array().type(), line.source.array().dimensions());
  redistribute(mask, copy, everybody());
  scan_add(line.source, line.target, copy, everybody());
  line.expect(added);
}

TEST(SparseStatements, G7_InPlaceIsAllowedAndOverlapRefused) {
  Three<int> line;
  line.masked(add_mask);
  scan_add(line.source, line.source, line.mask, everybody());
  EXPECT_EQ(line.source.wrong(added), 0);
  line.source.set(counted(17));
  scan_add(line.source, line.source, line.mask, everybody(), exclusive());
  EXPECT_EQ(line.source.wrong(added_before), 0);
  line.source.set(copy_source);
  scan_copy(line.source, line.source, line.masked(copy_mask).mask, everybody());
  EXPECT_EQ(line.source.wrong(copied), 0);

  std::vector<int> memory(40, 3);
  const auto at = [&](std::size_t first) {
    return describe(memory.data() + first,
                    {block(10 * world_size(), {world_size(), world_rank()})});
  };
  const auto refused = [&](const std::function<void()>& call) {
    expect_refused_everywhere<InvalidArgument>("sparse.memory", call);
    EXPECT_EQ(memory, std::vector<int>(40, 3));
  };
  refused([&] { scan_add(at(0), at(5), at(20), everybody()); });
  refused([&] { scan_add(at(0), at(20), at(20), everybody()); });
  refused([&] { pack(at(0), at(20), at(0), everybody()); });
  refused([&] { unpack(at(0), at(20), at(9), everybody()); });
  refused([&] { unpack(at(0), at(20), at(29), everybody()); });
}

TEST(SparseStatements, G8_FewerElementsThanRanks) {
  for (int size = 0; size <= 9; ++size) {
    Three<int> line(even(size));
    std::vector<int> bits(static_cast<std::size_t>(size), 0);
    if (size > 0) bits[0] = 1;
    line.masked(bits);
    scan_add(line.source, line.target, line.mask, everybody());
    auto expected = counted(size);
    std::partial_sum(expected.begin(), expected.end(), expected.begin());
    line.expect(expected);
    const DistArray one = packed(line.source, line.mask, everybody());
    EXPECT_EQ(one.dimension(0).global_size(), size > 0 ? 1 : 0);
  }
}

TEST(SparseStatements, G9_EachLayoutGivesTheSameAnswerOrIsRefused) {
  const GridPosition grid{world_size(), world_rank()};
  for (const Dimension& dimension : {even(17), cyclic(17, grid, 2), cyclic(17, grid), dealt(17),
                                     Division::all_at(world_size() / 2, 17).here()}) {
    Line<int> line(dimension);
    line.fill(0);
    enumerate(line, 1, 1, everybody());
    EXPECT_EQ(line.wrong(counted(17)), 0) << dimension;
  }
  for (const Dimension& dimension : {cyclic(17, grid, 2), dealt(17)}) {
    Three<int> line(dimension);
    line.masked(add_mask);
    const auto refused = [&](const std::function<void()>& call) {
      expect_refused_everywhere<InvalidArgument>("sparse.order", call);
      line.expect(std::vector<int>(17, 99));
    };
    refused([&] { scan_add(line.source, line.target, line.mask, everybody()); });
    refused([&] { scan_copy(line.source, line.target, line.mask, everybody()); });
    refused([&] { pack(line.source, line.mask, line.target, everybody()); });
    refused([&] { unpack(line.source, line.mask, line.target, everybody()); });
    const auto text = expect_refused(
        "sparse.order", [&] { scan_add(line.source, line.target, line.mask, everybody()); });
    EXPECT_NE(text.find("daptor::redistributed(source, daptor::layout::natural(), comm)"),
              std::string::npos)
        << text;
  }
  // Ranks in the opposite order.
  Division backwards = Division::even(17);
  std::reverse(backwards.position.begin(), backwards.position.end());
  Three<int> line(backwards.here());
  line.masked(add_mask);
  scan_add(line.source, line.target, line.mask, everybody());
  line.expect(added);
}

/// Rank 0 has 2^40 elements, all of them in the same memory.
TEST(SparseStatements, G10_PositionsHave64Bits) {
  constexpr Index many = Index{1} << 40;
  const Index rest = 20;
  const Index size = many + rest * (world_size() - 1);
  const IndexRange mine =
      world_rank() == 0 ? IndexRange{0, many}
                        : IndexRange{many + rest * (world_rank() - 1), many + rest * world_rank()};
  std::int32_t one = 1;
  std::int64_t value = 7;
  const auto same = [&](auto& element) {
    return describe(&element, {block(size, {world_size(), world_rank()}, mine)},
                    std::vector<Index>{0});
  };
  Line<std::int64_t> few(even(60));
  few.fill(0);
  const IndexRange end{many - 30, std::min(size, many + 5)};
  EXPECT_EQ(pack(same(value), same(one), few, everybody(), end), end.size());
  std::vector<std::int64_t> expected(60, 0);
  std::fill_n(expected.begin(), end.size(), 7);
  EXPECT_EQ(few.wrong(expected), 0);

  std::vector<std::int64_t> memory(3);
  const auto list =
      describe(memory, {unstructured(size, {world_size(), world_rank()},
                                     IndexList(std::vector<Index>{many - 3, many - 2, many - 1}))});
  enumerate(list, 5, 3, everybody());
  EXPECT_EQ(memory, (std::vector<std::int64_t>{5 + 3 * (many - 3), 5 + 3 * (many - 2),
                                               5 + 3 * (many - 1)}));
}

/// Counts how many times it is told of a write.
struct Watcher final : NativeView {
  explicit Watcher(int& told) : count(told) {}
  void modified() override { ++count; }
  int& count;
};

TEST(SparseStatements, G11_WritesAreToldAndReadOnlyIsRefused) {
  Three<int> line;
  line.masked(add_mask);
  int told = 0;
  Watcher watcher(told);
  const DistArray target = line.target.array();
  watcher.watch(target.buffer().state());
  scan_add(line.source, target, line.mask, everybody(), within(3, 4));
  EXPECT_EQ(told, 1);
  enumerate(target, 0, 1, everybody(), IndexRange{0, 1});
  EXPECT_EQ(told, 2);
  pack(line.source, line.mask, target, everybody());
  EXPECT_EQ(told, 3);
  unpack(line.source, line.mask, target, everybody());
  EXPECT_EQ(told, 4);
  const DistArray fixed = target.as_readonly();
  const auto before = line.target.bytes();
  for (const std::function<void()>& call : std::vector<std::function<void()>>{
           [&] { enumerate(fixed, 0, 1, everybody()); },
           [&] { scan_add(line.source, fixed, line.mask, everybody()); },
           [&] { pack(line.source, line.mask, fixed, everybody()); },
           [&] { unpack(line.source, line.mask, fixed, everybody()); }})
    expect_refused_everywhere<InvalidArgument>("lease.readonly", call);
  EXPECT_EQ(told, 4);
  EXPECT_EQ(line.target.bytes(), before);
}

TEST(SparseStatements, E1_StartAndStride) {
  Line<int> line(even(17));
  line.fill(0);
  enumerate(line, 1, 1, everybody());
  EXPECT_EQ(line.wrong(counted(17)), 0);
  line.fill(0);
  enumerate(line, 7, 2, everybody(), IndexRange{4, 17});
  std::vector<int> expected(17, 0);
  for (int i = 4; i < 17; ++i) expected[static_cast<std::size_t>(i)] = 7 + 2 * (i - 4);
  EXPECT_EQ(line.wrong(expected), 0);
}

TEST(SparseStatements, E2_NumbersOfTheElementTypeWithoutARunningSum) {
  Line<float> floats(even(17));
  floats.fill(0);
  enumerate(floats, 0.5, 0.25, everybody());
  std::vector<float> quarters;
  for (int i = 0; i < 17; ++i) quarters.push_back(0.5f + 0.25f * static_cast<float>(i));
  EXPECT_EQ(floats.wrong(quarters), 0);
  Line<double> tenths(even(101));
  tenths.fill(0);
  enumerate(tenths, 0.0, 0.1, everybody());
  std::vector<double> products;
  for (int i = 0; i < 101; ++i) products.push_back(0.0 + i * 0.1);
  EXPECT_EQ(tenths.wrong(products), 0);
  using C = std::complex<double>;
  Line<C> complex(even(4));
  complex.fill({0, 0});
  enumerate(complex, C(1, 2), C(1, -1), everybody());
  EXPECT_EQ(complex.wrong({C(1, 2), C(2, 1), C(3, 0), C(4, -1)}), 0);

  Line<std::uint8_t> bytes(even(5));
  bytes.fill(3);
  const auto refused = [&](const Number& start, const Number& stride) {
    expect_refused_everywhere<InvalidArgument>(
        "sparse.number", [&] { enumerate(bytes, start, stride, everybody()); });
    EXPECT_EQ(bytes.wrong(std::vector<std::uint8_t>(5, 3)), 0);
  };
  refused(256, 1);
  refused(0, 0.5);
  refused(0, std::numeric_limits<double>::quiet_NaN());
  refused(C(1, 0), 1);
  refused(-129, 0);
  enumerate(bytes, 4.0, -1, everybody());
  EXPECT_EQ(bytes.wrong({4, 3, 2, 1, 0}), 0);
}

TEST(SparseStatements, E3_IntegersWrapAround) {
  Line<std::int32_t> line(even(4));
  constexpr auto most = std::numeric_limits<std::int32_t>::max();
  line.fill(0);
  enumerate(line, most, 1, everybody());
  EXPECT_EQ(line.wrong({most, -most - 1, -most, -most + 1}), 0);
  enumerate(line, 10, -4, everybody());
  EXPECT_EQ(line.wrong({10, 6, 2, -2}), 0);
  enumerate(line, 10, 0, everybody());
  EXPECT_EQ(line.wrong({10, 10, 10, 10}), 0);
  Line<std::uint16_t> small(even(3));
  small.fill(0);
  enumerate(small, 65535, 65535, everybody());
  EXPECT_EQ(small.wrong({65535, 65534, 65533}), 0);
  Line<std::uint64_t> large(even(2));
  large.fill(0);
  enumerate(large, std::numeric_limits<std::uint64_t>::max(), 2, everybody());
  EXPECT_EQ(large.wrong({std::numeric_limits<std::uint64_t>::max(), 1}), 0);
}

TEST(SparseStatements, E4_NothingIsCommunicatedBesidesAgreements) {
  Line<double> line(even(17));
  line.fill(0);
  const CountingCommunicator counting(everybody());
  enumerate(line, 0, 1, counting);
  EXPECT_EQ(counting.traffic.allreduces, 2);
  EXPECT_EQ(counting.traffic.calls(), 2);
}

TEST(SparseStatements, S1_EachSegmentRepeatsItsFirstValue) {
  Three<int> line;
  line.source.set(copy_source);
  line.masked(copy_mask);
  scan_copy(line.source, line.target, line.mask, everybody());
  line.expect(copied);
}

TEST(SparseStatements, S2_ZeroBeforeTheFirstSegment) {
  Three<int> line;
  std::vector<int> bits(17, 0), expected(17, 4);
  scan_copy(line.source, line.target, line.masked(bits).mask, everybody());
  line.expect(std::vector<int>(17, 0));
  bits[3] = 1;
  std::fill_n(expected.begin(), 3, 0);
  scan_copy(line.source, line.target, line.masked(bits).mask, everybody());
  line.expect(expected);
  line.target.fill(99);
  std::fill_n(expected.begin(), 3, 99);
  ScanOptions options;
  options.before = BeforeFirst::keep;
  scan_copy(line.source, line.target, line.mask, everybody(), options);
  line.expect(expected);
  options.before = BeforeFirst::refuse;
  line.target.fill(99);
  expect_refused_everywhere<InvalidArgument>("sparse.before", [&] {
    scan_copy(line.source, line.target, line.mask, everybody(), options);
  });
  line.expect(std::vector<int>(17, 99));
  options.range = IndexRange{3, 17};
  scan_copy(line.source, line.target, line.mask, everybody(), options);
  line.expect(expected);
}

TEST(SparseStatements, S3_AMarkBeforeTheRangeDoesNotCount) {
  Three<int> line;
  std::vector<int> bits(17, 0);
  for (const std::size_t i : {0, 6, 8, 11}) bits[i] = 1;
  scan_copy(line.source, line.target, line.masked(bits).mask, everybody(), within(4, 13));
  std::vector<int> expected(17, 99);
  const std::vector<int> inside{0, 0, 7, 7, 9, 9, 9, 12, 12};
  std::copy(inside.begin(), inside.end(), expected.begin() + 4);
  line.expect(expected);
}

TEST(SparseStatements, S4_ASegmentOverAllRanks) {
  Three<int> line;
  std::vector<int> bits(17, 0);
  bits[0] = 1;
  scan_copy(line.source, line.target, line.masked(bits).mask, everybody());
  line.expect(std::vector<int>(17, 1));
}

TEST(SparseStatements, A1_SumsRestartAtEachMark) {
  Three<int> line;
  scan_add(line.source, line.target, line.masked(add_mask).mask, everybody());
  line.expect(added);
}

TEST(SparseStatements, A2_ExclusiveSums) {
  Three<double> line;
  scan_add(line.source, line.target, line.masked(add_mask).mask, everybody(), exclusive());
  line.expect(added_before);
}

TEST(SparseStatements, A3_NothingIsWrittenBeforeTheFirstMark) {
  for (const bool leaves_out : {false, true}) {
    Three<int> line;
    ScanOptions options;
    options.exclusive = leaves_out;
    std::vector<int> bits(17, 0);
    scan_add(line.source, line.target, line.masked(bits).mask, everybody(), options);
    line.expect(std::vector<int>(17, 99));
    bits[3] = 1;
    scan_add(line.source, line.target, line.masked(bits).mask, everybody(), options);
    std::vector<int> expected(17, 99);
    for (int i = 3, sum = 0; i < 17; ++i) {
      expected[static_cast<std::size_t>(i)] = leaves_out ? sum : sum + i + 1;
      sum += i + 1;
    }
    line.expect(expected);
    options.before = BeforeFirst::zero;
    scan_add(line.source, line.target, line.mask, everybody(), options);
    std::fill_n(expected.begin(), 3, 0);
    line.expect(expected);
  }
}

TEST(SparseStatements, A4_SumsCrossRanks) {
  Three<std::int64_t> line(even(400));
  std::vector<int> bits(400, 0), expected(400);
  bits[0] = 1;
  for (int i = 0, sum = 0; i < 400; ++i) expected[static_cast<std::size_t>(i)] = sum += i + 1;
  scan_add(line.source, line.target, line.masked(bits).mask, everybody());
  line.expect(expected);
}

/// Where a rank continues a segment, it adds its elements one after another to what the lower ranks
/// have combined. SparseOracle.InexactSums has the bound.
TEST(SparseStatements, A5_FloatingPointSumsContinueWhatLowerRanksHaveCombined) {
  const double big = 9007199254740992;  // 2^53: adding 0.75 is lost, adding 1.5 gives 2 more
  const Index size = 2 * world_size();
  Line<double> source(even(size)), target(even(size));
  Line<std::int32_t> mask(even(size));
  std::vector<double> values(static_cast<std::size_t>(size), 0.75);
  std::vector<int> bits(values.size(), 0);
  values[0] = big;
  bits[0] = 1;
  source.set(values);
  mask.set(bits);
  target.fill(0);
  scan_add(source, target, mask, everybody());
  target.for_each([&](Index i, std::byte* at) {
    double value = 0;
    std::memcpy(&value, at, sizeof value);
    if (i < 6) {
      EXPECT_EQ(value, i < 4 ? big : big + 2) << i;  // rank 1 passes on the sum 1.5
    }
  });
}

TEST(SparseStatements, A6_NanStaysInItsSegment) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, infinity, -infinity})
    for (const ScanBy how : {ScanBy::sum, ScanBy::multiply, ScanBy::min, ScanBy::max})
      for (const bool leaves_out : {false, true})
        for (Index edge = 1; edge < 17; ++edge) {
          Three<double> line;
          std::vector<double> values(17, 1);
          std::fill_n(values.begin(), edge, bad);
          line.source.set(values);
          std::vector<int> bits(17, 0);
          bits[0] = bits[static_cast<std::size_t>(edge)] = 1;
          ScanOptions options;
          options.exclusive = leaves_out;
          scan(line.source, line.target, line.masked(bits).mask, how, everybody(), options);
          line.target.for_each([&](Index i, std::byte* at) {
            double value = 0;
            std::memcpy(&value, at, sizeof value);
            if (i > edge) {
              EXPECT_TRUE(std::isfinite(value)) << i << " after " << edge;
            } else if (i == edge && !leaves_out) {
              EXPECT_EQ(value, 1);
            } else if (i > 0 && i < edge && std::isnan(bad)) {
              EXPECT_TRUE(std::isnan(value)) << i;
            }
          });
        }
}

/// The text's construction of row offsets: (1, 2, 2, 2, 3, 2) with one mark at the beginning.
TEST(SparseStatements, A7_OffsetsFromCounts) {
  Three<int> line(even(6));
  line.source.set({1, 2, 2, 2, 3, 2});
  scan_add(line.source, line.target, line.masked({1, 0, 0, 0, 0, 0}).mask, everybody());
  line.expect({1, 3, 5, 7, 10, 12});
}

TEST(SparseStatements, A8_OtherCombinations) {
  Three<int> line;
  line.masked(add_mask);
  const auto check = [&](const Combination& how, const auto& combine, int first) {
    for (const bool leaves_out : {false, true}) {
      ScanOptions options;
      options.exclusive = leaves_out;
      line.target.fill(99);
      scan(line.source, line.target, line.mask, how, everybody(), options);
      line.expect(scanned(copy_source, std::vector<int>(17, 99), add_mask, {0, 17},
                          BeforeFirst::keep, leaves_out ? std::optional<int>(first) : std::nullopt,
                          combine));
    }
  };
  line.source.set(copy_source);
  check(
      ScanBy::sum, [](int a, int b) { return a + b; }, 0);
  check(
      ScanBy::multiply, [](int a, int b) { return a * b; }, 1);
  check(
      ScanBy::min, [](int a, int b) { return std::min(a, b); }, std::numeric_limits<int>::max());
  check(
      ScanBy::max, [](int a, int b) { return std::max(a, b); }, std::numeric_limits<int>::lowest());
  const auto second = [](int, int b) { return b; };
  check(Combination::of<int>(second, 4), second, 4);

  const Combination no_identity = Combination::of<int>(second);
  expect_refused_everywhere<InvalidArgument>("sparse.options", [&] {
    scan(line.source, line.target, line.mask, no_identity, everybody(), exclusive());
  });
  expect_refused_everywhere<InvalidArgument>("sparse.options", [&] {
    scan_copy(line.source, line.target, line.mask, everybody(), exclusive());
  });
  expect_refused_everywhere<InvalidArgument>("sparse.type", [&] {
    scan(line.source, line.target, line.mask,
         Combination::of<double>([](double a, double) { return a; }), everybody());
  });
  // A function that throws on one rank.
  EXPECT_THROW(scan(line.source, line.target, line.mask, Combination::of<int>([](int a, int b) {
                      if (b == 8) throw std::runtime_error("eight");
                      return a;
                    }),
                    everybody()),
               LibraryFailed);

  Three<bool> bools;
  bools.masked({1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0});
  std::vector<bool> values(17, false), expected(17, false);
  values[3] = values[9] = true;
  bools.source.for_each([&](Index i, std::byte* at) {
    *at = std::byte{static_cast<unsigned char>(values[static_cast<std::size_t>(i)])};
  });
  scan(bools.source, bools.target, bools.mask, ScanBy::max, everybody());
  bools.target.for_each([&](Index i, std::byte* at) {
    EXPECT_EQ(static_cast<int>(*at), (i >= 3 && i < 8) || i >= 9 ? 1 : 0) << i;
  });
}

TEST(SparseStatements, P1_MarkedValuesInOrder) {
  Three<int> line;
  Line<int> few(even(5));
  few.fill(0);
  EXPECT_EQ(pack(line.source, line.masked(pack_mask).mask, few, everybody()), 5);
  EXPECT_EQ(few.wrong(pack_values), 0);
}

TEST(SparseStatements, P2_PackedValuesBeginAtZero) {
  Three<int> line;
  EXPECT_EQ(
      pack(line.source, line.masked(pack_mask).mask, line.target, everybody(), IndexRange{5, 15}),
      4);
  std::vector<int> expected(17, 99);
  std::copy(pack_values.begin() + 1, pack_values.end(), expected.begin());
  line.expect(expected);
}

TEST(SparseStatements, P3_ElementsBehindThePackedOnesStay) {
  Three<int> line;
  pack(line.source, line.masked(pack_mask).mask, line.target, everybody());
  std::vector<int> expected(17, 99);
  std::copy(pack_values.begin(), pack_values.end(), expected.begin());
  line.expect(expected);
}

TEST(SparseStatements, P4_CapacityIsProvenBeforeAnyElementMoves) {
  Three<int> line;
  Line<int> few(even(4));
  few.fill(9);
  const auto call = [&] { pack(line.source, line.masked(pack_mask).mask, few, everybody()); };
  expect_refused_everywhere<InvalidArgument>("sparse.capacity", call);
  EXPECT_EQ(few.wrong({9, 9, 9, 9}), 0);
  try {
    call();
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.finding().found, "a destination of 4 elements for 5 set elements of the mask");
    EXPECT_EQ(error.finding().expected, "at least 5 elements");
  }
}

std::vector<Dimension> any_division(Index size) {
  const GridPosition grid{world_size(), world_rank()};
  std::mt19937 random(3);
  return {even(size),
          Division::random(size, random).here(),
          Division::all_at(world_size() - 1, size).here(),
          Division::all_at(0, size).here(),
          cyclic(size, grid, 2),
          cyclic(size, grid, 1, world_size() - 1),
          dealt(size)};
}

TEST(SparseStatements, P5_TheDestinationHasAnyDivision) {
  for (const Dimension& dimension : any_division(7)) {
    Three<int> line;
    Line<int> few(dimension, {2, true});
    few.fill(9);
    EXPECT_EQ(pack(line.source, line.masked(pack_mask).mask, few, everybody()), 5);
    EXPECT_EQ(few.wrong({1, 6, 8, 11, 15, 9, 9}), 0) << dimension;
    EXPECT_TRUE(few.rest_untouched());
  }
}

TEST(SparseStatements, P6_NoMarks) {
  Three<int> line;
  for (const Dimension& dimension : any_division(7)) {
    Line<int> few(dimension);
    few.fill(9);
    EXPECT_EQ(pack(line.source, line.masked(std::vector<int>(17, 0)).mask, few, everybody()), 0);
    EXPECT_EQ(few.wrong(std::vector<int>(7, 9)), 0);
  }
  EXPECT_EQ(packed(line.source, line.mask, everybody()).dimension(0).global_size(), 0);
}

TEST(SparseStatements, P7_CountsHave64Bits) {
  Three<int> line;
  const auto count = pack(line.source, line.masked(pack_mask).mask, line.target, everybody());
  static_assert(sizeof(count) == 8);
  EXPECT_EQ(count, 5);
}

TEST(SparseStatements, P8_PackedAllocates) {
  Three<int> line;
  const DistArray made = packed(line.source, line.masked(pack_mask).mask, everybody());
  require_consistent(made, everybody());
  EXPECT_EQ(made.dimension(0).global_size(), 5);
  const IndexRange mine = even_block(5, {world_size(), world_rank()});
  ASSERT_EQ(made.owned_count(), mine.size());
  const auto view = daptor::view<const int, 1>(made);
  for (Index i = 0; i < mine.size(); ++i)
    EXPECT_EQ(view(i), pack_values[static_cast<std::size_t>(mine.start + i)]);
}

TEST(SparseStatements, U1_TheNextValueAtEachMark) {
  Three<int> line;
  Line<int> few(even(5));
  few.set(pack_values);
  line.target.fill(0);
  EXPECT_EQ(unpack(few, line.masked(pack_mask).mask, line.target, everybody()), 5);
  line.expect({1, 0, 0, 0, 0, 6, 0, 8, 0, 0, 11, 0, 0, 0, 15, 0, 0});
}

TEST(SparseStatements, U2_OtherElementsStay) {
  Three<int> line;
  Line<int> few(even(5));
  few.set(pack_values);
  unpack(few, line.masked(pack_mask).mask, line.target, everybody());
  line.expect({1, 99, 99, 99, 99, 6, 99, 8, 99, 99, 11, 99, 99, 99, 15, 99, 99});
}

TEST(SparseStatements, U3_AShortSourceIsRefusedAndPackingIsUndone) {
  Three<int> line;
  Line<int> few(even(4));
  few.fill(9);
  expect_refused_everywhere<InvalidArgument>("sparse.capacity", [&] {
    unpack(few, line.masked(pack_mask).mask, line.target, everybody());
  });
  line.expect(std::vector<int>(17, 99));
  const DistArray values = packed(line.source, line.mask, everybody());
  unpack(values, line.mask, line.target, everybody());
  line.expect({1, 99, 99, 99, 99, 6, 99, 8, 99, 99, 11, 99, 99, 99, 15, 99, 99});
}

TEST(SparseStatements, U4_TheSourceHasAnyDivision) {
  for (const Dimension& dimension : any_division(7)) {
    Three<int> line;
    Line<int> few(dimension, {3, false});
    few.set({1, 6, 8, 11, 15, -1, -1});
    EXPECT_EQ(unpack(few, line.masked(pack_mask).mask, line.target, everybody()), 5);
    line.expect({1, 99, 99, 99, 99, 6, 99, 8, 99, 99, 11, 99, 99, 99, 15, 99, 99});
  }
}

}  // namespace
