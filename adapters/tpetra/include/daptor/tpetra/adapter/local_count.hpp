// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Tpetra_Map.hpp>

#include "daptor/types.hpp"

/// \file
/// For adapters that join Tpetra with another library: counts of a Map under the names of every
/// Tpetra.

namespace daptor::tpetra {
namespace detail {
// The name of the function changed in Trilinos 13.4.
template <class Map>
auto local_count(const Map& map, int) -> decltype(map.getLocalNumElements()) {
  return map.getLocalNumElements();
}
template <class Map>
auto local_count(const Map& map, long) -> decltype(map.getNodeNumElements()) {
  return map.getNodeNumElements();
}
}  // namespace detail

/// Number of elements of a Map on this process. Process-local.
inline Index local_count(const Tpetra::Map<>& map) {
  return static_cast<Index>(detail::local_count(map, 0));
}

}  // namespace daptor::tpetra
