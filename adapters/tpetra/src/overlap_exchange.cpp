// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <Tpetra_Map.hpp>

#include "daptor/adapter/extents.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/local_index_map.hpp"
#include "daptor/tpetra.hpp"
#include "export_map.hpp"
#include "numbering.hpp"

namespace daptor::tpetra::detail {
namespace {

void require_one_base(const Map& overlap, const Map& owned) {
  if (overlap.getIndexBase() == owned.getIndexBase()) return;
  Finding finding;
  finding.rule = "halo.owned";
  finding.found = "Maps with index bases " + std::to_string(overlap.getIndexBase()) + " and " +
                  std::to_string(owned.getIndexBase());
  finding.expected = "the same index base in both Maps";
  throw InvalidArgument(Report({std::move(finding)}));
}

/// Whether the process owns the same indices in `map`, which has been inspected, as in the rows of
/// `x`, which are its dimensions from `first` on. The answer counts only if it is true on all
/// ranks: contiguous numbers depend on how many elements the ranks before own.
bool owns_the_same(const Section& x, int first, Numbering numbering,
                   const Teuchos::RCP<const Map>& map) {
  const LocalIndexMap rows(row_dimensions(x, first));
  const auto owned = count_of(*map);
  if (rows.owned_count() != owned) return false;
  if (numbering == Numbering::contiguous) return record_of(map).order->contiguous;
  const auto base = static_cast<Index>(map->getIndexBase());
  if (const auto run = natural_run(x, first); run && map->isContiguous())
    return owned == 0 || static_cast<Index>(map->getMinGlobalIndex()) == base + run->start;
  for (const Index natural : rows.owned_natural()) {
    const Index global = base + natural;
    if (!map->isNodeGlobalElement(static_cast<GlobalOrdinal>(global))) return false;
  }
  return true;
}

/// Treats boundary padding like all other owned elements, because Tpetra has no such concept.
DistArray without_boundary(const DistArray& x) {
  std::vector<Dimension> dimensions = x.dimensions();
  for (Dimension& dimension : dimensions) {
    if (const auto* block = dimension.as<Block>()) {
      Block plain = *block;
      plain.boundary = {};
      dimension = Dimension(dimension.global_size(), plain, dimension.periodic());
    } else if (const auto* whole = dimension.as<Undistributed>()) {
      Undistributed plain = *whole;
      plain.boundary = {};
      dimension = Dimension(dimension.global_size(), plain, dimension.periodic());
    }
  }
  return {Section(x.version(), x.buffer(), std::move(dimensions), x.warnings()), x.comm()};
}

}  // namespace

HaloExchange overlap_exchange(const std::function<DistArray(std::optional<Index>)>& exported,
                              const Teuchos::RCP<const Map>& overlap,
                              const Teuchos::RCP<const Map>& owned) {
  if (overlap.is_null() || owned.is_null()) throw InvalidArgument("map", "a null RCP", "a Map");
  const Comm comm(communicator(*owned));
  Call call(comm, "tpetra::overlap_exchange");
  // After this call, exports are process-local.
  HaloOptions named;
  named.owned = export_map(owned);
  const auto& padded = inspected(overlap).padded_rows;
  Agreed<bool> same;
  DistArray x = call.check([&] {
    require_one_base(*overlap, *owned);
    DistArray whole = exported(std::nullopt);
    call.require_same_processes(whole);
    if (!padded) return whole;
    const int first = whole.ndim() - static_cast<int>(padded->dimensions.size());
    same = call.all(known_one_to_one(whole, first) &&
                    owns_the_same(whole, first, padded->numbering, owned));
    return without_boundary(whole);
  });
  if (!padded) return HaloExchange(x, named);
  if (same) return HaloExchange(x);
  // The owners are not those of the array, or the array does not state them: use the list of its
  // indices, which may reach past the size of an unstructured dimension (U05).
  x = call.check([&] {
    return exported(
        std::max(adapter::global_count(padded->dimensions).value_or(0), index_stop(*overlap)));
  });
  return HaloExchange(x, named);
}

}  // namespace daptor::tpetra::detail
