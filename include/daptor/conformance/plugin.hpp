// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "daptor/comm.hpp"
#include "daptor/conformance/candidate.hpp"
#include "daptor/conformance/producer.h"

/// \file
/// Producers in shared libraries, as `daptor/conformance/producer.h` wants them.

namespace daptor::conformance {

/// The producer that `specification` names.
///
/// That is a file, a colon and a symbol, as in `./libgrid.so:grid`. A file name without a slash is
/// looked for in the working directory, then where the dynamic linker looks.
///
/// Process-local. The library stays loaded until the process ends, as sections of it may. Throws
/// ProducerFailed with rule `plugin.specification`, `plugin.file` (not there, or cannot be loaded)
/// or `plugin.symbol`, and the linker's own words.
Subject load_producer(const std::string& specification);

/// Collective. The same; where one rank cannot load it, all throw the error of the lowest such
/// rank.
Subject load_producer(const std::string& specification, const Comm& comm);

/// Tries to load the producer, and returns a sentence about the failure, or `nullopt` if it loads.
/// Loads it in a child process, so that a library that crashes, exits or hangs when it is loaded
/// does no harm here: after `limit` the child is killed.
///
/// Process-local. Call it before MPI_Init and before threads are started: a child of a process with
/// MPI is not safe. Throws InvalidArgument while MPI is running, LibraryFailed (`library.system`)
/// where there is no child to be had.
std::optional<std::string> probe_producer(
    const std::string& specification,
    std::chrono::milliseconds limit = std::chrono::milliseconds(3000));

}  // namespace daptor::conformance
