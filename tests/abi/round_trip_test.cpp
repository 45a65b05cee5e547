// SPDX-License-Identifier: BSD-3-Clause
// Converts Section -> struct -> Section, for every distribution and both protocol versions.

#include <gtest/gtest.h>

#include <numeric>

#include "sections.hpp"

namespace daptor::test {
namespace {

struct Case {
  std::string name;
  std::vector<Dimension> dimensions;
};

std::vector<Index> some_indices(GridPosition grid) {
  std::vector<Index> indices;
  for (Index i = 0; i < 5 - grid.rank; ++i) indices.push_back(100 * grid.rank - 7 * i);
  return indices;
}

void add_one_dimensional(GridPosition grid, std::vector<Case>& cases) {
  const std::string at = " on " + std::to_string(grid.rank) + " of " + std::to_string(grid.size);
  const Index last = grid.size - 1;
  for (const Index size : {0, 1, 7, 40}) {
    const std::string name = std::to_string(size) + at;
    cases.push_back({"block " + name, {block(size, grid)}});
    cases.push_back({"cyclic " + name, {cyclic(size, grid)}});
    cases.push_back({"block-cyclic " + name, {cyclic(size, grid, 3)}});
    cases.push_back({"block-cyclic with origin " + name, {cyclic(size, grid, 2, last)}});
    const IndexList indices = size == 0 ? IndexList() : IndexList(some_indices(grid));
    cases.push_back({"unstructured " + name, {unstructured(size, grid, indices, size == 7)}});
  }
  BlockPadding padding;
  padding.communication = {grid.size > 1 ? 1 : 0, grid.size > 1 ? 1 : 0};
  cases.push_back({"communication padding" + at, {block(40, grid, padding)}});
  padding.boundary = {2, 3};
  cases.push_back({"both paddings" + at, {block(40, grid, padding)}});
  cases.push_back({"present but zero padding" + at, {block(40, grid, BlockPadding{})}});
  cases.push_back({"no elements at the end" + at,
                   {block(5, grid, grid.first() ? IndexRange{0, 5} : IndexRange{5, 5})}});
}

std::vector<Case> cases() {
  std::vector<Case> all = {{"no dimensions", {}},
                           {"undistributed", {undistributed(6)}},
                           {"undistributed and empty", {undistributed(0)}}};
  for (Index size = 1; size <= 4; ++size)
    for (Index rank = 0; rank < size; ++rank) add_one_dimensional({size, rank}, all);
  all.push_back({"five dimensions",
                 {block(7, {2, 1}), undistributed(2), cyclic(9, {3, 2}, 2),
                  unstructured(50, {2, 0}, IndexList(some_indices({2, 0}))), block(3, {1, 0})}});
  return all;
}

/// Memory for any section, filled with a pattern.
class Memory {
 public:
  Memory() : bytes_(1 << 16) { std::iota(bytes_.begin(), bytes_.end(), 0); }
  void* data() { return bytes_.data() + 4096; }
  const std::vector<unsigned char>& bytes() const { return bytes_; }

 private:
  std::vector<unsigned char> bytes_;
};

Section through_struct(const Section& array) {
  daptor_array section;
  export_abi(array, &section);
  Section back = import_abi(&section);
  EXPECT_EQ(section.release, nullptr);
  return back;
}

void expect_equal_after(const Section& array, const std::string& name) {
  const Section back = through_struct(array);
  EXPECT_EQ(back, array) << name << '\n' << array << '\n' << back;
  EXPECT_EQ(back.data(), array.data()) << name;
  EXPECT_EQ(back.version(), array.version()) << name;
}

TEST(AbiRoundTrip, KeepsEveryDistribution) {
  Memory memory;
  const std::vector<unsigned char> before = memory.bytes();
  for (const Case& c : cases()) {
    const Section array = describe(DataType::of<float>(), memory.data(), c.dimensions);
    expect_equal_after(array, c.name);
    expect_equal_after(array.as_readonly(), c.name + ", read-only");
  }
  EXPECT_EQ(memory.bytes(), before);
}

TEST(AbiRoundTrip, KeepsWhatVersion010CanSay) {
  Memory memory;
  int converted = 0;
  for (const Case& c : cases()) {
    const Section array = describe(DataType::of<float>(), memory.data(), c.dimensions);
    expect_equal_after(convert(array, protocol_0_10), c.name + " as 0.10");
    ++converted;
  }
  EXPECT_GT(converted, 150);
}

TEST(AbiRoundTrip, KeepsPeriodicPaddingInVersion09) {
  Memory memory;
  for (Index size = 1; size <= 3; ++size) {
    for (Index rank = 0; rank < size; ++rank) {
      const BlockPadding padding{{2, 1}, {}, true};
      expect_equal_after(describe(DataType::of<double>(), memory.data(),
                                  {block(12, {size, rank}, padding), undistributed(2)}),
                         "periodic");
    }
  }
}

TEST(AbiRoundTrip, WritesStartAndStopAsTheVersionMeansThem) {
  const std::vector<Dimension> dimensions = {block(20, {2, 1}, BlockPadding{{3, 0}, {}, false})};
  std::vector<double> memory(13);
  const Section array = describe(memory.data(), dimensions);
  daptor_array section;
  export_abi(array, &section);
  EXPECT_EQ(section.protocol_version[1], 9);
  EXPECT_EQ(section.dimensions->start, 10);
  EXPECT_EQ(section.shape[0], 13);
  daptor_array_release(&section);
  export_abi(convert(array, protocol_0_10), &section);
  EXPECT_EQ(section.protocol_version[1], 10);
  EXPECT_EQ(section.dimensions->start, 7);
  EXPECT_EQ(section.dimensions->stop, 20);
  EXPECT_EQ(section.dimensions->padding[0], 3);
  daptor_array_release(&section);
}

TEST(AbiRoundTrip, KeepsEveryElementTypeInBothByteOrders) {
  Memory memory;
  const std::vector<std::string> typestrs = {"|b1",  "|i1", "|u1", "<i2", "<u2", "<i4",  "<u4",
                                             "<i8",  "<u8", "<f2", "<f4", "<f8", "<f16", "<c8",
                                             "<c16", ">i2", ">u4", ">i8", ">f4", ">f8",  ">c16"};
  for (const std::string& typestr : typestrs) {
    const auto type = DataType::from_typestr(typestr);
    ASSERT_TRUE(type) << typestr;
    expect_equal_after(describe(*type, memory.data(), {block(9, {2, 0})}), typestr);
  }
}

TEST(AbiRoundTrip, KeepsStridesOfEverySign) {
  Memory memory;
  const std::vector<Dimension> dimensions = {block(6, {2, 0}), undistributed(4)};
  for (const std::vector<Index>& strides :
       {std::vector<Index>{32, 8}, {8, 24}, {-64, 16}, {0, 8}, {40, -8}}) {
    const Section array = describe(DataType::of<double>(), memory.data(), dimensions, strides);
    const Section back = through_struct(array);
    EXPECT_EQ(back, array);
    EXPECT_EQ(back.byte_strides(), strides);
  }
}

TEST(AbiRoundTrip, NeedsNoMemoryForADescription) {
  const Index size = Index{1} << 40;
  const Section array =
      describe(DataType::of<double>(), nullptr, {block(size, {4, 3}), undistributed(3)});
  const Section back = through_struct(array);
  EXPECT_EQ(back, array);
  EXPECT_FALSE(back.buffer().has_memory());
}

TEST(AbiRoundTrip, KeepsTheDeviceOfTheMemory) {
  std::vector<double> memory(3);
  const Buffer buffer(DataType::of<double>(), {3}, {8}, memory.data(), false, nullptr,
                      MemorySpace{2, 3});
  buffer.state()->set_stream(42);
  const Section back = through_struct(Section(protocol_0_9, buffer, {block(6, {2, 1})}));
  EXPECT_EQ(back.buffer().space(), (MemorySpace{2, 3}));
  EXPECT_EQ(back.buffer().state()->stream(), 42U);
  EXPECT_EQ(back.data(), memory.data());
}

TEST(AbiRoundTrip, GivesAFlatBufferOneExtentADimension) {
  std::vector<double> row(10);
  const Section flat(protocol_0_9, Buffer(DataType::of<double>(), {10}, {8}, row.data()),
                     {block(2, {2, 0}), undistributed(10)});
  ASSERT_EQ(flat.buffer().ndim(), 1U);
  const Section back = through_struct(flat);
  EXPECT_EQ(back.dimensions(), flat.dimensions());
  EXPECT_EQ(back.local_shape(), (std::vector<Index>{1, 10}));
  EXPECT_EQ(back.data(), row.data());
}

TEST(AbiRoundTrip, GivesASectionWithoutElementsItsOwnShape) {
  // The buffer's shape and the section both lack elements, but in different dimensions (E06). The
  // size of the empty dictionary is the extent of the section, not of the buffer.
  const Section array(protocol_0_10, Buffer(DataType::of<double>(), {0, 7}, {8, 8}, nullptr),
                      {block(8, {2, 0}), undistributed(0)});
  EXPECT_EQ(through_struct(array).dimensions(), array.dimensions());
}

TEST(AbiRoundTrip, CopiesNoIndexList) {
  const std::vector<Index> indices = {4, 2, 9, -1};
  std::vector<double> memory(4);
  const Section array =
      describe(memory.data(), {unstructured(10, {2, 1}, IndexList(nullptr, indices.data(), 4))});
  const Section back = through_struct(array);
  EXPECT_EQ(back.dimension(0).as<Unstructured>()->indices.data(), indices.data());
}

TEST(AbiRoundTrip, KeepsAnIndexListAlive) {
  std::vector<double> memory(3);
  daptor_array section;
  {
    const IndexList list(std::vector<Index>{7, 8, 5});
    export_abi(describe(memory.data(), {unstructured(10, {1, 0}, list)}), &section);
  }
  const Section back = import_abi(&section);
  EXPECT_EQ(back.dimension(0).as<Unstructured>()->indices, IndexList(std::vector<Index>{7, 8, 5}));
}

TEST(AbiExport, RefusesMoreDimensionsThanTheInterfaceHas) {
  double element = 0;
  daptor_array section;
  std::memset(&section, 0x5a, sizeof section);
  const daptor_array before = section;
  const std::vector<Dimension> most(DAPTOR_MAX_NDIM, undistributed(1));
  expect_equal_after(describe(&element, most), "64 dimensions");
  const Section beyond =
      describe(&element, std::vector<Dimension>(DAPTOR_MAX_NDIM + 1, undistributed(1)));
  EXPECT_EQ(rule_of<NotRepresentable>([&] { export_abi(beyond, &section); }), "abi.ndim");
  EXPECT_TRUE(same_bytes(section, before));
}

TEST(AbiExport, RefusesANullPointer) {
  double element = 0;
  const Section array = describe(&element, {});
  EXPECT_THROW(export_abi(array, nullptr), InvalidArgument);
  EXPECT_THROW(import_abi(nullptr), InvalidArgument);
}

}  // namespace
}  // namespace daptor::test
