#pragma once

#include <optional>
#include <vector>

#include "daptor/petsc/dmda.hpp"
#include "section.hpp"

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

/// Orders in which the section or its owned part is gapless.
OrderFit dmda_order(const DistArray& array);

/// Why this section cannot be that of a DMDA, in the given order.
Reasons dmda_reasons(const DistArray& array, Order order, const DMDAOptions& options);
/// The order that the section itself has, where only one process is asked.
Order own_dmda_order(const DistArray& array);

/// Why an owned part cannot be the DMDA's global vector (rule `dmda.global-run`).
Finding global_run_reason();
/// Why a section cannot be its local vector (rule `dmda.local-run`): gaps, or the width of its
/// padding.
Finding local_gaps_reason();
Finding local_padding_reason(Index padding_width, Index stencil_width);

/// Rule `dmda.local-width`: a divided or periodic dimension narrower than the stencil.
Reasons dmda_width_reasons(const DistArray& array, const GridLayout& layout, Index stencil_width);

}  // namespace daptor::petsc::detail
