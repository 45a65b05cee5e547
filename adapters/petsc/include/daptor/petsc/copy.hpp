// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/petsc/dmda.hpp"
#include "daptor/petsc/imported.hpp"

/// \file
/// Arrays that no PETSc object can hold as they are, copied into one that can.
///
/// The way back is `daptor::redistribute(copy.array(), a, comm)`, also as a Redistribution that is
/// made once: it writes the copy's memory as PETSc sees it.
/// \code
/// auto x = daptor::petsc::copy_to_vec(a, comm);     // a: block-cyclic, say; x: natural ordering
/// KSPSolve(ksp, x.get(), x.get());
/// daptor::redistribute(x.array(), a, comm);         // the solution, where the array has it
/// \endcode
///
/// PETSc objects that exist already need no function of their own; `redistribute` copies between
/// their descriptions, and voids the norms that a Vec keeps:
/// \code
/// // a Vec in another parallel layout (VecScatter; of blocks: both flattened)
/// redistribute(export_vec(x), export_vec(y), comm);
/// // DMDAGlobalToNaturalBegin and End, and back; the same line for any number of dof
/// redistribute(export_dmda(dm, global), flatten(export_vec(natural)), comm);
/// redistribute(flatten(export_vec(natural)), export_dmda(dm, global), comm);
/// // the same into a local vector, ghost points included
/// redistribute(flatten(export_vec(natural)), export_dmda(dm, local), comm, fill_padding);
/// \endcode

namespace daptor::petsc {

/// How `copy_to_vec` makes its Vec. The same on all ranks, but for `local_size`.
struct CopyOptions {
  /// Elements of this process, a multiple of the block size. PETSC_DECIDE, on all ranks: as PETSc
  /// divides them, whole blocks to each process.
  PetscInt local_size = PETSC_DECIDE;
  /// Block size 1 also where the last dimension is undistributed.
  bool flat = false;
  bool read_from_any = false;  ///< as RedistributionOptions::read_from_any
  bool convert = false;        ///< as RedistributionOptions::convert
};

/// Collective over `comm`. Copies any array, whatever its distribution, order, strides and padding,
/// into a Vec on new memory: the elements in natural ordering, which is their row-major global
/// number, also of an array in Fortran order. Padding of the array's own is not copied, boundary
/// padding is, as it counts in `size`.
///
/// Global size is the product of the array's sizes. Block size is the extent of an undistributed
/// last dimension of an array of two dimensions or more, else 1.
///
/// The memory lives as long as the Vec. `array()` describes it: as the array's own blocks x
/// components where it has two dimensions, else as one dimension, which numbers its elements.
///
/// Example, 4 x 4 in 2 x 2 blocks on four processes: the Vec has row 0 on process 0, row 1, half of
/// which process 1 had, on process 1.
///
/// @param array    this process's section, with memory; it is read and not kept
/// @param comm     the processes that the array is divided among, over MPI
/// @param options  how the Vec is divided and what is converted
/// @returns the Vec, and the description of its memory
/// @throws Malformed on all ranks, as all of the following, where the sections do not make one
///   array
/// @throws NotRepresentable with rule `petsc.vec.scalar-type` (unless `convert`),
///   `petsc.vec.device` or `petsc.vec.index-range`
/// @throws InvalidArgument (`argument`) for an array without memory, options that differ, local
///   sizes whose sum is not the global size or that divide blocks, PETSc not initialized; as
///   Redistribution, with `redistribute.missing` and `redistribute.overlap` for unstructured
///   indices
/// @throws LibraryFailed (`library.c++`) where a rank lacks the memory; Finalized; Stale
ImportedVec copy_to_vec(const DistArray& array, const Comm& comm, const CopyOptions& options = {});

/// Collective over `comm`. Copies each process's section, padding included, into a sequential Vec
/// on new memory in C order, as import_padded_vec has it. Communication padding is filled, each
/// element as its owner has it, whatever the array had there. The memory lives as long as the Vec.
/// @param array, comm  as copy_to_vec
/// @param options      without a `local_size`
/// @returns the Vec, and the description of its memory with the array's own dimensions
/// @throws Error as copy_to_vec
ImportedVec copy_to_padded_vec(const DistArray& array, const Comm& comm,
                               const CopyOptions& options = {});

/// Which of a DMDA's vectors is to lie on a copy's memory.
enum class DMDAVector {
  local,  ///< the padded one; without a stencil width or in one dimension the global one as well
  global
};

/// How `copy_to_dmda` divides its copy. The same on all ranks.
struct DMDACopyOptions {
  /// Which vector is on the new memory, and so holds the copy.
  DMDAVector vector = DMDAVector::local;
  /// Processes along each grid dimension, in the order of the array's dimensions; 0 where
  /// MPI_Dims_create is to choose. Empty: those whose blocks have the least surface, of those that
  /// give each process points, as many as the stencil is wide.
  std::vector<Index> grid = {};
  bool read_from_any = false;  ///< as RedistributionOptions::read_from_any
  bool convert = false;        ///< as RedistributionOptions::convert
};

/// Collective over `comm`. Copies any array of one to three dimensions, or one more that is
/// undistributed and comes last (the degrees of freedom; see DMDAOptions::no_dof), into a DMDA on
/// new memory: even blocks on a process grid, PETSc's x the last grid dimension. A dimension that
/// the array calls periodic is DM_BOUNDARY_PERIODIC.
///
/// The stencil width is DMDAOptions::stencil_width; where that is 0, the largest communication
/// padding that the array has. Ghost points on internal and periodic edges are filled, each as its
/// owner has it.
///
/// The memory lives as long as the DMDA or a vector of it. `array()` describes it.
///
/// @param array    this process's section, with memory; it is read and not kept
/// @param comm     the processes that the array is divided among, over MPI
/// @param options  stencil and degrees of freedom, as import_dmda
/// @param copy     how the copy is divided and which vector holds it
/// @returns the DMDA with the vector, and the description of its memory
/// @throws NotRepresentable on all ranks, as all of the following, with rule
///   `petsc.dmda.dimensions`, `petsc.dmda.empty-rank` and `petsc.dmda.local-width` (no grid, or not
///   the one asked for, gives each process as many points as the stencil is wide),
///   `petsc.dmda.scalar-type` (unless `convert`), `petsc.dmda.device` or `petsc.dmda.index-range`
/// @throws InvalidArgument also for a grid that is not the processes'
/// @throws Error otherwise as copy_to_vec and import_dmda
ImportedDMDA copy_to_dmda(const DistArray& array, const Comm& comm, const DMDAOptions& options = {},
                          const DMDACopyOptions& copy = {});

}  // namespace daptor::petsc
