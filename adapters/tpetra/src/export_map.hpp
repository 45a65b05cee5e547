// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "daptor/adapter/library.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/map_record.hpp"

namespace daptor::tpetra {

/// Number of indices on this process. Process-local.
Index count_of(const Map& map);

/// One past the largest index of all processes, minus the index base; 0 without indices.
/// Process-local, and the same on all processes. Throws NotRepresentable (`tpetra.index-range`).
Index index_stop(const Map& map);

/// Collective. Finds out how the processes share the Map's indices, after all ranks have agreed on
/// `check`, which must not communicate.
MapRecord& inspect(const Teuchos::RCP<const Map>& map, Call& call,
                   const std::function<void()>& check);

/// The dimension of an inspected Map, with `global_size` if that is given. Process-local. Throws
/// NotRepresentable (`tpetra.repeated-index`).
Dimension dimension_of(const Teuchos::RCP<const Map>& map, const MapRecord& record,
                       std::optional<Index> global_size);

/// Calls `check`, then returns the result of `describe` for the record of the inspected Map;
/// neither may communicate. Collective in the first call for a Map, in which all ranks agree on
/// both; process-local afterwards.
template <class Check, class Describe>
auto described(const Teuchos::RCP<const Map>& map, const Check& check, const Describe& describe) {
  if (map.is_null()) throw InvalidArgument("map", "a null RCP", "a Map");
  if (MapRecord* const known = find_record(map); known != nullptr && known->order) {
    check();
    return adapter::translated("tpetra", "Tpetra::Map", [&] { return describe(*known); });
  }
  const Comm comm(communicator(*map));
  Call call(comm, "tpetra::export");
  MapRecord& record = inspect(map, call, check);
  return call.check([&] { return describe(record); });
}

/// The record of the Map, which is inspected if necessary. Collective in the first call for a Map.
MapRecord& inspected(const Teuchos::RCP<const Map>& map);

}  // namespace daptor::tpetra
