// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/consistent.hpp"

#include "proof/walk.hpp"

namespace daptor {

void require_consistent(const DistArray& array, const Comm& comm) {
  const CollectiveCall call(comm, "require_consistent");
  validation::Walk(comm, {Level::metadata}).prove(array);
}

void detail::require_consistent_and_agree(const DistArray& array, const Comm& comm,
                                          std::exception_ptr local, std::int64_t* values,
                                          std::size_t count) {
  const CollectiveCall call(comm, "consistent_minima");
  Beside beside{std::move(local), values, count};
  validation::Walk::Wishes wishes;
  wishes.beside = &beside;
  validation::Walk(comm, {Level::metadata}).prove(array, wishes);
}

}  // namespace daptor
