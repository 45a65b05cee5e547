// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Kokkos_Core.hpp>

#include "daptor/memory_space.hpp"
#include "daptor/terms.hpp"

namespace daptor::tpetra {

/// Where memory of a space of Kokkos is: `get()` returns its kind, and the number of the device
/// that Kokkos uses on this process. A space that is not named here, and that the host cannot
/// reach, has the number that DLPack keeps for extensions.
template <class Space>
struct PlaceOf {
  static MemorySpace get() {
    constexpr int extension = 12;
    constexpr bool host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, Space>::accessible;
    return {host ? MemorySpace::cpu : extension, 0};
  }
};

#ifdef KOKKOS_ENABLE_CUDA
template <>
struct PlaceOf<Kokkos::CudaSpace> {
  static MemorySpace get() { return {MemorySpace::cuda, Kokkos::Cuda().cuda_device()}; }
};
template <>
struct PlaceOf<Kokkos::CudaUVMSpace> {
  static MemorySpace get() { return {MemorySpace::cuda_managed, Kokkos::Cuda().cuda_device()}; }
};
#endif

#ifdef KOKKOS_ENABLE_HIP
#if KOKKOS_VERSION >= 40000
template <>
struct PlaceOf<Kokkos::HIPSpace> {
  static MemorySpace get() { return {MemorySpace::rocm, Kokkos::HIP().hip_device()}; }
};
#else
template <>
struct PlaceOf<Kokkos::Experimental::HIPSpace> {
  static MemorySpace get() { return {MemorySpace::rocm, Kokkos::Experimental::HIP().hip_device()}; }
};
#endif
#endif

/// Where the vectors of this Tpetra are.
MemorySpace vector_space();

/// Throws NotRepresentable (`tpetra.device`) if that is a device: for what needs the values of a
/// matrix, or of a vector, on the host.
/// @param remedy  a sentence: what to do where this Trilinos cannot be another one; may be empty
void require_host_vectors(const Terms& remedy);

}  // namespace daptor::tpetra
