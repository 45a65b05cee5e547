// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/global_index_map.hpp"
#include "exchange/redistribution/demand.hpp"
#include "exchange/sharing.hpp"

/// \file
/// Example: 10 elements on two owners. Owner 0 has blocks {0, 1, 2, 3, 8, 9} and owner 1 {4, 5, 6,
/// 7} (block-cyclic, blocks of 4). A process asks for [2, 7), and has them from local index 0 on:
/// one run, here 0, global 2, count 5. It is divided at the ends of the owners' blocks:
///
///     owner 0: here [0, 2), there [2, 4)     global 2, 3: positions 2, 3 among 0 1 2 3 8 9
///     owner 1: here [2, 5), there [0, 3)     global 4, 5, 6: positions 0, 1, 2 among 4 5 6 7
///
/// That is one dimension. In two, where the same is asked for along the other dimension, each owner
/// of the 2 x 2 grid has a box, the product of its two pieces: the four boxes of 2 x 2, 2 x 3, 3 x
/// 2 and 3 x 3 elements are what the process wants of four ranks. Along an unstructured dimension
/// the directory says who owns each index, and the pieces are lists.

namespace daptor::detail {

/// What to do about an index that no process owns.
enum class Missing { refuse, skip };

/// Collective over the owners' communicator. Divides what each of some processes asks for among the
/// processes that own it; the regions have no order yet. Throws InvalidArgument
/// (`redistribute.missing`) on all ranks where nobody owns an index that is not to be skipped.
std::vector<std::vector<Wanted>> divide(const std::vector<Demand>& demands,
                                        const GlobalIndexMap& owners, Missing missing,
                                        const Comm& comm);

/// The same where the demands are one-dimensional, of row-major numbers, and so is what is wanted
/// of an owner: row-major positions in its owned box. The owners' array has no unstructured
/// dimension.
std::vector<std::vector<Wanted>> divide_flat(const std::vector<Demand>& demands,
                                             const GlobalIndexMap& owners, Missing missing,
                                             const Comm& comm);

}  // namespace daptor::detail
