// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/fortran.hpp"
#include "daptor/fortran/arguments.hpp"
#include "daptor/petsc/vec.hpp"

/// \file
/// What the module daptor_petsc calls, and options of C++ as its arguments.

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

extern "C" {
/// Collective over the array's communicator. `local` asks for the whole section, as a sequential
/// Vec.
int daptor_fortran_import_vec(daptor::fortran::Handle array, const daptor_fortran_argument* options,
                              std::int32_t local, std::int64_t& vec);
/// Collective over the communicator of the Vec.
int daptor_fortran_export_vec(std::int64_t vec, const daptor_fortran_argument* options,
                              daptor::fortran::Handle& array);
/// Collective over PETSC_COMM_WORLD.
int daptor_fortran_load_plugin();
}
