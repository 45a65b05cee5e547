// SPDX-License-Identifier: BSD-3-Clause
#include <limits>
#include <string>

#include "proof/validation.hpp"

namespace daptor::validation {
namespace {

constexpr Index unknown = std::numeric_limits<Index>::max();

/// The grid rank that owns the first block, by this process's own section; unknown where it owns
/// nothing of the dimension.
Index own_origin(const Dimension& dimension) {
  const auto* cyclic = dimension.as<Cyclic>();
  if (cyclic == nullptr || cyclic->start >= dimension.global_size()) return unknown;
  const Index position = cyclic->start / cyclic->block_size;
  return (cyclic->grid.rank - position + cyclic->grid.size) % cyclic->grid.size;
}

std::size_t word_of(int dimension) {
  return 2 * static_cast<std::size_t>(dimension);
}

}  // namespace

/// For a reduction to the least: the lowest origin that a process has, and the highest, negated.
void Validation::write_origins(std::int64_t* words) const {
  for (int d = 0; d < array().ndim(); ++d) {
    const Index own = own_origin(array().dimension(d));
    words[word_of(d)] = own;
    words[word_of(d) + 1] = own == unknown ? unknown : -own;
  }
}

/// Where there is something to own somebody owns the first block.
bool Validation::one_origin(const std::int64_t* words) const {
  for (int d = 0; d < array().ndim(); ++d) {
    const Dimension& dimension = array().dimension(d);
    if (dimension.as<Cyclic>() == nullptr || dimension.global_size() == 0) continue;
    if (words[word_of(d)] != -words[word_of(d) + 1]) return false;
  }
  return true;
}

/// C11, by processes that own something; those that own nothing are judged by their neighbours.
void Validation::add_origins(const std::int64_t* words) {
  for (int d = 0; d < array().ndim(); ++d) {
    const Index own = own_origin(array().dimension(d));
    const Index origin = words[word_of(d)];
    const auto* cyclic = array().dimension(d).as<Cyclic>();
    if (cyclic != nullptr && origin == unknown && array().dimension(d).global_size() > 0)
      add("C11", d, "start",
          "start " + std::to_string(cyclic->start) + ", nothing owned, on every process",
          "a process that owns the first block");
    if (own == unknown || own == origin) continue;
    add("C11", d, "start",
        "start " + std::to_string(cyclic->start) + " on grid rank " +
            std::to_string(cyclic->grid.rank) + ", where grid rank " + std::to_string(origin) +
            " owns the first block",
        "starts that are a rotation of the grid ranks");
  }
}

}  // namespace daptor::validation
