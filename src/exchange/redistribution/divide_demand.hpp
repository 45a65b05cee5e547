// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/global_index_map.hpp"
#include "exchange/redistribution/demand.hpp"
#include "exchange/sharing.hpp"

/// \file
/// Example: 10 elements on two owners. Owner 0 has the indices {0, 1, 2, 3, 8, 9} and owner 1 {4,
/// 5, 6, 7} (block-cyclic, block size 4). A process requests the indices [2, 7), which have the
/// local indices [0, 5) in its section: one run with local start 0, global start 2 and count 5. It
/// is divided at the ends of the owners' blocks:
///
///     owner 0: here [0, 2), there [2, 4)     global 2, 3: positions 2, 3 among 0 1 2 3 8 9
///     owner 1: here [2, 5), there [0, 3)     global 4, 5, 6: positions 0, 1, 2 among 4 5 6 7
///
/// This is one dimension. If the same is requested along a second dimension, each owner on the 2 x
/// 2 grid has a box, the product of its two pieces: the process wants four boxes of 2 x 2, 2 x 3, 3
/// x 2 and 3 x 3 elements from four ranks. Along an unstructured dimension the directory says who
/// owns each index, and the pieces are lists.

namespace daptor::detail {

/// Whose indices are demanded of the other side.
enum class Asker { target, source };

/// Throws InvalidArgument (`redistribute.beyond`).
/// @param found  the index of the source
[[noreturn]] void refuse_beyond(int d, const Terms& found);

/// The boxes of several demands, one demand after the other.
struct Divided {
  std::vector<Wanted> boxes;
  std::vector<std::size_t> ends;  ///< for each demand, the number of boxes up to and with its own

  void add(std::vector<Wanted> of_demand);
  std::vector<std::vector<Wanted>> by_demand() &&;
};

/// Divides each of the demands over the processes that own its elements; the order of the regions
/// is not set yet. Collective over the owners' communicator if one of their dimensions is
/// unstructured. An index that no process owns is InvalidArgument (`redistribute.missing`, or
/// `redistribute.beyond` where the source asks), which the next check of the call tells.
Divided divide(const std::vector<Demand>& demands, const GlobalIndexMap& owners, Asker asker,
               Call& call);

/// The same for one-dimensional demands of row-major numbers. The results are one-dimensional too:
/// row-major positions in the owner's owned box. The owners' array has no unstructured dimension.
Divided divide_flat(const std::vector<Demand>& demands, const GlobalIndexMap& owners, Asker asker,
                    Call& call);

}  // namespace daptor::detail
