// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Tpetra as a Trilinos for CUDA has it, in one that has no device: the default node's vectors are
// in a memory space of Kokkos that the host cannot reach, over pages that nobody may touch. To be
// included before anything of Tpetra or of the adapter. What Tpetra has compiled for its own node
// does not serve this one, so all of it is compiled with the program.

#include <cstddef>
#include <cstring>

#include <KokkosCompat_ClassicNodeAPI_Wrapper.hpp>
#include <Kokkos_Core.hpp>

#include <daptor/memory_space.hpp>
#include <daptor/tpetra/adapter/space.hpp>

#include "debug_device.hpp"

namespace daptor::test {

struct SpaceName {
  static constexpr const char* get_name() { return "Daptor's debug device"; }
};
using DeviceSpace = Kokkos::Experimental::LogicalMemorySpace<
    Kokkos::HostSpace, Kokkos::Serial, SpaceName,
    Kokkos::Experimental::LogicalSpaceSharesAccess::no_shared_access>;
using DeviceNode = Kokkos::Compat::KokkosDeviceWrapperNode<Kokkos::Serial, DeviceSpace>;

/// The device whose pages the vectors are on.
inline DebugDevice& pages() {
  static DebugDevice device(MemorySpace::cuda);
  return device;
}

/// Kokkos' copy to or from an address of this space, most of which Kokkos has allocated itself.
inline void copy_in_space(void* to, const void* from, std::size_t bytes) {
  const auto copy = [=] { std::memcpy(to, from, bytes); };
  if (pages().has(to))
    pages().run(to, copy);
  else if (pages().has(from))
    pages().run(from, copy);
  else
    copy();
}

}  // namespace daptor::test

template <>
struct daptor::tpetra::PlaceOf<daptor::test::DeviceSpace> {
  static MemorySpace get() { return {MemorySpace::cuda, 0}; }
};

namespace Kokkos {

// The execution space of this node is the host's, which cannot reach its memory: Tpetra's tables of
// Maps, which are not in pages, ask for it.
template <>
struct SpaceAccessibility<daptor::test::DeviceSpace, daptor::test::DeviceSpace> {
  enum : bool { assignable = true, accessible = true, deepcopy = true };
  using space = daptor::test::DeviceSpace;
};

namespace Impl {
struct CopyInSpace {
  CopyInSpace(void* to, const void* from, std::size_t bytes) {
    daptor::test::copy_in_space(to, from, bytes);
  }
  template <class Execution>
  CopyInSpace(const Execution&, void* to, const void* from, std::size_t bytes)
      : CopyInSpace(to, from, bytes) {}
};
template <class Execution>
struct DeepCopy<daptor::test::DeviceSpace, daptor::test::DeviceSpace, Execution> : CopyInSpace {
  using CopyInSpace::CopyInSpace;
};
template <class Execution>
struct DeepCopy<daptor::test::DeviceSpace, HostSpace, Execution> : CopyInSpace {
  using CopyInSpace::CopyInSpace;
};
template <class Execution>
struct DeepCopy<HostSpace, daptor::test::DeviceSpace, Execution> : CopyInSpace {
  using CopyInSpace::CopyInSpace;
};
}  // namespace Impl

namespace Compat {
using DaptorDeviceNode = daptor::test::DeviceNode;
template <>
inline std::string DaptorDeviceNode::name() {
  return "Daptor's debug device";
}
}  // namespace Compat
}  // namespace Kokkos

#define KokkosSerialWrapperNode DaptorDeviceNode
#define KokkosOpenMPWrapperNode DaptorDeviceNode
#include <Tpetra_Details_DefaultTypes.hpp>
#undef KokkosOpenMPWrapperNode
#undef KokkosSerialWrapperNode

#include <Tpetra_Map.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Vector.hpp>
// The definitions need the declarations above.
#include <Tpetra_Details_FixedHashTable_def.hpp>
#include <Tpetra_Details_Transfer_def.hpp>
#include <Tpetra_Directory_def.hpp>
#include <Tpetra_DistObject_def.hpp>
#include <Tpetra_Map_def.hpp>
#include <Tpetra_MultiVector_def.hpp>
#include <Tpetra_Vector_def.hpp>
