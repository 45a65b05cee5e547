// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "daptor/memory_space.hpp"
#include "daptor/types.hpp"

/// \file
/// What Daptor must know of a kind of device to copy elements between its memory and the host's.
/// Nothing else needs it: arrays in device memory are described, proven and handed over without it.

namespace daptor {

/// Consecutive bytes, at a distance from the first element of an array.
struct ByteRun {
  Index offset = 0;  ///< in bytes, may be negative
  Index bytes = 0;

  friend bool operator==(ByteRun a, ByteRun b) {
    return a.offset == b.offset && a.bytes == b.bytes;
  }
};

/// The copies between the host and one kind of device. `daptor/cuda.hpp` has those of CUDA. A
/// program, or an adapter of a device library, derives from it and registers one object.
///
/// \code
/// struct Hip final : daptor::Device {
///   void copy_to_host(void* to, const void* from, std::size_t bytes,
///                     const Place& place) override {
///     hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToHost, stream_of(place));
///   }
///   void copy_to_device(void* to, const void* from, std::size_t bytes,
///                       const Place& place) override {
///     hipMemcpyAsync(to, from, bytes, hipMemcpyHostToDevice, stream_of(place));
///   }
///   void fence(const Place& place) override { hipStreamSynchronize(stream_of(place)); }
/// };
/// daptor::register_device(daptor::MemorySpace::rocm, std::make_shared<Hip>());
/// \endcode
///
/// All functions are process-local, and may be called by any thread. What they throw is thrown by
/// the call of Daptor that copies, on that rank.
class Device {
 public:
  /// The device's side of a copy.
  struct Place {
    MemorySpace space;
    Stream stream = 0;
  };

  virtual ~Device() = default;
  /// \name Copies of consecutive bytes
  /// They are queued on the stream of `place`, behind the work that is already there, and need not
  /// be complete before `fence` returns. Until then neither side is touched.
  /// \{
  virtual void copy_to_host(void* to, const void* from, std::size_t bytes, const Place& place) = 0;
  virtual void copy_to_device(void* to, const void* from, std::size_t bytes,
                              const Place& place) = 0;
  /// \}
  /// Waits until everything queued on the stream of `place` is complete.
  virtual void fence(const Place& place) = 0;

  /// \name Copies of many runs of bytes, which have the same offsets on both sides
  /// By default one copy each. A device whose copies cost much to start packs them by a kernel.
  /// @param to, from  the first elements of the array in memory of the host and of the device
  /// \{
  virtual void copy_runs_to_host(std::byte* to, const std::byte* from,
                                 const std::vector<ByteRun>& runs, const Place& place);
  virtual void copy_runs_to_device(std::byte* to, const std::byte* from,
                                   const std::vector<ByteRun>& runs, const Place& place);
  /// \}
};

/// Makes known how memory of a kind of device is copied. Process-local.
/// @param device_type  as in MemorySpace; not a type of host memory
/// @param device       replaces what was registered before; null takes it away
/// @throws InvalidArgument (`device.host`) for a type of host memory
void register_device(int device_type, std::shared_ptr<Device> device);

/// What was registered for the space's type of device; null if nothing was. Process-local.
std::shared_ptr<Device> device_of(MemorySpace space);

}  // namespace daptor
