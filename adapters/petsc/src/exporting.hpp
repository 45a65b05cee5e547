#pragma once

#include <optional>
#include <string>
#include <vector>

#include <petscmat.h>
#include <petscvec.h>

#include "daptor/dist_array.hpp"

namespace daptor::petsc::detail {

/// What all exports ask of a Vec: of type `seq`, `mpi` or `shared`, finished, not locked for
/// writing. Throws InvalidArgument, NotRepresentable (`vec.device-memory`, `vec.type`), Finalized.
void require_exportable(Vec vec);

/// A type name of PETSc that keeps its values on a device.
bool is_device_type(const std::string& type);

/// Process grid of one dimension: the ranks of the object's communicator.
GridPosition line_of_ranks(PetscObject object);

/// Describes a Vec's memory with these dimensions, gapless in C order. Read-only where the Vec is
/// locked for reading, or where asked.
DistArray describe_vec(Vec vec, std::vector<Dimension> dimensions, bool readonly);

/// The array that the object was imported from, where it still lies on that memory. Read-only where
/// the object is.
std::optional<DistArray> imported_from(PetscObject object, const void* memory);

/// `exported`, or the array that the object was imported from where that says the same of the same
/// memory in other words (an undistributed dimension for a block of one process, a padding key of
/// zeros).
DistArray as_imported(PetscObject object, DistArray exported);

}  // namespace daptor::petsc::detail
