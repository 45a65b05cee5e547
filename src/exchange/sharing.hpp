// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "daptor/global_index_map.hpp"
#include "exchange/region.hpp"

namespace daptor::detail {

/// Elements of this process's section that one process owns elsewhere: in another array, or in
/// another part of the same.
struct Wanted {
  std::vector<Index> owner;  ///< coordinates on the owners' grid
  int rank = -1;             ///< of the owner; see `locate`
  Region here;
  /// Along each dimension, positions among the owner's owned indices.
  std::vector<Selection> there;
};

/// Collective over `comm`, that of `owners`. Sets the ranks of the owners.
void locate(std::vector<Wanted>& wanted, const GlobalIndexMap& owners, const Comm& comm);

/// Regions that this process shares with one other, in the order in which they travel.
struct SharedRegions {
  int rank = 0;
  std::vector<Region> regions;
};

/// Elements that this process owns and wants itself.
struct OwnRegions {
  Region owned;
  Region wanted;
};

/// Who has what of whom. Regions are of local indices; the k-th region for a rank is the k-th that
/// it has for this one, element for element.
struct Sharing {
  std::vector<SharedRegions> owned;   ///< owned here, wanted there; in order of rank
  std::vector<SharedRegions> wanted;  ///< wanted here, owned there; in order of rank
  std::vector<OwnRegions> own;
};

/// The same elements on their way back: what was wanted is owned, and the other way round.
Sharing turned(Sharing sharing);

/// Collective. Tells the owners what is wanted. `owned_offset`: the local index of the first owned
/// one along each dimension, on this process. Where this rank fails, all throw.
Sharing ask_owners(const std::vector<Wanted>& wanted, const std::vector<Index>& owned_offset,
                   const Comm& comm);

}  // namespace daptor::detail
