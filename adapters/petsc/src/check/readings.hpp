// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscvec.h>

#include <string>
#include <vector>

namespace daptor::petsc::detail {

/// Another way to read the values of a vector with several unknowns in each point, such as a rigid
/// body mode: the way in which they may have been meant. For two points with (x, y) each, and the
/// values 1 2 3 4: component by component, x = 1 2 and y = 3 4, which are 1 3 2 4 point by point;
/// point by point in the order (1, 0) they are 2 1 4 3.
class Reading {
 public:
  enum class Order {
    same,
    by_components,  ///< the values were written component by component
    by_points       ///< the values were written point by point, and the operator has components
  };
  /// Whose values are in another order.
  enum class Span { rank, all_ranks };

  Reading(PetscInt block, Order order, Span span = Span::rank)
      : block_(block), order_(order), span_(span) {}
  /// Component c is taken from component `order[c]`.
  static Reading permuted(std::vector<PetscInt> order);
  /// The sign of this component is changed.
  static Reading negated(PetscInt block, PetscInt component);

  Span span() const { return span_; }
  /// The index whose value is meant at index i of `count`, which is divisible by the block: of a
  /// rank's values, or of those of all ranks.
  PetscInt source(PetscInt i, PetscInt count) const;
  /// Of a rank's values. Process-local.
  void read(const PetscScalar* values, PetscScalar* meant, PetscInt count) const;
  /// What has to be changed: `with the sign of component 1 changed`.
  std::string text() const;

 private:
  PetscInt block_;
  Order order_ = Order::same;
  Span span_ = Span::rank;
  std::vector<PetscInt> permutation_;
  PetscInt negated_ = -1;
};

/// All readings for so many unknowns in each point; permutations and signs for two and three.
/// @param several  whether the values of all ranks may be in another order, too
std::vector<Reading> readings_of(PetscInt block, bool several);

}  // namespace daptor::petsc::detail
