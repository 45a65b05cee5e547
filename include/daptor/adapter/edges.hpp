// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/section.hpp"

namespace daptor::adapter {

/// Widths of the boundary padding at both ends of a whole array, along each dimension. By them the
/// global size of the protocol is larger than the interior.
using Edges = std::vector<Padding>;

/// Finds the Edges of an array, of which a rank in its middle sees nothing in its own section.
///
/// Example: 10 cells on three ranks, with two ghost cells on each external edge. The section of
/// rank 1 has no boundary padding; all ranks find the Edges {{2, 2}}.
class EdgesOfAll {
 public:
  /// Process-local: for the body of a check, which tells whether any rank has boundary padding.
  void say(const Section& array, Call& call);
  /// Collective if any rank has, after that check. All ranks have the same number of dimensions.
  /// @returns `nullopt` if the array has no boundary padding
  std::optional<Edges> heard(const Section& array, Call& call) const;

 private:
  Agreed<std::int64_t> any_;
};

/// Extents of the interior of the whole array. Process-local.
std::vector<Index> interior_shape(const Section& array, const Edges& edges);

}  // namespace daptor::adapter
