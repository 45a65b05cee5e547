#include <string>

#include "hash.hpp"
#include "validation/validation.hpp"

namespace daptor::validation {
namespace {

using detail::extend;

/// What a process tells the ones next to it along a dimension: its own part of that dimension, then
/// two fingerprints of each dimension.
enum Word : std::size_t { start, stop, lower, upper, owned_count, fingerprints };

/// Without padding and index lists: what processes of one grid rank have in common.
Index fingerprint(const Dimension& dimension) {
  std::uint64_t hash = 0;
  if (const auto* b = dimension.as<Block>()) {
    hash = extend(extend(hash, b->owned.start), b->owned.stop);
  } else if (const auto* c = dimension.as<Cyclic>()) {
    hash = extend(hash, c->start);
  } else if (const auto* u = dimension.as<Unstructured>()) {
    hash = extend(hash, u->indices.size());
  }
  return static_cast<Index>(hash);
}

Index padding_fingerprint(const Dimension& dimension) {
  const Padding c = dimension.communication_padding();
  const Padding b = dimension.boundary_padding();
  return static_cast<Index>(extend(extend(extend(extend(0, c.lower), c.upper), b.lower), b.upper));
}

std::string text(IndexRange range) {
  return "[" + std::to_string(range.start) + ", " + std::to_string(range.stop) + ")";
}

std::string width(Index count) {
  return "a width of " + std::to_string(count);
}

}  // namespace

std::vector<Index> Validation::edge_record(int along) const {
  const Dimension& dimension = array().dimension(along);
  const Padding padding = dimension.communication_padding();
  std::vector<Index> record(fingerprints);
  if (const auto* block = dimension.as<Block>()) {
    record[start] = block->owned.start;
    record[stop] = block->owned.stop;
  }
  record[lower] = padding.lower;
  record[upper] = padding.upper;
  record[owned_count] = dimension.owned_count();
  for (const Dimension& other : array().dimensions()) {
    record.push_back(fingerprint(other));
    record.push_back(padding_fingerprint(other));
  }
  return record;
}

/// Collective. Each process compares itself with the two next to it along each distributed
/// dimension, around the end of it.
void Validation::check_neighbours(const detail::Survey& all) {
  const bool by_arithmetic = all.row_major;
  for (int d = 0; d < array().ndim(); ++d) {
    const GridPosition grid = array().dimension(d).grid();
    if (by_arithmetic) {
      Index distance = 1;
      for (int e = d + 1; e < array().ndim(); ++e) distance *= array().dimension(e).grid().size;
      const Index line = comm_.rank() - grid.rank * distance;
      below_.push_back(static_cast<int>(line + (grid.rank + grid.size - 1) % grid.size * distance));
      above_.push_back(static_cast<int>(line + (grid.rank + 1) % grid.size * distance));
    }
    const std::vector<Index> mine = edge_record(d);
    const std::size_t bytes = mine.size() * sizeof(Index);
    std::vector<Index> from_below = mine;
    std::vector<Index> from_above = mine;
    const auto i = static_cast<std::size_t>(d);
    if (grid.size > 1) {
      comm_.sendrecv(above_[i], mine.data(), bytes, below_[i], from_below.data(), bytes);
      comm_.sendrecv(below_[i], mine.data(), bytes, above_[i], from_above.data(), bytes);
    }
    const bool wraps = array().dimension(d).periodic();
    if (!grid.first() || wraps) compare_with_neighbour(d, below_[i], from_below, true);
    if (!grid.last() || wraps) compare_with_neighbour(d, above_[i], from_above, false);
  }
}

/// `lower`: the neighbour is the one below.
void Validation::compare_with_neighbour(int along, int neighbour_rank,
                                        const std::vector<Index>& theirs, bool lower_side) {
  const Dimension& dimension = array().dimension(along);
  const GridPosition grid = dimension.grid();
  const bool at_end = lower_side ? grid.first() : grid.last();
  const bool rules_0_10 = array().version().rules() == Rules::v0_10;
  const std::string on_neighbour = " on rank " + std::to_string(neighbour_rank);
  if (const auto* block = dimension.as<Block>(); block != nullptr && lower_side && !at_end) {
    if (theirs[stop] != block->owned.start)
      add("B09", along, "start",
          "owned " + text(block->owned) + " after " + text({theirs[start], theirs[stop]}) +
              on_neighbour,
          "a start that is the stop of the process before");
  }
  const Padding padding = dimension.communication_padding();
  const Index mine = lower_side ? padding.lower : padding.upper;
  const Index counterpart = theirs[lower_side ? upper : lower];
  if (mine > theirs[owned_count])
    add("P15", along, "padding",
        width(mine) + " next to " + std::to_string(theirs[owned_count]) + " owned indices" +
            on_neighbour,
        "communication padding that the neighbour owns",
        rules_0_10 ? Severity::error : Severity::warning);
  // Each pair of neighbours is compared once, on its upper process; an empty section has no
  // padding.
  if (lower_side && mine != counterpart && dimension.owned_count() > 0 && theirs[owned_count] > 0)
    add("P16", along, "padding", width(mine) + " beside " + width(counterpart) + on_neighbour,
        "the same width on both sides of an edge", rules_0_10 ? Severity::error : Severity::note);
  if (!lower_side || at_end) return;
  for (int d = 0; d < array().ndim(); ++d) {
    if (d == along) continue;
    const auto at = fingerprints + 2 * static_cast<std::size_t>(d);
    if (theirs[at] != fingerprint(array().dimension(d)))
      add(array().dimension(d).dist_type() == 'u' ? "U12" : "D22", d, "",
          "another part of this dimension than" + on_neighbour,
          "the same dimension dictionary on all processes of one grid rank");
    if (!rules_0_10 && theirs[at + 1] != padding_fingerprint(array().dimension(d)))
      add("A21", d, "padding", "another padding than" + on_neighbour,
          "the same padding on all processes of one grid rank", Severity::warning);
  }
}

}  // namespace daptor::validation
