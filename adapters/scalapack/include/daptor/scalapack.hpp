// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/scalapack/block_cyclic.hpp"
#include "daptor/scalapack/descriptor.hpp"
#include "daptor/scalapack/grid.hpp"
#include "daptor/scalapack/matrix.hpp"
