// SPDX-License-Identifier: BSD-3-Clause
#include <Tpetra_Map.hpp>

#include "daptor/error.hpp"
#include "daptor/tpetra/check.hpp"
#include "maps.hpp"

namespace daptor::tpetra {

Report detail::check_map(const Teuchos::RCP<const Map>& map, MapUse use) {
  if (map.is_null()) throw InvalidArgument("object", "a null RCP", "a Map");
  Inspection look(*map, findings_about("Map", *map));
  look.call().same("use", use);
  MapChecks maps;
  look.gather([&](const adapter::Findings& findings) {
    maps.add(map, use == MapUse::owned ? MapDemand::owned : MapDemand::any, findings, look.call());
  });
  return look.conclude(maps);
}

}  // namespace daptor::tpetra
