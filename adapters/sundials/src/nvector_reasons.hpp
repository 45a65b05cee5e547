// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"

namespace daptor::sundials::detail {

/// All other reasons why the owned part of this section cannot be an N_Vector of kind parallel.
/// Process-local.
adapter::Reasons all_but_overlap(const Section& array);
/// The same for an N_Vector of Daptor's own kind, which takes any strides.
adapter::Reasons strided_all_but_overlap(const Section& array);
/// These reasons, and the one that indices may be on several processes, if they may. Process-local.
adapter::Reasons with_overlap(const Section& array, adapter::Reasons reasons);

/// Whether all ranks have the owned elements in C order, and whether in Fortran order.
struct AgreedOrder {
  Agreed<bool> c, fortran;

  /// Throws NotRepresentable (`sundials.nvector.order`) if some ranks have one order and others the
  /// other one.
  void require_one(const Section& array) const;
};
/// To be called within a check.
AgreedOrder say_order(const Section& array, Call& call);

}  // namespace daptor::sundials::detail
