// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "daptor/adapter/library.hpp"
#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/map_record.hpp"

namespace daptor::tpetra {

/// Indices on this process. Process-local.
Index count_of(const Map& map);

/// Collective. Finds out how the processes share the Map's indices, after all ranks have agreed on
/// `check`, which does not communicate.
MapRecord& inspect(const Teuchos::RCP<const Map>& map, const Comm& comm,
                   const std::function<void()>& check);

/// The dimension of an inspected Map, of `global_size` where that is given. Process-local. Throws
/// NotRepresentable (`tpetra.repeated-index`).
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
    return adapter::translated("tpetra", "Tpetra::Map", [&] { return describe(*known); });
  }
  const Comm comm(communicator(*map));
  const CollectiveCall call(comm, "tpetra::export");
  MapRecord& record = inspect(map, comm, check);
  return agreed(comm, [&] {
    daptor::detail::fault_point("tpetra.export.describe");
    return describe(record);
  });
}

/// The record of the Map, which is inspected where it was not. Collective the first time.
MapRecord& inspected(const Teuchos::RCP<const Map>& map);

}  // namespace daptor::tpetra
