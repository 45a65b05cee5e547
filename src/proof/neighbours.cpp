// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "daptor/adapter/text.hpp"
#include "daptor/detail/fault.hpp"
#include "proof/walk.hpp"
#include "ranks/hash.hpp"
#include "report/rules/judged.hpp"
#include "report/rules/names.hpp"

namespace daptor::proof {
namespace {

using detail::extend;

/// Words of the message that a process sends to the processes next to it along a dimension: its own
/// part of that dimension, followed by two fingerprints of each dimension.
enum EdgeWord : std::size_t { start, stop, lower_width, upper_width, owned_count, fingerprints };

/// A hash of what processes with the same grid rank must have in common, without padding and index
/// lists.
Index fingerprint(const Dimension& dimension) {
  std::uint64_t hash = 0;
  if (const auto* b = dimension.as<Block>()) {
    hash = extend(extend(hash, b->owned.start), b->owned.stop);
  } else if (const auto* c = dimension.as<Cyclic>()) {
    hash = extend(hash, c->start);
  } else if (const auto* u = dimension.as<Unstructured>()) {
    hash = extend(extend(hash, u->indices.size()), dimension.owned_count());
  }
  return static_cast<Index>(hash);
}

/// Widths of the padding that copies elements of the neighbours. The ghosts of an index list may
/// belong to any process, so they do not count.
Padding neighbours_padding(const Dimension& dimension) {
  return dimension.as<Unstructured>() != nullptr ? Padding{} : dimension.communication_padding();
}

Index padding_fingerprint(const Dimension& dimension) {
  const Padding c = neighbours_padding(dimension);
  const Padding b = dimension.boundary_padding();
  return static_cast<Index>(extend(extend(extend(extend(0, c.lower), c.upper), b.lower), b.upper));
}

std::string width_text(Index count) {
  return "a width of " + std::to_string(count);
}

}  // namespace

std::size_t edge_words(int ndim) {
  return fingerprints + 2 * static_cast<std::size_t>(ndim);
}

/// `edge` has room for `edge_words` words.
void Walk::write_edge(int along, Index* edge) const {
  const Dimension& dimension = array().dimension(along);
  const Padding padding = neighbours_padding(dimension);
  edge[start] = edge[stop] = 0;
  if (const auto* block = dimension.as<Block>()) {
    edge[start] = block->owned.start;
    edge[stop] = block->owned.stop;
  } else if (const auto* cyclic = dimension.as<Cyclic>()) {
    edge[start] = cyclic->start;
  }
  edge[lower_width] = padding.lower;
  edge[upper_width] = padding.upper;
  edge[owned_count] = dimension.owned_count();
  std::size_t at = fingerprints;
  for (const Dimension& other : array().dimensions()) {
    edge[at++] = fingerprint(other);
    edge[at++] = padding_fingerprint(other);
  }
}

/// Finds the neighbours of ranks in row-major order by arithmetic; every dimension wraps around.
void Walk::place_neighbours() {
  const auto& dimensions = array().dimensions();
  for (int d = 0; d < array().ndim(); ++d) {
    auto& along = learned_->along[static_cast<std::size_t>(d)];
    along.below = static_cast<int>(detail::grid_number(dimensions, d, -1));
    along.above = static_cast<int>(detail::grid_number(dimensions, d, 1));
  }
}

/// Collective. Along each distributed dimension, sends this process's edge to both neighbours,
/// receives theirs, and compares.
void Walk::ask_neighbours() {
  const auto bytes = memory_.edge_size() * sizeof(Index);
  Index* const mine = memory_.mine();
  Index* const from_below = memory_.from_below();
  Index* const from_above = memory_.from_above();
  for (int d = array().ndim() - 1; d >= 0; --d) {
    const GridPosition grid = array().dimension(d).grid();
    const int below = learned_->along[static_cast<std::size_t>(d)].below;
    const int above = learned_->along[static_cast<std::size_t>(d)].above;
    write_edge(d, mine);
    if (grid.size > 1) {
      comm_->sendrecv(above, mine, bytes, below, from_below, bytes);
      comm_->sendrecv(below, mine, bytes, above, from_above, bytes);
    }
    attempt([&] {
      detail::fault_point("core.validate.neighbours");
      compare_with_neighbour(d, below, grid.size > 1 ? from_below : mine, true);
      compare_with_neighbour(d, above, grid.size > 1 ? from_above : mine, false);
    });
  }
}

/// `lower` says that the neighbour is the one below this process.
void Walk::compare_with_neighbour(int along, int neighbour_rank, const Index* theirs, bool lower) {
  const Dimension& dimension = array().dimension(along);
  const GridPosition grid = dimension.grid();
  if (grid.size > 1) check_due_block(along, neighbour_rank, theirs, lower);
  const bool at_end = lower ? grid.first() : grid.last();
  if (at_end && !dimension.periodic()) return;
  const std::string on_neighbour = " on rank " + std::to_string(neighbour_rank);
  if (lower && !at_end) compare_blocks(along, on_neighbour, theirs);
  compare_padding(along, on_neighbour, theirs, lower);
  if (lower && !at_end) compare_shared_parts(along, neighbour_rank, theirs);
}

void Walk::compare_blocks(int along, const std::string& on_neighbour, const Index* theirs) {
  const auto* block = array().dimension(along).as<Block>();
  if (block == nullptr || theirs[stop] == block->owned.start) return;
  add_if_placed("B09", along, "start",
                "owned " + terms::range(block->owned) + " after " +
                    terms::range({theirs[start], theirs[stop]}) + on_neighbour,
                names::adjacent_start,
                theirs[stop] == block->owned.start - 1 ? Terms(names::inclusive_stop) : Terms());
}

void Walk::compare_padding(int along, const std::string& on_neighbour, const Index* theirs,
                           bool lower) {
  const Dimension& dimension = array().dimension(along);
  const Padding padding = neighbours_padding(dimension);
  const Index mine = lower ? padding.lower : padding.upper;
  const Index counterpart = theirs[lower ? upper_width : lower_width];
  if (mine > theirs[owned_count])
    add_if_placed("P15", along, "padding",
                  width_text(mine) + " next to " + std::to_string(theirs[owned_count]) +
                      " owned indices" + on_neighbour,
                  "communication padding no wider than what the neighbour owns");
  // Each pair of neighbours is compared once, by the upper process; an empty section has no
  // padding.
  if (lower && mine != counterpart && dimension.owned_count() > 0 && theirs[owned_count] > 0)
    add_if_placed("P16", along, "padding",
                  width_text(mine) + " beside " + width_text(counterpart) + on_neighbour,
                  "the same width on both sides of an edge");
}

/// Processes next to each other along one dimension must have the same part of all other
/// dimensions.
void Walk::compare_shared_parts(int along, int neighbour_rank, const Index* theirs) {
  const std::string on_neighbour = " on rank " + std::to_string(neighbour_rank);
  const bool rules_0_10 = rules() == Version::Rules::v0_10;
  for (int d = 0; d < array().ndim(); ++d) {
    if (d == along) continue;
    const Dimension& other = array().dimension(d);
    const auto at = fingerprints + 2 * static_cast<std::size_t>(d);
    // At level full the lists themselves are compared, which is a stronger test.
    const bool listed = other.dist_type() == 'u' && options_.level == Level::full;
    if (theirs[at] != fingerprint(other) && !listed) {
      if (other.dist_type() == 'u')
        if_placed_.add(another_list(d, neighbour_rank));
      else
        add_if_placed("D22", d, "",
                      "a part of this dimension that differs from that" + on_neighbour,
                      "the same dimension dictionary on all processes with the same grid rank");
    }
    if (!rules_0_10 && theirs[at + 1] != padding_fingerprint(other))
      add_if_placed("A21", d, "padding", "padding that differs from that" + on_neighbour,
                    "the same padding on all processes with the same grid rank");
  }
}

/// Judges C11 for a process whose start says that it owns no elements of a cyclic dimension. This
/// is wrong if the block that it would own exists: the block after the lower neighbour's, or before
/// the upper neighbour's.
void Walk::check_due_block(int along, int neighbour_rank, const Index* theirs, bool lower) {
  const Dimension& dimension = array().dimension(along);
  const auto* cyclic = dimension.as<Cyclic>();
  const Index size = dimension.global_size();
  if (cyclic == nullptr || cyclic->start < size || theirs[start] >= size) return;
  const Index position = theirs[start] / cyclic->block_size + (lower ? 1 : -1);
  if (position < 0 ||
      cyclic_owned_count(size, cyclic->block_size, cyclic->grid.size, position) == 0)
    return;
  add_if_placed("C11", along, "start",
                "start " + std::to_string(cyclic->start) + " on grid rank " +
                    std::to_string(cyclic->grid.rank) + ", next to start " +
                    std::to_string(theirs[start]) + " on rank " + std::to_string(neighbour_rank),
                "starts in the order of the grid ranks, as a rotation");
}

}  // namespace daptor::proof
