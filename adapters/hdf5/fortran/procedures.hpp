// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/fortran.hpp"
#include "daptor/fortran/arguments.hpp"
#include "daptor/hdf5.hpp"

/// \file
/// What the module daptor_hdf5 calls, and options of C++ as its arguments.

namespace daptor::hdf5 {

using fortran::As;
inline constexpr fortran::Argument save_arguments[] = {{"overwrite"},
                                                       {"boundary"},
                                                       {"read_from_any"},
                                                       {"sync", As::negated, "no_sync"},
                                                       {"deflate"},
                                                       {"memory_bytes", As::nothing},
                                                       {"numbering", As::nothing},
                                                       {"chunks", As::nothing},
                                                       {"progress", As::nothing}};
inline constexpr fortran::Argument append_arguments[] = {{"step", As::from_one, "at"},
                                                         {"steps", As::small},
                                                         {"boundary"},
                                                         {"read_from_any"},
                                                         {"sync", As::negated, "no_sync"},
                                                         {"deflate"},
                                                         {"memory_bytes", As::nothing},
                                                         {"numbering", As::nothing},
                                                         {"progress", As::nothing}};
inline constexpr fortran::Argument load_arguments[] = {{"step", As::from_an_end, "number"},
                                                       {"time", As::own},
                                                       {"step", As::own},
                                                       {"boundary"},
                                                       {"ghosts", As::negated, "no_ghosts"},
                                                       {"convert"},
                                                       {"memory_bytes", As::nothing},
                                                       {"numbering", As::nothing},
                                                       {"progress", As::nothing}};

}  // namespace daptor::hdf5

extern "C" {
/// All are collective. The numbers that are kept with the array may be absent.
int daptor_fortran_hdf5_save(daptor::fortran::Handle array, const char* path, const char* name,
                             const daptor_fortran_argument* options,
                             const daptor_fortran_argument& time,
                             const daptor_fortran_argument& step);
int daptor_fortran_hdf5_append(daptor::fortran::Handle array, const char* path, const char* name,
                               const daptor_fortran_argument* options,
                               const daptor_fortran_argument& time,
                               const daptor_fortran_argument& number);
/// `time` and `step` get what the dataset says of them, if they are there.
int daptor_fortran_hdf5_load(daptor::fortran::Handle array, const char* path, const char* name,
                             const daptor_fortran_argument* options,
                             const daptor_fortran_argument& time,
                             const daptor_fortran_argument& step);
}
