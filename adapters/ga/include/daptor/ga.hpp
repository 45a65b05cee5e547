// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Global Arrays: their memory as described arrays, described arrays as Global Arrays.

#include "daptor/ga/array.hpp"
#include "daptor/ga/copy.hpp"
#include "daptor/ga/targets.hpp"
