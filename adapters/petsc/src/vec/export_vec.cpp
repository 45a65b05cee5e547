// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "daptor/builders.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/producer.hpp"
#include "daptor/petsc/vec.hpp"
#include "petsc/src/form/exporting.hpp"
#include "petsc/src/native/ghosts.hpp"

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
  const detail::QuietErrors quiet;  // once for all three queries: every import comes here
  detail::check(VecGetBlockSize(vec, &block), "VecGetBlockSize");
  detail::check(VecGetSize(vec, &global_size), "VecGetSize");
  detail::check(VecGetOwnershipRange(vec, &start, &stop), "VecGetOwnershipRange");
  return {block, global_size, {start, stop}, detail::line_of_ranks(detail::object(vec))};
}

detail::NativeLayout owned_layout(const VecSizes& sizes) {
  const Index b = sizes.block;
  constexpr auto itemsize = static_cast<Index>(sizeof(PetscScalar));
  return {sizes.global_size / b,
          sizes.grid,
          {sizes.owned.start / b, sizes.owned.stop / b},
          b > 1 ? std::optional<Index>(b) : std::nullopt,
          {itemsize * b, itemsize}};
}

/// One dimension lists single values, even if the block size is larger; only if PETSc was given the
/// ghosts in blocks, it lists blocks.
std::vector<Dimension> ghosted_dimensions(Vec vec, const VecSizes& sizes) {
  const detail::Ghosts ghosts = detail::ghosts_of(vec, sizes.owned.size(), sizes.block);
  const Index b = ghosts.block;
  std::vector<Dimension> dimensions{
      block_then_ghosts(sizes.global_size / b, sizes.grid,
                        IndexRange{sizes.owned.start / b, sizes.owned.stop / b}, ghosts.indices)};
  if (b > 1) dimensions.push_back(undistributed(b));
  return dimensions;
}

}  // namespace

detail::NativeLayout detail::layout_of(Vec vec) {
  return owned_layout(sizes_of(vec));
}

DistArray export_vec(Vec vec, const VecExportOptions& options) {
  detail::require_exportable(vec);
  const VecSizes sizes = sizes_of(vec);
  if (options.ghosts) {
    if (auto imported = detail::ghosted_array(vec, options.readonly)) return *std::move(imported);
    return detail::describe_vec(vec, ghosted_dimensions(vec, sizes), options.readonly)
        .on(detail::comm_of(detail::object(vec)));
  }
  const detail::NativeLayout layout = owned_layout(sizes);
  const Section exported = detail::describe_vec(vec, layout.dimensions(), options.readonly);
  return detail::as_imported(detail::object(vec), layout, exported);
}

DistArray export_vec_readonly(Vec vec, VecExportOptions options) {
  options.readonly = true;
  return export_vec(vec, options);
}

}  // namespace daptor::petsc
