// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "daptor/adapter/order.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/petsc/dmda.hpp"

namespace daptor::petsc::detail {

/// The correspondence between an array's dimensions and those of a DMDA.
struct GridLayout {
  /// The array's dimensions that are PETSc's x, y and z.
  std::vector<int> dimensions;
  /// The array's dimension of the degrees of freedom, or -1.
  int dof_dimension = -1;
  Index dof = 1;
};

GridLayout grid_layout(const Section& array, Order order, const DMDAOptions& options);

/// The width of the communication padding on this process's internal and periodic edges; `nullopt`
/// if it has no such edge, or if its edges differ.
std::optional<Index> edge_width(const Section& array, const GridLayout& layout);

using Boundaries = std::array<DMBoundaryType, 3>;  ///< of x, y, z

/// The part of a section that is points of the DMDA's grid and owned here: without communication
/// padding, and without boundary padding in dimensions whose boundary has ghost points.
struct Interior {
  std::vector<Index> shape;
  Index count = 0;
  const void* memory = nullptr;  // address of the first element; null if the array has no memory
};
Interior interior(const Section& array, const GridLayout& layout, const Boundaries& boundaries);

/// The largest width of communication padding that was requested when the array was built, even on
/// edges that do not use it.
Index asked_width(const Section& array, const GridLayout& layout);

/// The smallest and the largest width of the boundary padding at this process's external edges of a
/// dimension that is not periodic; (greatest Index, -1) if there is no such edge.
std::pair<Index, Index> outer_widths(const Dimension& dimension);

/// Memory orders in which the section or its owned part is contiguous.
adapter::OrderFit dmda_order(const Section& array);

/// The reasons why this section cannot be the local part of a DMDA in the given order.
adapter::Reasons dmda_reasons(const Section& array, Order order, const DMDAOptions& options);
/// The memory order of the section itself; other processes may have another order.
Order own_dmda_order(const Section& array);

/// The reason why an owned part cannot be the DMDA's global vector (rule `petsc.dmda.global-run`).
Finding global_run_reason(Order order);
/// The reason why a section cannot be the DMDA's local vector (rule `petsc.dmda.local-run`): gaps,
/// or the width of its padding.
Finding local_gaps_reason();
Finding local_padding_reason(Index padding_width, Index stencil_width);

/// Rule `petsc.dmda.local-width`: a divided or periodic dimension has fewer points than the stencil
/// is wide.
adapter::Reasons dmda_width_reasons(const Section& array, const GridLayout& layout,
                                    const Boundaries& boundaries, Index stencil_width);

}  // namespace daptor::petsc::detail
