// SPDX-License-Identifier: BSD-3-Clause
// Every call of the core with arrays in memory of a device: it works, or refuses on all ranks. None
// touches the memory, which would end the test.

#include <gtest/gtest.h>

#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <daptor/conformance.hpp>
#include <daptor/daptor.hpp>

#include "device_array.hpp"
#include "everywhere.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

class DeviceCalls : public ::testing::Test {
 protected:
  static Index size() { return 4 * world_size(); }
  static std::vector<Dimension> line_of_elements() { return {block(size(), line())}; }
  static std::vector<Dimension> padded() { return {block(size(), line(), BlockPadding({1, 1}))}; }

  void refuses(const char* rule, const std::function<void()>& call) {
    SCOPED_TRACE(rule);
    expect_refused_everywhere<InvalidArgument>(rule, call);
  }

  RegisteredDevice device;
  DeviceArray<double> a{device, line_of_elements()}, b{device, line_of_elements()};
  DeviceArray<double> ghosted{device, padded()};
  DeviceArray<bool> mask{device, line_of_elements()};
  DeviceArray<Index> integers{device, line_of_elements()};
  std::vector<double> memory = std::vector<double>(4);
  DistArray host = describe(memory, line_of_elements()).on(MPI_COMM_WORLD);
};

TEST_F(DeviceCalls, WhatNeedsNoElementWorks) {
  const DistArray& array = ghosted;
  require_consistent(array);
  EXPECT_TRUE(validate(array));
  EXPECT_EQ(GlobalIndexMap(array).dimension(0).owned_count(0), 4);
  EXPECT_EQ(LocalIndexMap(array).owned_count(), 4);
  EXPECT_EQ(flatten(a.array()).data(), a.array().data());
  EXPECT_EQ(flatten(a.array()).buffer().space(), a.array().buffer().space());
  EXPECT_EQ(array.as_readonly().buffer().space().device_type, DebugDevice::unknown_type);
  EXPECT_TRUE(array.same_layout(array));
  EXPECT_FALSE(a.array().same_layout(host));
  prove_one_to_one(a);
  EXPECT_EQ(without_padding(array).data(), array.interior_data());
  explain(array);
  EXPECT_EQ(bytes_to_redistribute(a, host), 0);
  EXPECT_TRUE(like(array, layout::natural()).buffer().space().host());
  array.modified();
  std::ostringstream text;
  text << array;
  EXPECT_NE(text.str().find("DLPack's type 77"), std::string::npos) << text.str();

  daptor_array exported = {};
  export_abi(array, &exported);
  EXPECT_EQ(exported.device_type, DebugDevice::unknown_type);
  EXPECT_EQ(exported.device_id, world_rank());
  const Section imported = import_abi(&exported);
  EXPECT_EQ(imported.buffer().space(), array.buffer().space());
  EXPECT_EQ(parse(to_value(array)).array->buffer().space(), array.buffer().space());
  EXPECT_EQ(device->calls(), "");
}

TEST_F(DeviceCalls, LeasesSayInWhichSpace) {
  const MemorySpace space = a.array().buffer().space();
  EXPECT_EQ(ReadLease(a.array(), space).data(), a.array().data());
  EXPECT_EQ(WriteLease(a.array(), space).data(), a.array().data());
  EXPECT_EQ(ReadLease(host, {MemorySpace::cuda_host, 0}).data(), host.data());
  expect_refused<InvalidArgument>("lease.device", [&] { const ReadLease lease(a.array()); });
  expect_refused<InvalidArgument>("lease.device", [&] { const WriteLease lease(a.array()); });
  expect_refused<InvalidArgument>("lease.device", [&] { const ReadLease lease(host, space); });
  expect_refused<InvalidArgument>("lease.device", [&] {
    const ReadLease lease(a.array(), {DebugDevice::unknown_type, 99});
  });
  expect_refused<InvalidArgument>("view.device", [&] { view<double, 1>(a.array()); });
  EXPECT_EQ(device->calls(), "") << "a lease never copies";
}

TEST_F(DeviceCalls, WhatMovesElementsRefuses) {
  refuses("halo.device", [&] { HaloExchange(ghosted.array()); });
  refuses("halo.device", [&] { update_padding(ghosted); });
  refuses("redistribute.device", [&] { redistribute(a, b); });
  refuses("redistribute.device", [&] { redistribute(a, host); });
  refuses("redistribute.device", [&] { redistribute(host, b); });
  refuses("redistribute.device", [&] { redistributed(a, layout::natural()); });
  refuses("redistribute.device", [&] { gather_all<double>(a); });
  refuses("view.device", [&] { sum(a); });
  refuses("view.device", [&] { dot(host, a); });
  refuses("sparse.device", [&] { scan_add(a, b, mask); });
  refuses("sparse.device", [&] { scan_copy(a, b, mask); });
  refuses("sparse.device", [&] { pack(a, mask, b); });
  refuses("sparse.device", [&] { unpack(a, mask, b); });
  refuses("sparse.device", [&] { packed(a, mask); });
  refuses("sparse.device", [&] { enumerate(a, 0.0, 1.0); });
  EXPECT_EQ(device->calls(), "");
}

TEST_F(DeviceCalls, SparseMatricesRefuse) {
  // The identity, in memory of the host, and the same with one part of it on a device.
  std::vector<Index> columns(4);
  for (std::size_t i = 0; i < 4; ++i) columns[i] = 4 * world_rank() + static_cast<Index>(i);
  const std::vector<Index> lengths(4, 1);
  const CsrArrays plain = csr_from_rows(memory, columns, lengths, size(), MPI_COMM_WORLD);
  std::vector<double> result(4);
  const DistArray y = describe(result, line_of_elements()).on(MPI_COMM_WORLD);
  refuses("csr.device", [&] { multiply(plain, a, y); });
  refuses("csr.device", [&] { multiply(plain, host, b); });
  CsrArrays values = plain, indices = plain;
  values.values = a;
  refuses("csr.device", [&] { multiply(values, host, y); });
  indices.columns = integers;
  refuses("lease.device", [&] { require_consistent(indices); });
  EXPECT_EQ(device->calls(), "");
}

TEST_F(DeviceCalls, WithoutADeviceOrWithAnotherKindOnARank) {
  HaloOptions through;
  through.through_host = true;
  const DistArray unknown = ghosted.array().in_space({MemorySpace::cuda, 0});
  refuses("halo.device", [&] { HaloExchange(unknown, through); });
  expect_refused<InvalidArgument>("copy.device", [&] { copy_to_host(unknown); });
  expect_refused<InvalidArgument>("device.host",
                                  [] { register_device(MemorySpace::cpu, nullptr); });
  if (world_size() == 1) return;
  // Each rank may have a device of its own, but all have one kind.
  const bool last = world_rank() == world_size() - 1;
  const DistArray mixed = last ? a.array() : host;
  const std::string text =
      expect_refused_everywhere<Malformed>("memory.space", [&] { require_consistent(mixed); });
  EXPECT_NE(text.find("memory of the host on rank 0"), std::string::npos) << text;
  EXPECT_FALSE(validate(mixed));
  // A rank without elements has memory of any kind.
  const auto all_on_the_last =
      describe(static_cast<double*>(nullptr), {block(4, line(), {0, last ? 4 : 0})})
          .on(MPI_COMM_WORLD);
  require_consistent(last ? all_on_the_last.in_space({DebugDevice::unknown_type, 0})
                          : all_on_the_last);
}

}  // namespace
