// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "daptor/dimension.hpp"

/// \file
/// One dimension of an array as a picture sees it: who holds which positions.

namespace daptor::show {

/// The grid ranks along one dimension that own something.
struct Holders {
  Index first = 0;  ///< the lowest of them
  Index count = 0;  ///< 0: nobody, or nobody who was recorded

  friend bool operator==(Holders a, Holders b) {
    return a.count == b.count && (a.count == 0 || a.first == b.first);
  }
  friend bool operator!=(Holders a, Holders b) { return !(a == b); }
};

/// What a position is to the section that it is drawn in. Of two dimensions the later one counts.
enum class Part { owned, boundary, communication };

/// Consecutive positions of which the same is to be said.
struct Stretch {
  IndexRange positions;
  Holders holders;
  Part part = Part::owned;
  /// Global indices go on without a gap from the stretch before it.
  bool joined = true;
  /// Several stretches that the picture leaves out; `holders` and `part` say nothing.
  bool folded = false;
};

/// Positions [0, extent()) along one dimension: those of the whole array, or those of one process's
/// section. Every query takes O(log) of the processes or runs of indices; nothing is ever in
/// proportion to the extent.
///
/// Example: 10 elements in blocks of 4, 4 and 2. `at(5)` is positions [4, 8), held by grid rank 1.
class Line {
 public:
  virtual ~Line() = default;
  virtual Index extent() const = 0;
  /// The longest stretch around a position in [0, extent()).
  virtual Stretch at(Index position) const = 0;
  virtual Index global_of(Index position) const = 0;
  /// Nothing where the line does not have that global index.
  virtual std::optional<Index> position_of(Index global) const = 0;
};

/// The whole of a dimension: [0, size), and for an unstructured one as far beyond as its indices
/// go. `by_grid_rank` has what one process at each grid rank says; null where none was recorded.
/// Throws NotRepresentable (`show.range`) for indices beyond 2^61.
std::shared_ptr<const Line> whole_line(const std::vector<const Dimension*>& by_grid_rank);

/// The section of one process, padding included; `whole` knows who owns what its padding copies.
/// Throws Malformed (P14) for communication padding that copies nothing.
std::shared_ptr<const Line> section_line(const Dimension& dimension,
                                         std::shared_ptr<const Line> whole);

/// One position, held by grid rank 0: stands for a dimension that there is not.
std::shared_ptr<const Line> unit_line();

/// All stretches in order, or nothing where there are more than `most`.
std::optional<std::vector<Stretch>> stretches(const Line& line, std::size_t most);

}  // namespace daptor::show
