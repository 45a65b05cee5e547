// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "daptor/tpetra/adapter/map_record.hpp"
#include "forms.hpp"

namespace daptor::tpetra {

/// Makes the vector of an import on its Map, whose record holds the array. Must not communicate.
using Finish = std::function<void(const Teuchos::RCP<const Map>&, MapRecord&, const Layout&)>;

/// Collective. Makes the Map for `request` and the object on it. All ranks agree before Tpetra is
/// called; and once more after it where the Map has a list, where it may turn out to need one, or
/// where the object takes memory.
/// @param finish  may be called twice, in which case the second Map is the final one; may be null
Teuchos::RCP<const Map> import_on_map(const DistArray& array, const Request& request,
                                      const Finish& finish);

}  // namespace daptor::tpetra
