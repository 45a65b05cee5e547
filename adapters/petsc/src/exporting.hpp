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

/// What all exports ask of a Vec: of type `seq`, `mpi` or `shared`, finished, not locked for
/// writing. Throws InvalidArgument, NotRepresentable (`petsc.vec.device`, `petsc.vec.type`),
/// Finalized.
void require_exportable(Vec vec);

/// A type name of PETSc that keeps its values on a device.
bool is_device_type(const std::string& type);

/// Process grid of one dimension: the ranks of the object's communicator.
GridPosition line_of_ranks(PetscObject object);

/// How PETSc lays out the values of an object over the ranks, in the order of its memory.
struct NativeLayout {
  std::vector<Dimension> dimensions;
  std::vector<Index> shape, byte_strides;
};
/// Gapless, blocks of more than one value as a second dimension.
NativeLayout layout_of(Vec vec);
NativeLayout layout_of(Mat mat);
/// Gapless in C order.
NativeLayout gapless_layout(std::vector<Dimension> dimensions);

/// The array says the same in other words: an undistributed dimension for a block of one process, a
/// padding key of zeros.
bool says_the_same(const DistArray& array, const NativeLayout& layout);

/// Describes a Vec's memory with these dimensions, gapless in C order. Read-only where the Vec is
/// locked for reading, or where asked.
DistArray describe_vec(Vec vec, std::vector<Dimension> dimensions, bool readonly);

/// `exported`, in the words of the array that the object was imported from where that says the same
/// on all ranks. That array itself where the object still lies on its memory.
DistArray as_imported(PetscObject object, DistArray exported);

/// The array that a vector of the DMDA was imported from, on the memory that the vector has now;
/// nothing for vectors that were not imported as vectors of this DMDA. The same on all ranks.
std::optional<DistArray> dmda_array(DM dm, Vec vec, bool readonly);

/// The same for the local form of a Vec that was imported with its ghosts.
std::optional<DistArray> ghosted_array(Vec vec, bool readonly);

/// Boundaries of a DMDA for x, y, z.
struct ExportedGrid {
  int ndim = 0;
  std::array<DMBoundaryType, 3> boundaries{};
};
/// The DMDA whose local vector export_dmda has described as `array`; nothing for any other array,
/// and where PETSc no longer knows the vector as that DMDA's. Process-local.
std::optional<ExportedGrid> exported_grid(const DistArray& array);

}  // namespace daptor::petsc::detail
