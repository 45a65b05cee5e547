// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <petscdm.h>
#include <petscmat.h>
#include <petscvec.h>

#include "daptor/dist_array.hpp"

namespace daptor::petsc::detail {

/// Checks what all exports require of a Vec: it has type `seq`, `mpi` or `shared`, is set up, and
/// is not locked for writing. Throws InvalidArgument, NotRepresentable (`petsc.vec.device`,
/// `petsc.vec.kind`), Finalized.
void require_exportable(Vec vec);

/// Whether a PETSc type of this name keeps its values on a device.
bool is_device_type(const std::string& type);

/// Process grid of one dimension: all ranks of the object's communicator.
GridPosition line_of_ranks(PetscObject object);

/// How PETSc distributes the values of an object over the ranks: one dimension in blocks, and
/// perhaps a second one that is whole on each process. Every import makes one, so it allocates
/// nothing.
struct NativeLayout {
  Index global_size = 0;  ///< size of the dimension in blocks
  GridPosition grid;
  IndexRange owned;
  std::optional<Index> whole;  ///< size of the second dimension, if there is one
  /// the second stride counts only if there is a second dimension
  std::array<Index, 2> byte_strides{0, 0};

  std::vector<Dimension> dimensions() const;
};
/// A contiguous layout; if blocks have more than one value, they become a second dimension.
NativeLayout layout_of(Vec vec);
NativeLayout layout_of(Mat mat);

/// Whether the array describes the same layout in other terms, such as an undistributed dimension
/// in place of a block on one process, or a padding key of zeros.
bool says_the_same(const Section& array, const NativeLayout& layout);
/// The same, asked before the object exists: whether `array`, once it is proven, describes the
/// layout of a Vec in blocks of `block` elements on this grid: all ranks, or one process.
bool says_the_same_as_vec(const Section& array, GridPosition grid, Index block);

/// Describes a Vec's memory with these dimensions, contiguous in C order. The array is read-only if
/// the Vec is locked for reading, or if requested.
Section describe_vec(Vec vec, std::vector<Dimension> dimensions, bool readonly);

/// `exported`, which has this layout, on the communicator of the object. If the object was imported
/// and the array of the import describes the same layout on all ranks, the result is in the terms
/// and on the communicator of that array; if the object still has its memory, the array itself.
DistArray as_imported(PetscObject object, const NativeLayout& layout, const Section& exported);

/// The array from which a vector of the DMDA was imported, on the memory that the vector has now;
/// `nullopt` for vectors that were not imported as vectors of this DMDA. The same on all ranks.
std::optional<DistArray> dmda_array(DM dm, Vec vec, bool readonly);

/// The same for the local form of a Vec that was imported with its ghosts.
std::optional<DistArray> ghosted_array(Vec vec, bool readonly);

/// Boundary types of a DMDA for x, y, z.
struct ExportedGrid {
  int ndim = 0;
  std::array<DMBoundaryType, 3> boundaries{};
};
/// The DMDA whose local vector export_dmda has described as `array`; `nullopt` for any other array,
/// or if PETSc no longer knows the vector as one of that DMDA. Process-local.
std::optional<ExportedGrid> exported_grid(const Section& array);

}  // namespace daptor::petsc::detail
