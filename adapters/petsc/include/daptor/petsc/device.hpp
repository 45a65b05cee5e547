// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscvec.h>

#include "daptor/memory_space.hpp"

/// \file
/// Vecs in memory of a device. `export_vec` describes them where their newest values are, and
/// `import_vec` makes them on an array in such memory. Neither moves a value.

namespace daptor::petsc {

/// How PETSc makes Vecs on memory of one kind of device. The functions are those of PETSc, or have
/// the same parameters and meaning: VecCreateSeqCUDAWithArray and VecCreateMPICUDAWithArray.
struct DeviceVecs {
  PetscErrorCode (*create_seq)(MPI_Comm, PetscInt block, PetscInt local, const PetscScalar* memory,
                               Vec*) = nullptr;
  PetscErrorCode (*create_mpi)(MPI_Comm, PetscInt block, PetscInt local, PetscInt global,
                               const PetscScalar* memory, Vec*) = nullptr;
};

/// Sets which Vecs `import_vec` makes on memory of a kind of device. Those of CUDA and HIP are
/// known where PETSc is configured for them; another choice are Vecs of type kokkos. Process-local;
/// call it on all ranks.
/// @param device_type  as in MemorySpace
/// @param vecs         replaces what was known before; null functions take it away
void register_device_vecs(int device_type, DeviceVecs vecs);

/// Has PETSc move the newest values to memory of the device, if they are on the host, as after
/// VecSetValues. Without it, leases on an array in that memory are refused (Stale). Process-local;
/// nothing happens if the Vec has no memory of a device, or its newest values are there.
/// @throws InvalidArgument for a Vec that is null; LibraryFailed
void move_to_device(Vec vec);

/// The same in the other direction: the newest values are on the host afterwards too.
void move_to_host(Vec vec);

}  // namespace daptor::petsc
