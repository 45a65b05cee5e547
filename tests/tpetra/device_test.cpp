// SPDX-License-Identifier: BSD-3-Clause
// Vectors on a device: the adapter's sources, compiled for the node of device_node.hpp.
#include "device_node.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <daptor/daptor.hpp>
#include <daptor/tpetra.hpp>

#include "everywhere.hpp"
#include "src/communicator.cpp"
#include "src/export_map.cpp"
#include "src/export_multivector.cpp"
#include "src/forms.cpp"
#include "src/found.cpp"
#include "src/import_map.cpp"
#include "src/import_multivector.cpp"
#include "src/kokkos.cpp"
#include "src/map_record.cpp"
#include "src/numbering.cpp"
#include "src/scalar.cpp"

namespace daptor::test {
namespace {

using Vectors = Tpetra::MultiVector<double>;
constexpr MemorySpace device{MemorySpace::cuda, 0};

/// On each rank 4 rows of 2 columns, on pages of the device.
class Columns {
 public:
  static constexpr Index rows = 4;

  explicit Columns(Index gap = 0)
      : memory(pages().allocate_as<double>(2 * (rows + gap))), stride(rows + gap) {
    pages().run(memory, [&] {
      for (Index i = 0; i < 2 * stride; ++i) memory[i] = value(i);
    });
  }
  static double value(Index i) { return 100.0 * world_rank() + static_cast<double>(i); }

  Section section() const {
    const std::vector<Dimension> dimensions{
        undistributed(2), block(rows * world_size(), {world_size(), world_rank()})};
    constexpr auto itemsize = static_cast<Index>(sizeof(double));
    Buffer buffer(DataType::of<double>(), {2, rows}, {stride * itemsize, itemsize}, memory, false,
                  nullptr, device);
    return Section(protocol_0_9, std::move(buffer), dimensions);
  }
  DistArray array() const { return section().on(MPI_COMM_WORLD); }
  double at(Index column, Index row) const {
    double found = 0;
    pages().run(memory, [&] { found = memory[column * stride + row]; });
    return found;
  }

  double* const memory;
  const Index stride;
};

double* device_data(const Vectors& x) {
  return const_cast<double*>(x.getLocalViewDevice(Tpetra::Access::ReadOnly).data());
}

TEST(VectorsOnADevice, AreOnTheArraysMemory) {
  const Columns columns;
  auto x = tpetra::import_multivector<double>(columns.array());
  EXPECT_EQ(device_data(*x.get()), columns.memory);
  EXPECT_TRUE(x.get()->need_sync_host());
  EXPECT_FALSE(x.get()->need_sync_device());
  EXPECT_EQ(device_data(*x.get()->getVector(1)), columns.memory + Columns::rows);
  const auto host = x.get()->getLocalViewHost(Tpetra::Access::ReadOnly);
  for (std::size_t j = 0; j < 2; ++j)
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_EQ(host(i, j), Columns::value(static_cast<Index>(4 * j + i)));
}

TEST(VectorsOnADevice, EndWithWhatWasWrittenOnTheHost) {
  const Columns columns;
  const Columns next;
  auto x = tpetra::import_multivector<double>(columns.array());
  x.get()->getLocalViewHost(Tpetra::Access::ReadWrite)(3, 1) = -1;
  EXPECT_EQ(columns.at(1, 3), Columns::value(7));
  x.rebind(next.section());
  EXPECT_EQ(columns.at(1, 3), -1);
  EXPECT_EQ(device_data(*x.get()), next.memory);
  EXPECT_EQ(x.get()->getLocalViewHost(Tpetra::Access::ReadOnly)(3, 1), Columns::value(7));
  x.get()->getLocalViewHost(Tpetra::Access::ReadWrite)(2, 0) = -2;
  x.close();
  EXPECT_EQ(next.at(0, 2), -2);
  EXPECT_EQ(next.at(0, 1), Columns::value(1));
}

TEST(VectorsOnADevice, AreExportedWhereTheirNewestValuesAre) {
  const Columns columns;
  auto x = tpetra::import_multivector<double>(columns.array());
  const DistArray a = tpetra::export_multivector(x.get());
  EXPECT_EQ(a.buffer().space(), device);
  EXPECT_EQ(a.data(), columns.memory);
  EXPECT_THROW(ReadLease{a}, InvalidArgument);
  EXPECT_EQ(ReadLease(a, device).data(), columns.memory);

  x.get()->getLocalViewHost(Tpetra::Access::ReadWrite)(0, 0) = -3;
  EXPECT_THROW((ReadLease(a, device)), Stale);
  EXPECT_THROW(a.modified(), Stale);
  const DistArray on_host = tpetra::export_multivector(x.get());
  EXPECT_TRUE(on_host.buffer().space().host());
  EXPECT_NE(on_host.data(), columns.memory);
  EXPECT_EQ(static_cast<const double*>(ReadLease(on_host).data())[0], -3);

  EXPECT_EQ(device_data(*x.get()), columns.memory);  // Tpetra moves them
  EXPECT_EQ(columns.at(0, 0), -3);
  EXPECT_EQ(ReadLease(a, device).data(), columns.memory);
  pages().run(columns.memory, [&] { columns.memory[0] = -4; });
  a.modified();
  EXPECT_TRUE(x.get()->need_sync_host());
  EXPECT_THROW(ReadLease{on_host}, Stale);
  EXPECT_EQ(x.get()->getLocalViewHost(Tpetra::Access::ReadOnly)(0, 0), -4);
}

TEST(VectorsOnADevice, LearnOfWritesToTheArray) {
  const Columns columns;
  const DistArray a = columns.array();
  auto x = tpetra::import_multivector<double>(a);
  EXPECT_EQ(x.get()->getLocalViewHost(Tpetra::Access::ReadOnly)(1, 0), Columns::value(1));
  pages().run(columns.memory, [&] { columns.memory[1] = -5; });
  a.modified();
  EXPECT_EQ(x.get()->getLocalViewHost(Tpetra::Access::ReadWrite)(1, 0), -5);
  EXPECT_THROW(a.modified(), Stale);
}

TEST(VectorsOnADevice, WantMemoryOfTheDevice) {
  const Columns columns;
  const auto import = [](const Section& section) {
    return [section] { tpetra::import_multivector<double>(section.on(MPI_COMM_WORLD)); };
  };
  const Section other = columns.section().in_space({MemorySpace::cuda, 1}, 0);
  const Section on_host = columns.section().in_space({}, 0);
  expect_refused<NotRepresentable>("tpetra.device", import(on_host));
  const Columns gaps(1);
  expect_refused<NotRepresentable>("tpetra.leading-dimension", import(gaps.section()));
  for (int rank = 0; rank < world_size(); ++rank)
    expect_refused<NotRepresentable>(
        "tpetra.device", import(rank == world_rank() ? other : columns.section()), rank);
  if (world_size() > 1)
    expect_refused<Malformed>("memory.space",
                              import(world_rank() == 1 ? on_host : columns.section()));
}

}  // namespace
}  // namespace daptor::test
