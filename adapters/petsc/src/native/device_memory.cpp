// SPDX-License-Identifier: BSD-3-Clause
#include "device_memory.hpp"

#include <map>
#include <mutex>

#include <petscdevice.h>

#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/state.hpp"
#include "names.hpp"

namespace daptor::petsc {
namespace detail {
namespace {

MemorySpace space_of(PetscMemType type) {
  if (PetscMemTypeHost(type)) return {};
  int device_type = MemorySpace::cuda;
  if (PetscMemTypeHIP(type)) device_type = MemorySpace::rocm;
  if (PetscMemTypeSYCL(type)) device_type = MemorySpace::oneapi;
  int number = 0;
#if defined(PETSC_HAVE_DEVICE)
  // A process has one current device in PETSc.
  PetscDeviceContext context = nullptr;
  PetscDevice device = nullptr;
  PetscInt found = 0;
  check(PetscDeviceContextGetCurrentContext(&context), "PetscDeviceContextGetCurrentContext");
  check(PetscDeviceContextGetDevice(context, &device), "PetscDeviceContextGetDevice");
  check(PetscDeviceGetDeviceId(device, &found), "PetscDeviceGetDeviceId");
  number = static_cast<int>(found);
#endif
  return {device_type, number};
}

/// PETSc before 3.19 does not say on which stream it works, and synchronizes at the end of a call.
Stream current_stream() {
#if defined(PETSC_HAVE_DEVICE) && PETSC_VERSION_GE(3, 19, 0)
  PetscDeviceContext context = nullptr;
  void* handle = nullptr;
  check(PetscDeviceContextGetCurrentContext(&context), "PetscDeviceContextGetCurrentContext");
  check(PetscDeviceContextGetStreamHandle(context, &handle), "PetscDeviceContextGetStreamHandle");
  // The handle is a pointer to the library's stream, which is a pointer itself.
  if (handle != nullptr) return *static_cast<const Stream*>(handle);
#endif
  return 0;
}

PetscOffloadMask mask_of(Vec vec) {
  PetscOffloadMask mask = PETSC_OFFLOAD_CPU;
  check(VecGetOffloadMask(vec, &mask), "VecGetOffloadMask");
  return mask;
}

struct Makers {
  std::mutex mutex;
  std::map<int, DeviceVecs> vecs;
};

#if PETSC_VERSION_GE(3, 26, 0)
/// PETSc's calls for all kinds of memory, with the kind filled in.
template <PetscMemType type>
DeviceVecs vecs_in() {
  return {[](MPI_Comm comm, PetscInt block, PetscInt local, const PetscScalar* memory, Vec* vec) {
            return VecCreateSeqWithArrayAndMemType(comm, type, block, local, memory, vec);
          },
          [](MPI_Comm comm, PetscInt block, PetscInt local, PetscInt global,
             const PetscScalar* memory, Vec* vec) {
            return VecCreateMPIWithArrayAndMemType(comm, type, block, local, global, memory, vec);
          }};
}
#endif

void add_vecs_of_petsc(std::map<int, DeviceVecs>& vecs) {
#if PETSC_VERSION_GE(3, 26, 0)
#if defined(PETSC_HAVE_CUDA)
  vecs[MemorySpace::cuda] = vecs_in<PETSC_MEMTYPE_CUDA>();
#endif
#if defined(PETSC_HAVE_HIP)
  vecs[MemorySpace::rocm] = vecs_in<PETSC_MEMTYPE_HIP>();
#endif
#else
#if defined(PETSC_HAVE_CUDA)
  vecs[MemorySpace::cuda] = {VecCreateSeqCUDAWithArray, VecCreateMPICUDAWithArray};
#endif
#if defined(PETSC_HAVE_HIP)
  vecs[MemorySpace::rocm] = {VecCreateSeqHIPWithArray, VecCreateMPIHIPWithArray};
#endif
#endif
  static_cast<void>(vecs);  // in a PETSc without devices
}

Makers& makers() {
  static auto* const all = [] {
    auto* const made = new Makers;
    add_vecs_of_petsc(made->vecs);
    return made;
  }();
  return *all;
}

}  // namespace

Values newest_values(Vec vec) {
  const QuietErrors quiet;
  const PetscScalar* values = nullptr;
  if (mask_of(vec) == PETSC_OFFLOAD_CPU) {
    check(VecGetArrayRead(vec, &values), "VecGetArrayRead");
    const void* const memory = values;
    check(VecRestoreArrayRead(vec, &values), "VecRestoreArrayRead");
    return {memory, {}};
  }
  PetscMemType type = PETSC_MEMTYPE_HOST;
  check(VecGetArrayReadAndMemType(vec, &values, &type), "VecGetArrayReadAndMemType");
  const void* const memory = values;
  check(VecRestoreArrayReadAndMemType(vec, &values), "VecRestoreArrayReadAndMemType");
  const MemorySpace space = space_of(type);
  return {memory, space, space.host() ? 0 : current_stream()};
}

bool valid_in(Vec vec, MemorySpace space) {
  const QuietErrors quiet;
  const PetscOffloadMask other = space.host() ? PETSC_OFFLOAD_GPU : PETSC_OFFLOAD_CPU;
  return mask_of(vec) != other;
}

PetscErrorCode get_values(Vec vec, MemorySpace space, bool write, PetscScalar** values) {
  auto* const read = const_cast<const PetscScalar**>(values);
  if (space.host()) return write ? VecGetArray(vec, values) : VecGetArrayRead(vec, read);
  return write ? VecGetArrayAndMemType(vec, values, nullptr)
               : VecGetArrayReadAndMemType(vec, read, nullptr);
}

PetscErrorCode restore_values(Vec vec, MemorySpace space, bool write, PetscScalar** values) {
  auto* const read = const_cast<const PetscScalar**>(values);
  if (space.host()) return write ? VecRestoreArray(vec, values) : VecRestoreArrayRead(vec, read);
  return write ? VecRestoreArrayAndMemType(vec, values) : VecRestoreArrayReadAndMemType(vec, read);
}

void require_valid(Vec vec, MemorySpace space) {
  if (valid_in(vec, space)) return;
  if (space.host())
    throw Stale("a Vec whose newest values are on the device",
                "Export it again, or have PETSc move them: " + names::move_to_host + ".");
  throw Stale("a Vec whose newest values are on the host",
              "Export it again, or have PETSc move them: " + names::move_to_device + ".");
}

void note_device_write(Vec vec) {
  require_valid(vec, {MemorySpace::cuda});
  const QuietErrors quiet;
  PetscScalar* values = nullptr;
  // To get the array for writing moves nothing.
  check(VecGetArrayWriteAndMemType(vec, &values, nullptr), "VecGetArrayWriteAndMemType");
  check(VecRestoreArrayWriteAndMemType(vec, &values), "VecRestoreArrayWriteAndMemType");
  increase_state(object(vec));
}

std::optional<DeviceVecs> device_vecs(MemorySpace space) {
  Makers& all = makers();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.vecs.find(space.device_type);
  if (found == all.vecs.end()) return std::nullopt;
  return found->second;
}

}  // namespace detail

void register_device_vecs(int device_type, DeviceVecs vecs) {
  auto& all = detail::makers();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (vecs.create_seq != nullptr && vecs.create_mpi != nullptr)
    all.vecs[device_type] = vecs;
  else
    all.vecs.erase(device_type);
}

namespace {

void move_to(Vec vec, bool host) {
  detail::require_session();
  if (vec == nullptr) throw InvalidArgument("vec", "a null Vec", "a Vec");
  const detail::QuietErrors quiet;
  const PetscScalar* values = nullptr;
  if (host) {
    detail::check(VecGetArrayRead(vec, &values), "VecGetArrayRead");
    detail::check(VecRestoreArrayRead(vec, &values), "VecRestoreArrayRead");
  } else {
    detail::check(VecGetArrayReadAndMemType(vec, &values, nullptr), "VecGetArrayReadAndMemType");
    detail::check(VecRestoreArrayReadAndMemType(vec, &values), "VecRestoreArrayReadAndMemType");
  }
}

}  // namespace

void move_to_device(Vec vec) {
  move_to(vec, false);
}

void move_to_host(Vec vec) {
  move_to(vec, true);
}

}  // namespace daptor::petsc
