// SPDX-License-Identifier: BSD-3-Clause
// Which operands the operations take (see statements.hpp).

#include <complex>
#include <cstdint>
#include <functional>
#include <vector>

#include "statements.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

TEST(SparseStatements, G1_OperandsHaveOneDimension) {
  std::vector<double> memory(12);
  const auto wide =
      describe(memory, {block(3 * world_size(), {world_size(), world_rank()}), undistributed(4)})
          .on(world());
  Three<double> line;
  line.masked(add_mask);
  expect_refused_everywhere<InvalidArgument>("sparse.ndim", [&] { enumerate(wide, 0, 1); });
  expect_refused_everywhere<InvalidArgument>("sparse.ndim",
                                             [&] { scan_add(wide, line.target, line.mask); });
  expect_refused_everywhere<InvalidArgument>("sparse.ndim",
                                             [&] { pack(line.source, line.mask, wide); });
  expect_refused_everywhere<InvalidArgument>("sparse.ndim",
                                             [&] { unpack(wide, line.mask, line.target); });
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
  scan_add(line.source, line.target, mask);
  line.expect(added);
  Line<int> few(even(9));
  few.fill(0);
  EXPECT_EQ(pack(line.source, mask, few), 6);
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
    expect_refused_everywhere<InvalidArgument>("sparse.mask",
                                               [&] { scan_copy(line.source, line.target, mask); });
  expect_refused_everywhere<InvalidArgument>("sparse.type",
                                             [&] { scan_copy(line.source, other, line.mask); });
}

template <class T>
void expect_element_type() {
  Three<T> line;
  line.masked(add_mask);
  scan_add(line.source, line.target, line.mask);
  line.expect(added);
  line.source.set(as<T>(copy_source));
  line.masked(copy_mask);
  scan_copy(line.source, line.target, line.mask);
  line.expect(copied);
  Line<T> few(even(17));
  few.fill(0);
  line.source.set(as<T>(counted(17)));
  line.masked(pack_mask);
  EXPECT_EQ(pack(line.source, line.mask, few), 5);
  auto front = pack_values;
  front.resize(17);
  EXPECT_EQ(few.wrong(as<T>(front)), 0);
  enumerate(line.target, 1, 1);
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
      "sparse.type", [&] { scan_add(bools.source, bools.target, bools.mask); });
  expect_refused_everywhere<InvalidArgument>("sparse.type", [&] { enumerate(bools.target, 0, 1); });
  scan_copy(bools.source, bools.target, bools.mask);
  EXPECT_EQ(bools.target.wrong(std::vector<bool>(17, true)), 0);
}

TEST(SparseStatements, G4_RangesAreHalfOpenAndInside) {
  Three<int> line;
  line.masked(add_mask);
  for (const IndexRange empty : {IndexRange{5, 5}, IndexRange{9, 4}, IndexRange{17, 17}}) {
    scan_copy(line.source, line.target, line.mask, within(empty.start, empty.stop));
    EXPECT_EQ(pack(line.source, line.mask, line.target, empty), 0);
    enumerate(line.target, 0, 1, empty);
    line.expect(std::vector<int>(17, 99));
  }
  for (const IndexRange outside : {IndexRange{-1, 5}, IndexRange{0, 18}, IndexRange{18, 18}}) {
    expect_refused_everywhere<InvalidArgument>("sparse.range", [&] {
      scan_add(line.source, line.target, line.mask, within(outside.start, outside.stop));
    });
    expect_refused_everywhere<InvalidArgument>("sparse.range",
                                               [&] { enumerate(line.target, 0, 1, outside); });
    expect_refused_everywhere<InvalidArgument>(
        "sparse.range", [&] { pack(line.source, line.mask, line.target, outside); });
    line.expect(std::vector<int>(17, 99));
  }
}

TEST(SparseStatements, G7_InPlaceIsAllowedAndOverlapRefused) {
  Three<int> line;
  line.masked(add_mask);
  scan_add(line.source, line.source, line.mask);
  EXPECT_EQ(line.source.wrong(added), 0);
  line.source.set(counted(17));
  scan_add(line.source, line.source, line.mask, exclusive());
  EXPECT_EQ(line.source.wrong(added_before), 0);
  line.source.set(copy_source);
  scan_copy(line.source, line.source, line.masked(copy_mask).mask);
  EXPECT_EQ(line.source.wrong(copied), 0);

  std::vector<int> memory(40, 3);
  const auto at = [&](std::size_t first) {
    return describe(memory.data() + first, {block(10 * world_size(), {world_size(), world_rank()})})
        .on(world());
  };
  const auto refused = [&](const std::function<void()>& call) {
    expect_refused_everywhere<InvalidArgument>("sparse.memory", call);
    EXPECT_EQ(memory, std::vector<int>(40, 3));
  };
  refused([&] { scan_add(at(0), at(5), at(20)); });
  refused([&] { scan_add(at(0), at(20), at(20)); });
  refused([&] { pack(at(0), at(20), at(0)); });
  refused([&] { unpack(at(0), at(20), at(9)); });
  refused([&] { unpack(at(0), at(20), at(29)); });
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
  scan_add(line.source, target, line.mask, within(3, 4));
  EXPECT_EQ(told, 1);
  enumerate(target, 0, 1, IndexRange{0, 1});
  EXPECT_EQ(told, 2);
  pack(line.source, line.mask, target);
  EXPECT_EQ(told, 3);
  unpack(line.source, line.mask, target);
  EXPECT_EQ(told, 4);
  const DistArray fixed = target.as_readonly();
  const auto before = line.target.bytes();
  for (const std::function<void()>& call : std::vector<std::function<void()>>{
           [&] { enumerate(fixed, 0, 1); }, [&] { scan_add(line.source, fixed, line.mask); },
           [&] { pack(line.source, line.mask, fixed); },
           [&] { unpack(line.source, line.mask, fixed); }})
    expect_refused_everywhere<InvalidArgument>("lease.readonly", call);
  EXPECT_EQ(told, 4);
  EXPECT_EQ(line.target.bytes(), before);
}

}  // namespace
