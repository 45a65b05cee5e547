// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/adapter/reason.hpp"
#include "daptor/petsc/vec.hpp"

namespace daptor::petsc::detail {

/// The reasons why the owned part of this section cannot be a Vec.
adapter::Reasons vec_reasons(const Section& array, const VecOptions& options);
/// The reason why sections that each fit by themselves do not fit together: some are in C order,
/// others in Fortran order (rule `petsc.vec.order`).
Finding mixed_vec_orders_reason(const Section& array);
/// Throws NotRepresentable (`petsc.vec.index-range`) if PETSc cannot count the elements of a block
/// that a Vec would have with the order on which all ranks have agreed. The same on all ranks.
void require_countable_block(Index block);
/// Collective. Number of elements that all ranks own. Throws NotRepresentable (rule
/// `petsc.vec.index-range`) if the lists of an unstructured dimension together have more indices
/// than a PetscInt can count.
Index count_owned(const DistArray& array);
/// The reasons why the whole section, including padding, cannot be a sequential Vec.
adapter::Reasons local_vec_reasons(const Section& array, const VecOptions& options);

}  // namespace daptor::petsc::detail
