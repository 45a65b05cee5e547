// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "daptor/abi.h"
#include "daptor/dist_array.hpp"
#include "daptor/report.hpp"
#include "daptor/value.hpp"

namespace daptor::detail {

/// What the C interface itself asks of a struct (rules `abi.…`); reads nothing that is not proven
/// readable as far as the struct says.
Report check_struct(const daptor_array& in);

/// A struct that passed check_struct as an untrusted description. `memory` stands behind the
/// elements, `owner` keeps alive what the struct points to.
Value struct_to_value(const daptor_array& in, std::shared_ptr<SharedState> memory,
                      std::shared_ptr<SharedState> owner);

/// The array that this library described in `in`, or a null pointer where another producer did.
const DistArray* exported_array(const daptor_array& in);

}  // namespace daptor::detail
