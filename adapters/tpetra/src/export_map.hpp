#pragma once

#include <functional>

#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"
#include "daptor/tpetra.hpp"
#include "foreign.hpp"
#include "map_record.hpp"

namespace daptor::tpetra {

/// Collective. Finds out whether the Map is contiguous in rank order, after all ranks have agreed
/// on `check`, which does not communicate.
MapRecord& inspect(const Teuchos::RCP<const Map>& map, const Communicator& comm,
                   const std::function<void()>& check);

/// The dimension of an inspected Map, of `global_size` where that is given. Process-local.
Dimension dimension_of(const Teuchos::RCP<const Map>& map, const MapRecord& record,
                       std::optional<Index> global_size);

/// What `describe`, given the record of an inspected Map, says of something on `map`, after
/// `check`; neither communicates. Collective the first time for a Map, where all ranks agree on
/// both; process-local later.
template <class Check, class Describe>
auto described(const Teuchos::RCP<const Map>& map, const Check& check, const Describe& describe) {
  if (map.is_null()) throw InvalidArgument("map", "a null RCP", "a Map");
  if (MapRecord* const known = find_record(map); known != nullptr && known->order) {
    check();
    return translated("Tpetra::Map", [&] { return describe(*known); });
  }
  const MpiCommunicator comm(communicator(*map));
  const CollectiveCall call(comm, "tpetra::export");
  MapRecord& record = inspect(map, comm, check);
  return agreed(comm, [&] {
    daptor::detail::fault_point("tpetra.export.describe");
    return describe(record);
  });
}

}  // namespace daptor::tpetra
