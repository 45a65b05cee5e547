// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daptor/comm.hpp"
#include "daptor/datatype.hpp"
#include "daptor/dimension.hpp"
#include "daptor/types.hpp"
#include "ends.hpp"

namespace daptor::ga::detail {

/// How GA has divided an array, as far as one process of its group knows it. Dimensions are in the
/// order of C.
struct Division {
  Life life;
  DataType type = DataType::of<double>();
  std::vector<Index> shape;
  std::string name;  ///< what the program calls it, which GA cuts off after 31 characters
  bool read_only = false;
  int group = -1;
  int rank = 0;       ///< of this process in the group
  int processes = 1;  ///< of the group

  bool cyclic = false;
  /// Indices in a block, of a cyclic division.
  std::vector<Index> block_sizes;
  /// Processes along each dimension; without those that have no elements.
  std::vector<Index> grid;
  bool has_elements = true;
  /// Where this process is on the grid, if it has elements.
  std::vector<Index> coordinates;
  /// Its indices along each dimension, if the division is not cyclic.
  std::vector<IndexRange> owned;
  /// Widths of the ghost cells; `nullopt` where this process, without elements, does not know them.
  std::optional<std::vector<Index>> ghosts;
  /// The first element, ghost cells included; null without elements.
  void* memory = nullptr;
  /// How many elements GA has there.
  Index length = 0;
};

/// The C type of GA with elements of this type. Process-local.
std::optional<int> code_of_type(const DataType& type);

/// Throws InvalidArgument where GA does not run or the number is no array. Process-local.
void require_handle(int handle);

/// Process-local; calls nothing of GA that could end the job. Throws what `export_array` refuses.
Division read_division(int handle);

/// The indices at a place of the grid along one dimension, of an array that is not cyclic.
/// Process-local; takes as many steps as there are places before it.
IndexRange range_along(const Division& division, std::size_t dimension, Index coordinate);

}  // namespace daptor::ga::detail
