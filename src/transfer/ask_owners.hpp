#pragma once

#include <memory>
#include <vector>

#include "daptor/global_index_map.hpp"
#include "transfer/region.hpp"

namespace daptor::detail {

/// Elements of this process's section that one process owns elsewhere: in another array, or in
/// another part of the same.
struct Wanted {
  std::vector<Index> owner;  ///< coordinates on the owners' grid
  Region here;
  /// Along each dimension, positions among the owner's owned indices.
  std::vector<Selection> there;
};

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

/// Collective. Tells the owners what is wanted. `owners` is the map of the owned array. Where this
/// rank brings a failure from before, or fails here, all ranks throw.
Sharing ask_owners(const std::vector<Wanted>& wanted, const GlobalIndexMap& owners,
                   const Communicator& comm);

}  // namespace daptor::detail
