// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>

#include "daptor/abi.h"
#include "daptor/section.hpp"

/// \file
/// For bindings: imports a section that stays in its C struct until the import has succeeded on all
/// ranks.

namespace daptor::detail {

struct SectionInPlace {
  Section array;
  /// Moves the section out of the struct, so that it is released with the array. Call it at most
  /// once, while the struct holds the section; without a call the struct keeps it.
  std::function<void()> take_over;
};

/// Imports `*in` as import_abi does, but leaves the section in the struct.
///
/// Process-local. The struct is unchanged until `take_over` is called.
/// @param in      the struct; must stay in place as long as `keeper` lives
/// @param keeper  released by `take_over`, or together with the last copy of the array
SectionInPlace import_in_place(daptor_array* in, std::shared_ptr<const void> keeper);

}  // namespace daptor::detail
