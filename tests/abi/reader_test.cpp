// SPDX-License-Identifier: BSD-3-Clause
// What daptor/abi_reader.h says of structs that Daptor exports, and who owns an index.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <numeric>
#include <random>

#include "effort.hpp"
#include "reader_differs.hpp"
#include "sections.hpp"

namespace daptor::test {
namespace {

using Layout = std::function<Dimension(GridPosition)>;

IndexVector dealt(Index size, GridPosition grid) {
  IndexVector indices;
  for (Index i = size - 1 - grid.rank; i >= 0; i -= grid.size) indices.push_back(i);
  return indices;
}

/// Layouts of 13 indices over any number of processes.
std::map<std::string, Layout> layouts() {
  return {
      {"even", [](GridPosition g) { return block(13, g); }},
      {"irregular, one of them empty",
       [](GridPosition g) {
         const auto bound = [&](Index k) { return k == 0 ? 0 : k == g.size ? 13 : 5; };
         return Dimension(13, Block{g, {bound(g.rank), bound(g.rank + 1)}, {}, {}, false, {}});
       }},
      {"padded",
       [](GridPosition g) {
         const Index inner = g.size > 1 ? 1 : 0;
         return block(13, g, BlockPadding{{inner, inner}, {0, 0}, false});
       }},
      {"a ring",
       [](GridPosition g) {
         return block(13, g, BlockPadding{{2, 1}, {}, true});
       }},
      {"boundary",
       [](GridPosition g) {
         return block(13, g, BlockPadding{{}, {1, 2}, false});
       }},
      {"cyclic", [](GridPosition g) { return cyclic(13, g); }},
      {"in blocks of 3", [](GridPosition g) { return cyclic(13, g, 3); }},
      {"whole", [](GridPosition) { return undistributed(13); }},
      {"a list", [](GridPosition g) { return unstructured(13, g, IndexList(dealt(13, g))); }},
      {"a list with ghosts in front",
       [](GridPosition g) {
         IndexVector indices = dealt(13, g);
         indices.insert(indices.begin(), {12, 0});
         IndexVector owned;
         for (Index i = static_cast<Index>(indices.size()) - 1; i > 1; --i) owned.push_back(i);
         return Dimension(13, Unstructured{g, IndexList(std::move(indices)), false,
                                           OwnedPart::at(std::move(owned))});
       }},
      {"owned apart",
       [](GridPosition g) {
         return Dimension(13, Unstructured{g, IndexList(IndexVector{4, 7, 9, 1}), false,
                                           OwnedPart::at(IndexVector{0, 2, 3})});
       }},
  };
}

TEST(AbiReader, SaysOfExportsWhatDaptorSays) {
  for (const auto& [name, layout] : layouts())
    for (Index processes = 1; processes <= 5; ++processes)
      for (Index rank = 0; rank < processes; ++rank)
        for (const Version version : {protocol_0_9, protocol_0_10}) {
          SCOPED_TRACE(name + ", process " + std::to_string(rank) + " of " +
                       std::to_string(processes) + ", version " + version.text());
          const std::vector<Dimension> dimensions = {layout({processes, rank}), undistributed(3)};
          std::vector<Index> shape;
          for (const Dimension& each : dimensions) shape.push_back(each.local_extent());
          std::vector<double> memory(static_cast<std::size_t>(local_count(dimensions)) + 1);
          const Buffer buffer(DataType::of<double>(), shape,
                              contiguous_strides(shape, sizeof(double), Order::c), memory.data(),
                              false, nullptr);
          std::optional<Section> section;
          try {
            section.emplace(version, buffer, dimensions);
          } catch (const Error&) {
            continue;  // a layout that this version cannot state
          }
          daptor_array array;
          export_abi(*section, &array);
          EXPECT_EQ(reader_differs(array), "");
          array.byte_strides = nullptr;
          EXPECT_EQ(reader_differs(array), "");
          EXPECT_EQ(daptor_array_stride(&array, 0), 24);
          const std::int64_t last[] = {0, 2};
          EXPECT_EQ(daptor_array_element(&array, last), memory.data() + 2);
          daptor_array_release(&array);
        }
}

TEST(AbiReader, KnowsTheOwnerFromTheStartsOfAll) {
  for (const auto& [name, layout] : layouts())
    for (Index processes = 1; processes <= 5; ++processes) {
      SCOPED_TRACE(name + ", " + std::to_string(processes) + " processes");
      std::vector<daptor_axis> axes;
      std::vector<std::int64_t> starts;
      for (Index rank = 0; rank < processes; ++rank) {
        const Section section =
            describe(static_cast<double*>(nullptr), {layout({processes, rank})});
        daptor_array array;
        export_abi(section, &array);
        axes.push_back(daptor_array_axis(&array, 0));
        starts.push_back(axes.back().start);
        axes.back().indices = nullptr;
        daptor_array_release(&array);
      }
      for (const daptor_axis& axis : axes)
        for (Index global = -1; global <= 13; ++global) {
          const Index owner = daptor_axis_owner(&axis, starts.data(), global);
          if (axis.dist_type == 'u' || global < 0 || global == 13) {
            EXPECT_EQ(owner, -1);
          } else {
            ASSERT_GE(owner, 0) << global;
            EXPECT_GE(daptor_axis_local(&axes[static_cast<std::size_t>(owner)], global), 0)
                << global;
          }
        }
    }
}

TEST(AbiReader, DistinguishesElementsThatAreUnsupportedFromNoElements) {
  for (const char* format :
       {"d",      "Zd", "<f",      ">Zg",    "Ze",     "",       "dd", "4w", "T{d:x:i:n:}",
        "T{d:x:", "&d", "&",       "(2,3)d", "(2;3)d", "Z",      "=n", "n",  "@N",
        "X{}",    "}",  "d:name:", ":name:", "->",     "X{->d}", "3",  "é",  "?",
        "!e",     "^l", "=l",      "P",      "<",      "d d",    "T",  "x"}) {
    ForeignSection foreign;
    std::memset(foreign.array.format, 0, sizeof foreign.array.format);
    std::strncpy(foreign.array.format, format, sizeof foreign.array.format - 1);
    EXPECT_EQ(reader_differs(foreign.array), "") << format;
    for (const std::int64_t size : {1, 2, 4, 8, 16, 32}) {
      foreign.array.itemsize = size;
      EXPECT_EQ(reader_differs(foreign.array), "") << format;
    }
  }
}

TEST(AbiReader, FindsPositionsThatAreGivenTwice) {
  const std::vector<std::vector<std::int64_t>> lists = {
      {0, 1, 2}, {2, 1, 0}, {2, 0, 2}, {1, 1, 1}, {0, 3, 1},    {-1, 0, 1},
      {0},       {2},       {3},       {1, 2},    {3, 2, 1, 0}, {1, 2, 3, 4},
  };
  const std::int64_t indices[] = {5, 0, 3};
  for (const auto& positions : lists) {
    ForeignSection foreign;
    foreign.dimensions[0] = daptor_owned_at(6, 2, 1, indices, 3, positions.data(),
                                            static_cast<std::int64_t>(positions.size()));
    EXPECT_EQ(reader_differs(foreign.array), "");
  }
}

/// Structs of any small numbers, of which one in five conforms. Lists are as long as the counts.
class RandomStruct {
 public:
  explicit RandomStruct(unsigned seed) : random_(seed) {
    const int ndim = number(0, 3);
    for (int d = 0; d < ndim; ++d) add_dimension();
    daptor_array_init(&array, pick({"d", "d", "d", "Zf", "i", "dd", ""}), 8, ndim, shape_.data(),
                      dimensions_.data(), nullptr);
    array.dimension_size = sizeof(daptor_dimension);
    array.release = daptor_release_nothing;
    if (one_in(2)) array.protocol_version[1] = 10;
    if (one_in(40)) array.protocol_version[number(0, 2)] = number(-1, 11);
    if (one_in(4)) array.byte_strides = strides_.data();
    if (one_in(40)) array.itemsize = number(0, 9);
  }
  daptor_array array{};

 private:
  int number(int least, int greatest) {
    return std::uniform_int_distribution<int>(least, greatest)(random_);
  }
  bool one_in(int n) { return number(1, n) == 1; }
  const char* pick(std::vector<const char*> texts) {
    return texts[static_cast<std::size_t>(number(0, static_cast<int>(texts.size()) - 1))];
  }
  std::int64_t any(int least, int greatest) {
    if (one_in(60)) return one_in(2) ? INT64_MAX - number(0, 3) : INT64_MIN + number(0, 3);
    return number(least, greatest);
  }

  void add_dimension() {
    const std::int64_t size = number(0, 9);
    const std::int64_t processes = number(1, 4);
    const std::int64_t rank = number(0, static_cast<int>(processes) - 1);
    daptor_dimension entry = daptor_undistributed(size);
    switch (number(0, 5)) {
      case 0:
        break;
      case 1:
        entry = daptor_even_block(size, processes, rank);
        break;
      case 2:
        entry = daptor_block(size, processes, rank, number(0, 5), number(0, 9));
        break;
      case 3:
        entry = daptor_cyclic(size, processes, rank, number(1, 3));
        break;
      default:
        entry = daptor_unstructured(size, processes, rank, list(), number(0, 6));
    }
    if (one_in(4)) change(entry);
    if (one_in(3) && entry.dist_type != 'u') {
      entry.padded = 1;
      for (std::int64_t& width : entry.padding) width = any(one_in(20) ? -1 : 0, 2);
      entry.periodic = one_in(2) ? 1 : 0;
    }
    if (entry.dist_type == 'u' && one_in(2)) {
      entry.has_owned = one_in(2) ? 1 : 2;
      entry.owned = number(0, 6);
      if (entry.has_owned == 2) entry.owned_positions = list();
    }
    dimensions_.push_back(entry);
    shape_.push_back(0);
    strides_.push_back(any(-16, 16));
    // What the dimension asks for, mostly.
    if (entry.dist_type == 'u')
      shape_.back() = entry.indices_count;
    else if (entry.dist_type == 'c')
      shape_.back() = number(0, 9);
    else
      shape_.back() = extent_of(entry);
    if (entry.dist_type == 'c' && one_in(2) && entry.block_size > 0)
      shape_.back() =
          Dimension(size, Cyclic{{processes, rank}, entry.start, entry.block_size}).owned_count();
    if (one_in(30)) shape_.back() = any(-1, 9);
  }

  /// Without an overflow that is undefined.
  std::int64_t extent_of(const daptor_dimension& entry) {
    const auto word = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
    std::uint64_t extent = word(entry.size);
    if (entry.dist_type == 'b') extent = word(entry.stop) - word(entry.start);
    if (one_in(2)) extent += word(entry.padding[0]) + word(entry.padding[1]);
    return static_cast<std::int64_t>(extent);
  }

  void change(daptor_dimension& entry) {
    std::int64_t* const fields[] = {&entry.size,  &entry.proc_grid_size, &entry.proc_grid_rank,
                                    &entry.start, &entry.stop,           &entry.block_size};
    *fields[number(0, 5)] = any(-1, 9);
    if (one_in(6)) entry.dist_type = "nbcux\0"[number(0, 5)];
    if (one_in(6)) entry.one_to_one = static_cast<std::uint8_t>(number(0, 2));
    if (one_in(20)) std::memset(&entry, 0, sizeof entry);
  }

  /// Six numbers, which are kept.
  const std::int64_t* list() {
    lists_.emplace_back();
    for (int i = 0; i < 6; ++i) lists_.back().push_back(number(one_in(20) ? -1 : 0, 6));
    if (one_in(2)) {
      std::iota(lists_.back().begin(), lists_.back().end(), number(0, 1));
      if (one_in(2)) std::shuffle(lists_.back().begin(), lists_.back().end(), random_);
    }
    return lists_.back().data();
  }

  std::mt19937 random_;
  std::deque<std::vector<std::int64_t>> lists_;
  std::vector<daptor_dimension> dimensions_;
  std::vector<std::int64_t> shape_, strides_;
};

TEST(AbiReader, JudgesStructsOfAnyNumbersAsDaptorDoes) {
  int conforming = 0;
  const int count = rounds(10000);
  for (int seed = 0; seed < count; ++seed) {
    const RandomStruct given(static_cast<unsigned>(seed));
    ASSERT_EQ(reader_differs(given.array), "") << "seed " << seed;
    conforming += daptor_array_check(&given.array).verdict == DAPTOR_CONFORMS ? 1 : 0;
  }
  EXPECT_GT(conforming, count / 10);
}

TEST(AbiReader, ANullPointerIsMalformed) {
  EXPECT_STREQ(daptor_array_check(nullptr).rule, "abi.struct");
}

}  // namespace
}  // namespace daptor::test
