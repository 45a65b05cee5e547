// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscvec.h>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/petsc/imported.hpp"

namespace daptor::petsc {

/// How `import_vec` makes its Vec. Must be the same on all ranks (InvalidArgument otherwise).
struct VecOptions {
  /// Block size 1 even if the fastest varying dimension is undistributed.
  bool flat = false;
  /// A Vec locked for reading although the array is writable.
  bool readonly = false;
  /// Read-only memory as a Vec although this PETSc does not enforce its locks: the caller promises
  /// that nobody writes to it.
  bool trust_readonly = false;
  /// Unstructured indices that may be on several processes: the Vec is a place to import into and
  /// export from; each copy counts in its norms and products. Their uniqueness is not checked.
  bool allow_overlap = false;
  /// A ghosted Vec (VecCreateGhost), of an array that says how many of its indices are owned
  /// (`owned_then_ghosts`): VecGhostUpdateBegin and End work in the producer's memory, and
  /// VecGhostGetLocalForm is all of it, the owned elements and then the ghosts.
  ///
  /// The Vec is numbered as any other, rank after rank; each ghost gets the number that it has at
  /// its owner, found through a directory of the owned indices (24 bytes an index, evenly spread,
  /// while it is made). `local_to_global(array, comm, Numbering::natural)` maps to the array's own.
  bool ghosts = false;
  /// Give the Vec a local-to-global mapping: from positions in the section, communication padding
  /// included, to the Vec's own (contiguous) numbering, so that `VecSetValuesLocal` works. Costs
  /// one PetscInt an element (one a block where the block size is larger).
  bool local_to_global = false;
};

/// Collective over `comm`. The owned part of the array as a Vec: `mpi`, or `seq` on one process.
///
/// Local size is the owned count (communication padding out, boundary padding in), global size
/// their sum. Block size is the extent of a fastest varying undistributed dimension of an array of
/// two dimensions or more, else 1 (see VecOptions::flat).
///
/// Asks for one contiguous owned run a rank: one dimension of any distribution, or several that are
/// dense in C or Fortran order, with communication padding at most in the slowest varying dimension
/// whose extent is not 1 (the Vec then starts inside the section). Element type PetscScalar, in
/// native byte order, aligned; counts in a PetscInt.
///
/// Read-only memory on any rank gives a Vec that is locked for reading on all, where this PETSc
/// enforces its locks (tried once at run time).
///
/// Costs at most four small collective calls besides VecCreateMPIWithArray, one more for an
/// unstructured array. One that does not say `one_to_one` is asked each time (`prove_one_to_one`,
/// O(n/P)); an exported Tpetra Map says it, and was asked once.
/// @param array    this process's section, with memory, which the Vec keeps alive
/// @param comm     the processes that the array is divided among, over MPI
/// @param options  how the Vec is made
/// @returns the Vec on the array's memory; no element is copied
/// @throws Malformed on all ranks, as all of the following, where the sections do not make one
///   array, and with VecOptions::ghosts where an index is owned by two ranks (`owned.twice`) or a
///   ghost by none (`owned.nobody`)
/// @throws NotRepresentable with rule `petsc.vec.one-run`, `petsc.vec.order`,
///   `petsc.vec.scalar-type`, `petsc.vec.alignment`, `petsc.vec.index-range`, `petsc.vec.readonly`,
///   `petsc.vec.overlap`, `petsc.vec.device`, and `petsc.vec.ghosts` where the array does not say
///   which indices are owned
/// @throws InvalidArgument for an array without memory, different options on different ranks, PETSc
///   not initialized
/// @throws Finalized after PetscFinalize or MPI_Finalize
/// @throws Stale where the producer's memory is no longer what was described
ImportedVec import_vec(const DistArray& array, const Comm& comm, const VecOptions& options = {});

/// The same with VecOptions::readonly: a Vec that PETSc refuses to write.
/// @param array, comm, options  as import_vec; the array may be read-only
ImportedVec import_vec_readonly(const DistArray& array, const Comm& comm, VecOptions options = {});

/// Collective over `comm`. The whole section, all padding included, as a sequential Vec (on
/// PETSC_COMM_SELF) in memory order: what DMDA calls a local vector.
/// @param array, comm  as import_vec
/// @param options      of which `flat`, `readonly` and `trust_readonly` count
/// @returns the Vec on the section's memory
/// @throws NotRepresentable on all ranks, with rule `petsc.vec.local-run`, where a section is not
///   gapless in C or Fortran order
/// @throws Error otherwise as import_vec
ImportedVec import_padded_vec(const DistArray& array, const Comm& comm,
                              const VecOptions& options = {});

/// How `export_vec` describes its Vec.
struct VecExportOptions {
  /// Describe a ghosted Vec's owned and ghost values together, its local form: an unstructured
  /// dimension in the Vec's global numbering that says how many indices are owned
  /// (`owned_then_ghosts`; 8 bytes an index), and an undistributed one where VecCreateGhostBlock
  /// made it in blocks. False: its owned part, a block.
  bool ghosts = false;
  /// A description that is not writable.
  bool readonly = false;
};

/// Describes a Vec of type `seq`, `mpi` or `shared`. Process-local (call it on all ranks); no copy,
/// the state of the Vec is unchanged.
///
/// A Vec of block size 1 is one block dimension in the Vec's numbering; of block size b two, the
/// blocks and an undistributed one of b, varying fastest (`flatten` gives one dimension). The
/// description holds a reference of the Vec, never an open array; the last release of a Vec is
/// collective in PETSc. A lease takes the array again and throws Stale where `VecPlaceArray` or
/// `VecReplaceArray` has changed it. A Vec that is locked for reading gives a read-only
/// description.
///
/// @param vec      the description holds a reference of it
/// @param options  what is described
/// @returns this process's section, on the memory of `vec`
/// @throws NotRepresentable with rule `petsc.vec.device` for a Vec whose memory is a device's,
///   `petsc.vec.type` for other types, `petsc.vec.ghosts` where ghosts are asked for and there are
///   none
/// @throws InvalidArgument for a null or unfinished Vec and one locked for writing; Finalized
DistArray export_vec(Vec vec, const VecExportOptions& options = {});

/// The same, not writable.
DistArray export_vec_readonly(Vec vec, VecExportOptions options = {});

}  // namespace daptor::petsc
