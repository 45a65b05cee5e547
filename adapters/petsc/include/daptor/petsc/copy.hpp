// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/dist_array.hpp"
#include "daptor/fields.hpp"
#include "daptor/petsc/dmda.hpp"
#include "daptor/petsc/imported.hpp"

/// \file
/// Copies arrays that no PETSc object can hold as they are into objects on new memory.
///
/// To copy back, call `daptor::redistribute(copy.array(), a)`, which writes to the copy's
/// memory what PETSc sees there, or make a Redistribution once and run it repeatedly.
/// \code
/// auto x = daptor::petsc::copy_to_vec(a);  // a: block-cyclic, say; x: natural ordering
/// KSPSolve(ksp, x.get(), x.get());
/// daptor::redistribute(x.array(), a);      // the solution, where the array has it
/// \endcode
///
/// For PETSc objects that exist already there is no function of its own: `redistribute` copies
/// between their descriptions, and invalidates the norms that a Vec has cached.
/// \code
/// // a Vec in another parallel layout (VecScatter; of blocks: both flattened)
/// redistribute(export_vec(x), export_vec(y));
/// // DMDAGlobalToNaturalBegin and End, and back; the same lines for any number of dof
/// const DistArray n = flatten(export_vec(natural));
/// redistribute(export_dmda(dm, global), n);
/// redistribute(n, export_dmda(dm, global));
/// // the same into a local vector, ghost points included
/// redistribute(n, export_dmda(dm, local), fill_padding);
/// \endcode

namespace daptor::petsc {

/// How `copy_to_vec` makes its Vec. All members except `local_size` must be the same on all ranks.
struct CopyOptions {
  PetscInt local_size = PETSC_DECIDE;
  bool flat = false;
  bool read_from_any = false;
  bool convert = false;
  bool interior = false;
};
constexpr auto fields(const CopyOptions&) {
  return field_list(
      optional_field("local_size", &CopyOptions::local_size,
                     "number of elements on this rank, a multiple of the block size; not given, on "
                     "all ranks: as PETSc divides them, with whole blocks on each rank"),
      field("flat", &CopyOptions::flat, "block size 1 even if the last dimension is undistributed"),
      field("read_from_any", &CopyOptions::read_from_any,
            "unstructured indices may be on several ranks, with the same value, and any is read"),
      field("convert", &CopyOptions::convert,
            "element types may differ as NumPy's same_kind casting allows"),
      field("interior", &CopyOptions::interior,
            "copy the interior alone, without boundary padding, which otherwise is copied too and "
            "counts in the size; not for a padded section"));
}

/// Collective. Copies any array, whatever its distribution, order, strides and padding, into a Vec
/// on new memory. The Vec has the elements in natural ordering, that is, by their row-major global
/// numbers, even if the array is in Fortran order. Communication padding is not copied. Boundary
/// padding is copied, since it counts in `size`, unless CopyOptions::interior.
///
/// The global size is the product of the array's sizes, or of those of its interior. The block size
/// is the extent of the last dimension, if that is undistributed and the array has two dimensions
/// or more; otherwise 1.
///
/// The memory lives as long as the Vec. `array()` describes it: as the array's own blocks x
/// components if the array has these two dimensions, otherwise as one dimension, which numbers the
/// array's elements.
///
/// Example: an array of 4 x 4 elements in 2 x 2 blocks on four processes. Process 0 gets row 0 of
/// the Vec, process 1 gets row 1, half of which was on process 0 before.
///
/// @param array    the array, over MPI, with memory, which is read and not kept
/// @param options  how the Vec is divided and what is converted
/// @returns the Vec, with the description of its memory
/// @throws Malformed if the sections do not form one array; this and all of the following is thrown
///   on all ranks
/// @throws NotRepresentable with rule `petsc.vec.type` (unless `convert`),
///   `petsc.vec.device` or `petsc.vec.index-range`
/// @throws InvalidArgument (`argument`) for an array without memory, local sizes whose sum is not
///   the global size or that divide blocks, or if PETSc is not initialized; `collective.different`
///   for options that differ between ranks; like Redistribution, with `redistribute.missing` and
///   `redistribute.overlap` for unstructured indices
/// @throws LibraryFailed (`library.c++`) if a rank lacks the memory; Finalized; Stale
ImportedVec copy_to_vec(const DistArray& array, const CopyOptions& options = {});

/// Collective. Copies each process's section, padding included, into a sequential Vec on new memory
/// in C order, like the one that import_padded_vec makes. Communication padding is filled with the
/// values of the owners, whatever values the array has there. The memory lives as long as the Vec.
/// @param array    see copy_to_vec
/// @param options  without a `local_size`
/// @returns the Vec, with the description of its memory by the array's own dimensions
/// @throws Error like copy_to_vec
ImportedVec copy_to_padded_vec(const DistArray& array, const CopyOptions& options = {});

/// Which of a DMDA's vectors is on a copy's memory.
enum class DMDAVector { local, global };
constexpr auto words(DMDAVector) {
  return word_list(word("local", DMDAVector::local,
                        "the padded one, with ghost points filled; if there is no stencil width, "
                        "or one dimension, also the global one"),
                   word("global", DMDAVector::global));
}

/// How `copy_to_dmda` divides its copy. Must be the same on all ranks.
struct DMDACopyOptions {
  DMDAVector vector = DMDAVector::local;
  IndexVector grid = {};
  bool read_from_any = false;
  bool convert = false;
  bool interior = false;
};
constexpr auto fields(const DMDACopyOptions&) {
  using Options = DMDACopyOptions;
  return field_list(
      field("vector", &Options::vector, "the vector on the new memory, which holds the copy"),
      optional_field("grid", &Options::grid,
                     "number of processes along each grid dimension, in the order of the array's "
                     "dimensions, 0 where MPI_Dims_create is to choose; not given: the grid whose "
                     "blocks have the smallest surface, of those grids that give each rank at "
                     "least as many points as the stencil is wide"),
      field("read_from_any", &Options::read_from_any,
            "unstructured indices may be on several ranks, with the same value, and any is read"),
      field("convert", &Options::convert,
            "element types may differ as NumPy's same_kind casting allows"),
      field("interior", &Options::interior,
            "copy the interior alone, without boundary padding; the grid is then that of the "
            "interior"));
}

/// Collective. Copies an array of one to three dimensions into a DMDA on new memory. There may be
/// one more dimension, undistributed and the last one, which becomes the degrees of freedom (see
/// DMDAOptions::no_dof). The copy has even blocks on a process grid; PETSc's x is the last grid
/// dimension. A periodic dimension of the array becomes DM_BOUNDARY_PERIODIC.
///
/// The stencil width is DMDAOptions::stencil_width or, if that is 0, the largest communication
/// padding of the array, also that which its builder was asked for on one process. Ghost points on
/// internal and periodic edges are filled with the values of their owners.
///
/// The memory lives as long as the DMDA and its vectors. `array()` describes it.
///
/// @param array    the array, over MPI, with memory, which is read and not kept
/// @param options  stencil and degrees of freedom, as for import_dmda
/// @param how      how the copy is divided and which vector holds it
/// @returns the DMDA with the vector, and the description of its memory
/// @throws NotRepresentable with rule `petsc.dmda.dimensions`, `petsc.dmda.empty-rank` or
///   `petsc.dmda.local-width` (no grid, or not the requested one, gives each process as many points
///   as the stencil is wide), `petsc.dmda.type` (unless `convert`), `petsc.dmda.device` or
///   `petsc.dmda.index-range`; this and all of the following is thrown on all ranks
/// @throws InvalidArgument also if the grid does not have as many positions as there are processes
/// @throws Error otherwise like copy_to_vec and import_dmda
ImportedDMDA copy_to_dmda(const DistArray& array, const DMDAOptions& options = {},
                          const DMDACopyOptions& how = {});

}  // namespace daptor::petsc
