// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daptor/adapter/reason.hpp"
#include "daptor/detail/widest_padding.hpp"
#include "daptor/petsc/copy.hpp"

/// \file
/// What copies of an array look like: from its dimensions alone, the same on all ranks.

namespace daptor::petsc::detail {

/// A Vec of all elements in natural ordering, and the even split of its blocks.
struct VecCopy {
  Index block = 1;
  Index blocks = 0;
  /// As blocks x components, which is the array's own shape: a plan is then made dimension by
  /// dimension. Otherwise as one dimension, which numbers the array's elements.
  bool by_blocks = false;

  /// This process's section.
  std::vector<Dimension> dimensions(GridPosition line, IndexRange owned_blocks) const;
  std::vector<Dimension> dimensions(GridPosition line) const {
    return dimensions(line, even_block(blocks, line));
  }
};

/// Nothing where 64 bits do not hold the count.
std::optional<VecCopy> vec_copy(const DistArray& array, bool flat);

/// The grid dimensions of a DMDA that could hold a copy, in the array's order.
struct DMDACopy {
  std::vector<Index> shape;
  std::vector<bool> periodic;
  /// Extent of the last dimension where that is the degrees of freedom.
  std::optional<Index> dof;
  Index stencil_width = 0;
  bool padded = true;

  /// As many points as the stencil is wide, and at least one, for each of `processes`.
  bool fits(std::size_t d, Index processes) const;
  /// Of those that fit, the one whose blocks have the least surface; nothing where none fits.
  std::optional<std::vector<Index>> best_grid(Index processes) const;
  std::vector<Dimension> dimensions(const std::vector<Index>& grid, int rank) const;
};

/// Without the stencil width.
DMDACopy dmda_copy(const DistArray& array, bool no_dof);

using daptor::detail::widest_padding;

/// \name For people
/// \{
/// copy_to_vec, copy_to_padded_vec; with `read_from_any` where indices may be on several processes.
std::string vec_copy_call(const DistArray& array);
std::string padded_vec_copy_call(const DistArray& array);
/// copy_to_dmda, of an array without lists; and of any.
extern const char* const dmda_copy_call;
extern const char* const dmda_global_copy_call;
std::string dmda_copy_call_for(const DistArray& array, DMDAVector vector);
/// import_dense of a copy by columns.
extern const char* const dense_copy_call;
/// \}

/// What a refusal says at its end.
std::string or_copy(const std::string& call);
/// Ends the remedies with the call, where there are reasons and `helps` holds for each rule without
/// its prefix.
template <class Helps>
void offer_copy(adapter::Reasons& reasons, const std::string& call, const Helps& helps) {
  for (const Finding& finding : reasons)
    if (!helps(finding.rule.substr(finding.rule.rfind('.') + 1))) return;
  for (Finding& finding : reasons) finding.remedy += or_copy(call);
}

/// Indices that may be on several processes can be read where the copy is of the array's shape.
bool vec_copy_fits(const DistArray& array);
/// A DMDA on the array's own number of processes could hold a copy.
bool dmda_copy_fits(const DistArray& array, const DMDAOptions& options);

/// What a copy cannot help, for targets with this prefix: elements of another type (unless they are
/// converted), memory of a device.
adapter::Reasons copy_reasons(const std::string& prefix, const DistArray& array, bool convert);

}  // namespace daptor::petsc::detail
