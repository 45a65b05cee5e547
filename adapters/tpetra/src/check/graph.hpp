// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

#include <Teuchos_RCP.hpp>
#include <Tpetra_CrsGraph_fwd.hpp>
#include <Tpetra_Map.hpp>

#include "daptor/adapter/findings.hpp"
#include "daptor/call.hpp"
#include "daptor/tpetra/check.hpp"

namespace Teuchos {
class LabeledObject;
}

namespace daptor::tpetra {

/// Entries in rows that the row Map does not have on this rank; fillComplete sends them to others.
struct Contributions {
  using Global = Tpetra::Map<>::global_ordinal_type;
  std::vector<Global> rows, columns;
};

namespace detail {
/// Access to what a graph or matrix has inserted into rows of other ranks, a protected member.
/// Never made.
template <class Object>
struct Inserted : Object {
  template <class Derived>
  static auto find(int) -> decltype(&Derived::nonlocals_) {
    return &Derived::nonlocals_;
  }
  template <class Derived>
  static std::nullptr_t find(long) {
    return nullptr;
  }
  static void note(const Object& object, Contributions& found) {
    const auto member = find<Inserted>(0);
    if constexpr (!std::is_null_pointer_v<std::remove_const_t<decltype(member)>>)
      for (const auto& [row, entries] : object.*member) {
        found.rows.push_back(row);
        if constexpr (std::is_same_v<Object, Tpetra::CrsGraph<>>)
          found.columns.insert(found.columns.end(), entries.begin(), entries.end());
        else
          found.columns.insert(found.columns.end(), entries.first.begin(), entries.first.end());
      }
  }
};
}  // namespace detail

/// A CrsGraph, or a CrsMatrix with its graph.
struct GraphObject {
  const char* kind;                    ///< `CrsGraph`
  const Teuchos::LabeledObject& name;  ///< the object that findings name
  const Tpetra::CrsGraph<>& graph;
  bool filled;  ///< whether the object is fill-complete on this rank
  /// Looks at what the object has beside its graph, once that is known to be in order. `square`
  /// says whether there should be a diagonal. Process-local; may be null.
  std::function<void(bool square, adapter::Findings&)> look_at_values;
  /// What the object has inserted into rows of other ranks. Process-local.
  std::function<Contributions()> contributions;
};

/// Collective over the communicator of the row Map.
Report check_filled_or_not(const GraphObject& object, const detail::FillMaps& fill);

}  // namespace daptor::tpetra
