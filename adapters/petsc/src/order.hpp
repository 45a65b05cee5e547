// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/section.hpp"

/// \file
/// The memory order of a section: whether it is contiguous, and which dimension varies fastest.

namespace daptor::petsc::detail {

/// Which of the two contiguous orders a section has; both if fewer than two extents exceed 1.
struct OrderFit {
  bool c = false;
  bool fortran = false;

  bool any() const { return c || fortran; }
  bool has(Order order) const { return order == Order::c ? c : fortran; }
};

/// Whether an array of this shape, with the strides of the section, is contiguous.
OrderFit gapless(const Section& array, const std::vector<Index>& shape);
/// Whether the owned part is contiguous.
OrderFit owned_run(const Section& array);
/// Whether the whole section is contiguous.
OrderFit local_run(const Section& array);
/// The order of the dimensions in memory, with or without gaps.
OrderFit memory_order(const Section& array);

int fastest(const Section& array, Order order);
int slowest(const Section& array, Order order);
/// Whether the dimension is undistributed, without padding outside its size.
bool whole_on_each_process(const Dimension& dimension);
/// Extent of the fastest varying dimension, if it is whole on each process and the array has two
/// dimensions or more; otherwise 1.
Index block_size(const Section& array, Order order);

/// The order that sections have on all ranks. `c` and `fortran` say whether all of them fit. If no
/// order fits, throws NotRepresentable with the result of `otherwise`.
template <class F>
Order common_order(bool c, bool fortran, F&& otherwise) {
  if (!c && !fortran) throw NotRepresentable(std::forward<F>(otherwise)());
  return c ? Order::c : Order::fortran;
}
/// Collective. The same, with a check in which `fit` judges this process's section: it returns an
/// OrderFit, or throws.
template <class Fit, class F>
Order agree_on_order(Call& call, Fit&& fit, F&& otherwise) {
  Agreed<bool> c, fortran;
  call.check([&] {
    const OrderFit orders = std::forward<Fit>(fit)();
    c = call.all(orders.c);
    fortran = call.all(orders.fortran);
  });
  return common_order(c, fortran, std::forward<F>(otherwise));
}

}  // namespace daptor::petsc::detail
