#pragma once

#include <functional>

#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"
#include "daptor/tpetra.hpp"
#include "map_record.hpp"

namespace daptor::tpetra {

/// True where the Map is known to be contiguous in rank order, or not to be. The same on all ranks.
bool inspected(const Teuchos::RCP<const Map>& map);

/// Collective. Finds out whether the Map is contiguous in rank order, after all ranks have agreed
/// on `check`, which does not communicate.
void inspect(const Teuchos::RCP<const Map>& map, const Communicator& comm,
             const std::function<void()>& check);

/// The dimension of an inspected Map. Process-local.
Dimension dimension_of(const Teuchos::RCP<const Map>& map);

/// What `describe` says of something on `map`, after `check`; neither communicates. Collective the
/// first time for a Map, where all ranks agree on both; process-local later.
template <class Check, class Describe>
auto described(const Teuchos::RCP<const Map>& map, const Check& check, const Describe& describe) {
  if (map.is_null()) throw InvalidArgument("map", "a null RCP", "a Map");
  if (inspected(map)) {
    check();
    return describe();
  }
  const MpiCommunicator comm(communicator(*map));
  inspect(map, comm, check);
  return agreed(comm, [&] {
    daptor::detail::fault_point("tpetra.export.describe");
    return describe();
  });
}

}  // namespace daptor::tpetra
