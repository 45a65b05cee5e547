// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "copy_layout.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/same.hpp"
#include "daptor/builders.hpp"
#include "daptor/consistent.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/copy.hpp"
#include "daptor/redistribute.hpp"
#include "element_reasons.hpp"

namespace daptor::petsc {
namespace {

using detail::DMDACopy;
using detail::fault_point;

/// A hash of all options that must be the same on all ranks.
std::int64_t digest(const DMDAOptions& options, const DMDACopyOptions& copy) {
  std::uint64_t bits = (options.no_dof ? 1U : 0U) | (copy.read_from_any ? 2U : 0U) |
                       (copy.convert ? 4U : 0U) | (copy.vector == DMDAVector::global ? 8U : 0U);
  const auto add = [&](std::int64_t value) {
    bits = (bits ^ static_cast<std::uint64_t>(value)) * 1099511628211U;
  };
  add(options.stencil_width);
  for (const Index n : copy.grid) add(n);
  return static_cast<std::int64_t>(bits >> 2);
}

DMDACopy proven_copy(const DistArray& array, const DMDAOptions& options,
                     const DMDACopyOptions& how) {
  if (options.stencil_width < 0)
    throw InvalidArgument("stencil_width", std::to_string(options.stencil_width), "0 or more");
  DMDACopy copy = detail::dmda_copy(array, options.no_dof);
  copy.padded = how.vector == DMDAVector::local;
  adapter::Reasons reasons = detail::copy_reasons("petsc.dmda", array, how.convert);
  if (copy.shape.empty() || copy.shape.size() > 3)
    reasons.push_back(adapter::reason(
        "petsc.dmda.dimensions", std::to_string(copy.shape.size()) + " grid dimensions",
        "one to three grid dimensions, and degrees of freedom in an undistributed last dimension",
        "Use daptor::petsc::copy_to_vec(a, comm)."));
  detail::count_reason("petsc.dmda", "a global count", adapter::global_count(array.dimensions()),
                       reasons);
  adapter::require_none(std::move(reasons));
  adapter::require_memory(array);
  return copy;
}

[[noreturn]] void refuse_grid(const DMDACopy& copy, int dimension, const std::string& found) {
  const bool any = std::find(copy.shape.begin(), copy.shape.end(), 0) == copy.shape.end();
  const std::string least = std::to_string(std::max<Index>(copy.stencil_width, 1));
  throw NotRepresentable(adapter::reason(
      copy.stencil_width > 1 && any ? "petsc.dmda.local-width" : "petsc.dmda.empty-rank", dimension,
      found,
      "at least " + least + (least == "1" ? " point" : " points, the stencil width,") +
          " on every process along a dimension that is divided or periodic",
      "Use fewer processes, or daptor::petsc::copy_to_vec(a, comm)."));
}

/// Process-local; the result is the same on all ranks.
std::vector<Index> grid_of(const DMDACopy& copy, int processes, const std::vector<Index>& asked) {
  if (asked.empty()) {
    if (const auto best = copy.best_grid(processes)) return *best;
    refuse_grid(copy, -1, "too few grid points for " + std::to_string(processes) + " processes");
  }
  if (asked.size() != copy.shape.size())
    throw InvalidArgument(
        "grid", std::to_string(asked.size()) + " sizes",
        "one for each of the " + std::to_string(copy.shape.size()) + " grid dimensions");
  auto grid = block_grid(static_cast<int>(copy.shape.size()), processes, asked);
  for (std::size_t d = 0; d < grid.size(); ++d)
    if (!copy.fits(d, grid[d]))
      refuse_grid(
          copy, static_cast<int>(d),
          std::to_string(copy.shape[d]) + " points for " + std::to_string(grid[d]) + " processes");
  return grid;
}

/// Collective. The layout of the copy, including its stencil width.
DMDACopy agree_on_copy(const DistArray& array, const Comm& comm, const DMDAOptions& options,
                       const DMDACopyOptions& how) {
  DMDACopy copy;
  const std::int64_t mine = digest(options, how);
  const auto minima = agreed_minima<3>(comm, [&]() -> std::array<std::int64_t, 3> {
    fault_point("petsc.copy_to_dmda.check");
    detail::require_session();
    copy = proven_copy(array, options, how);
    return {mine, adapter::falling(mine), adapter::falling(detail::widest_padding(array))};
  });
  if (!adapter::same_on_all(minima[0], minima[1]))
    adapter::refuse_different_options("copy_to_dmda");
  copy.stencil_width =
      options.stencil_width > 0 ? options.stencil_width : adapter::greatest(minima[2]);
  return copy;
}

}  // namespace

ImportedDMDA copy_to_dmda(const DistArray& array, const Comm& comm, const DMDAOptions& options,
                          const DMDACopyOptions& how) {
  const CollectiveCall call(comm, "petsc::copy_to_dmda");
  require_consistent(array, comm);
  const DMDACopy layout = agree_on_copy(array, comm, options, how);
  const DistArray copy = agreed(comm, [&] {
    fault_point("petsc.copy_to_dmda.allocate");
    const auto grid = grid_of(layout, comm.size(), how.grid);
    return allocate<PetscScalar>(layout.dimensions(grid, comm.rank()));
  });
  RedistributionOptions way;
  way.fill_padding = layout.padded && layout.stencil_width > 0;
  way.read_from_any = how.read_from_any;
  way.convert = how.convert;
  redistribute(array, copy, comm, way);
  DMDAOptions as = options;
  as.stencil_width = static_cast<int>(layout.stencil_width);
  as.boundary = DMDABoundary::grid;  // a copy has no boundary padding
  return import_dmda(copy, comm, as);
}

}  // namespace daptor::petsc
