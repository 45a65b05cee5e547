// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "daptor/adapter/reason.hpp"
#include "daptor/petsc/dmda.hpp"
#include "order.hpp"

namespace daptor::petsc::detail {

/// How an array's dimensions become those of a DMDA.
struct GridLayout {
  /// The array's dimension that is PETSc's x, y, z.
  std::vector<int> dimensions;
  /// The array's dimension that is the degrees of freedom, or -1.
  int dof_dimension = -1;
  Index dof = 1;
};

GridLayout grid_layout(const DistArray& array, Order order, const DMDAOptions& options);

/// The width of the communication padding on this process's internal and periodic edges; nothing
/// where it has no such edge, or where its edges differ.
std::optional<Index> edge_width(const DistArray& array, const GridLayout& layout);

using Boundaries = std::array<DMBoundaryType, 3>;  ///< of x, y, z

/// The part of a section that is points of the DMDA's grid and owned here: without communication
/// padding, and without boundary padding in dimensions with a boundary of ghost points.
struct Interior {
  std::vector<Index> shape;
  Index count = 0;
  const void* memory = nullptr;  // its first element; null without memory
};
Interior interior(const DistArray& array, const GridLayout& layout, const Boundaries& boundaries);

/// The widest communication padding that a builder of the array was asked for, wherever it shows.
Index asked_width(const DistArray& array, const GridLayout& layout);

/// The least and the largest width of the boundary padding at this process's external edges of a
/// dimension that is not periodic; (greatest Index, -1) without such an edge.
std::pair<Index, Index> outer_widths(const Dimension& dimension);

/// Orders in which the section or its owned part is gapless.
OrderFit dmda_order(const DistArray& array);

/// Why this section cannot be that of a DMDA, in the given order.
adapter::Reasons dmda_reasons(const DistArray& array, Order order, const DMDAOptions& options);
/// The order that the section itself has, where only one process is asked.
Order own_dmda_order(const DistArray& array);

/// Why an owned part cannot be the DMDA's global vector (rule `petsc.dmda.global-run`).
Finding global_run_reason();
/// Why a section cannot be its local vector (rule `petsc.dmda.local-run`): gaps, or the width of
/// its padding.
Finding local_gaps_reason();
Finding local_padding_reason(Index padding_width, Index stencil_width);

/// Rule `dmda.local-width`: a divided or periodic dimension narrower than the stencil.
adapter::Reasons dmda_width_reasons(const DistArray& array, const GridLayout& layout,
                                    const Boundaries& boundaries, Index stencil_width);

}  // namespace daptor::petsc::detail
