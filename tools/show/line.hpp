// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "daptor/dimension.hpp"

/// \file
/// One dimension of an array, as a picture needs it: which grid ranks hold which positions.

namespace daptor::show {

/// The grid ranks that hold a position along one dimension.
struct Holders {
  Index first = 0;  ///< the lowest of them
  Index count = 0;  ///< 0: nobody, or nobody who was recorded

  friend bool operator==(Holders a, Holders b) {
    return a.count == b.count && (a.count == 0 || a.first == b.first);
  }
  friend bool operator!=(Holders a, Holders b) { return !(a == b); }
};

/// The role of a position in the section that it is drawn in. If it has different roles in two
/// dimensions, the one later in this list counts.
enum class Part { owned, boundary, communication };

/// Consecutive positions with the same holders and the same role.
struct Stretch {
  IndexRange positions;
  Holders holders;
  Part part = Part::owned;
  /// Whether the global indices continue those of the stretch before it without a gap.
  bool joined = true;
  /// Whether this stands for several stretches that the picture leaves out; `holders` and `part`
  /// then have no meaning.
  bool folded = false;
};

/// Positions [0, extent()) along one dimension: those of the whole array, or those of one process's
/// section. Every query takes O(log n) for n processes or runs of indices; neither time nor memory
/// is in proportion to the extent.
///
/// Example: 10 elements in blocks of 4, 4 and 2. `at(5)` is positions [4, 8), held by grid rank 1.
class Line {
 public:
  virtual ~Line() = default;
  virtual Index extent() const = 0;
  /// The longest stretch around a position in [0, extent()).
  virtual Stretch at(Index position) const = 0;
  virtual Index global_of(Index position) const = 0;
  /// The position of a global index; `nullopt` if the line does not have that index.
  virtual std::optional<Index> position_of(Index global) const = 0;
};

/// The line of a whole dimension: [0, size), and for an unstructured dimension the range of its
/// indices as well. `by_grid_rank` has the dimension that one process at each grid rank describes;
/// null if none was recorded. Throws NotRepresentable (`show.range`) for indices beyond 2^61.
std::shared_ptr<const Line> whole_line(const std::vector<const Dimension*>& by_grid_rank);

/// The line of one process's section, padding included; `whole` gives the owners of the padding's
/// indices. Throws Malformed (P14) for communication padding beyond the end of the dimension.
std::shared_ptr<const Line> section_line(const Dimension& dimension,
                                         std::shared_ptr<const Line> whole);

/// A line of one position, held by grid rank 0, in place of a dimension that the array does not
/// have.
std::shared_ptr<const Line> unit_line();

/// All stretches in order; `nullopt` if there are more than `most`.
std::optional<std::vector<Stretch>> stretches(const Line& line, std::size_t most);

}  // namespace daptor::show
