// SPDX-License-Identifier: BSD-3-Clause
// Structs that are wrong in one field: each gives a finding, and the caller still owns the struct.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>

#include "reader_differs.hpp"
#include "sections.hpp"

namespace daptor::test {
namespace {

using Change = std::function<void(ForeignSection&)>;

struct Wrong {
  const char* what;
  const char* rule;
  Change change;
};

constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
const std::int64_t seven = 7;

daptor_dimension& first(ForeignSection& f) {
  return f.dimensions[0];
}

void make_cyclic(ForeignSection& f) {
  f.dimensions[0] = daptor_cyclic(6, 2, 1, 3);
  f.shape[0] = 3;
}

void make_unstructured(ForeignSection& f) {
  static const std::int64_t indices[] = {5, 0, 3};
  f.dimensions[0] = daptor_unstructured(6, 2, 1, indices, 3);
}

std::vector<Wrong> wrong_structs() {
  return {
      {"an older version", "abi.version", [](auto& f) { f.array.abi_version = 0; }},
      {"a later version", "abi.version", [](auto& f) { f.array.abi_version = 2; }},
      {"no size", "abi.struct-size", [](auto& f) { f.array.struct_size = 0; }},
      {"a short struct", "abi.struct-size", [](auto& f) { f.array.struct_size -= 8; }},
      {"an odd size", "abi.struct-size", [](auto& f) { f.array.struct_size += 1; }},
      {"a huge size", "abi.struct-size", [](auto& f) { f.array.struct_size = 0xfffffff8U; }},
      {"short entries", "abi.dimension-size", [](auto& f) { f.array.dimension_size -= 8; }},
      {"huge entries", "abi.dimension-size", [](auto& f) { f.array.dimension_size = ~7U; }},
      {"an unknown flag", "abi.flags", [](auto& f) { f.array.flags = 2; }},
      {"negative ndim", "abi.ndim", [](auto& f) { f.array.ndim = -1; }},
      {"huge ndim", "abi.ndim",
       [](auto& f) { f.array.ndim = std::numeric_limits<std::int32_t>::max(); }},
      {"too many dimensions", "abi.ndim", [](auto& f) { f.array.ndim = DAPTOR_MAX_NDIM + 1; }},
      {"format without an end", "abi.format",
       [](auto& f) { std::memset(f.array.format, 'd', sizeof f.array.format); }},
      {"null shape", "abi.shape", [](auto& f) { f.array.shape = nullptr; }},
      {"unaligned shape", "abi.shape",
       [](auto& f) {
         f.array.shape = reinterpret_cast<const std::int64_t*>(
             reinterpret_cast<const char*>(f.array.shape) + 1);
       }},
      {"unaligned strides", "abi.strides",
       [](auto& f) {
         f.array.byte_strides = reinterpret_cast<const std::int64_t*>(
             reinterpret_cast<const char*>(f.array.shape) + 4);
       }},
      {"null dimensions", "abi.dimensions", [](auto& f) { f.array.dimensions = nullptr; }},
      {"unaligned dimensions", "abi.dimensions",
       [](auto& f) {
         f.array.dimensions = reinterpret_cast<const daptor_dimension*>(
             reinterpret_cast<const char*>(f.array.dimensions) + 2);
       }},
      {"a reserved word", "abi.reserved", [](auto& f) { f.array.reserved[6] = 1; }},
      {"a stream of the host's memory", "abi.stream", [](auto& f) { f.array.stream = 1; }},
      {"positions without has_owned", "abi.owned",
       [](auto& f) { f.dimensions[1].owned_positions = &f.dimensions[1].size; }},
      {"has_owned beyond its values", "abi.owned", [](auto& f) { first(f).has_owned = 3; }},
      {"positions that are null", "abi.owned",
       [](auto& f) {
         first(f).has_owned = 2;
         first(f).owned = 1;
       }},
      {"owned without has_owned", "abi.owned", [](auto& f) { first(f).owned = 1; }},
      {"begin without end", "abi.access", [](auto& f) { f.array.end_access = nullptr; }},
      {"end without begin", "abi.access", [](auto& f) { f.array.begin_access = nullptr; }},
      {"widths without padded", "abi.padding", [](auto& f) { first(f).padding[1] = 1; }},
      {"padded is no truth value", "abi.padding", [](auto& f) { first(f).padded = 2; }},
      {"indices without a list", "abi.indices",
       [](auto& f) {
         make_unstructured(f);
         first(f).indices = nullptr;
       }},
      {"negative count of indices", "abi.indices",
       [](auto& f) {
         make_unstructured(f);
         first(f).indices_count = -3;
       }},
      {"huge count of indices", "abi.indices",
       [](auto& f) {
         make_unstructured(f);
         first(f).indices_count = huge;
       }},
      {"unaligned indices", "abi.indices",
       [](auto& f) {
         make_unstructured(f);
         first(f).indices = reinterpret_cast<const std::int64_t*>(
             reinterpret_cast<const char*>(first(f).indices) + 4);
       }},

      // From here on the parser judges, as it judges every description.
      {"an unknown protocol", "T07", [](auto& f) { f.array.protocol_version[0] = 1; }},
      {"a negative protocol", "T06", [](auto& f) { f.array.protocol_version[1] = -9; }},
      {"no format", "T09", [](auto& f) { f.array.format[0] = '\0'; }},
      {"a structure as format", "A26", [](auto& f) { std::strcpy(f.array.format, "dd"); }},
      {"itemsize of another type", "T09", [](auto& f) { f.array.itemsize = 4; }},
      {"no itemsize", "T09", [](auto& f) { f.array.itemsize = 0; }},
      {"negative itemsize", "T09", [](auto& f) { f.array.itemsize = -8; }},
      {"negative extent", "T09", [](auto& f) { f.shape[1] = -4; }},
      {"huge extent", "T10", [](auto& f) { f.shape[1] = huge; }},
      {"another extent", "P13", [](auto& f) { f.shape[0] = 2; }},
      {"another extent of an undistributed one", "N04", [](auto& f) { f.shape[1] = 3; }},
      {"an unknown distribution", "D04", [](auto& f) { first(f).dist_type = 'x'; }},
      {"no distribution", "D01", [](auto& f) { first(f).dist_type = '\0'; }},
      {"negative size", "D08", [](auto& f) { first(f).size = -6; }},
      {"no grid", "D13", [](auto& f) { first(f).proc_grid_size = 0; }},
      {"a rank off the grid", "D18", [](auto& f) { first(f).proc_grid_rank = 2; }},
      {"negative grid rank", "D18", [](auto& f) { first(f).proc_grid_rank = -1; }},
      {"negative start", "B02", [](auto& f) { first(f).start = -1; }},
      {"stop before start", "B04", [](auto& f) { first(f).stop = 1; }},
      {"stop beyond size", "B08", [](auto& f) { first(f).stop = 7; }},
      {"periodic is no truth value", "D23", [](auto& f) { first(f).periodic = 2; }},
      {"negative width", "P03",
       [](auto& f) {
         first(f).padded = 1;
         first(f).padding[0] = -1;
       }},
      {"huge width", "P13",
       [](auto& f) {
         first(f).padded = 1;
         first(f).padding[0] = huge;
       }},
      {"no block size", "C05",
       [](auto& f) {
         make_cyclic(f);
         first(f).block_size = 0;
       }},
      {"cyclic start off the blocks", "C09",
       [](auto& f) {
         make_cyclic(f);
         first(f).start = 2;
       }},
      {"fewer indices than elements", "U06",
       [](auto& f) {
         make_unstructured(f);
         first(f).indices_count = 2;
       }},
      {"one_to_one is no truth value", "U07",
       [](auto& f) {
         make_unstructured(f);
         first(f).one_to_one = 7;
       }},
  };
}

TEST(AbiMalformed, EachWrongFieldIsAFindingAndTheStructStays) {
  for (const Wrong& wrong : wrong_structs()) {
    ForeignSection foreign;
    wrong.change(foreign);
    const daptor_array before = foreign.array;
    EXPECT_EQ(reader_differs(foreign.array), "") << wrong.what;
    Report report;
    try {
      import_abi(&foreign.array);
      ADD_FAILURE() << wrong.what << ": accepted";
    } catch (const Error& error) {
      report = error.report();
      const bool unsupported = report.verdict() == Verdict::unsupported;
      EXPECT_EQ(error.kind(), unsupported ? ErrorKind::unsupported : ErrorKind::malformed)
          << wrong.what;
    }
    EXPECT_TRUE(report.has(wrong.rule)) << wrong.what << ": " << report;
    EXPECT_EQ(check_abi(foreign.array).has(wrong.rule), true) << wrong.what;
    EXPECT_TRUE(same_bytes(foreign.array, before)) << wrong.what;
    EXPECT_EQ(foreign.counts.releases, 0) << wrong.what;
    EXPECT_EQ(foreign.counts.last_self, nullptr) << wrong.what << ": a callback was called";
  }
}

TEST(AbiMalformed, OtherVersionsAreUnsupported) {
  for (const Change& change : {Change([](auto& f) { f.array.abi_version = 2; }),
                               Change([](auto& f) { f.array.protocol_version[1] = 11; }),
                               Change([](auto& f) { first(f).dist_type = 'z'; })}) {
    ForeignSection foreign;
    change(foreign);
    EXPECT_THROW(import_abi(&foreign.array), Unsupported);
    EXPECT_EQ(check_abi(foreign.array).verdict(), Verdict::unsupported);
  }
}

TEST(AbiMalformed, NumbersOfNoMeaningAreNoted) {
  ForeignSection foreign;
  make_cyclic(foreign);
  foreign.dimensions[0].stop = seven;
  foreign.dimensions[1].proc_grid_size = 1;
  const Report report = check_abi(foreign.array);
  EXPECT_TRUE(report) << report;
  EXPECT_TRUE(report.has("C14")) << report;
}

TEST(AbiMalformed, TheStrictProfileTurnsWarningsIntoErrors) {
  ForeignSection foreign;
  foreign.dimensions[0] = daptor_block(9, 3, 1, 3, 3);
  foreign.shape[0] = 0;
  EXPECT_TRUE(check_abi(foreign.array));
  EXPECT_FALSE(check_abi(foreign.array, Profile::strict));
  EXPECT_EQ(rule_of<Malformed>([&] { import_abi(&foreign.array, Profile::strict); }), "B06");
  EXPECT_NE(foreign.array.release, nullptr);
  const Section array = import_abi(&foreign.array);
  EXPECT_EQ(array.owned_count(), 0);
}

TEST(AbiMalformed, ACheckTakesNothing) {
  ForeignSection foreign;
  const daptor_array before = foreign.array;
  EXPECT_TRUE(check_abi(foreign.array));
  EXPECT_TRUE(same_bytes(foreign.array, before));
  EXPECT_EQ(foreign.counts.last_self, nullptr);
  EXPECT_EQ(import_abi(&foreign.array).data(), foreign.cells.data());
}

TEST(AbiMalformed, MemoryElsewhereIsDescribedButNotOpenedToTheHost) {
  ForeignSection foreign;
  foreign.array.device_type = 2;
  foreign.array.device_id = 3;
  const Section array = import_abi(&foreign.array);
  EXPECT_EQ(array.buffer().space(), (MemorySpace{2, 3}));
  EXPECT_EQ(rule_of<InvalidArgument>([&] { daptor::view<double, 2>(array); }), "view.device");
}

/// Every list is as long as any count below can require, so that the test is about what is read.
struct RoomySection {
  RoomySection() {
    std::fill(std::begin(dimensions), std::end(dimensions), daptor_undistributed(1));
    std::fill(std::begin(shape), std::end(shape), 1);
    dimensions[0] = daptor_even_block(6, 2, 1);
    shape[0] = 3;
    shape[1] = 1;
    daptor_array_init(&array, "d", sizeof(double), 2, shape, dimensions, cells);
    array.private_data = &counts;
    array.release = counting_release;
  }
  RoomySection(const RoomySection&) = delete;
  RoomySection& operator=(const RoomySection&) = delete;

  daptor_array array;
  char more[4096] = {};  // moved with the struct if struct_size is larger
  double cells[3] = {};
  std::int64_t shape[DAPTOR_MAX_NDIM];
  daptor_dimension
      dimensions[40 * DAPTOR_MAX_NDIM];  // as far as the largest dimension_size reaches
  Counts counts;
};

/// Imports a section in which one byte was changed; returns whether it was accepted.
bool import_changed(RoomySection& section, unsigned char& byte, unsigned char value) {
  byte = value;
  const daptor_array before = section.array;
  EXPECT_EQ(reader_differs(section.array), "");
  try {
    import_abi(&section.array);
    EXPECT_EQ(section.counts.releases, 1);
    return true;
  } catch (const Error&) {
    EXPECT_TRUE(same_bytes(section.array, before));
    EXPECT_EQ(section.counts.releases, 0);
  }
  return false;
}

TEST(AbiMalformed, AnyByteMayBeWrong) {
  int accepted = 0;
  int refused = 0;
  const auto change = [&](bool in_dimension, std::size_t offset) {
    for (const unsigned char value : {0x00, 0x01, 0x02, 0x41, 0x6e, 0x75, 0x7f, 0x80, 0xf8, 0xff}) {
      RoomySection section;
      void* const start = in_dimension ? static_cast<void*>(section.dimensions)
                                       : static_cast<void*>(&section.array);
      auto& byte = static_cast<unsigned char*>(start)[offset];
      ++(import_changed(section, byte, value) ? accepted : refused);
    }
  };
  for (std::size_t i = 0; i < offsetof(daptor_array, shape); ++i) change(false, i);
  for (std::size_t i = offsetof(daptor_array, stream); i < sizeof(daptor_array); ++i)
    change(false, i);
  for (std::size_t i = 0; i < sizeof(daptor_dimension); ++i)
    if (i < offsetof(daptor_dimension, indices) || i >= offsetof(daptor_dimension, indices_count))
      change(true, i);
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 1000);
}

TEST(AbiMalformed, AnEntryOfZerosIsTheEmptyDictionary) {
  ForeignSection foreign;
  std::memset(foreign.dimensions.data(), 0, sizeof foreign.dimensions);
  EXPECT_TRUE(check_abi(foreign.array).has("D01"));
  foreign.array.protocol_version[1] = 10;
  const Section array = import_abi(&foreign.array);
  EXPECT_EQ(array.global_shape(), (std::vector<Index>{3, 4}));
  EXPECT_NE(array.dimension(0).as<Undistributed>(), nullptr);
}

}  // namespace
}  // namespace daptor::test
