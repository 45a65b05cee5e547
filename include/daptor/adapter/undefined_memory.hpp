// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/section.hpp"

/// \file
/// For authors of adapters: memory that a copy is about to fill.

namespace daptor::adapter {

/// The same as `daptor::allocate`, except that the elements are not set to zero: for memory that is
/// filled completely before anybody reads it. Process-local.
/// @returns this process's section, writable; with a defect where `allocate` has one
Section allocate_undefined(const DataType& type, std::vector<Dimension> dimensions,
                           Order order = Order::c);

}  // namespace daptor::adapter
