// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/fortran/arguments.hpp"
#include "daptor/halo_exchange.hpp"
#include "daptor/redistribute.hpp"
#include "daptor/validate.hpp"

namespace daptor::fortran {

/// \name Options of C++ as arguments of the module daptor
/// \{
/// How ranks of a node exchange elements: without messages where that takes less time, unless this.
inline constexpr Argument by_messages{"within_node", As::value, "by_messages",
                                      static_cast<int>(WithinNode::messages)};
inline constexpr Argument halo_arguments[] = {
    {"stencil", As::value, "star", static_cast<int>(Stencil::star)},
    {"owned", As::nothing},
    {"through_host"},
    by_messages};
inline constexpr Argument copy_arguments[] = {{"fill_padding", As::itself, "fill_ghosts"},
                                              {"convert"},
                                              {"read_from_any"},
                                              {"buffer_bytes"},
                                              {"through_host"},
                                              by_messages};
/// Those of daptor_redistribute, which keeps no buffers.
inline constexpr Argument copy_once_arguments[] = {{"fill_padding", As::itself, "fill_ghosts"},
                                                   {"convert"},
                                                   {"read_from_any"},
                                                   {"buffer_bytes", As::nothing},
                                                   {"through_host"},
                                                   by_messages};
inline constexpr Argument transform_arguments[] = {{"conjugate", As::nothing}};
inline constexpr Argument validate_arguments[] = {
    {"level", As::value, "metadata", static_cast<int>(Level::metadata)},
    {"profile", As::value, "strict", static_cast<int>(Profile::strict)},
    {"listed_ranks", As::nothing}};
/// \}

}  // namespace daptor::fortran
