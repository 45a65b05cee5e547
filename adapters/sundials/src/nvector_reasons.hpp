// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/explain.hpp"

namespace daptor::sundials::detail {

Target nvector_target();

/// The reasons why the owned part of this section cannot be an N_Vector. Process-local.
adapter::Reasons nvector_reasons(const Section& array);
/// The same, but for the reason that indices may be on several processes.
adapter::Reasons all_but_overlap(const Section& array);

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
