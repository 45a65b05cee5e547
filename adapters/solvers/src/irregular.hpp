// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscvec.h>

namespace daptor::solvers {

/// Fills a vector with irregular numbers between 0.5 and 1.5: the same in every run, but different
/// for each `seed`. Logically collective. Throws LibraryFailed.
void fill_irregularly(Vec x, PetscInt seed);

}  // namespace daptor::solvers
