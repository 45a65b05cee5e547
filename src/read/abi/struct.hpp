// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "daptor/abi.h"
#include "daptor/report.hpp"
#include "daptor/section.hpp"
#include "daptor/value.hpp"

namespace daptor::detail {

/// Judges the requirements of the C interface on a struct (rules `abi.…`); reads only memory that
/// the struct has been shown to cover.
Report check_struct(const daptor_array& in);

/// The struct, which must have passed check_struct, as an untrusted description. `memory` is the
/// state of the element memory, `owner` keeps alive everything that the struct points to.
Value struct_to_value(const daptor_array& in, std::shared_ptr<SharedState> memory,
                      const std::shared_ptr<SharedState>& owner);

/// The array that this library exported to `in`; null if another producer filled it.
const Section* exported_array(const daptor_array& in);

}  // namespace daptor::detail
