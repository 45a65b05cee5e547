// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscvec.h>

#include "daptor/dist_array.hpp"
#include "daptor/fields.hpp"
#include "daptor/petsc/imported.hpp"

namespace daptor::petsc {

/// How `import_vec` makes its Vec. Must be the same on all ranks.
struct VecOptions {
  bool flat = false;
  bool readonly = false;
  bool trust_readonly = false;
  bool allow_overlap = false;
  bool ghosts = false;
  bool local_to_global = false;
  bool interior = false;
};
constexpr auto fields(const VecOptions&) {
  return field_list(
      field("flat", &VecOptions::flat,
            "block size 1 even if the fastest varying dimension is undistributed"),
      field("readonly", &VecOptions::readonly,
            "lock the Vec for reading, although the array is writable"),
      field("trust_readonly", &VecOptions::trust_readonly,
            "accept read-only memory although this PETSc does not enforce its locks: the caller "
            "promises that no one writes to it"),
      field("allow_overlap", &VecOptions::allow_overlap,
            "unstructured indices may be on several ranks, which is not checked; each copy of an "
            "element counts in norms and products of such a Vec"),
      field("ghosts", &VecOptions::ghosts,
            "a ghosted Vec (VecCreateGhost), of an array that says how many of its indices are "
            "owned (owned_then_ghosts): VecGhostUpdate works in the array's memory, and the local "
            "form is all of it, the owned elements followed by the ghosts; the Vec is numbered "
            "like any other, rank after rank, and each ghost gets the number that its owner gives "
            "it, found through a directory of the owned indices (24 bytes per index, evenly "
            "distributed, while the Vec is made)"),
      field("local_to_global", &VecOptions::local_to_global,
            "with a local-to-global mapping, from positions in the section, communication padding "
            "included, to the Vec's own numbering, so that VecSetValuesLocal works; costs one "
            "PetscInt per element (per block if the block size is greater than 1)"),
      field("interior", &VecOptions::interior,
            "the interior alone, without the boundary padding that otherwise is part of the Vec; "
            "not for a padded section"));
}

/// Collective. Makes a Vec of the owned part of the array, of type `mpi`, or `seq` on one process.
/// In memory of a device it is a Vec of that device, if this PETSc has such
/// (daptor/petsc/device.hpp).
///
/// The local size is the number of owned elements (without communication padding, with boundary
/// padding unless VecOptions::interior), and the global size is their sum. The block size is the
/// extent of the fastest varying dimension, if that is undistributed and the array has two
/// dimensions or more; otherwise 1 (see VecOptions::flat).
///
/// The owned elements of each rank must be one contiguous run. The array may have one dimension of
/// any distribution, or several that are dense in C or Fortran order, with communication padding at
/// most in the slowest varying dimension whose extent is not 1 (the Vec then starts inside the
/// section). Elements must be of type PetscScalar, in native byte order, and aligned; counts must
/// fit in a PetscInt.
///
/// If the memory is read-only on any rank, the Vec is locked for reading on all ranks, provided
/// that this PETSc enforces its locks (tried once at run time).
///
/// Costs two small all-reduces besides VecCreateMPIWithArray for an array that was proven before or
/// is even and unpadded, one more for an array with lists, and up to three more for others
/// (docs/costs.md has the numbers). If an array with lists does not state `one_to_one`, each
/// import proves it
/// (`prove_one_to_one`, O(n/P)); an exported Tpetra Map states it, after it was proven once.
/// @param array    the array, over MPI, with memory, which the Vec keeps alive
/// @param options  how the Vec is made
/// @returns the Vec on the array's memory; no element is copied
/// @throws Malformed if the sections do not form one array; with VecOptions::ghosts, also if an
///   index is owned by two ranks (`owned.twice`) or a ghost by none (`owned.nobody`). This and all
///   of the following is thrown on all ranks
/// @throws NotRepresentable with rule `petsc.vec.one-run`, `petsc.vec.order`,
///   `petsc.vec.type`, `petsc.vec.alignment`, `petsc.vec.index-range`, `petsc.vec.readonly`,
///   `petsc.vec.overlap`, `petsc.vec.device`, or, if the array does not say which indices are
///   owned, `petsc.vec.ghosts`
/// @throws InvalidArgument for an array without memory, for options that differ between ranks
///   (`collective.different`), and if PETSc is not initialized
/// @throws Finalized after PetscFinalize or MPI_Finalize
/// @throws Stale if the producer's memory is no longer what was described
ImportedVec import_vec(const DistArray& array, const VecOptions& options = {});

/// The same with VecOptions::readonly: a Vec to which PETSc refuses to write.
/// @param array, options  see import_vec; the array may be read-only
ImportedVec import_vec_readonly(const DistArray& array, VecOptions options = {});

/// Collective. Makes a sequential Vec (on PETSC_COMM_SELF) of the whole section, all padding
/// included, in memory order: what DMDA calls a local vector.
/// @param array    see import_vec
/// @param options  only `flat`, `readonly` and `trust_readonly` are used
/// @returns the Vec on the section's memory
/// @throws NotRepresentable on all ranks, with rule `petsc.vec.one-run`, if a section has gaps or
///   is neither in C nor in Fortran order
/// @throws Error otherwise like import_vec
ImportedVec import_padded_vec(const DistArray& array, const VecOptions& options = {});

/// How `export_vec` describes its Vec.
struct VecExportOptions {
  bool ghosts = false;
  bool readonly = false;
};
constexpr auto fields(const VecExportOptions&) {
  return field_list(
      field("ghosts", &VecExportOptions::ghosts,
            "describe a ghosted Vec's local form, owned values followed by ghosts: by an "
            "unstructured dimension in the Vec's own numbering that says how many indices are "
            "owned (owned_then_ghosts; 8 bytes per index), and by an undistributed one if the Vec "
            "was made in blocks by VecCreateGhostBlock; otherwise the owned part alone, as a "
            "block"),
      field("readonly", &VecExportOptions::readonly, "make a description that is read-only"));
}

/// Describes a Vec of type `seq`, `mpi` or `shared`. Process-local (call it on all ranks). Nothing
/// is copied, and the state of the Vec is unchanged. A Vec of CUDA or HIP is described where its
/// newest values are (if in both places, on the device), and nothing is moved: leases throw Stale
/// once PETSc has newer values in the other place (`move_to_device`, `move_to_host`).
///
/// A Vec of block size 1 has one block dimension, in the Vec's numbering. A Vec of block size b has
/// two dimensions: the blocks, and an undistributed dimension of size b, which varies fastest
/// (`flatten` gives one dimension). The description holds a reference to the Vec, never an open
/// array; the last release of a Vec is collective in PETSc. A lease takes the array again, and
/// throws Stale if `VecPlaceArray` or `VecReplaceArray` has changed it. If the Vec is locked for
/// reading, the description is read-only.
///
/// @param vec      the Vec, to which the description holds a reference
/// @param options  what is described
/// @returns the array on the memory of `vec`, and on its communicator or that of the array from
///   which it was imported
/// @throws NotRepresentable with rule `petsc.vec.device` if the Vec's memory is on a device and has
///   no address or does not say where its values are (Kokkos, ViennaCL), `petsc.vec.kind` for other
///   types, `petsc.vec.ghosts` if ghosts were asked for and there are
///   none
/// @throws InvalidArgument for a Vec that is null, unfinished or locked for writing; Finalized
DistArray export_vec(Vec vec, const VecExportOptions& options = {});

/// The same, but the description is read-only.
DistArray export_vec_readonly(Vec vec, VecExportOptions options = {});

}  // namespace daptor::petsc
