// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/adapter/reason.hpp"
#include "daptor/petsc/vec.hpp"

namespace daptor::petsc::detail {

/// Why the owned part of this section cannot be a Vec.
adapter::Reasons vec_reasons(const DistArray& array, const VecOptions& options);
/// Why sections that can be, each by itself, cannot be together: C order here, Fortran order there
/// (rule `petsc.vec.order`).
Finding mixed_vec_orders_reason(const DistArray& array);
/// Collective. Elements that all ranks own. Throws NotRepresentable (rule `petsc.vec.index-range`)
/// where the lists of an unstructured dimension are more together than a PetscInt holds.
Index count_owned(const DistArray& array, const Comm& comm);
/// Why the whole section, padding included, cannot be a sequential Vec.
adapter::Reasons local_vec_reasons(const DistArray& array, const VecOptions& options);

}  // namespace daptor::petsc::detail
