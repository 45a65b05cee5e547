#pragma once

#include <memory>
#include <vector>

#include "daptor/global_index_map.hpp"
#include "transfer/ask_owners.hpp"

namespace daptor::detail {

/// Collective. All elements of this process's section of the target, by the processes that own them
/// in the source; `padding`: those of the communication padding too. `order`: dimensions as
/// the target's memory is visited best. Throws InvalidArgument (`redistribute.missing`) on all
/// ranks where the source has an index nowhere.
std::vector<Wanted> divide_target(const LocalIndexMap& target, const GlobalIndexMap& source,
                                  bool padding, const std::vector<int>& order,
                                  const Communicator& comm);

}  // namespace daptor::detail
