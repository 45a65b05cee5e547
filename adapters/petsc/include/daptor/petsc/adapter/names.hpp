// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "daptor/terms.hpp"

/// \file
/// For adapters that name parts of PETSc: what messages call them in C++, in Python, where petsc4py
/// has them, and in Fortran.

namespace daptor::petsc::names {

/// A function of PETSc which petsc4py has as a method: `MatSetBlockSize`, in Python
/// `Mat.setBlockSize`.
Terms function(const std::string& name);

inline constexpr Name scalar{"PetscScalar", "PETSc.ScalarType", "PetscScalar"};
inline constexpr Name integer{"PetscInt", "PETSc.IntType", "PetscInt"};
inline constexpr Name convert_to_aij{"MatConvert(A, MATAIJ, MAT_INITIAL_MATRIX, &B)",
                                     "B = A.convert('aij', PETSc.Mat())",
                                     "MatConvert(A, MATAIJ, MAT_INITIAL_MATRIX, B, ierr)"};
inline constexpr Name compute_entries{
    "The matrix has no entries: assemble a matrix of type AIJ, or compute one, column by column, "
    "with MatComputeOperator(A, MATAIJ, &B).",
    "The matrix has no entries: assemble a matrix of type AIJ.",
    "The matrix has no entries: assemble a matrix of type AIJ, or compute one, column by column, "
    "with MatComputeOperator(A, MATAIJ, B, ierr)."};
inline constexpr Name assemble{"MatAssemblyBegin and MatAssemblyEnd", "Mat.assemble",
                               "MatAssemblyBegin and MatAssemblyEnd"};
inline constexpr Name set_rigid_body_modes{"MatSetNearNullSpace with MatNullSpaceCreateRigidBody",
                                           "Mat.setNearNullSpace with NullSpace.createRigidBody",
                                           "MatSetNearNullSpace with MatNullSpaceCreateRigidBody"};
inline constexpr Name say_symmetric{"MatSetOption with MAT_SYMMETRIC",
                                    "Mat.setOption with Mat.Option.SYMMETRIC",
                                    "MatSetOption with MAT_SYMMETRIC"};

/// \name Calls in which ranks are
/// \{
inline constexpr Name in_set_up{"PCSetUp", "PC.setUp"};
inline constexpr Name in_set_from_options{"PCSetFromOptions", "PC.setFromOptions"};
/// \}

}  // namespace daptor::petsc::names
