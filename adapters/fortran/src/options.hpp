// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/fortran/arguments.hpp"
#include "daptor/halo_exchange.hpp"
#include "daptor/redistribute.hpp"
#include "daptor/validate.hpp"

namespace daptor::fortran {

/// \name Options of C++ as arguments of the module daptor
/// \{
inline constexpr Argument halo_arguments[] = {
    {"stencil", As::value, "star", static_cast<int>(Stencil::star)}, {"owned", As::nothing}};
inline constexpr Argument copy_arguments[] = {
    {"fill_padding", As::itself, "fill_ghosts"}, {"convert"}, {"read_from_any"}};
/// Those of daptor_redistribute, which keeps no buffers.
inline constexpr Argument copy_once_arguments[] = {{"fill_padding", As::itself, "fill_ghosts"},
                                                   {"convert"},
                                                   {"read_from_any"},
                                                   {"buffer_bytes", As::nothing}};
inline constexpr Argument transform_arguments[] = {{"conjugate", As::nothing}};
inline constexpr Argument validate_arguments[] = {
    {"level", As::value, "metadata", static_cast<int>(Level::metadata)},
    {"profile", As::value, "strict", static_cast<int>(Profile::strict)},
    {"listed_ranks", As::nothing}};
/// \}

}  // namespace daptor::fortran
