#pragma once

#include <memory>
#include <vector>

#include "daptor/global_index_map.hpp"
#include "daptor/halo_exchange.hpp"
#include "transfer/region.hpp"

namespace daptor::detail {

/// Regions that this process shares with one other, in the order in which they travel.
struct SharedRegions {
  int rank = 0;
  std::vector<Region> regions;
};

/// A region of this process that it copies itself.
struct OwnCopy {
  Region owned;
  /// From an owned element to its copy: local indices along each dimension.
  std::vector<Index> shift;
};

/// Where the copies of an exchange are and who owns them. Regions are of local indices; the k-th
/// region for a rank is the k-th that it has for this one, element for element.
struct HaloPlan {
  std::vector<SharedRegions> owned;   ///< owned here, copied there; in order of rank
  std::vector<SharedRegions> copies;  ///< copied here, owned there; in order of rank
  std::vector<OwnCopy> own;
};

struct HaloPlans {
  HaloPlan update;
  /// The same without the owners' boundary padding.
  HaloPlan accumulate;
};

/// Collective. `boundary`: any process has boundary padding; the same on all ranks.
HaloPlans plan_halo(const DistArray& array, const GlobalIndexMap& map, const HaloOptions& options,
                    bool boundary, const std::shared_ptr<const Communicator>& comm);

}  // namespace daptor::detail
