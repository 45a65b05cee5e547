// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/tpetra/adapter/local_count.hpp"

namespace daptor::solvers {

using tpetra::local_count;

}  // namespace daptor::solvers
