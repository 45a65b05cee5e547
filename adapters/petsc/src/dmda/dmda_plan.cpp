// SPDX-License-Identifier: BSD-3-Clause
#include "dmda_plan.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/order.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "petsc/src/form/copy_layout.hpp"
#include "petsc/src/form/exporting.hpp"
#include "petsc/src/form/forms.hpp"
#include "petsc/src/native/names.hpp"

namespace daptor::petsc::detail {
namespace {

/// The boundary types as one number; 0 if they are unknown.
std::int64_t number_of(const std::optional<ExportedGrid>& grid) {
  if (!grid) return 0;
  std::int64_t code = grid->ndim;
  for (const DMBoundaryType boundary : grid->boundaries) code = 8 * code + boundary;
  return code;
}

Boundaries boundaries_of(std::int64_t code) {
  Boundaries boundaries{};
  for (std::size_t k = 3; k-- > 0; code /= 8) boundaries[k] = static_cast<DMBoundaryType>(code % 8);
  return boundaries;
}

bool is_outside(DMBoundaryType boundary) {
  return boundary == DM_BOUNDARY_GHOSTED || boundary == DM_BOUNDARY_MIRROR;
}

/// Which dimensions may have boundary padding outside the grid, and with which boundary type. The
/// options say this, or the DMDA from which the array was exported.
Boundaries asked_boundaries(DMDABoundary asked, std::int64_t exported_code) {
  if (asked == DMDABoundary::ghosted)
    return {DM_BOUNDARY_GHOSTED, DM_BOUNDARY_GHOSTED, DM_BOUNDARY_GHOSTED};
  if (asked == DMDABoundary::as_exported && exported_code != 0) return boundaries_of(exported_code);
  return {};
}

}  // namespace

bool DMDAPlan::outside(std::size_t k) const {
  return is_outside(boundaries[k]);
}

bool DMDAPlan::any_outside() const {
  return std::any_of(boundaries.begin(), boundaries.end(), is_outside);
}

bool DMDAPlan::any_mirror() const {
  return std::find(boundaries.begin(), boundaries.end(), DM_BOUNDARY_MIRROR) != boundaries.end();
}

Finding why_no_local(const DMDAPlan& plan) {
  if (plan.padding_width != no_width && plan.padding_width != plan.stencil_width)
    return local_padding_reason(plan.padding_width, plan.stencil_width);
  return local_gaps_reason();
}

DMDAProof::DMDAProof(const DistArray& array, const DMDAOptions& options, Purpose purpose,
                     Call& call)
    : array_(array), call_(call), options_(options), purpose_(purpose), map_(array) {
  agree_on_order();
  agree_on_widths();
}

/// First stage: agrees on the options, the memory order, and whether the array was exported from a
/// DMDA with ghost points.
void DMDAProof::agree_on_order() {
  call_.same(options_);
  Agreed<bool> c, fortran, writable;
  Agreed<std::int64_t> exported, most_exported;
  call_.check([&] {
    if (purpose_ == Purpose::import) require_session();
    if (options_.stencil_width < 0)
      throw InvalidArgument("stencil_width", std::to_string(options_.stencil_width), "0 or more");
    const adapter::OrderFit orders = dmda_order(array_);
    if (!orders.any()) adapter::require_none(dmda_reasons(array_, Order::c, options_));
    c = call_.all(orders.c);
    fortran = call_.all(orders.fortran);
    writable = call_.all(!array_.readonly() && !options_.readonly);
    const std::int64_t mine = number_of(exported_grid(array_));
    exported = call_.least(mine);
    most_exported = call_.greatest(mine);
  });
  plan_.order = adapter::common_order(dmda_form(), array_, {c, fortran});
  plan_.locked = !writable;
  plan_.layout = grid_layout(array_, plan_.order, options_);
  const bool known = exported == most_exported &&
                     exported >> 9 == static_cast<std::int64_t>(plan_.layout.dimensions.size());
  plan_.boundaries = asked_boundaries(options_.boundary, known ? Index{exported} : 0);
}

/// Second stage: agrees on all other local reasons, on one width for all ranks, and on which
/// vectors are possible.
void DMDAProof::agree_on_widths() {
  Agreed<bool> local, global;
  Agreed<std::int64_t> width, widest, most_asked;
  std::array<Agreed<std::int64_t>, 3> outer, widest_outer;
  call_.check([&] {
    adapter::require_none(dmda_reasons(array_, plan_.order, options_));
    if (purpose_ == Purpose::import) adapter::require_memory(array_);
    const auto edges = edge_width(array_, plan_.layout);
    const auto inside = interior(array_, plan_.layout, plan_.boundaries);
    width = call_.least(edges.value_or(no_width));
    widest = call_.greatest(edges.value_or(-1));
    local = call_.all(adapter::local_run(array_).has(plan_.order));
    global = call_.all(adapter::gapless(array_, inside.shape).has(plan_.order));
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [least, most] = k < plan_.layout.dimensions.size()
                                     ? outer_widths(array_.dimension(plan_.layout.dimensions[k]))
                                     : std::pair<Index, Index>{no_width, -1};
      outer[k] = call_.least(least);
      widest_outer[k] = call_.greatest(most);
    }
    most_asked = call_.greatest(asked_width(array_, plan_.layout));
  });
  plan_.padding_width = width;
  if (plan_.padding_width != no_width && plan_.padding_width != widest)
    throw NotRepresentable(
        adapter::reason("petsc.dmda.width",
                        "communication padding of widths " + std::to_string(width) + " to " +
                            std::to_string(widest) + " on different ranks",
                        "the same width on every internal and periodic edge",
                        "Let the producer use one width everywhere.", to_dmda(DMDAVector::local)));
  const Index asked = most_asked;
  const bool shown = plan_.padding_width != no_width && plan_.padding_width > 0;
  // A single process without periodic dimensions has no edge that could show a width.
  const bool hinted = plan_.padding_width == no_width && asked > 0;
  plan_.stencil_width = shown ? plan_.padding_width : hinted ? asked : options_.stencil_width;
  require_outside({outer[0], outer[1], outer[2]},
                  {widest_outer[0], widest_outer[1], widest_outer[2]});
  plan_.local =
      local && (plan_.padding_width == no_width || plan_.padding_width == plan_.stencil_width);
  plan_.global = global;
}

/// Requires that boundary padding outside the grid has the stencil width on all external edges of a
/// dimension. `least` and `most` are the extreme widths on all ranks, for x, y, z.
void DMDAProof::require_outside(const std::array<Index, 3>& least,
                                const std::array<Index, 3>& most) {
  const bool unpadded = plan_.padding_width == no_width || plan_.padding_width == 0;
  bool open = false;
  for (std::size_t k = 0; k < 3; ++k) {
    DMBoundaryType& boundary = plan_.boundaries[k];
    const int d = k < plan_.layout.dimensions.size() ? plan_.layout.dimensions[k] : -1;
    if (d < 0 || array_.dimension(d).periodic()) {
      boundary = d < 0 ? DM_BOUNDARY_NONE : DM_BOUNDARY_PERIODIC;
      continue;
    }
    open = true;
    if (most[k] <= 0) boundary = DM_BOUNDARY_NONE;
    if (!is_outside(boundary)) continue;
    if (unpadded && (plan_.stencil_width == 0 || options_.boundary == DMDABoundary::as_exported))
      plan_.stencil_width = most[k];
    if (least[k] != plan_.stencil_width || most[k] != plan_.stencil_width)
      throw NotRepresentable(adapter::reason(
          "petsc.dmda.boundary", d,
          "boundary padding of widths " + std::to_string(least[k]) + " to " +
              std::to_string(most[k]) + " with a stencil width of " +
              std::to_string(plan_.stencil_width),
          "ghost points of the stencil width at both ends of the dimension",
          "Let the producer use one width everywhere, or import with " + names::boundary_grid +
              ", which makes the padding part of the grid."));
  }
  if (options_.boundary == DMDABoundary::ghosted && open && !plan_.any_outside())
    throw NotRepresentable(adapter::reason(
        "petsc.dmda.boundary", "no boundary padding in any dimension that is not periodic",
        "boundary padding, which becomes the ghost points outside the grid",
        "Describe the ghost cells at the ends as boundary padding, or import without " +
            names::boundary_ghosted + "."));
  if (plan_.any_mirror() && options_.stencil == Stencil::box && plan_.layout.dimensions.size() > 1)
    throw NotRepresentable(adapter::reason(
        "petsc.dmda.boundary", "DM_BOUNDARY_MIRROR with a box stencil",
        "a star stencil, the only one for which PETSc mirrors in two dimensions",
        "Import with " + names::stencil_star + ", or with " + names::boundary_ghosted + "."));
}

int DMDAProof::petsc_rank() const {
  Index rank = 0;
  for (std::size_t k = plan_.layout.dimensions.size(); k-- > 0;) {
    const auto d = static_cast<std::size_t>(plan_.layout.dimensions[k]);
    rank = rank * map_.grid()[d] + map_.coordinates()[d];
  }
  return static_cast<int>(rank);
}

bool DMDAProof::fits_in_order() const {
  adapter::require_none(
      dmda_width_reasons(array_, plan_.layout, plan_.boundaries, plan_.stencil_width));
  if (!plan_.local && !plan_.global)
    throw NotRepresentable(adapter::reason(
        "petsc.dmda.one-run", "sections and owned parts with gaps on some ranks",
        "sections or owned parts that are contiguous on all ranks",
        "Let the producer store the sections without gaps.", to_dmda(DMDAVector::local)));
  const int expected = petsc_rank();
  const int rank = call_.comm().rank();
  if (expected == rank) return true;
  if (options_.allow_reorder) return false;
  throw NotRepresentable(adapter::reason(
      "petsc.dmda.rank-order",
      "rank " + std::to_string(rank) + " at the grid position of rank " + std::to_string(expected),
      "the rank order of a DMDA: first along the dimension that varies fastest in memory",
      "Import with " + names::allow_reorder + ", or describe the array in the other order.",
      to_dmda(DMDAVector::local)));
}

}  // namespace daptor::petsc::detail
