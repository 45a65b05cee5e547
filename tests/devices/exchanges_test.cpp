// SPDX-License-Identifier: BSD-3-Clause
// Exchanges of arrays in memory of a device, through the host: the same elements as those of the
// same arrays in the host's memory, and no byte more on the way than what is exchanged.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <daptor/daptor.hpp>

#include "device_array.hpp"
#include "everywhere.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

/// An array of the host and its twin on a device, with the same values.
struct Twins {
  Twins(const RegisteredDevice& registered, const std::vector<Dimension>& dimensions,
        Order order = Order::c)
      : device(registered, dimensions, order),
        values(numbers<double>(static_cast<std::size_t>(local_count(dimensions)))),
        host(describe(values, dimensions, order).on(MPI_COMM_WORLD)) {
    device.set(values);
  }
  void expect_equal(const char* what) const { EXPECT_EQ(device.values(), values) << what; }

  DeviceArray<double> device;
  std::vector<double> values;
  DistArray host;
};

std::vector<Dimension> padded_rows() {
  return {block(4 * world_size() + 1, line(), BlockPadding::ghosts({2, 1})), undistributed(5)};
}

/// Each rank owns three indices, and has those next to them as ghosts.
std::vector<Dimension> ghosts_first_and_last() {
  const Index size = 3 * world_size();
  const Index first = 3 * world_rank();
  std::vector<Index> indices{first + 2, first, first + 1};
  if (world_size() > 1) {
    indices.push_back((first + 3) % size);
    if (world_size() > 2) indices.push_back((first + size - 1) % size);
  }
  return {owned_then_ghosts(size, line(), IndexList(indices), 3)};
}

HaloOptions through_host() {
  HaloOptions options;
  options.through_host = true;
  return options;
}

class DeviceExchanges : public ::testing::Test {
 protected:
  RegisteredDevice device;
};

TEST_F(DeviceExchanges, UpdateAndAccumulate) {
  for (const auto& dimensions : {padded_rows(), ghosts_first_and_last()}) {
    Twins twins(device, dimensions);
    device->calls();
    HaloExchange of_host(twins.host), of_device(twins.device.array(), through_host());
    EXPECT_EQ(device->calls(), "") << "a plan needs no copy";
    of_host.update();
    of_device.update();
    twins.expect_equal("update");
    of_host.accumulate(Combine::sum);
    of_device.accumulate(Combine::sum);
    twins.expect_equal("accumulate");
  }
}

TEST_F(DeviceExchanges, OnlyWhatIsExchangedIsCopied) {
  Twins twins(device, padded_rows());
  HaloExchange halo(twins.device.array(), through_host());
  device->copied();
  halo.begin();
  const bool sends = halo.bytes_sent() > 0, receives = halo.bytes_received() > 0;
  EXPECT_EQ(device->calls(), sends ? "hf" : "");
  EXPECT_EQ(device->copied(), static_cast<std::size_t>(halo.bytes_sent()));
  halo.end();
  EXPECT_EQ(device->calls(), receives ? "df" : "");
  EXPECT_EQ(device->copied(), static_cast<std::size_t>(halo.bytes_received()));
}

TEST_F(DeviceExchanges, BatchesAndOtherMemory) {
  Twins a(device, padded_rows()), b(device, padded_rows()), c(device, padded_rows());
  HaloExchange of_host({a.host, b.host}),
      of_device({a.device.array(), b.device.array()}, through_host());
  of_host.update();
  of_device.update();
  a.expect_equal("the first of a batch");
  b.expect_equal("the second of a batch");
  of_host.rebind({c.host, a.host});
  of_device.rebind({c.device.array(), a.device.array()});
  of_host.update();
  of_device.update();
  c.expect_equal("after rebind");
  expect_refused("halo.layout", [&] { of_device.rebind({c.host, a.host}); });
}

TEST_F(DeviceExchanges, RedistributionsInBothDirections) {
  RedistributionOptions options;
  options.through_host = true;
  Twins from(device, padded_rows());
  const std::vector<Dimension> tiles{cyclic(from.host.global_shape()[0], line(), 2),
                                     undistributed(5)};
  Twins to(device, tiles, Order::fortran);
  Redistribution of_host(from.host, to.host);
  Redistribution of_device(from.device.array(), to.device.array(), options);
  EXPECT_EQ(device->calls(), "");
  of_host.run();
  of_device.run();
  to.expect_equal("run");
  const Transform transform{2, false, 0.5};
  of_host.run(transform);
  of_device.run(transform);
  to.expect_equal("a transform that keeps");
  of_host.run_back();
  of_device.run_back();
  from.expect_equal("run_back");
  // Between a device and the host, and with other elements.
  std::vector<float> floats(static_cast<std::size_t>(local_count(tiles)));
  const auto host = describe(floats, tiles).on(MPI_COMM_WORLD);
  options.convert = true;
  redistribute(from.device.array(), host, options);
  std::vector<float> expected(floats.size());
  RedistributionOptions convert;
  convert.convert = true;
  redistribute(from.host, describe(expected, tiles).on(MPI_COMM_WORLD), convert);
  EXPECT_EQ(floats, expected);
}

TEST_F(DeviceExchanges, CopiesByName) {
  Twins twins(device, padded_rows());
  const DistArray copy = copy_to_host(twins.device.array());
  EXPECT_TRUE(copy.buffer().space().host());
  EXPECT_EQ(copy.byte_strides(), twins.host.byte_strides());
  const auto* values = static_cast<const double*>(copy.data());
  EXPECT_EQ(std::vector<double>(values, values + copy.local_count()), twins.values);
  EXPECT_EQ(device->calls(), "hf");

  for (double& value : twins.values) value += 1;
  copy_to_device(twins.host, twins.device.array());
  EXPECT_EQ(device->calls(), "df");
  twins.expect_equal("copy_to_device");
  // Of the host's memory, it is a copy like any other.
  const DistArray again = copy_to_host(twins.host);
  EXPECT_NE(again.data(), twins.host.data());
  expect_refused("copy.layout", [&] {
    copy_to_device(twins.host, DeviceArray<float>(device, padded_rows()).array());
  });
  expect_refused("lease.memory", [&] { copy_to_host(twins.device.array().with_memory(nullptr)); });
}

TEST_F(DeviceExchanges, TheStreamIsThatOfAllCopies) {
  const DeviceArray<double> a(device, padded_rows());
  const DistArray copy = a.array();
  a.array().buffer().state()->set_stream(7);
  EXPECT_EQ(copy.buffer().state()->stream(), 7U);
  copy_to_host(copy);
  EXPECT_EQ(device->calls(), "h7f7");
}

}  // namespace
