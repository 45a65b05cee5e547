// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/adapter/reason.hpp"

namespace daptor::detail {

using adapter::refuse_argument;

}  // namespace daptor::detail
