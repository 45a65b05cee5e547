// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/error.hpp"

/// \file
/// How a section lies in memory: gapless or not, and which dimension varies fastest.

namespace daptor::petsc::detail {

/// Which of the two dense orders something has; both where fewer than two extents exceed 1.
struct OrderFit {
  bool c = false;
  bool fortran = false;

  bool any() const { return c || fortran; }
  bool has(Order order) const { return order == Order::c ? c : fortran; }
};

/// As many elements as `shape` says, apart as those of the section are, are one gapless run.
OrderFit gapless(const DistArray& array, const std::vector<Index>& shape);
/// The owned part is one gapless run.
OrderFit owned_run(const DistArray& array);
/// The whole section is one gapless run.
OrderFit local_run(const DistArray& array);
/// In which order dimensions follow each other in memory, gaps or not.
OrderFit memory_order(const DistArray& array);

int fastest(const DistArray& array, Order order);
int slowest(const DistArray& array, Order order);
/// Undistributed, without padding outside its size.
bool whole_on_each_process(const Dimension& dimension);
/// Extent of a fastest varying dimension that is whole on each process, in an array of two
/// dimensions or more; else 1.
Index block_size(const DistArray& array, Order order);

/// The order that sections have on all ranks, from the least of 1 and 0 of all ranks for each
/// order. Throws NotRepresentable with what `otherwise` returns where there is none.
template <class F>
Order common_order(std::int64_t c, std::int64_t fortran, F&& otherwise) {
  if (c == 0 && fortran == 0) throw NotRepresentable(std::forward<F>(otherwise)());
  return c != 0 ? Order::c : Order::fortran;
}
/// Collective. The same, asked by itself.
template <class F>
Order agree_on_order(const OrderFit& orders, const Comm& comm, F&& otherwise) {
  std::int64_t least[] = {orders.c ? 1 : 0, orders.fortran ? 1 : 0};
  comm->allreduce(least, 2, Reduction::min);
  return common_order(least[0], least[1], std::forward<F>(otherwise));
}

}  // namespace daptor::petsc::detail
