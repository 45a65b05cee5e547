// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "daptor/comm.hpp"
#include "daptor/conformance/candidate.hpp"
#include "daptor/conformance/producer.h"

/// \file
/// Loads producers from shared libraries, which `daptor/conformance/producer.h` describes.

namespace daptor::conformance {

/// Loads a producer from a shared library. Process-local. The library stays loaded until the
/// process ends, because its sections may live that long.
/// @param specification  a file, a colon and a symbol, as in `./libgrid.so:grid`. A file name
///                       without a slash is searched for in the working directory, then where the
///                       dynamic linker searches
/// @throws ProducerFailed with rule `plugin.specification`, `plugin.file` (the file does not exist
///   or cannot be loaded) or `plugin.symbol`, and the linker's own message
Subject load_producer(const std::string& specification);

/// Collective over `comm`. Does the same on all ranks.
/// @param specification  the same on all ranks
/// @param comm           the ranks that load the library
/// @throws ProducerFailed on all ranks if a rank cannot load it: the error of the lowest such rank
Subject load_producer(const std::string& specification, const Comm& comm);

/// Tries to load the producer, and returns a sentence about the failure, or `nullopt` if it loads.
/// It is loaded in a child process, so that a library that crashes, exits or hangs when it is
/// loaded does no harm here: after `limit` the child is killed.
///
/// Process-local. Call it before MPI_Init and before threads are started, because a child of a
/// process with MPI is not safe.
/// @param specification  see `load_producer`
/// @param limit          how long the child may take
/// @throws InvalidArgument while MPI is running; LibraryFailed (`library.system`) if no child
///   process can be started
std::optional<std::string> probe_producer(
    const std::string& specification,
    std::chrono::milliseconds limit = std::chrono::milliseconds(3000));

}  // namespace daptor::conformance
