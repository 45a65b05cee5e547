#include <memory>
#include <string>
#include <vector>

#include <Tpetra_Map.hpp>

#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"
#include "daptor/tpetra.hpp"

namespace daptor::tpetra::detail {
namespace {

using Map = Tpetra::Map<>;

void require_one_base(const Map& overlap, const Map& owned) {
  if (overlap.getIndexBase() == owned.getIndexBase()) return;
  Finding finding;
  finding.rule = "halo.owned";
  finding.found = "Maps that count from " + std::to_string(overlap.getIndexBase()) + " and from " +
                  std::to_string(owned.getIndexBase());
  finding.expected = "one index base";
  throw InvalidArgument(Report({std::move(finding)}));
}

}  // namespace

HaloExchange overlap_exchange(const std::function<DistArray()>& exported,
                              const Teuchos::RCP<const Map>& overlap,
                              const Teuchos::RCP<const Map>& owned) {
  if (overlap.is_null() || owned.is_null())
    throw InvalidArgument("map", "a null RCP", "a Map");
  const auto comm = std::make_shared<const MpiCommunicator>(communicator(*owned));
  const CollectiveCall call(*comm, "tpetra::overlap_exchange");
  // Afterwards exporting is process-local.
  HaloOptions options;
  options.owned = export_map(owned);
  export_map(overlap);
  const DistArray x = agreed(*comm, [&] {
    daptor::detail::fault_point("tpetra.overlap_exchange");
    require_one_base(*overlap, *owned);
    return exported();
  });
  return HaloExchange(std::vector<DistArray>{x}, comm, options);
}

}  // namespace daptor::tpetra::detail
