// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include <MueLu_SmootherBase.hpp>
#include <Xpetra_TpetraMultiVector.hpp>

#include "coarse_pc.hpp"

namespace daptor::solvers {

/// A PETSc PC in place of MueLu's coarse solver. MueLu starts from zero on its own levels; if it
/// does not (in a W cycle), the PC is applied to the residual.
template <class Scalar>
class CoarseSmoother final
    : public MueLu::SmootherBase<Scalar, Tpetra::Map<>::local_ordinal_type,
                                 Tpetra::Map<>::global_ordinal_type, Tpetra::Map<>::node_type> {
 public:
  using Matrix = Tpetra::CrsMatrix<Scalar>;
  using Vectors = Xpetra::MultiVector<Scalar, Tpetra::Map<>::local_ordinal_type,
                                      Tpetra::Map<>::global_ordinal_type, Tpetra::Map<>::node_type>;

  CoarseSmoother(Teuchos::RCP<const Matrix> matrix, std::unique_ptr<CoarsePc> pc)
      : matrix_(std::move(matrix)), pc_(std::move(pc)) {}

  void Apply(Vectors& x, const Vectors& rhs, bool InitialGuessIsZero) const override {
    auto& X = Xpetra::toTpetra(x);
    const auto& B = Xpetra::toTpetra(rhs);
    if (InitialGuessIsZero) {
      solve(B, X);
      return;
    }
    Tpetra::MultiVector<Scalar> residual(B, Teuchos::Copy);
    matrix_->apply(X, residual, Teuchos::NO_TRANS, Scalar(-1), Scalar(1));
    Tpetra::MultiVector<Scalar> correction(X.getMap(), X.getNumVectors());
    solve(residual, correction);
    X.update(Scalar(1), correction, Scalar(1));
  }

  std::string description() const override { return "a PC of PETSc"; }

  std::size_t getNodeSmootherComplexity() const override {
    return Teuchos::OrdinalTraits<std::size_t>::invalid();
  }

  PC pc() const { return pc_->pc(); }

 private:
  void solve(const Tpetra::MultiVector<Scalar>& B, Tpetra::MultiVector<Scalar>& X) const {
    for (std::size_t j = 0; j < X.getNumVectors(); ++j) {
      const auto b = B.getData(j);
      const auto x = X.getDataNonConst(j);
      pc_->apply(b.getRawPtr(), x.getRawPtr());
    }
  }

  Teuchos::RCP<const Matrix> matrix_;
  std::unique_ptr<CoarsePc> pc_;
};

}  // namespace daptor::solvers
