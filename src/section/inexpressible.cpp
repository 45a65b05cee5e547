// SPDX-License-Identifier: BSD-3-Clause
#include "section/inexpressible.hpp"

namespace daptor::detail {

std::optional<Finding> find_inexpressible(const Dimension& dimension, int number,
                                          Version::Rules rules) {
  // The ghosts of an index list lie on no edge.
  if (dimension.as<Unstructured>() != nullptr) return std::nullopt;
  if (rules == Version::Rules::v0_9) {
    if (!dimension.periodic() || dimension.boundary_padding() == Padding{}) return std::nullopt;
    return error_finding(
        "V09", number, "padding", "boundary padding in a periodic dimension",
        "communication padding, the only kind that 0.9.x has in a periodic dimension",
        "Describe the array in version 0.10.0, or the dimension as not periodic.");
  }
  const GridPosition grid = dimension.grid();
  const Padding padding = dimension.communication_padding();
  if ((grid.first() && padding.lower != 0) || (grid.last() && padding.upper != 0))
    return error_finding("V18", number, "padding", "communication padding on an external edge",
                         "boundary padding, the only kind that 0.10.x has on external edges",
                         "Describe the array in version 0.9.0.");
  const auto* const block = dimension.as<Block>();
  if (block != nullptr && (block->owned.start < padding.lower ||
                           dimension.global_size() - block->owned.stop < padding.upper))
    return error_finding(
        "V18", number, "padding", "communication padding beyond the end of the dimension",
        "a range within [0, size), padding included", "Describe the array in version 0.9.0.");
  return std::nullopt;
}

}  // namespace daptor::detail
