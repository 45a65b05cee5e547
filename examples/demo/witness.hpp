// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscksp.h>

#include <cstddef>
#include <memory>

#include <Teuchos_RCP.hpp>

#include "daptor/solvers.hpp"

/// Watches what PETSc and a Trilinos operator hand over to each other, on both sides: the arrays of
/// the Vecs that PETSc passes, the arrays of the MultiVectors that Trilinos gets, and the heap
/// requests in between.
class Witness {
 public:
  struct Findings {
    int applications = 0;
    std::size_t bytes_copied = 0;       ///< in vectors whose arrays differ on the two sides
    std::size_t large_allocations = 0;  ///< of half a vector or more, without the first application
  };

  Witness();
  ~Witness();
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;

  /// The same operator, with the witness on Trilinos' side.
  Teuchos::RCP<daptor::solvers::Operator> watched(
      const Teuchos::RCP<daptor::solvers::Operator>& op) const;
  /// Collective. Makes `preconditioner` the preconditioner of `ksp`, as `operator_as_pc` does, with
  /// the witness on both sides. The witness must outlive the KSP.
  void stand_between(KSP ksp, const Teuchos::RCP<daptor::solvers::Operator>& preconditioner);
  /// Called when the watched operator has been applied to these.
  void compare(Vec x, Vec y);

  /// The findings on this rank.
  Findings findings() const;

 private:
  class WatchedOperator;
  struct State;
  static PetscErrorCode apply(PC outer, Vec x, Vec y);
  static PetscErrorCode destroy(PC outer);

  std::shared_ptr<State> state_;
};
