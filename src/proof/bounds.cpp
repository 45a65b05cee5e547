// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/communicator.hpp"
#include "daptor/detail/fault.hpp"
#include "proof/line_gather.hpp"
#include "proof/walk.hpp"

namespace daptor::validation {
namespace {

/// Finds ranks further along a line of the grid for `gather_line`. The ranks at distance 1 are
/// known; a process that knows the ranks at distance n on both sides learns from them which ranks
/// are at distance 2 n.
class Partners {
 public:
  Partners(const detail::Proven::Along& along, const Comm& comm)
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

}  // namespace

/// Allocates the memory for the bounds: if an earlier walk has found out which blocks are uneven,
/// for these alone, otherwise for all blocks.
void Walk::reserve_bounds(const detail::Proven* known) {
  detail::fault_point("core.validate.bounds");
  bounds_->assign(static_cast<std::size_t>(array().ndim()), nullptr);
  for (int d = 0; d < array().ndim(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    if (!is_block(d) || (known != nullptr && known->along[i].even)) continue;
    const auto processes = static_cast<std::size_t>(array().dimension(d).grid().size);
    (*bounds_)[i] = std::make_shared<std::vector<Index>>(processes + 1);
  }
}

/// Collective over the lines of the grid. Takes log2(grid size) steps of messages for each
/// dimension with uneven blocks. The array is proven, so nothing can fail here.
void Walk::gather_bounds(const detail::Proven& proven) {
  for (int d = array().ndim() - 1; d >= 0; --d) {
    const GridPosition grid = array().dimension(d).grid();
    const auto i = static_cast<std::size_t>(d);
    if (proven.along[i].even) {
      if (!bounds_->empty()) (*bounds_)[i] = nullptr;
    } else {
      std::vector<Index>& bounds = *(*bounds_)[i];
      bounds.front() = array().dimension(d).as<Block>()->owned.start;
      if (proven.row_major) {
        detail::gather_line(
            comm_, grid,
            [&](Index distance) {
              return static_cast<int>(detail::seat_number(array().dimensions(), d, distance));
            },
            bounds);
      } else {
        detail::gather_line(comm_, grid, Partners(proven.along[i], comm_), bounds);
      }
      bounds.back() = array().dimension(d).global_size();
    }
  }
}

}  // namespace daptor::validation
