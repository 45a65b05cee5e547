// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <limits>
#include <memory>

#include <petscdmda.h>

#include "daptor/adapter/order.hpp"
#include "daptor/call.hpp"
#include "daptor/global_index_map.hpp"
#include "dmda_layout.hpp"

namespace daptor::petsc::detail {

constexpr Index no_width = std::numeric_limits<Index>::max();

/// The properties on which the ranks have agreed before PETSc is called.
struct DMDAPlan {
  Order order = Order::c;
  GridLayout layout;
  Index stencil_width = 0;
  /// Width of the array's own padding; `no_width` if there are no internal or periodic edges.
  Index padding_width = no_width;
  /// Boundary types for x, y, z.
  Boundaries boundaries{};
  bool local = false;
  bool global = false;
  bool locked = false;

  /// Whether boundary padding in at least one dimension is outside the grid.
  bool any_outside() const;
  bool outside(std::size_t k) const;
  bool any_mirror() const;
};

/// The reason why there is no local vector.
Finding why_no_local(const DMDAPlan& plan);

/// Proves that an import is possible, together with a check of `fits_in_order`, which follows.
/// `import_dmda` and `explain` use it, so it looks at no memory and does not need a running PETSc.
class DMDAProof {
 public:
  enum class Purpose { import, explain };
  /// Collective. Proves the array and makes the plan. Throws on all ranks: NotRepresentable,
  /// InvalidArgument for wrong options, and the errors of GlobalIndexMap.
  DMDAProof(const DistArray& array, const DMDAOptions& options, Purpose purpose, Call& call);

  const DMDAPlan& plan() const { return plan_; }
  const GlobalIndexMap& map() const { return map_; }
  /// Process-local. Whether this process has the rank that PETSc expects. Throws NotRepresentable
  /// if the stencil does not fit here, or if this is another rank and may not be reordered.
  bool fits_in_order() const;
  /// PETSc's rank of this process, with x varying fastest.
  int petsc_rank() const;

 private:
  void agree_on_order();
  void agree_on_widths();
  void require_outside(const std::array<Index, 3>& least, const std::array<Index, 3>& most);

  const DistArray& array_;
  Call& call_;
  const DMDAOptions& options_;
  Purpose purpose_;
  DMDAPlan plan_;
  GlobalIndexMap map_;
};

}  // namespace daptor::petsc::detail
