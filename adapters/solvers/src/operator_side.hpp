// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include <Tpetra_Map.hpp>

#include "daptor/call.hpp"
#include "daptor/tpetra/adapter/map_record.hpp"
#include "daptor/types.hpp"

namespace daptor::solvers {

/// Process-local. Throws InvalidArgument (`operator.communicator`, or `rule` for a different local
/// length) if vectors on `map` do not fit a PETSc object on `comm`.
void require_fitting(const Tpetra::Map<>& map, const Comm& comm, Index count, const char* rule);

/// One Map of an operator, and the other Maps whose vectors it has accepted in its place.
class OperatorSide {
 public:
  OperatorSide(const Teuchos::RCP<const Tpetra::Map<>>& map, Index count);

  const Teuchos::RCP<const Tpetra::Map<>>& map() const { return seen_[0].map; }
  Index count() const { return count_; }

  /// Collective for a Map that is not among the most recent ones. Throws on all ranks if vectors on
  /// it do not fit (`operator.vectors`).
  void require(const Teuchos::RCP<const Tpetra::Map<>>& map, Call& call);
  /// Notifies other objects on the memory of an import that it was written to through a vector on
  /// `map`, which `require` has seen. Logically collective.
  void tell_views(const Tpetra::Map<>& map) const;

 private:
  struct Seen {
    Teuchos::RCP<const Tpetra::Map<>> map;
    tpetra::MapRecord* record = nullptr;
  };
  const Seen* find(const Tpetra::Map<>& map) const;

  Index count_;
  std::array<Seen, 5> seen_;  // the operator's own Map first
  std::size_t next_ = 1;
};

}  // namespace daptor::solvers
