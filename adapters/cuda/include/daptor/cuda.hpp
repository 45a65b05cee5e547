// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>

#include <cuda_runtime_api.h>

#include "daptor/detail/runtime_copies.hpp"
#include "daptor/device.hpp"

/// \file
/// Copies between the host and memory of CUDA devices, for `copy_to_host`, `copy_to_device` and
/// exchanges with the option `through_host`. Needs CUDA's runtime and no compiler of CUDA.

namespace daptor::cuda {

/// Has Daptor copy memory of CUDA, and CUDA's managed memory, by CUDA's runtime: on the stream and
/// the device of the array, and a layer of ghost cells at once (cudaMemcpy2DAsync). What fails is
/// LibraryFailed (rule `library.cuda`), on that process. Process-local; call it on all ranks.
inline void register_device() {
  daptor::detail::RuntimeFunctions runtime;
  runtime.library = "cuda";
  runtime.get_device = [](int* device) { return static_cast<int>(cudaGetDevice(device)); };
  runtime.set_device = [](int device) { return static_cast<int>(cudaSetDevice(device)); };
  runtime.copy = [](void* to, const void* from, std::size_t bytes, int kind, void* stream) {
    return static_cast<int>(cudaMemcpyAsync(to, from, bytes, static_cast<cudaMemcpyKind>(kind),
                                            static_cast<cudaStream_t>(stream)));
  };
  runtime.copy_pitched = [](void* to, std::size_t to_pitch, const void* from,
                            std::size_t from_pitch, std::size_t width, std::size_t height, int kind,
                            void* stream) {
    return static_cast<int>(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height,
                                              static_cast<cudaMemcpyKind>(kind),
                                              static_cast<cudaStream_t>(stream)));
  };
  runtime.synchronize = [](void* stream) {
    return static_cast<int>(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)));
  };
  runtime.text = [](int code) { return cudaGetErrorString(static_cast<cudaError_t>(code)); };
  const auto copies = std::make_shared<daptor::detail::RuntimeCopies>(runtime);
  daptor::register_device(MemorySpace::cuda, copies);
  daptor::register_device(MemorySpace::cuda_managed, copies);
}

}  // namespace daptor::cuda
