// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Tpetra_Map.hpp>

#include "local_count.hpp"

/// \file
/// Properties of Maps, found correctly even if a process, or all of them, have no indices: Tpetra
/// takes a Map without indices to be locally replicated.

namespace daptor::solvers {

/// Collective. Whether no index is on two processes.
inline bool one_to_one(const Tpetra::Map<>& map, Call& call) {
  return call.library("tpetra", "Tpetra::Map::isOneToOne", Patience{},
                      [&] { return map.getGlobalNumElements() == 0 || map.isOneToOne(); });
}

/// Process-local. Whether both Maps have the same indices in the same order on this process.
inline bool same_here(const Tpetra::Map<>& a, const Tpetra::Map<>& b) {
  return (local_count(a) == 0 && local_count(b) == 0) || a.locallySameAs(b);
}

}  // namespace daptor::solvers
