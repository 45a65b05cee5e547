// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/terms.hpp"

/// \file
/// What the objects of this room, and their functions, are called in each language.

namespace daptor::names {

inline constexpr Name halo_exchange{"HaloExchange", "HaloExchange", "daptor_halo"};
inline constexpr Name redistribution{"Redistribution", "Redistribution", "daptor_redistribution"};
inline constexpr Name call_end{"Call end() first.", "Call end() first.", "Call finish first."};
inline constexpr Name end_without_begin{"end without begin", "end without begin",
                                        "finish without begin"};

}  // namespace daptor::names
