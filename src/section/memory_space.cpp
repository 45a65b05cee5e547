// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/memory_space.hpp"

namespace daptor {
namespace {

const char* name_of(int device_type) {
  switch (device_type) {
    case MemorySpace::cuda:
      return "CUDA";
    case MemorySpace::opencl:
      return "OpenCL";
    case MemorySpace::vulkan:
      return "Vulkan";
    case MemorySpace::metal:
      return "Metal";
    case MemorySpace::rocm:
      return "ROCm";
    case MemorySpace::oneapi:
      return "oneAPI";
    default:
      return nullptr;
  }
}

}  // namespace

std::string MemorySpace::kind() const {
  if (device_type == cpu) return "memory of the host";
  if (device_type == cuda_host) return "memory of the host, pinned for CUDA";
  if (device_type == rocm_host) return "memory of the host, pinned for ROCm";
  if (device_type == cuda_managed) return "managed memory of a CUDA device";
  if (const char* name = name_of(device_type))
    return std::string("memory of a ") + name + " device";
  return "memory of a device of DLPack's type " + std::to_string(device_type);
}

std::string MemorySpace::name() const {
  return host() ? kind() : kind() + " (number " + std::to_string(device_id) + ")";
}

}  // namespace daptor
