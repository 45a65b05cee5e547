// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <Teuchos_RCP.hpp>
#include <Tpetra_CrsGraph_fwd.hpp>

#include "daptor/adapter/findings.hpp"
#include "daptor/call.hpp"
#include "daptor/tpetra/check.hpp"

namespace Teuchos {
class LabeledObject;
}

namespace daptor::tpetra {

/// A CrsGraph, or a CrsMatrix with its graph.
struct GraphObject {
  const char* kind;                    ///< `CrsGraph`
  const Teuchos::LabeledObject& name;  ///< the object that findings name
  const Tpetra::CrsGraph<>& graph;
  bool filled;  ///< whether the object is fill-complete on this rank
  /// Looks at what the object has beside its graph, once that is known to be in order. `square`
  /// says whether there should be a diagonal. Process-local; may be null.
  std::function<void(bool square, adapter::Findings&)> look_at_values;
};

/// Collective over the communicator of the row Map.
Report check_filled_or_not(const GraphObject& object, const detail::FillMaps& fill);

}  // namespace daptor::tpetra
