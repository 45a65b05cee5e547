// SPDX-License-Identifier: BSD-3-Clause
#include <Tpetra_Map.hpp>

#include "daptor/adapter/merged.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/kokkos.hpp"
#include "daptor/tpetra/check.hpp"
#include "maps.hpp"

namespace daptor::tpetra {

Report detail::check_map(const Teuchos::RCP<const Map>& map, MapUse use) {
  if (map.is_null()) throw InvalidArgument("object", "a null RCP", "a Map");
  const Comm comm(communicator(*map));
  Call call(comm, "tpetra::check");
  call.same("use", use);
  MapChecks maps;
  call.check([&] {
    require_trilinos();
    maps.add(map, use == MapUse::owned ? MapDemand::owned : MapDemand::any,
             findings_about("Map", *map), call);
  });
  maps.prove(call);
  return adapter::merged(call, [&] { return maps.report(comm.rank()); });
}

}  // namespace daptor::tpetra
