// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "objects.hpp"

namespace daptor::fortran {

/// Process-local. The array whose communicator a collective call with `arrays` uses: the first.
/// Throws InvalidArgument (`fortran.empty`) where there is none.
std::shared_ptr<const Array> first_of(const Handle* arrays, std::int64_t count);

/// The arrays that are used in one call on `comm`. Throws InvalidArgument where one holds nothing
/// (`fortran.empty`) or lives on a communicator of other processes (`fortran.comm`). Process-local.
std::vector<DistArray> together(const Handle* arrays, std::int64_t count, const Comm& comm);

}  // namespace daptor::fortran
