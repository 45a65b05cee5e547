// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/fortran/arguments.hpp"
#include "daptor/hdf5.hpp"

/// \file
/// Options of C++ as arguments of the module daptor_hdf5.

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
