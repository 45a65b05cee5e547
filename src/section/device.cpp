// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/device.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "daptor/adapter/reason.hpp"

namespace daptor {
namespace {

struct Registered {
  std::mutex mutex;
  std::map<int, std::shared_ptr<Device>> devices;
};

/// Never destroyed, because arrays may outlive everything static.
Registered& registered() {
  static auto* const all = new Registered;
  return *all;
}

}  // namespace

void Device::copy_runs_to_host(std::byte* to, const std::byte* from,
                               const std::vector<ByteRun>& runs, const Place& place) {
  for (const ByteRun& run : runs)
    copy_to_host(to + run.offset, from + run.offset, static_cast<std::size_t>(run.bytes), place);
}

void Device::copy_runs_to_device(std::byte* to, const std::byte* from,
                                 const std::vector<ByteRun>& runs, const Place& place) {
  for (const ByteRun& run : runs)
    copy_to_device(to + run.offset, from + run.offset, static_cast<std::size_t>(run.bytes), place);
}

void register_device(int device_type, std::shared_ptr<Device> device) {
  if (MemorySpace{device_type}.host())
    adapter::refuse_argument("device.host", MemorySpace{device_type}.name(),
                             "the type of a device whose memory the host cannot reach");
  Registered& all = registered();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (device)
    all.devices[device_type].swap(device);
  else
    all.devices.erase(device_type);
}

std::shared_ptr<Device> device_of(MemorySpace space) {
  Registered& all = registered();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.devices.find(space.device_type);
  return found == all.devices.end() ? nullptr : found->second;
}

}  // namespace daptor
