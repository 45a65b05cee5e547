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

void Reading::read(const PetscScalar* values, PetscScalar* meant, PetscInt count) const {
  const PetscInt points = count / block_;
  for (PetscInt p = 0; p < points; ++p)
    for (PetscInt c = 0; c < block_; ++c) {
      const PetscInt by_points = p * block_ + c, by_components = c * points + p;
      if (order_ == Order::by_components)
        meant[by_points] = values[by_components];
      else if (order_ == Order::by_points)
        meant[by_components] = values[by_points];
      else if (!permutation_.empty())
        meant[by_points] = values[p * block_ + permutation_[static_cast<std::size_t>(c)]];
      else
        meant[by_points] = c == negated_ ? -values[by_points] : values[by_points];
    }
}

std::string Reading::text() const {
  if (order_ == Order::by_components)
    return "with its values point by point, as x0 y0 x1 y1, and not component by component, as "
           "x0 x1 y0 y1 (" +
           std::to_string(block_) + " unknowns in each point)";
  if (order_ == Order::by_points)
    return "with its values component by component, as x0 x1 y0 y1, and not point by point, as "
           "x0 y0 x1 y1 (" +
           std::to_string(block_) + " unknowns in each point)";
  if (negated_ >= 0)
    return "with the sign of component " + std::to_string(negated_) + " of " +
           std::to_string(block_) + " changed";
  std::string order;
  for (const PetscInt component : permutation_)
    order += (order.empty() ? "" : ", ") + std::to_string(component);
  return "with the components in the order (" + order + ")";
}

std::vector<Reading> readings_of(PetscInt block) {
  std::vector<Reading> readings{{block, Reading::Order::by_components},
                                {block, Reading::Order::by_points}};
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
