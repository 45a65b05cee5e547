// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What daptor/cuda.hpp calls of CUDA's runtime, with the same parameters. The test defines the
// functions, on pages that nobody may touch.

#include <cstddef>

using cudaError_t = int;
constexpr cudaError_t cudaSuccess = 0;
using cudaStream_t = struct CUstream_st*;
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };

const char* cudaGetErrorString(cudaError_t code);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
