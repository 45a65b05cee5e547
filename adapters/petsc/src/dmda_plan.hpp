// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <limits>
#include <memory>

#include <petscdmda.h>

#include "daptor/comm.hpp"
#include "daptor/global_index_map.hpp"
#include "dmda_layout.hpp"
#include "order.hpp"

namespace daptor::petsc::detail {

constexpr Index no_width = std::numeric_limits<Index>::max();

/// What the ranks have agreed on before PETSc is called.
struct DMDAPlan {
  Order order = Order::c;
  GridLayout layout;
  Index stencil_width = 0;
  /// Width of the array's own padding; `no_width` without internal and periodic edges.
  Index padding_width = no_width;
  /// For x, y, z.
  Boundaries boundaries{};
  bool local = false;
  bool global = false;
  bool locked = false;

  /// Boundary padding in at least one dimension is outside of the grid.
  bool any_outside() const;
  bool outside(std::size_t k) const;
  bool any_mirror() const;
};

/// Why there is no local vector.
Finding why_no_local(const DMDAPlan& plan);

/// Collective. What an import asks of an array, proven on all ranks after the array itself: what
/// `import_dmda` does, and what `explain` says, which looks at no memory and asks for no running
/// PETSc. Throws, on all ranks, NotRepresentable, InvalidArgument for options, and as
/// GlobalIndexMap.
class DMDAProof {
 public:
  enum class Purpose { import, explain };
  DMDAProof(const DistArray& array, const Comm& comm, const DMDAOptions& options, Purpose purpose);

  const DMDAPlan& plan() const { return plan_; }
  const GlobalIndexMap& map() const { return map_; }
  /// Ranks are not in PETSc's order, and may be reordered.
  bool reorder() const { return reorder_; }
  /// PETSc's rank of this process: x fastest.
  int petsc_rank() const;

 private:
  void agree_on_order();
  void agree_on_widths();
  void agree_on_ranks();
  void require_outside(const std::array<Index, 3>& least, const std::array<Index, 3>& most);

  const DistArray& array_;
  Comm comm_;
  const DMDAOptions& options_;
  Purpose purpose_;
  DMDAPlan plan_;
  GlobalIndexMap map_;
  bool reorder_ = false;
};

}  // namespace daptor::petsc::detail
