// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

namespace daptor {

/// The place of memory, in DLPack's numbering.
struct MemorySpace {
  /// Values of `device_type` that have a name; any other number is a device too.
  enum DeviceType : int {
    cpu = 1,
    cuda = 2,
    cuda_host = 3,  ///< memory of the host, pinned for CUDA
    opencl = 4,
    vulkan = 7,
    metal = 8,
    rocm = 10,
    rocm_host = 11,  ///< memory of the host, pinned for ROCm
    cuda_managed = 13,
    oneapi = 14
  };

  int device_type = cpu;
  int device_id = 0;  ///< number of the device among those of its type, on this process

  /// Whether the host can read and write the memory at any time. Managed memory does not count,
  /// because the host must wait for kernels that use it.
  bool host() const {
    return device_type == cpu || device_type == cuda_host || device_type == rocm_host;
  }
  /// A phrase for messages: "memory of a CUDA device".
  std::string kind() const;
  /// The same with the number of the device: "memory of a CUDA device (number 0)".
  std::string name() const;

  friend bool operator==(MemorySpace a, MemorySpace b) {
    return a.device_type == b.device_type && a.device_id == b.device_id;
  }
  friend bool operator!=(MemorySpace a, MemorySpace b) { return !(a == b); }
};

/// A queue of work on a device, by the number that Python's array API gives it: the address of the
/// device library's handle, or 1 and 2 for CUDA's default streams. 0 stands for none: all work on
/// the memory is complete.
using Stream = std::uintptr_t;

}  // namespace daptor
