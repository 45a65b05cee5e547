// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>

#include <petscksp.h>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <daptor/solvers.hpp>

#include "laplacian.hpp"

namespace bench {

using Operator = daptor::solvers::Operator;

/// The Laplacian on m x m points, its vectors, and MueLu's preconditioner of it.
struct Problem {
  Problem(MPI_Comm ranks, PetscInt m)
      : comm(ranks), rows(m * m), A(make_laplacian(ranks, m)), b(nullptr), x(nullptr) {
    PetscCallAbort(comm, MatCreateVecs(A, &x, &b));
    PetscCallAbort(comm, VecSet(b, 1.0));
    M = daptor::solvers::muelu_preconditioner(A, Teuchos::ParameterList());
  }
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;
  ~Problem() {
    PetscCallAbort(comm, VecDestroy(&x));
    PetscCallAbort(comm, VecDestroy(&b));
    PetscCallAbort(comm, MatDestroy(&A));
  }

  MPI_Comm comm;
  PetscInt rows;
  Mat A;
  Vec b, x;
  Teuchos::RCP<Operator> M;
};

/// CG to 1e-8 for a problem; the caller chooses its PC.
class Cg {
 public:
  explicit Cg(const Problem& problem) : problem_(problem) {
    PetscCallAbort(problem.comm, KSPCreate(problem.comm, &ksp_));
    PetscCallAbort(problem.comm, KSPSetOperators(ksp_, problem.A, problem.A));
    PetscCallAbort(problem.comm, KSPSetType(ksp_, KSPCG));
    PetscCallAbort(problem.comm, KSPSetNormType(ksp_, KSP_NORM_UNPRECONDITIONED));
    PetscCallAbort(problem.comm, KSPSetTolerances(ksp_, 1e-8, 1e-50, 1e5, 200));
  }
  Cg(const Cg&) = delete;
  Cg& operator=(const Cg&) = delete;
  ~Cg() { PetscCallAbort(problem_.comm, KSPDestroy(&ksp_)); }

  PC pc() const {
    PC pc = nullptr;
    PetscCallAbort(problem_.comm, KSPGetPC(ksp_, &pc));
    return pc;
  }

  /// Seconds per iteration on this rank.
  double solve() {
    PetscCallAbort(problem_.comm, VecSet(problem_.x, 0.0));
    MPI_Barrier(problem_.comm);
    const double start = MPI_Wtime();
    PetscCallAbort(problem_.comm, KSPSolve(ksp_, problem_.b, problem_.x));
    const double seconds = MPI_Wtime() - start;
    PetscCallAbort(problem_.comm, KSPGetIterationNumber(ksp_, &iterations));
    return seconds / static_cast<double>(iterations);
  }

  PetscInt iterations = 0;

 private:
  const Problem& problem_;
  KSP ksp_ = nullptr;
};

/// Adds up the time spent in another operator.
class Timed final : public Operator {
 public:
  using MultiVector = Tpetra::MultiVector<PetscScalar>;

  explicit Timed(Teuchos::RCP<const Operator> inner) : inner_(std::move(inner)) {}

  Teuchos::RCP<const Tpetra::Map<>> getDomainMap() const override { return inner_->getDomainMap(); }
  Teuchos::RCP<const Tpetra::Map<>> getRangeMap() const override { return inner_->getRangeMap(); }
  void apply(const MultiVector& X, MultiVector& Y, Teuchos::ETransp mode, PetscScalar alpha,
             PetscScalar beta) const override {
    const double start = MPI_Wtime();
    inner_->apply(X, Y, mode, alpha, beta);
    seconds += MPI_Wtime() - start;
  }

  mutable double seconds = 0;

 private:
  Teuchos::RCP<const Operator> inner_;
};

}  // namespace bench
