// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>
#include <string>

#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/block_dimensions.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/copy.hpp"
#include "daptor/redistribute.hpp"
#include "daptor/without_padding.hpp"
#include "petsc/src/form/copy_layout.hpp"
#include "petsc/src/form/forms.hpp"
#include "petsc/src/native/names.hpp"

namespace daptor::petsc {
namespace {

using detail::DMDACopy;

DMDACopy proven_copy(const Section& array, const DMDAOptions& options, const DMDACopyOptions& how) {
  if (options.stencil_width < 0)
    throw InvalidArgument("stencil_width", std::to_string(options.stencil_width), "0 or more");
  DMDACopy copy = detail::dmda_copy(array, options.no_dof);
  copy.padded = how.vector == DMDAVector::local;
  adapter::Reasons reasons = detail::copy_reasons(detail::dmda_form(), array, how.convert);
  if (copy.shape.empty() || copy.shape.size() > 3)
    reasons.push_back(adapter::reason(
        "petsc.dmda.dimensions", std::to_string(copy.shape.size()) + " grid dimensions",
        "one to three grid dimensions, and degrees of freedom in an undistributed last dimension",
        "Use " + names::copy_to_vec + "."));
  adapter::count_reason(detail::dmda_form(), "a global count",
                        adapter::global_count(array.dimensions()), reasons);
  adapter::require_none(std::move(reasons));
  adapter::require_memory(array);
  return copy;
}

[[noreturn]] void refuse_grid(const DMDACopy& copy, int dimension, const Terms& found) {
  const bool any = std::find(copy.shape.begin(), copy.shape.end(), 0) == copy.shape.end();
  const std::string least = std::to_string(std::max<Index>(copy.stencil_width, 1));
  throw NotRepresentable(adapter::reason(
      copy.stencil_width > 1 && any ? "petsc.dmda.local-width" : "petsc.dmda.empty-rank", dimension,
      found,
      "at least " + least + (least == "1" ? " point" : " points, the stencil width,") +
          " on every process along a dimension that is divided or periodic",
      "Use fewer processes, or " + names::copy_to_vec + "."));
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

/// The widest communication padding, also where no edge of this process shows what a builder was
/// asked for, as on one process.
Index width_of(const Section& array) {
  Index width = detail::widest_padding(array);
  for (const Dimension& dimension : array.dimensions()) {
    if (dimension.as<Block>() == nullptr) continue;
    const Padding asked = dimension.asked_communication_padding();
    width = std::max({width, asked.lower, asked.upper});
  }
  return width;
}

/// For the next check.
void agree_on_options(const DMDAOptions& options, const DMDACopyOptions& how, Call& call) {
  call.same(options);
  call.same("vector", how.vector);
  call.same("grid", how.grid.size());
  for (const Index n : how.grid) call.same("grid", n);
  call.same("read_from_any", how.read_from_any);
  call.same("convert", how.convert);
  call.same("interior", how.interior);
}

/// Collective. The layout of the copy, including its stencil width.
DMDACopy agree_on_copy(const Section& array, const DMDAOptions& options, const DMDACopyOptions& how,
                       Call& call) {
  agree_on_options(options, how, call);
  Agreed<std::int64_t> widest;
  DMDACopy copy = call.check([&] {
    detail::require_session();
    widest = call.greatest(width_of(array));
    return proven_copy(array, options, how);
  });
  copy.stencil_width = options.stencil_width > 0 ? options.stencil_width : Index{widest};
  return copy;
}

/// Collective. The stencil width is that of the array's communication padding, which its interior
/// does not have.
ImportedDMDA copy_interior(const DistArray& array, DMDAOptions options, DMDACopyOptions how,
                           Call& call) {
  agree_on_options(options, how, call);
  Agreed<std::int64_t> widest;
  call.check([&] { widest = call.greatest(width_of(array)); });
  how.interior = false;
  if (options.stencil_width == 0) options.stencil_width = static_cast<int>(widest);
  return copy_to_dmda(without_padding(array), options, how);
}

}  // namespace

ImportedDMDA copy_to_dmda(const DistArray& array, const DMDAOptions& options,
                          const DMDACopyOptions& how) {
  Call call(array, "petsc::copy_to_dmda");
  if (how.interior) return copy_interior(array, options, how, call);
  const Comm& comm = call.comm();
  const DMDACopy layout = agree_on_copy(array, options, how, call);
  const DistArray copy = call.check([&] {
    const auto grid = grid_of(layout, comm.size(), how.grid);
    return allocate<PetscScalar>(layout.dimensions(grid, comm.rank())).on(comm);
  });
  RedistributionOptions way;
  way.fill_padding = layout.padded && layout.stencil_width > 0;
  way.read_from_any = how.read_from_any;
  way.convert = how.convert;
  redistribute(array, copy, way);
  DMDAOptions as = options;
  as.stencil_width = static_cast<int>(layout.stencil_width);
  as.boundary = DMDABoundary::grid;  // a copy has no boundary padding
  return import_dmda(copy, as);
}

}  // namespace daptor::petsc
