// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/fortran/arguments.hpp"
#include "daptor/petsc/vec.hpp"

/// \file
/// Options of C++ as arguments of the module daptor_petsc.

namespace daptor::petsc {

inline constexpr fortran::Argument vec_arguments[] = {
    {"flat"}, {"readonly"}, {"trust_readonly"}, {"allow_overlap"}, {"local_to_global"}};
inline constexpr fortran::Argument local_vec_arguments[] = {
    {"allow_overlap", fortran::As::nothing},
    {"local_to_global", fortran::As::nothing},
    {"ghosts", fortran::As::nothing},
    {"interior", fortran::As::nothing}};
inline constexpr fortran::Argument export_arguments[] = {{"ghosts"}};

}  // namespace daptor::petsc
