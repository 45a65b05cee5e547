// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/global_index_map.hpp"
#include "exchange/redistribution/demand.hpp"
#include "exchange/sharing.hpp"

namespace daptor::detail {

/// What to do about an index that no process owns.
enum class Missing { refuse, skip };

/// Collective over the owners' communicator. Divides what each of some processes asks for among the
/// processes that own it; the regions have no order yet. Throws InvalidArgument
/// (`redistribute.missing`) on all ranks where nobody owns an index that is not to be skipped.
std::vector<std::vector<Wanted>> divide(const std::vector<Demand>& demands,
                                        const GlobalIndexMap& owners, Missing missing,
                                        const Communicator& comm);

/// The same where the demands are one-dimensional, of row-major numbers, and so is what is wanted
/// of an owner: row-major positions in its owned box. The owners' array has no unstructured
/// dimension.
std::vector<std::vector<Wanted>> divide_flat(const std::vector<Demand>& demands,
                                             const GlobalIndexMap& owners, Missing missing,
                                             const Communicator& comm);

}  // namespace daptor::detail
