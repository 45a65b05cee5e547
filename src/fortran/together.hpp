// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "objects.hpp"

namespace daptor::fortran {

/// Process-local. The first array, whose communicator a collective call with `arrays` uses. Throws
/// InvalidArgument (`fortran.empty`) if there is none.
std::shared_ptr<const Array> first_of(const Handle* arrays, std::int64_t count);

/// The arrays that are used in one call on `comm`. Process-local. Throws InvalidArgument if one of
/// them holds no array (`fortran.empty`) or is on a communicator of other processes
/// (`fortran.comm`).
std::vector<DistArray> together(const Handle* arrays, std::int64_t count, const Comm& comm);

}  // namespace daptor::fortran
