#pragma once

#include "daptor/petsc/vec.hpp"
#include "section.hpp"

namespace daptor::petsc::detail {

/// Why the owned part of this section cannot be a Vec.
Reasons vec_reasons(const DistArray& array, const VecOptions& options);
/// Why the whole section, padding included, cannot be a sequential Vec.
Reasons local_vec_reasons(const DistArray& array, const VecOptions& options);

}  // namespace daptor::petsc::detail
