// SPDX-License-Identifier: BSD-3-Clause
#include "irregular.hpp"

#include <cmath>

#include "daptor/petsc/adapter/call.hpp"
#include "vec_access.hpp"

namespace daptor::solvers {

void fill_irregularly(Vec x, PetscInt seed) {
  PetscInt first = 0;
  PetscInt last = 0;
  petsc::detail::call("VecGetOwnershipRange", VecGetOwnershipRange, x, &first, &last);
  const WriteArray open(x, last - first);
  for (PetscInt i = first; i < last; ++i) {
    const double whirled =
        std::sin(12.9898 * static_cast<double>(i + 1) + 78.233 * static_cast<double>(seed + 1)) *
        43758.5453;
    open.data()[i - first] = PetscScalar(0.5 + whirled - std::floor(whirled));
  }
}

}  // namespace daptor::solvers
