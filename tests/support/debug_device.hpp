// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A device without a device: its memory is pages of the host that nobody may touch, so that an
// access which should not happen ends the test. Copies are queued, as on a device, and made by the
// fence, so that a missing fence leaves old values.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include <daptor/device.hpp>

namespace daptor::test {

class DebugDevice final : public Device {
 public:
  /// A type that is no device of DLPack's.
  static constexpr int unknown_type = 77;

  explicit DebugDevice(int device_type = unknown_type, Stream own_stream = 42)
      : type(device_type), stream(own_stream) {}
  ~DebugDevice() override {
    for (const auto& [start, bytes] : regions_) munmap(start, bytes);
  }
  DebugDevice(const DebugDevice&) = delete;
  DebugDevice& operator=(const DebugDevice&) = delete;

  /// Memory that lives as long as the device.
  void* allocate(std::size_t bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t whole = (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
    void* const memory =
        mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    regions_.emplace(static_cast<std::byte*>(memory), whole);
    return memory;
  }
  template <class T>
  T* allocate_as(std::size_t count) {
    return static_cast<T*>(allocate(count * sizeof(T)));
  }

  /// Whether the address is in memory that was allocated here.
  bool has(const void* address) const {
    const auto* const byte = static_cast<const std::byte*>(address);
    const auto after = regions_.upper_bound(const_cast<std::byte*>(byte));
    if (after == regions_.begin()) return false;
    const auto& [start, bytes] = *std::prev(after);
    return byte < start + bytes;
  }
  /// What a kernel would do: the memory around the address can be used meanwhile.
  template <class F>
  void run(const void* address, F&& kernel) {
    const Open open(*this, address);
    kernel();
  }

  void copy_to_host(void* to, const void* from, std::size_t bytes, const Place& place) override {
    queue("h", place, from, [=] { std::memcpy(to, from, bytes); });
    copied_ += bytes;
  }
  void copy_to_device(void* to, const void* from, std::size_t bytes, const Place& place) override {
    queue("d", place, to, [=] { std::memcpy(to, from, bytes); });
    copied_ += bytes;
  }
  void fence(const Place& place) override {
    note("f", place);
    auto& work = queues_[{place.space.device_id, place.stream}];
    for (const Work& each : work) {
      const Open open(*this, each.device);
      each.copy();
    }
    work.clear();
  }

  const int type;
  const Stream stream;

  /// What was called since the last time: h and d for runs of copies to the host and to the device,
  /// f for a fence, each with the number of the stream if it is not that of the device.
  std::string calls() { return std::exchange(calls_, ""); }
  /// Bytes copied since the last time.
  std::size_t copied() { return std::exchange(copied_, 0); }

 private:
  struct Work {
    const void* device;
    std::function<void()> copy;
  };
  /// Takes the protection from one region.
  class Open {
   public:
    Open(const DebugDevice& device, const void* address) {
      auto after = device.regions_.upper_bound(static_cast<std::byte*>(const_cast<void*>(address)));
      if (after == device.regions_.begin())
        throw std::logic_error("an address that is not of the device");
      region_ = &*--after;
      mprotect(region_->first, region_->second, PROT_READ | PROT_WRITE);
    }
    ~Open() { mprotect(region_->first, region_->second, PROT_NONE); }
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;

   private:
    const std::pair<std::byte* const, std::size_t>* region_;
  };

  void note(const char* call, const Place& place) {
    if (place.space.device_type != type) throw std::logic_error("the place of another device");
    std::string text = call;
    if (place.stream != stream) text += std::to_string(place.stream);
    if (calls_.size() < text.size() ||
        calls_.compare(calls_.size() - text.size(), text.size(), text) != 0 || text[0] == 'f')
      calls_ += text;
  }
  void queue(const char* call, const Place& place, const void* device, std::function<void()> copy) {
    note(call, place);
    queues_[{place.space.device_id, place.stream}].push_back({device, std::move(copy)});
  }

  std::map<std::byte*, std::size_t> regions_;
  std::map<std::pair<int, Stream>, std::vector<Work>> queues_;
  std::string calls_;
  std::size_t copied_ = 0;
};

/// Makes a debug device known as long as the object lives.
class RegisteredDevice {
 public:
  template <class... Arguments>
  explicit RegisteredDevice(Arguments... arguments)
      : device_(std::make_shared<DebugDevice>(arguments...)) {
    register_device(device_->type, device_);
  }
  ~RegisteredDevice() { register_device(device_->type, nullptr); }
  RegisteredDevice(const RegisteredDevice&) = delete;
  RegisteredDevice& operator=(const RegisteredDevice&) = delete;

  DebugDevice* operator->() const { return device_.get(); }

 private:
  std::shared_ptr<DebugDevice> device_;
};

}  // namespace daptor::test
