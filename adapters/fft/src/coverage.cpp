// SPDX-License-Identifier: BSD-3-Clause
#include "coverage.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/routed.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/block_dimensions.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"

namespace daptor::fft::detail {
namespace {

using Ranges = std::vector<IndexRange>;

/// The box of a rank.
struct RankedBox {
  int rank;
  Ranges ranges;
};

Index volume(const Ranges& ranges) {
  Index volume = 1;
  for (const IndexRange range : ranges) volume *= std::max<Index>(0, range.size());
  return volume;
}

Ranges intersection(const Ranges& a, const Ranges& b) {
  Ranges ranges;
  for (std::size_t d = 0; d < a.size(); ++d) ranges.push_back(intersect(a[d], b[d]));
  return ranges;
}

Terms text(const Ranges& ranges) {
  Terms text;
  for (const IndexRange range : ranges) text += (text.empty() ? "" : " x ") + terms::range(range);
  return text;
}

/// The grid in even blocks, one for each rank.
class Cells {
 public:
  Cells(const std::vector<Index>& shape, const Comm& comm)
      : shape_(shape), grid_(block_grid(static_cast<int>(shape.size()), comm.size())) {}

  Ranges cell(int rank) const {
    const std::vector<Index> at = grid_coordinates(grid_, rank);
    Ranges ranges;
    for (std::size_t d = 0; d < shape_.size(); ++d)
      ranges.push_back(even_block(shape_[d], {grid_[d], at[d]}));
    return ranges;
  }

  /// Ranks of the cells that a box touches.
  std::vector<int> touched(const Ranges& box) const {
    std::vector<int> ranks{0};
    for (std::size_t d = 0; d < shape_.size(); ++d) {
      const Index first = position(d, box[d].start);
      const Index last = position(d, box[d].stop - 1);
      std::vector<int> next;
      for (const int before : ranks)
        for (Index at = first; at <= last; ++at)
          next.push_back(before * static_cast<int>(grid_[d]) + static_cast<int>(at));
      ranks = std::move(next);
    }
    return ranks;
  }

 private:
  /// The cell along a dimension that has an index: the first `size % cells` cells have one more.
  Index position(std::size_t d, Index index) const {
    const Index each = shape_[d] / grid_[d];
    const Index longer = shape_[d] % grid_[d];
    const Index in_longer = longer * (each + 1);
    return index < in_longer ? index / (each + 1) : longer + (index - in_longer) / each;
  }

  std::vector<Index> shape_;
  std::vector<Index> grid_;
};

Ranges ranges_of(const Box& box) {
  Ranges ranges;
  for (std::size_t d = 0; d < box.shape.size(); ++d) ranges.push_back({box.lower[d], box.upper[d]});
  return ranges;
}

/// By reference: GCC 12 frees a vector twice that is moved from in a function that does not return.
[[noreturn]] void refuse_tiling(const char* rule, const std::vector<int>& ranks,
                                const Terms& found) {
  Finding finding = adapter::reason(rule, found, "boxes that cover the grid and do not overlap",
                                    "Give every element of the grid to exactly one process.");
  finding.rank_count = static_cast<std::int64_t>(ranks.size());
  finding.ranks = ranks;
  throw InvalidArgument(Report({std::move(finding)}));
}

/// Throws for boxes that overlap inside the cell: in the order of their starts, the later one
/// begins before the end of the earlier one.
void require_disjoint(std::vector<RankedBox> boxes, const Ranges& cell) {
  std::sort(boxes.begin(), boxes.end(), [](const RankedBox& a, const RankedBox& b) {
    return std::make_pair(a.ranges[0].start, a.rank) < std::make_pair(b.ranges[0].start, b.rank);
  });
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      if (boxes[j].ranges[0].start >= boxes[i].ranges[0].stop) break;
      const Ranges shared = intersection(boxes[i].ranges, boxes[j].ranges);
      if (volume(intersection(shared, cell)) == 0) continue;
      refuse_tiling(
          "fft.overlap",
          {std::min(boxes[i].rank, boxes[j].rank), std::max(boxes[i].rank, boxes[j].rank)},
          "elements " + text(shared) + " in two boxes");
    }
}

std::vector<RankedBox> boxes_of(const std::vector<Message>& received) {
  std::vector<RankedBox> boxes;
  boxes.reserve(received.size());
  for (const Message& message : received)
    boxes.push_back({message.rank, adapter::from_bytes<IndexRange>(message.bytes)});
  return boxes;
}

}  // namespace

std::vector<Message> messages_to_cells(const Box& box, const Comm& comm) {
  std::vector<Message> messages;
  const Ranges ranges = ranges_of(box);
  if (volume(ranges) == 0) return messages;
  for (const int rank : Cells(box.shape, comm).touched(ranges))
    messages.push_back({rank, adapter::to_bytes(ranges.data(), ranges.size())});
  return messages;
}

void prove_coverage(const Box& box, const std::vector<Message>& outgoing, Call& call) {
  const Comm& comm = call.comm();
  const std::vector<Message> received = comm->exchange(outgoing);
  Index covered = call.check([&] {
    require_disjoint(boxes_of(received), Cells(box.shape, comm).cell(comm.rank()));
    return box.count();
  });
  // Boxes that do not overlap cover the grid if they have as many elements.
  comm->allreduce(&covered, 1, Reduction::sum);
  const Index missing = *adapter::product(box.shape) - covered;
  if (missing > 0)
    refuse_tiling("fft.coverage", {}, std::to_string(missing) + " elements of the grid in no box");
}

}  // namespace daptor::fft::detail
