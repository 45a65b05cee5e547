// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "daptor/builders.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/producer.hpp"
#include "daptor/petsc/vec.hpp"
#include "exporting.hpp"
#include "ghosts.hpp"

namespace daptor::petsc {
namespace {

struct VecSizes {
  Index block = 1;
  Index global_size = 0;
  IndexRange owned;
  GridPosition grid;
};

VecSizes sizes_of(Vec vec) {
  PetscInt block = 1;
  PetscInt global_size = 0;
  PetscInt start = 0;
  PetscInt stop = 0;
  const detail::QuietErrors quiet;  // one for the three: every import comes here
  detail::check(VecGetBlockSize(vec, &block), "VecGetBlockSize");
  detail::check(VecGetSize(vec, &global_size), "VecGetSize");
  detail::check(VecGetOwnershipRange(vec, &start, &stop), "VecGetOwnershipRange");
  return {block, global_size, {start, stop}, detail::line_of_ranks(detail::object(vec))};
}

std::vector<Dimension> owned_dimensions(const VecSizes& layout) {
  const Index b = layout.block;
  std::vector<Dimension> dimensions;
  dimensions.push_back(block(layout.global_size / b, layout.grid,
                             IndexRange{layout.owned.start / b, layout.owned.stop / b}));
  if (b > 1) dimensions.push_back(undistributed(b));
  return dimensions;
}

/// The dimension lists single values even if the block size is larger, unless PETSc was given the
/// ghosts in blocks.
std::vector<Dimension> ghosted_dimensions(Vec vec, const VecSizes& layout) {
  const detail::Ghosts ghosts = detail::ghosts_of(vec, layout.owned.size(), layout.block);
  const Index b = ghosts.block;
  std::vector<Dimension> dimensions{
      block_then_ghosts(layout.global_size / b, layout.grid,
                        IndexRange{layout.owned.start / b, layout.owned.stop / b}, ghosts.indices)};
  if (b > 1) dimensions.push_back(undistributed(b));
  return dimensions;
}

}  // namespace

detail::NativeLayout detail::layout_of(Vec vec) {
  return gapless_layout(owned_dimensions(sizes_of(vec)));
}

DistArray export_vec(Vec vec, const VecExportOptions& options) {
  detail::require_exportable(vec);
  const VecSizes layout = sizes_of(vec);
  if (options.ghosts) {
    if (auto imported = detail::ghosted_array(vec, options.readonly)) return *std::move(imported);
    return detail::describe_vec(vec, ghosted_dimensions(vec, layout), options.readonly);
  }
  DistArray exported = detail::describe_vec(vec, owned_dimensions(layout), options.readonly);
  return detail::as_imported(detail::object(vec), std::move(exported));
}

DistArray export_vec_readonly(Vec vec, VecExportOptions options) {
  options.readonly = true;
  return export_vec(vec, options);
}

}  // namespace daptor::petsc
