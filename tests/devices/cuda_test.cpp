// SPDX-License-Identifier: BSD-3-Clause
// daptor/cuda.hpp with functions of CUDA that work on a debug device.

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include <daptor/cuda.hpp>
#include <daptor/daptor.hpp>

#include "device_array.hpp"
#include "everywhere.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

/// What CUDA was asked for.
struct Asked {
  DebugDevice* device = nullptr;
  int current = 7;  // the device of this thread
  int others = 0;   // calls while another device than the array's was current
  int copies = 0;   // cudaMemcpyAsync
  int pitched = 0;  // cudaMemcpy2DAsync
  bool failing = false;
  std::vector<std::function<void()>> queue;
};
Asked asked;

cudaError_t queue_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                       cudaStream_t stream) {
  if (asked.failing) return 3;
  if (asked.current != world_rank() || stream != reinterpret_cast<cudaStream_t>(Stream{42}))
    ++asked.others;
  asked.queue.emplace_back([=] {
    asked.device->run(kind == cudaMemcpyHostToDevice ? to : from,
                      [=] { std::memcpy(to, from, bytes); });
  });
  return cudaSuccess;
}

}  // namespace

const char* cudaGetErrorString(cudaError_t) {
  return "planted";
}
cudaError_t cudaGetDevice(int* device) {
  *device = asked.current;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  asked.current = device;
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  ++asked.copies;
  return queue_copy(to, from, bytes, kind, stream);
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  ++asked.pitched;
  for (std::size_t i = 0; i < height; ++i)
    if (const auto code =
            queue_copy(static_cast<char*>(to) + i * to_pitch,
                       static_cast<const char*>(from) + i * from_pitch, width, kind, stream))
      return code;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  for (const auto& copy : std::exchange(asked.queue, {})) copy();
  return cudaSuccess;
}

namespace {

class CudaCopies : public ::testing::Test {
 protected:
  CudaCopies() {
    asked = Asked();
    asked.device = device.operator->();
    cuda::register_device();
  }
  ~CudaCopies() override {
    register_device(MemorySpace::cuda_managed, nullptr);
    EXPECT_EQ(asked.current, 7) << "the thread's device is another one now";
    EXPECT_EQ(asked.others, 0);
  }
  RegisteredDevice device{MemorySpace::cuda};
};

TEST_F(CudaCopies, ALayerOfGhostsIsOneCall) {
  const std::vector<Dimension> dimensions{
      undistributed(50), block(4 * world_size(), line(), BlockPadding::ghosts({1, 1}))};
  const auto values = numbers<double>(static_cast<std::size_t>(local_count(dimensions)));
  DeviceArray<double> on_device(device, dimensions);
  on_device.set(values);
  auto expected = values;
  update_padding(describe(expected, dimensions, Order::c).on(MPI_COMM_WORLD));
  HaloOptions options;
  options.through_host = true;
  update_padding(on_device.array(), options);
  EXPECT_EQ(on_device.values(), expected);
  EXPECT_EQ(asked.copies, 0);
  EXPECT_LE(asked.pitched, 4) << "two columns down and two up";
}

TEST_F(CudaCopies, RunsOfOtherLengthsOrDistancesAreNotJoined) {
  const std::vector<ByteRun> runs{{0, 8},   {16, 8},   {32, 8}, {56, 16},
                                  {80, 16}, {200, 16}, {240, 8}};
  auto* const there = device->allocate_as<std::byte>(256);
  std::vector<std::byte> sent(256, std::byte{5});
  std::vector<std::byte> back(256, std::byte{0});
  const Device::Place place{{MemorySpace::cuda, world_rank()}, 42};
  const auto copies = device_of(place.space);
  copies->copy_runs_to_device(there, sent.data(), runs, place);
  copies->copy_runs_to_host(back.data(), there, runs, place);
  copies->fence(place);
  EXPECT_EQ(asked.pitched, 4);
  EXPECT_EQ(asked.copies, 4);
  for (std::size_t i = 0; i < back.size(); ++i) {
    bool in_run = false;
    for (const ByteRun& run : runs)
      in_run = in_run || (static_cast<Index>(i) >= run.offset &&
                          static_cast<Index>(i) < run.offset + run.bytes);
    EXPECT_EQ(back[i], in_run ? std::byte{5} : std::byte{0}) << i;
  }
}

TEST_F(CudaCopies, AFailureIsAnError) {
  DeviceArray<double> on_device(device, {block(4 * world_size(), line())});
  asked.failing = true;
  const auto text =
      expect_refused<LibraryFailed>("library.cuda", [&] { copy_to_host(on_device.array()); });
  EXPECT_NE(text.find("planted"), std::string::npos) << text;
}

}  // namespace
