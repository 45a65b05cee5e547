// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// Moves the elements at which a mask is set to the front of another array, and back.

namespace daptor {

/// \name Packing and unpacking. Collective.
/// The array that is masked (the source of `pack`, the destination of `unpack`) and the mask have
/// one dimension in blocks, even or of any bounds, and each rank owns the same global indices of
/// both; ranks may be in any order. The packed array has any division of its own: blocks of any
/// bounds, cyclic, unstructured, on few ranks. Strides and padding may differ everywhere.
/// Communication padding is neither read nor written.
///
/// That the packed array is large enough is known on all ranks before any element moves. Each rank
/// reads its mask once, and its packed elements are one range of the packed array; it exchanges
/// messages only with the ranks that have that range. No rank has a table of size P, except for the
/// bounds of irregular blocks that a GlobalIndexMap keeps. The ranks may be simulated, unless the
/// packed array is cyclic or unstructured.
///
/// Example, on any number of ranks:
/// \code
/// // mask    1 0 0 0 0 1 0 1 0  0  1  0  0  0  1  0  0
/// // source  1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17
/// daptor::Index n = daptor::pack(source, mask, few);   // few begins 1 6 8 11 15; n is 5
/// daptor::unpack(few, mask, zeroes);   // 1 0 0 0 0 6 0 8 0 0 11 0 0 0 15 0 0
/// \endcode
/// @param mask   integers or bools of 1, 2, 4 or 8 bytes; an element that is not 0 is set
/// @param range  global indices of the mask that count, within [0, size]; all if it is not given.
///               The same on all ranks
/// @returns the number of set elements in the range, the same on all ranks
/// @throws Malformed on all ranks, if the sections of one of the arrays do not form an array
/// @throws InvalidArgument on all ranks, before anything is written: `sparse.capacity` (the packed
///   array has fewer elements than the mask has set ones), `sparse.ndim`, `sparse.order`,
///   `sparse.division`, `sparse.type`, `sparse.mask`, `sparse.range`, `sparse.memory` (a
///   destination that overlaps another array), `collective.different`, `sparse.strides`,
///   `sparse.device`, `lease.readonly`, `lease.memory`; for an unstructured packed array without
///   some of the first indices `sparse.missing`
/// @throws what a view of the destination throws when it is notified of the write: on all ranks,
///   after the elements have been written
/// \{

/// Copies the source's elements at which the mask is set, in their order, to the elements
/// 0, 1, 2, … of the destination (`ga_pack`, which has the mask as its last array). The
/// destination's other elements are not written. Element types of any kind.
Index pack(const DistArray& source, const DistArray& mask, const DistArray& destination,
           const std::optional<IndexRange>& range = std::nullopt);

/// Copies the source's elements 0, 1, 2, … in their order to the destination's elements at which
/// the mask is set (`ga_unpack`, which has the mask as its last array). The destination's other
/// elements are not written. Element types of any kind.
Index unpack(const DistArray& source, const DistArray& mask, const DistArray& destination,
             const std::optional<IndexRange>& range = std::nullopt);

/// The same as `pack`, to a new array with exactly as many elements as the mask has set ones, in
/// even blocks. Its memory is freed with the last description or import of it.
/// @returns the new array, on the communicator of the source; its global size is the number of
///   elements
DistArray packed(const DistArray& source, const DistArray& mask,
                 const std::optional<IndexRange>& range = std::nullopt);
/// \}

}  // namespace daptor
