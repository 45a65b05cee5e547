// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscsys.h>

#include <Tpetra_CrsMatrix_fwd.hpp>
#include <Tpetra_Operator_fwd.hpp>

// What all calls throw.
#include "daptor/error.hpp"

namespace daptor::solvers {

/// An operator of Trilinos, with the element type of PETSc.
using Operator = Tpetra::Operator<PetscScalar>;
/// A sparse matrix of Trilinos, with the element type of PETSc.
using CrsMatrix = Tpetra::CrsMatrix<PetscScalar>;

}  // namespace daptor::solvers
