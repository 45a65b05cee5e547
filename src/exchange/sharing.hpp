// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/global_index_map.hpp"
#include "exchange/region.hpp"

namespace daptor::detail {

/// Elements of this process's section that one process owns elsewhere: in another array, or in
/// another part of the same array.
struct Wanted {
  std::vector<Index> owner;  ///< grid coordinates of the owner
  int rank = -1;             ///< rank of the owner, set by `locate`
  Region here;
  /// Positions among the owner's owned indices, for each dimension.
  std::vector<Selection> there;
};

/// Sets the ranks of the owners; what fails, the next check of the call tells. Collective over the
/// ranks of `owners` unless these are in row-major order.
void locate(std::vector<Wanted>& wanted, const GlobalIndexMap& owners, Call& call);

/// Regions that this process shares with one other process, in the order in which they are sent.
struct SharedRegions {
  int rank = 0;
  std::vector<Region> regions;
};

/// Elements that this process both owns and wants.
struct OwnRegions {
  Region owned;
  Region wanted;
};

/// Which elements are shared with which process. Regions are in local indices; the k-th region for
/// a rank corresponds, element by element, to the k-th region that the rank has for this process.
struct Sharing {
  std::vector<SharedRegions> owned;   ///< owned here, wanted there; sorted by rank
  std::vector<SharedRegions> wanted;  ///< wanted here, owned there; sorted by rank
  std::vector<OwnRegions> own;
};

/// The same elements in the opposite direction: `wanted` and `owned` change places.
Sharing turned(Sharing sharing);

/// The local indices that a process owns along each dimension.
std::vector<OwnedPart> owned_parts(const Section& array);

/// Collective. Sends the owners the requests for the wanted elements. `owned` has the local indices
/// that this process owns along each dimension. If a rank fails before the requests are sent, all
/// ranks throw; what fails afterwards, the next check of the call tells.
Sharing ask_owners(const std::vector<Wanted>& wanted, const std::vector<OwnedPart>& owned,
                   Call& call);

}  // namespace daptor::detail
