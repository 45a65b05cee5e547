// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/detail/widest_padding.hpp"
#include "daptor/petsc/copy.hpp"

/// \file
/// Layouts of copies of an array. They are computed from its dimensions alone, and so are the same
/// on all ranks.

namespace daptor::petsc::detail {

/// Layout of a Vec of all elements in natural ordering, with its blocks divided evenly.
struct VecCopy {
  Index block = 1;
  Index blocks = 0;
  /// Whether the copy is described as blocks x components, which is the shape of the array itself:
  /// such a copy can be planned dimension by dimension. Otherwise the copy has one dimension, which
  /// numbers the array's elements.
  bool by_blocks = false;

  /// The section of this process.
  std::vector<Dimension> dimensions(GridPosition line, IndexRange owned_blocks) const;
  std::vector<Dimension> dimensions(GridPosition line) const {
    return dimensions(line, even_block(blocks, line));
  }
};

/// `nullopt` if the number of elements does not fit in 64 bits.
std::optional<VecCopy> vec_copy(const Section& array, bool flat);

/// The grid dimensions of a DMDA that could hold a copy, in the array's order.
struct DMDACopy {
  std::vector<Index> shape;
  std::vector<bool> periodic;
  /// Extent of the last dimension, if the degrees of freedom are the last dimension.
  std::optional<Index> dof;
  Index stencil_width = 0;
  bool padded = true;

  /// Whether each of `processes` can have at least one point and as many as the stencil is wide.
  bool fits(std::size_t d, Index processes) const;
  /// Of the grids that fit, the grid whose blocks have the smallest surface; `nullopt` if none
  /// fits.
  std::optional<std::vector<Index>> best_grid(Index processes) const;
  std::vector<Dimension> dimensions(const std::vector<Index>& grid, int rank) const;
};

/// The stencil width is not set yet.
DMDACopy dmda_copy(const Section& array, bool no_dof);

using daptor::detail::widest_padding;

/// \name The calls that copy, as reasons suggest them
/// \{
Suggestion to_vec(const Section& array);
Suggestion to_padded_vec(const Section& array);
Suggestion to_dmda(const Section& array, DMDAVector vector);
/// For an array without unstructured dimensions.
Suggestion to_dmda(DMDAVector vector);
/// import_dense of a copy by columns, and import_scalapack of one in blocks.
Suggestion to_dense(const Section& array);
Suggestion to_scalapack(const Section& array);
/// \}

/// Whether a Vec copy is possible: if indices may be on several processes, the copy must have the
/// array's shape.
bool vec_copy_fits(const Section& array);
/// Whether a DMDA on the array's own number of processes could hold a copy.
bool dmda_copy_fits(const Section& array, const DMDAOptions& options);

}  // namespace daptor::petsc::detail
