// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/copy_to_host.hpp"

#include <cstddef>
#include <memory>
#include <vector>

#include "daptor/adapter/names.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/device.hpp"
#include "daptor/lease.hpp"
#include "exchange/host_mirror.hpp"

namespace daptor {
namespace {

/// What copies the array's memory; for memory of the host, a device that the host is.
std::shared_ptr<Device> copier_of(const Section& array) {
  const MemorySpace space = array.buffer().space();
  if (space.host()) return detail::host_as_device();
  std::shared_ptr<Device> device = device_of(space);
  if (!device)
    adapter::refuse_argument("copy.device", space.name(),
                             "memory of a device that Daptor can copy from and to",
                             names::register_device);
  return device;
}

Device::Place place_of(const Section& array) {
  return {array.buffer().space(), array.buffer().state()->stream()};
}

}  // namespace

Section copy_to_host(const Section& array) {
  if (!array.described()) return array;
  const ReadLease lease(array, array.buffer().space());
  const auto device = copier_of(array);
  Section host = detail::host_memory_like(array);
  device->copy_runs_to_host(static_cast<std::byte*>(host.mutable_data()),
                            static_cast<const std::byte*>(array.data()), detail::all_bytes(array),
                            place_of(array));
  device->fence(place_of(array));
  return host;
}

void copy_to_device(const Section& host, const Section& device) {
  if (!host.same_layout(device.in_space(host.buffer().space())))
    adapter::refuse_argument(
        "copy.layout", "two sections of different layouts",
        "the same type, shape, strides and dimensions",
        "Copy from what " + names::copy_to_host + " has made of the same array.");
  const ReadLease read(host);
  WriteLease written(device, device.buffer().space());
  const auto copier = copier_of(device);
  copier->copy_runs_to_device(static_cast<std::byte*>(device.mutable_data()),
                              static_cast<const std::byte*>(host.data()), detail::all_bytes(device),
                              place_of(device));
  copier->fence(place_of(device));
  written.close();
}

}  // namespace daptor
