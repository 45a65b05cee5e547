// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "daptor/tpetra/adapter/map_record.hpp"
#include "representable.hpp"

namespace daptor::tpetra {

/// Makes the object of an import on its Map, and does everything else that can fail on one rank.
/// Must not communicate.
using Finish = std::function<void(const Teuchos::RCP<const Map>&, MapRecord&)>;

/// Collective. Makes the Map for `request` and the object on it; all ranks agree before and after.
/// `finish` may be called twice, in which case the second Map is the final one.
Teuchos::RCP<const Map> import_on_map(const DistArray& array, const Request& request,
                                      const Finish& finish);

}  // namespace daptor::tpetra
