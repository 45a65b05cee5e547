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

/// Requirements of all exports on a Vec: of type `seq`, `mpi` or `shared`, set up, not locked for
/// writing. Throws InvalidArgument, NotRepresentable (`petsc.vec.device`, `petsc.vec.type`),
/// Finalized.
void require_exportable(Vec vec);

/// Whether a PETSc type of this name keeps its values on a device.
bool is_device_type(const std::string& type);

/// Process grid of one dimension: all ranks of the object's communicator.
GridPosition line_of_ranks(PetscObject object);

/// The layout that PETSc gives the values of an object over the ranks: one dimension in blocks, and
/// perhaps one that is whole on each process. Every import makes one, so it allocates nothing.
struct NativeLayout {
  Index global_size = 0;  ///< of the dimension in blocks
  GridPosition grid;
  IndexRange owned;
  std::optional<Index> whole;               ///< size of the second dimension
  std::array<Index, 2> byte_strides{0, 0};  ///< the second counts with `whole` alone

  std::vector<Dimension> dimensions() const;
};
/// Contiguous; blocks of more than one value become a second dimension.
NativeLayout layout_of(Vec vec);
NativeLayout layout_of(Mat mat);

/// Whether the array describes the same layout in other terms: an undistributed dimension for a
/// block of one process, or a padding key of zeros.
bool says_the_same(const DistArray& array, const NativeLayout& layout);

/// Describes a Vec's memory with these dimensions, contiguous in C order. Read-only if the Vec is
/// locked for reading, or if requested.
DistArray describe_vec(Vec vec, std::vector<Dimension> dimensions, bool readonly);

/// `exported`, which has this layout, in the terms of the array that the object was imported from
/// if those describe the same layout on all ranks. If the object is still on the memory of that
/// array, returns the array itself.
DistArray as_imported(PetscObject object, const NativeLayout& layout, DistArray exported);

/// The array that a vector of the DMDA was imported from, on the memory that the vector has now;
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
std::optional<ExportedGrid> exported_grid(const DistArray& array);

}  // namespace daptor::petsc::detail
