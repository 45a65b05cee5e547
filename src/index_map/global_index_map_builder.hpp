// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <vector>

#include "daptor/global_index_map.hpp"

namespace daptor::detail {

/// Builds a GlobalIndexMap step by step. Whatever can fail on one rank alone is agreed before the
/// next communication, and memory for it is taken before that.
class GlobalIndexMapBuilder {
 public:
  GlobalIndexMapBuilder(GlobalIndexMap& map, const Communicator& comm) : map_(map), comm_(comm) {}

  /// Collective.
  void build(const DistArray& array);

 private:
  /// What is being found out about one dimension.
  struct Part {
    bool even = true;  // on all ranks: no table is needed
    Index origin = 0;  // cyclic, agreed
    std::shared_ptr<std::vector<Index>> bounds;
    std::vector<int> partners;  // ranks at distance -1, +1, -2, +2, -4, … of a line, not row-major
  };

  void prepare(const DistArray& array);
  void settle();
  void survey();
  void agree_on_origin(std::size_t d, Index least, Index greatest);
  void seat_ranks();
  void find_ranks();
  void place_neighbours();
  void gather_bounds(std::size_t d);
  void check();
  void check_cyclic(std::size_t d) const;
  void check_block(std::size_t d) const;
  void throw_other_bounds(std::size_t d);
  void number_contiguously();

  const Dimension& dimension(std::size_t d) const {
    return map_.dimensions_[d].local().dimension();
  }
  std::size_t ndim() const { return map_.dimensions_.size(); }
  Index own_origin(std::size_t d) const;
  Index seat_along(std::size_t d, Index distance) const;
  std::vector<Index> seats_to_find();
  Finding shared_seat(const std::vector<Message>& received) const;
  std::optional<Index> offset_by_arithmetic() const;

  GlobalIndexMap& map_;
  const Communicator& comm_;
  std::vector<Part> parts_;
  std::vector<Message> seat_message_;
  std::vector<std::int64_t> words_;  // what is reduced over all ranks
};

}  // namespace daptor::detail
