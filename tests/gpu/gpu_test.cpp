// SPDX-License-Identifier: BSD-3-Clause
// Arrays in memory of a real device of CUDA, and Vecs of PETSc on it.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>
#include <petscvec.h>

#include <daptor/cuda.hpp>
#include <daptor/daptor.hpp>
#include <daptor/petsc.hpp>
#include <daptor/petsc/device.hpp>

#include "everywhere.hpp"

#if !defined(PETSC_HAVE_CUDA)
#error "a PETSc without CUDA"
#endif

namespace {

using namespace daptor;
using namespace daptor::test;

void check(cudaError_t code, const char* function) {
  ASSERT_EQ(static_cast<int>(code), 0) << function << ": " << cudaGetErrorString(code);
}

MemorySpace device() {
  int number = 0;
  check(cudaGetDevice(&number), "cudaGetDevice");
  return {MemorySpace::cuda, number};
}

/// Memory of the device, a stream, and an array on them.
class OnDevice {
 public:
  explicit OnDevice(const std::vector<Dimension>& dimensions)
      : count_(static_cast<std::size_t>(local_count(dimensions))) {
    check(cudaMalloc(&memory_, (count_ + 1) * sizeof(PetscScalar)), "cudaMalloc");
    check(cudaStreamCreate(&stream_), "cudaStreamCreate");
    array_ = describe(data(), static_cast<Index>(count_), dimensions, Order::c)
                 .in_space(device(), reinterpret_cast<Stream>(stream_))
                 .on(MPI_COMM_WORLD);
  }
  ~OnDevice() {
    array_ = DistArray();
    cudaStreamDestroy(stream_);
    cudaFree(memory_);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  PetscScalar* data() const { return static_cast<PetscScalar*>(memory_); }
  const DistArray& array() const { return array_; }
  cudaStream_t stream() const { return stream_; }
  void set(const std::vector<PetscScalar>& values) const {
    check(cudaMemcpy(memory_, values.data(), bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  std::vector<PetscScalar> values() const {
    std::vector<PetscScalar> values(count_);
    check(cudaMemcpy(values.data(), memory_, bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return values;
  }

 private:
  std::size_t bytes() const { return count_ * sizeof(PetscScalar); }

  std::size_t count_;
  void* memory_ = nullptr;
  cudaStream_t stream_ = nullptr;
  DistArray array_;
};

std::vector<PetscScalar> numbers(const std::vector<Dimension>& dimensions) {
  std::vector<PetscScalar> values(static_cast<std::size_t>(local_count(dimensions)));
  std::iota(values.begin(), values.end(), PetscScalar(1000 * (world_rank() + 1)));
  return values;
}

std::vector<Dimension> rows() {
  return {block(4 * world_size(), line())};
}

class Gpu : public ::testing::Test {
 protected:
  Gpu() { cuda::register_device(); }
};

TEST_F(Gpu, CopiesComeAfterTheWorkOnTheStream) {
  const OnDevice on_device(rows());
  on_device.set(numbers(rows()));
  const auto sleep = [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(200)); };
  check(cudaLaunchHostFunc(on_device.stream(), sleep, nullptr), "cudaLaunchHostFunc");
  check(cudaMemsetAsync(on_device.data(), 0, sizeof(PetscScalar), on_device.stream()), "memset");
  const Section copy = copy_to_host(on_device.array());
  const auto* const found = static_cast<const PetscScalar*>(copy.data());
  EXPECT_EQ(found[0], PetscScalar(0));
  EXPECT_EQ(found[3], numbers(rows())[3]);
}

TEST_F(Gpu, ExchangesGoThroughTheHost) {
  const std::vector<Dimension> padded{
      undistributed(9), block(4 * world_size(), line(), BlockPadding::ghosts({1, 1}))};
  const OnDevice on_device(padded);
  const auto values = numbers(padded);
  on_device.set(values);
  auto expected = values;
  update_padding(describe(expected, padded, Order::c).on(MPI_COMM_WORLD));
  HaloOptions options;
  EXPECT_THROW(update_padding(on_device.array(), options), InvalidArgument);
  options.through_host = true;
  update_padding(on_device.array(), options);
  EXPECT_EQ(on_device.values(), expected);

  const std::vector<Dimension> across{block(9, line()), undistributed(4 * world_size())};
  const OnDevice there(across);
  std::vector<PetscScalar> wanted(static_cast<std::size_t>(local_count(across)));
  redistribute(describe(expected, padded, Order::c).on(MPI_COMM_WORLD),
               describe(wanted, across, Order::c).on(MPI_COMM_WORLD));
  RedistributionOptions moved;
  moved.through_host = true;
  redistribute(on_device.array(), there.array(), moved);
  EXPECT_EQ(there.values(), wanted);
}

TEST_F(Gpu, AVecOfPetscIsOnTheMemory) {
  const OnDevice on_device(rows());
  on_device.set(numbers(rows()));
  auto vec = petsc::import_vec(on_device.array());
  const PetscScalar* memory = nullptr;
  PetscMemType type = PETSC_MEMTYPE_HOST;
  ASSERT_EQ(static_cast<int>(VecGetArrayReadAndMemType(vec.get(), &memory, &type)), 0);
  EXPECT_EQ(memory, on_device.data());
  EXPECT_TRUE(PetscMemTypeDevice(type));
  ASSERT_EQ(static_cast<int>(VecRestoreArrayReadAndMemType(vec.get(), &memory)), 0);
  ASSERT_EQ(static_cast<int>(VecScale(vec.get(), PetscScalar(2))), 0);
  vec.close();
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  auto doubled = numbers(rows());
  for (PetscScalar& value : doubled) value *= PetscScalar(2);
  EXPECT_EQ(on_device.values(), doubled);
}

TEST_F(Gpu, AVecIsDescribedWhereItsNewestValuesAre) {
  Vec vec = nullptr;
  ASSERT_EQ(static_cast<int>(VecCreate(MPI_COMM_WORLD, &vec)), 0);
  ASSERT_EQ(static_cast<int>(VecSetSizes(vec, 4, PETSC_DECIDE)), 0);
  ASSERT_EQ(static_cast<int>(VecSetType(vec, VECCUDA)), 0);
  ASSERT_EQ(static_cast<int>(VecSet(vec, PetscScalar(3))), 0);
  {
    const DistArray a = petsc::export_vec(vec);
    EXPECT_EQ(a.buffer().space(), device());
    EXPECT_THROW(ReadLease{a}, InvalidArgument);
    EXPECT_EQ(static_cast<const PetscScalar*>(copy_to_host(a).data())[3], PetscScalar(3));
    PetscScalar* values = nullptr;
    ASSERT_EQ(static_cast<int>(VecGetArray(vec, &values)), 0);
    values[3] = PetscScalar(4);
    ASSERT_EQ(static_cast<int>(VecRestoreArray(vec, &values)), 0);
    EXPECT_THROW((ReadLease{a, device()}), Stale);
    petsc::move_to_device(vec);
    EXPECT_EQ(static_cast<const PetscScalar*>(copy_to_host(a).data())[3], PetscScalar(4));
  }
  ASSERT_EQ(static_cast<int>(VecDestroy(&vec)), 0);
}

}  // namespace
