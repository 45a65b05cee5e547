// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "daptor/tpetra/adapter/map_record.hpp"
#include "representable.hpp"

namespace daptor::tpetra {

/// What an import makes on its Map, and whatever else can fail on one rank. Does not communicate.
using Finish = std::function<void(const Teuchos::RCP<const Map>&, MapRecord&)>;

/// Collective. Makes the Map that `request` asks for, and what goes on it; all ranks agree before
/// and after. `finish` may be called a second time, with the Map that counts.
Teuchos::RCP<const Map> import_on_map(const DistArray& array, const Comm& comm,
                                      const Request& request, const Finish& finish);

}  // namespace daptor::tpetra
