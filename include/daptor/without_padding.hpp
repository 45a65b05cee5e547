// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/dist_array.hpp"

namespace daptor {

/// Collective. Describes the elements of the array without padding of either kind, on the same
/// memory: an array whose sizes are those of the interior. Boundary padding counts in the sizes of
/// the protocol, and so in those of every native object that is made of an array; made of the
/// result, it has the elements between the ghost cells alone. No element is copied.
///
/// The section begins at `array.interior_data()` and has the strides of the array, hence gaps where
/// there is padding in a dimension that is not the slowest varying one. Dimensions keep their
/// distribution, process grid and periodicity. A list that says which elements are owned keeps
/// these; where ghosts lie between them, the ghosts stay in the section and are no padding. Where
/// nothing is left out on any rank, the result is the array itself.
///
/// Example: 10 cells on two processes with two ghost cells at both ends of each section. The array
/// has the size 14, of which process 0 owns [0, 7); the result has the size 10, of which process 0
/// owns [0, 5), and its local index 0 is the array's local index 2.
///
/// Costs an all-reduce, and three more if a rank has boundary padding, besides the proof of an
/// array that was not proven before.
/// @param array  the array; it needs no memory
/// @returns an array on the communicator, the memory and the shared state of `array`, and read-only
///   if that is
/// @throws Malformed on all ranks if the sections do not form one array; the defect of an array
///   that is not described
DistArray without_padding(const DistArray& array);

}  // namespace daptor
