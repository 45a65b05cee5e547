// SPDX-License-Identifier: BSD-3-Clause
#include "proof/bounds.hpp"

#include <algorithm>

#include "daptor/adapter/communicator.hpp"
#include "proof/line_gather.hpp"
#include "proof/survey.hpp"

namespace daptor::detail {
namespace {

/// Finds ranks further along a line of the grid for `gather_line`. The ranks at distance 1 are
/// known; a process that knows the ranks at distance n on both sides learns from them which ranks
/// are at distance 2 n.
class Partners {
 public:
  Partners(const Proven::Along& along, const Comm& comm)
      : comm_(comm), below_(along.below), above_(along.above) {}

  /// Collective over the line of the grid.
  int operator()(Index distance) {
    if (distance < -1) double_distance();
    return distance < 0 ? below_ : above_;
  }

 private:
  void double_distance() {
    int lower = below_;
    int upper = above_;
    comm_->sendrecv(above_, &below_, sizeof(below_), below_, &lower, sizeof(lower));
    comm_->sendrecv(below_, &above_, sizeof(above_), above_, &upper, sizeof(upper));
    below_ = lower;
    above_ = upper;
  }

  const Comm& comm_;
  int below_, above_;
};

/// Collective over the lines of the grid along dimension `d`, whose blocks are uneven. The array is
/// proven, so nothing can fail here.
void gather(const Section& array, std::size_t d, const Proven& proven, const Comm& comm,
            std::vector<Index>& bounds) {
  const Dimension& dimension = array.dimensions()[d];
  const GridPosition grid = dimension.grid();
  bounds.front() = dimension.as<Block>()->owned.start;
  if (proven.row_major) {
    gather_line(
        comm, grid,
        [&](Index distance) {
          return static_cast<int>(grid_number(array.dimensions(), static_cast<int>(d), distance));
        },
        bounds);
  } else {
    gather_line(comm, grid, Partners(proven.along[d], comm), bounds);
  }
  bounds.back() = dimension.global_size();
}

}  // namespace

std::shared_ptr<const Bounds> bounds_of(const Section& array, const Proven& proven, Call& call) {
  if (proven.bounds != nullptr) return proven.bounds;
  const std::size_t ndim = proven.along.size();
  bool even = true;
  for (std::size_t d = 0; d < ndim; ++d) even = even && proven.along[d].even;
  if (even) return nullptr;
  const auto bounds = call.check([&] {
    auto room = std::make_shared<Bounds>(ndim);
    for (std::size_t d = 0; d < ndim; ++d)
      if (!proven.along[d].even)
        (*room)[d] = std::make_shared<std::vector<Index>>(
            static_cast<std::size_t>(array.dimensions()[d].grid().size) + 1);
    return room;
  });
  for (std::size_t d = ndim; d-- > 0;)
    if (!proven.along[d].even) gather(array, d, proven, call.comm(), *(*bounds)[d]);
  proven.bounds = bounds;
  return bounds;
}

}  // namespace daptor::detail
