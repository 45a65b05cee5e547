// SPDX-License-Identifier: BSD-3-Clause
#include "dmda_layout.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/names.hpp"
#include "daptor/adapter/order.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "petsc/src/form/copy_layout.hpp"
#include "petsc/src/form/forms.hpp"
#include "petsc/src/native/locks.hpp"
#include "petsc/src/native/names.hpp"

namespace daptor::petsc::detail {
namespace {

bool is_grid_dimension(const Dimension& dimension) {
  return dimension.as<Block>() != nullptr || dimension.as<Undistributed>() != nullptr;
}

/// Boundary padding of this process that is not part of the grid.
Padding padding_outside(const Dimension& dimension, DMBoundaryType boundary) {
  const bool ghosts = boundary == DM_BOUNDARY_GHOSTED || boundary == DM_BOUNDARY_MIRROR;
  return ghosts && !dimension.periodic() ? dimension.boundary_padding() : Padding{};
}

bool divided_or_periodic(const Dimension& dimension) {
  return dimension.grid().size > 1 || dimension.periodic();
}

/// Widths of the communication padding on those edges that have a neighbour.
std::vector<Index> edge_widths(const Dimension& dimension) {
  std::vector<Index> widths;
  const GridPosition grid = dimension.grid();
  const Padding padding = dimension.communication_padding();
  if (dimension.periodic() || !grid.first()) widths.push_back(padding.lower);
  if (dimension.periodic() || !grid.last()) widths.push_back(padding.upper);
  return widths;
}

struct WidthRange {
  bool any = false;
  Index least = 0;
  Index most = 0;
  int dimension = -1;  // the dimension whose width differs from the previous ones
};

WidthRange width_range(const Section& array, const GridLayout& layout) {
  WidthRange range;
  for (const int d : layout.dimensions)
    for (const Index width : edge_widths(array.dimension(d))) {
      if (range.any && width != range.least && range.dimension < 0) range.dimension = d;
      range.least = range.any ? std::min(range.least, width) : width;
      range.most = range.any ? std::max(range.most, width) : width;
      range.any = true;
    }
  return range;
}

void distribution_reasons(const Section& array, const GridLayout& layout,
                          adapter::Reasons& reasons) {
  for (const int d : layout.dimensions)
    if (!is_grid_dimension(array.dimension(d)))
      reasons.push_back(adapter::reason(
          "petsc.dmda.distribution", d,
          std::string("dist_type '") + array.dimension(d).dist_type() + "'",
          "block or undistributed dimensions", "Use " + names::import_vec_numbered + "."));
  if (layout.dimensions.empty() || layout.dimensions.size() > 3)
    reasons.push_back(adapter::reason(
        "petsc.dmda.dimensions", std::to_string(layout.dimensions.size()) + " grid dimensions",
        "one to three grid dimensions, and degrees of freedom in a fastest varying undistributed "
        "dimension",
        "Use " + names::import_vec + ", or " + names::import_padded_vec +
            " for a padded section."));
}

void size_reasons(const Section& array, const GridLayout& layout, adapter::Reasons& reasons) {
  if (array.owned_count() == 0)
    reasons.push_back(adapter::reason("petsc.dmda.empty-rank", "a process that owns nothing",
                                      "at least one grid point on every process",
                                      "Use fewer processes, or " + names::import_vec + "."));
  for (const int d : layout.dimensions)
    adapter::count_reason(dmda_form(), "a global size", array.dimension(d).global_size(), reasons);
  adapter::count_reason(dmda_form(), "a global count", adapter::global_count(array.dimensions()),
                        reasons);
  adapter::count_reason(dmda_form(), "a local count", array.local_count(), reasons);
}

}  // namespace

GridLayout grid_layout(const Section& array, Order order, const DMDAOptions& options) {
  GridLayout layout;
  if (array.ndim() >= 2 && !options.no_dof) {
    const int last = adapter::fastest(array, order);
    const Dimension& candidate = array.dimension(last);
    if (adapter::whole_on_each_process(candidate) && !candidate.periodic() &&
        candidate.global_size() > 0) {
      layout.dof_dimension = last;
      layout.dof = candidate.global_size();
    }
  }
  for (int k = 0; k < array.ndim(); ++k) {
    const int d = order == Order::c ? array.ndim() - 1 - k : k;
    if (d != layout.dof_dimension) layout.dimensions.push_back(d);
  }
  return layout;
}

std::optional<Index> edge_width(const Section& array, const GridLayout& layout) {
  const WidthRange range = width_range(array, layout);
  if (!range.any || range.least != range.most) return std::nullopt;
  return range.least;
}

adapter::OrderFit dmda_order(const Section& array) {
  const adapter::OrderFit local = adapter::local_run(array);
  const adapter::OrderFit owned = adapter::owned_run(array);
  return {local.c || owned.c, local.fortran || owned.fortran};
}

Order own_dmda_order(const Section& array) {
  return dmda_order(array).first();
}

Finding global_run_reason(Order order) {
  // Exports of a DMDA are in C order.
  const Terms remedy =
      order == Order::c ? "Use " + names::dmda_local +
                              ", or copy to a global vector b of the DMDA: " + names::copy_to_grid +
                              ", where inner is the array or, if the grid is its interior, " +
                              daptor::names::without_padding + "."
                        : "Use " + names::dmda_local + ".";
  return adapter::reason("petsc.dmda.global-run",
                         "an owned part with padding or gaps between its elements",
                         "contiguous owned elements, as a global vector has them", remedy,
                         to_dmda(DMDAVector::global));
}

Finding local_gaps_reason() {
  return adapter::reason("petsc.dmda.local-run", "gaps between the elements of the section",
                         "a contiguous section, as a local vector has it",
                         "Let the producer store the section without gaps.",
                         to_dmda(DMDAVector::local));
}

Finding local_padding_reason(Index padding_width, Index stencil_width) {
  return adapter::reason(
      "petsc.dmda.local-run",
      "a section with communication padding of width " + std::to_string(padding_width),
      "padding as wide as the stencil, " + std::to_string(stencil_width),
      "Let the producer pad the section, or use " + names::function("DMCreateLocalVector") +
          ", which allocates. Or copy: " + names::copy_to_dmda +
          ", with the options of the import.");
}

Interior interior(const Section& array, const GridLayout& layout, const Boundaries& boundaries) {
  Interior inside;
  inside.shape = array.owned_shape();
  const auto* memory = static_cast<const char*>(adapter::first_owned(array));
  for (std::size_t k = 0; k < std::min<std::size_t>(3, layout.dimensions.size()); ++k) {
    const auto d = static_cast<std::size_t>(layout.dimensions[k]);
    const Padding outside = padding_outside(array.dimension(layout.dimensions[k]), boundaries[k]);
    inside.shape[d] = std::max<Index>(0, inside.shape[d] - outside.lower - outside.upper);
    if (memory != nullptr) memory += outside.lower * array.byte_strides()[d];
  }
  inside.count = 1;
  for (const Index extent : inside.shape) inside.count *= extent;
  inside.memory = memory;
  return inside;
}

Index asked_width(const Section& array, const GridLayout& layout) {
  Index width = 0;
  for (const int d : layout.dimensions) {
    const Padding asked = array.dimension(d).asked_communication_padding();
    width = std::max({width, asked.lower, asked.upper});
  }
  return width;
}

std::pair<Index, Index> outer_widths(const Dimension& dimension) {
  std::pair<Index, Index> range{std::numeric_limits<Index>::max(), -1};
  if (dimension.periodic()) return range;
  const auto add = [&](bool external, Index width) {
    if (external) range = {std::min(range.first, width), std::max(range.second, width)};
  };
  add(dimension.grid().first(), dimension.boundary_padding().lower);
  add(dimension.grid().last(), dimension.boundary_padding().upper);
  return range;
}

adapter::Reasons dmda_width_reasons(const Section& array, const GridLayout& layout,
                                    const Boundaries& boundaries, Index stencil_width) {
  adapter::Reasons reasons;
  for (std::size_t k = 0; k < std::min<std::size_t>(3, layout.dimensions.size()); ++k) {
    const int d = layout.dimensions[k];
    const Dimension& dimension = array.dimension(d);
    const Padding outside = padding_outside(dimension, boundaries[k]);
    const Index points = dimension.owned_count() - outside.lower - outside.upper;
    if (points <= 0) {
      reasons.push_back(
          adapter::reason("petsc.dmda.empty-rank", d, "a process that owns only boundary padding",
                          "at least one grid point on every process", "Use fewer processes."));
      continue;
    }
    if (!divided_or_periodic(dimension) || points >= stencil_width) continue;
    reasons.push_back(adapter::reason(
        "petsc.dmda.local-width", d,
        std::to_string(points) + " owned points and a stencil width of " +
            std::to_string(stencil_width),
        "at least as many owned points as the stencil width",
        "Divide the dimension over fewer processes, or use " + names::import_padded_vec + "."));
  }
  return reasons;
}

adapter::Reasons dmda_reasons(const Section& array, Order order, const DMDAOptions& options) {
  const GridLayout layout = grid_layout(array, order, options);
  adapter::Reasons reasons = adapter::element_reasons(dmda_form(), array);
  distribution_reasons(array, layout, reasons);
  size_reasons(array, layout, reasons);
  const WidthRange range = width_range(array, layout);
  if (range.any && range.least != range.most)
    reasons.push_back(adapter::reason(
        "petsc.dmda.width", range.dimension,
        "communication padding of widths " + std::to_string(range.least) + " to " +
            std::to_string(range.most),
        "the same width on every internal and periodic edge",
        "Use " + names::import_padded_vec + ", or let the producer use one width everywhere."));
  else if (range.any)
    for (Finding& finding : dmda_width_reasons(array, layout, {}, range.least))
      reasons.push_back(std::move(finding));
  if (!dmda_order(array).has(order))
    reasons.push_back(
        adapter::reason("petsc.dmda.one-run", "gaps between the elements",
                        "a section or an owned part that is contiguous in C or Fortran order",
                        "Let the producer store the section without gaps."));
  readonly_reason("petsc.dmda", array, options.readonly, options.trust_readonly, reasons);
  if (!reasons.empty() && dmda_copy_fits(array, options))
    adapter::offer_copy(dmda_form(), array, reasons);
  return reasons;
}

}  // namespace daptor::petsc::detail
