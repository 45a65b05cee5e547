// SPDX-License-Identifier: BSD-3-Clause
// Every layout written, read into every layout, on as many ranks and on fewer and more.

#include <cstdio>

#include "effort.hpp"
#include "fields.hpp"

namespace daptor::hdf5::test {
namespace {

const std::vector<Shape> shapes{{13}, {6, 7}, {5, 3, 4}};

std::vector<Layout> layouts() {
  std::vector<Layout> all;
  for (int i = 0; i < static_cast<int>(Layout::count); ++i) all.push_back(static_cast<Layout>(i));
  return all;
}

template <class T>
void save_stamped(Layout layout, const Shape& shape, MPI_Comm comm, const std::string& path,
                  SaveOptions options = {}) {
  Field<T> field(layout, shape, comm);
  field.stamp();
  options.sync = false;  // takes most of the time
  save(field.array, path, "field", options);
}

template <class T>
void expect_loaded(Layout layout, const Shape& shape, MPI_Comm comm, const std::string& path,
                   const LoadOptions& options = {}) {
  SCOPED_TRACE("into " + name_of(layout));
  Field<T> field(layout, shape, comm);
  load(field.array, path, "field", options);
  field.expect_stamped();
}

/// Whether a pair of layouts is tried: in the fast level some of all pairs, others with each call.
bool is_tried() {
  static int number = 0;
  return daptor::test::all_rounds() || ++number % (daptor::test::thinned() ? 65 : 29) == 0;
}

TEST(RoundTrip, EveryLayoutIntoEveryLayoutFromSomeRanksToOthers) {
  const Folder folder;
  SaveOptions options;
  options.overwrite = true;
  const std::string path = folder / "field";
  int pairs = 0;
  for (const Shape& shape : shapes)
    for (int saving = 1; saving <= world_size(); ++saving)
      for (const Layout from : layouts()) {
        const FirstRanks savers(saving);
        MPI_Barrier(world);
        if (savers.inside()) save_stamped<double>(from, shape, savers.comm(), path, options);
        MPI_Barrier(world);
        for (int loading = 1; loading <= world_size(); ++loading) {
          const FirstRanks loaders(loading);
          for (const Layout to : layouts()) {
            if (!is_tried()) continue;
            SCOPED_TRACE("from " + name_of(from) + " on " + std::to_string(saving) + " ranks to " +
                         std::to_string(loading));
            if (loaders.inside()) expect_loaded<double>(to, shape, loaders.comm(), path);
            ++pairs;
          }
        }
      }
  RecordProperty("pairs", pairs);
  if (world_rank() == 0) std::printf("%d pairs of layouts and numbers of ranks\n", pairs);
}

TEST(RoundTrip, InStagesOfLittleMemory) {
  const Folder folder;
  SaveOptions writing;
  LoadOptions reading;
  for (const std::int64_t bytes : {1, 60, 130}) {
    writing.memory_bytes = reading.memory_bytes = bytes;
    writing.overwrite = true;
    for (const Shape& shape : {Shape{13}, Shape{2, 11}})
      for (const Layout layout : {Layout::cyclic, Layout::listed, Layout::fortran}) {
        SCOPED_TRACE(name_of(layout) + ", " + std::to_string(bytes) + " bytes");
        save_stamped<double>(layout, shape, world, folder / "staged", writing);
        expect_loaded<double>(layout, shape, world, folder / "staged", reading);
        expect_loaded<double>(Layout::blocks, shape, world, folder / "staged");
      }
  }
}

template <class T>
void round_trip(const Folder& folder) {
  const std::string path = folder / (DataType::of<T>().name());
  for (const Layout layout : {Layout::ghosts, Layout::fortran}) {
    SaveOptions options;
    options.overwrite = true;
    save_stamped<T>(layout, {5, 3}, world, path, options);
    EXPECT_TRUE(inspect(path, "field", world).type == DataType::of<T>())
        << DataType::of<T>().name();
    expect_loaded<T>(layout, {5, 3}, world, path);
  }
}

TEST(RoundTrip, OfEveryElementType) {
  const Folder folder;
  round_trip<std::int8_t>(folder);
  round_trip<std::uint8_t>(folder);
  round_trip<std::int16_t>(folder);
  round_trip<std::uint16_t>(folder);
  round_trip<std::int32_t>(folder);
  round_trip<std::uint32_t>(folder);
  round_trip<std::int64_t>(folder);
  round_trip<std::uint64_t>(folder);
  round_trip<float>(folder);
  round_trip<double>(folder);
  round_trip<long double>(folder);
  round_trip<std::complex<float>>(folder);
  round_trip<std::complex<double>>(folder);
  round_trip<std::complex<long double>>(folder);
}

TEST(RoundTrip, OfManyShortPieces) {
  const Folder folder;
  const std::vector<Dimension> dimensions{undistributed(1500),
                                          block(12, {world_size(), world_rank()})};
  std::vector<double> from(static_cast<std::size_t>(local_count(dimensions))), to(from.size());
  std::iota(from.begin(), from.end(), 1000.0 * world_rank());
  save(describe(from, dimensions).on(world), folder / "state", "u");
  load(describe(to, dimensions).on(world), folder / "state", "u");
  EXPECT_EQ(from, to);
}

TEST(RoundTrip, OfBoolsHalvesAndTheOtherByteOrder) {
  const Folder folder;
  const ByteOrder other =
      native_byte_order() == ByteOrder::little ? ByteOrder::big : ByteOrder::little;
  const std::vector<DataType> types{DataType::of<bool>(),
                                    DataType(Kind::floating, 2),
                                    DataType(Kind::floating, 2, other),
                                    DataType(Kind::floating, 8, other),
                                    DataType(Kind::signed_integer, 4, other),
                                    DataType(Kind::complex, 8, other)};
  const std::vector<Dimension> dimensions{block(6, {world_size(), world_rank()})};
  const auto bytes_in = [&](const DataType& type) {
    return static_cast<std::size_t>(local_count(dimensions)) * type.itemsize();
  };
  for (const DataType& type : types) {
    std::vector<unsigned char> from(bytes_in(type)), to(bytes_in(type));
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = type.itemsize() == 1 ? i % 2 : i % 100;
    const std::string path = folder / "typed", name = type.name();
    save(describe(type, from.data(), dimensions).on(world), path, name);
    EXPECT_TRUE(inspect(path, name, world).type == type) << name;
    load(describe(type, to.data(), dimensions).on(world), path, name);
    EXPECT_EQ(from, to) << name;
  }
}

TEST(RoundTrip, ConvertsWhenAskedTo) {
  const Folder folder;
  save_stamped<std::int32_t>(Layout::blocks, {7, 2}, world, folder / "state");
  LoadOptions options;
  options.convert = true;
  expect_loaded<double>(Layout::ghosts, {7, 2}, world, folder / "state", options);
  expect_loaded<std::complex<double>>(Layout::cyclic, {7, 2}, world, folder / "state", options);
}

TEST(RoundTrip, OfTheOtherByteOrderWithoutAsking) {
  const Folder folder;
  const DataType big(Kind::floating, 8, ByteOrder::big);
  const DistArray a = counted(5, world);
  const DistArray swapped = allocate(big, {block(5, {world_size(), world_rank()})}).on(world);
  save(a, folder / "state", "little");
  load(swapped, folder / "state", "little");
  save(swapped, folder / "state", "big");
  EXPECT_TRUE(inspect(folder / "state", "big", world).type == big);
  const DistArray back = allocate<double>({block(5, {world_size(), world_rank()})}).on(world);
  load(back, folder / "state", "big");
  for (Index i = 0; i < back.local_count(); ++i)
    EXPECT_EQ(static_cast<const double*>(back.data())[i], static_cast<const double*>(a.data())[i]);
}

TEST(RoundTrip, WithTheBoundaryAsItsEdge) {
  const Folder folder;
  Field<double> field(Layout::outside, {4, 5}, world);
  field.stamp();
  SaveOptions writing;
  writing.boundary = true;
  save(field.array, folder / "state", "whole", writing);
  EXPECT_EQ(inspect(folder / "state", "whole", world).shape, (Shape{7, 8}));
  Field<double> loaded(Layout::outside, {4, 5}, world);
  std::fill(loaded.memory.begin(), loaded.memory.end(), 0.0);
  LoadOptions reading;
  reading.boundary = true;
  load(loaded.array, folder / "state", "whole", reading);
  loaded.expect_stamped();  // the boundary has the value of those that were not touched
}

TEST(RoundTrip, OfArraysWithoutElements) {
  const Folder folder;
  const DistArray a =
      allocate<double>({undistributed(3), block(0, {world_size(), world_rank()})}).on(world);
  save(a, folder / "state", "empty");
  EXPECT_EQ(inspect(folder / "state", "empty", world).shape, (Shape{3, 0}));
  load(a, folder / "state", "empty");
}

TEST(RoundTrip, OfOneElementWithoutDimensions) {
  const Folder folder;
  const FirstRanks first(1);
  if (!first.inside()) return;
  double value = 2.5;
  const DistArray a = describe(&value, 1, std::vector<Dimension>{}).on(first.comm());
  save(a, folder / "state", "scalar");
  value = 0;
  load(a, folder / "state", "scalar");
  EXPECT_EQ(value, 2.5);
}

TEST(RoundTrip, LeavesGhostsAloneWhenAskedTo) {
  const Folder folder;
  save_stamped<double>(Layout::blocks, {8}, world, folder / "state");
  Field<double> field(Layout::ghosts, {8}, world);
  LoadOptions options;
  options.ghosts = false;
  load(field.array, folder / "state", "field", options);
  field.expect_stamped(false);
  field.for_each([](double element, double, bool owned) {
    if (!owned) {
      EXPECT_EQ(element, 99);
    }
  });
}

TEST(RoundTrip, TellsHowFarItIs) {
  const Folder folder;
  std::vector<std::int64_t> told;
  const bool last = world_rank() == world_size() - 1;
  const Progress progress = [&](std::int64_t done, std::int64_t total) {
    EXPECT_EQ(total, 7 * 6 * 8);
    told.push_back(done);
  };
  for (const Layout layout : {Layout::ghosts, Layout::cyclic}) {
    told.clear();
    SaveOptions writing;
    writing.overwrite = true;
    writing.memory_bytes = 48;
    if (last) writing.progress = progress;
    save_stamped<double>(layout, {7, 6}, world, folder / "state", writing);
    LoadOptions reading;
    reading.memory_bytes = 48;
    if (last) reading.progress = progress;
    expect_loaded<double>(layout, {7, 6}, world, folder / "state", reading);
    EXPECT_EQ(told.size() >= 4, last);
    EXPECT_EQ(std::count(told.begin(), told.end(), 7 * 6 * 8), last ? 2 : 0);
  }
  // What it throws is thrown everywhere.
  LoadOptions reading;
  if (last) reading.progress = [](std::int64_t, std::int64_t) { throw std::runtime_error("stop"); };
  Field<double> field(Layout::blocks, {7, 6}, world);
  daptor::test::expect_refused_everywhere<LibraryFailed>(
      "library.c++", [&] { load(field.array, folder / "state", "field", reading); });
}

TEST(RoundTrip, OfSharedIndicesFromAnyOfTheirOwners) {
  const Folder folder;
  std::vector<double> memory{0, 1, 2};
  const std::vector<Dimension> dimensions{
      unstructured(3, {world_size(), world_rank()}, IndexList({0, 1, 2}))};
  const DistArray a = describe(memory, dimensions).on(world);
  SaveOptions options;
  options.read_from_any = true;
  save(a, folder / "state", "shared", options);
  memory = {7, 7, 7};
  load(a, folder / "state", "shared");
  EXPECT_EQ(memory, (std::vector<double>{0, 1, 2}));
}

}  // namespace
}  // namespace daptor::hdf5::test
