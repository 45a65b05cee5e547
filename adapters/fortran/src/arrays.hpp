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

/// Process-local. All of them. Throws InvalidArgument (`fortran.empty`) if one of them holds no
/// array.
std::vector<DistArray> all_of(const Handle* arrays, std::int64_t count);

}  // namespace daptor::fortran
