// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The conformance kit, which tries out what a producer of distributed arrays must be able to do.
/// `daptor/conformance/gtest.hpp`, which is not included here, makes a GoogleTest suite of it.

#include "daptor/conformance/candidate.hpp"
#include "daptor/conformance/checks.hpp"
#include "daptor/conformance/mpi_watch.hpp"
#include "daptor/conformance/plugin.hpp"
