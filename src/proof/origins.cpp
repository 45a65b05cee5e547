// SPDX-License-Identifier: BSD-3-Clause
#include <limits>
#include <string>

#include "proof/walk.hpp"

namespace daptor::proof {
namespace {

constexpr Index unknown = std::numeric_limits<Index>::max();

/// The grid rank that owns the first block, computed from this process's own section; `unknown` if
/// the process owns no elements of the dimension.
Index own_origin(const Dimension& dimension) {
  const auto* cyclic = dimension.as<Cyclic>();
  if (cyclic == nullptr || cyclic->start >= dimension.global_size()) return unknown;
  const Index position = cyclic->start / cyclic->block_size;
  return (cyclic->grid.rank - position + cyclic->grid.size) % cyclic->grid.size;
}

/// Words of each dimension in the closing reduction.
enum Reduced : std::size_t { even, origin, negated_origin, reduced_count };
static_assert(reduced_count == distribution_words);

const std::int64_t* words_of(const std::int64_t* words, int dimension) {
  return words + distribution_words * static_cast<std::size_t>(dimension);
}

}  // namespace

/// Writes the words for a minimum reduction: whether this process's block is the even one, the
/// origin that this process computes, and the same origin negated, so that the reduction gives the
/// lowest and the highest origin.
void Walk::write_distribution(std::int64_t* words) const {
  for (int d = 0; d < array().ndim(); ++d) {
    const Dimension& dimension = array().dimension(d);
    const Index own = own_origin(dimension);
    *words++ = !is_block(d) || detail::regular_part(dimension) ? 1 : 0;
    *words++ = own;
    *words++ = own == unknown ? unknown : -own;
  }
}

/// Learns from the reduced words what holds on all ranks. A dimension without elements has origin
/// 0.
void Walk::learn_distribution(const std::int64_t* words) {
  for (int d = 0; d < array().ndim(); ++d) {
    const std::int64_t* const all = words_of(words, d);
    auto& along = learned_->along[static_cast<std::size_t>(d)];
    along.even = all[even] == 1;
    along.origin = all[origin] == unknown ? 0 : all[origin];
  }
}

/// Whether all processes agree about the origin of each cyclic dimension, and one owns the first
/// block if there are any elements.
bool Walk::one_origin(const std::int64_t* words) const {
  for (int d = 0; d < array().ndim(); ++d) {
    const Dimension& dimension = array().dimension(d);
    if (dimension.as<Cyclic>() == nullptr || dimension.global_size() == 0) continue;
    const std::int64_t* const all = words_of(words, d);
    if (all[origin] != -all[negated_origin]) return false;
  }
  return true;
}

/// Adds C11 on processes that own elements; `check_due_block` judges those that own none.
void Walk::add_origins(const std::int64_t* words) {
  for (int d = 0; d < array().ndim(); ++d) {
    const Index own = own_origin(array().dimension(d));
    const Index lowest = words_of(words, d)[origin];
    const auto* cyclic = array().dimension(d).as<Cyclic>();
    if (cyclic != nullptr && lowest == unknown && array().dimension(d).global_size() > 0)
      add_if_placed("C11", d, "start",
                    "start " + std::to_string(cyclic->start) +
                        " on every process, so that no process owns an element",
                    "one process that owns the first block");
    if (own == unknown || own == lowest) continue;
    add_if_placed("C11", d, "start",
                  "start " + std::to_string(cyclic->start) + " on grid rank " +
                      std::to_string(cyclic->grid.rank) + ", where grid rank " +
                      std::to_string(lowest) + " owns the first block",
                  "starts in the order of the grid ranks, as a rotation");
  }
}

}  // namespace daptor::proof
