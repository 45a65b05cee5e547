// SPDX-License-Identifier: BSD-3-Clause
#include "readings.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace daptor::petsc::detail {

Reading Reading::permuted(std::vector<PetscInt> order) {
  Reading reading(static_cast<PetscInt>(order.size()), Order::same);
  reading.permutation_ = std::move(order);
  return reading;
}

Reading Reading::negated(PetscInt block, PetscInt component) {
  Reading reading(block, Order::same);
  reading.negated_ = component;
  return reading;
}

PetscInt Reading::source(PetscInt i, PetscInt count) const {
  const PetscInt points = count / block_;
  if (order_ == Order::by_components) return i % block_ * points + i / block_;
  if (order_ == Order::by_points) return i % points * block_ + i / points;
  if (permutation_.empty()) return i;
  return i - i % block_ + permutation_[static_cast<std::size_t>(i % block_)];
}

void Reading::read(const PetscScalar* values, PetscScalar* meant, PetscInt count) const {
  for (PetscInt i = 0; i < count; ++i) {
    const PetscScalar value = values[source(i, count)];
    meant[i] = i % block_ == negated_ ? -value : value;
  }
}

std::string Reading::text() const {
  if (order_ != Order::same) {
    const bool points = order_ == Order::by_components;
    const std::string by_points = "point by point", by_components = "component by component";
    return "with its values " + (points ? by_points : by_components) + ", as " +
           (points ? "x0 y0 x1 y1" : "x0 x1 y0 y1") + ", and not " +
           (points ? by_components : by_points) +
           (span_ == Span::all_ranks ? " over all ranks" : "") + ", as " +
           (points ? "x0 x1 y0 y1" : "x0 y0 x1 y1") + " (" + std::to_string(block_) +
           " unknowns in each point)";
  }
  if (negated_ >= 0)
    return "with the sign of component " + std::to_string(negated_) + " of " +
           std::to_string(block_) + " changed";
  std::string order;
  for (const PetscInt component : permutation_)
    order += (order.empty() ? "" : ", ") + std::to_string(component);
  return "with the components in the order (" + order + ")";
}

std::vector<Reading> readings_of(PetscInt block, bool several) {
  using Order = Reading::Order;
  std::vector<Reading> readings{{block, Order::by_components}, {block, Order::by_points}};
  if (several) {
    readings.emplace_back(block, Order::by_components, Reading::Span::all_ranks);
    readings.emplace_back(block, Order::by_points, Reading::Span::all_ranks);
  }
  if (block > 3) return readings;
  // One component less: changing all of them is the same vector.
  for (PetscInt c = block == 2 ? 1 : 0; c < block; ++c)
    readings.push_back(Reading::negated(block, c));
  std::vector<PetscInt> order(static_cast<std::size_t>(block));
  std::iota(order.begin(), order.end(), 0);
  while (std::next_permutation(order.begin(), order.end()))
    readings.push_back(Reading::permuted(order));
  return readings;
}

}  // namespace daptor::petsc::detail
