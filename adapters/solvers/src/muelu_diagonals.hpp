// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <Ifpack2_Preconditioner.hpp>
#include <MueLu_SmootherBase.hpp>
#include <Xpetra_TpetraMultiVector.hpp>

#include "daptor/tpetra.hpp"
#include "diagonal.hpp"
#include "muelu_level.hpp"

/// \file
/// Looks for zeros on the diagonals by which Ifpack2's preconditioners and MueLu's smoothers
/// divide.

namespace daptor::solvers {

/// Collective over the processes of the level. Judges one of its smoothers, "PreSmoother" or
/// "PostSmoother".
template <class Scalar>
void require_smoother_diagonal(MueLu::Level& level, const char* which, int number) {
  using Base = MueLu::SmootherBase<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
  using Wrapped = Xpetra::TpetraMultiVector<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
  using Vectors = Tpetra::MultiVector<Scalar>;
  const auto matrix = matrix_of<Scalar>(level, "A", false);
  if (matrix.is_null() || !level.IsAvailable(which, MueLu::NoFactory::get())) return;
  const auto smoother = level.template Get<Teuchos::RCP<Base>>(which, MueLu::NoFactory::get());
  if (smoother.is_null()) return;
  Dividing<Scalar> dividing;
  dividing.description = smoother->description();
  if (number > 0) dividing.place = "level " + std::to_string(number) + " of MueLu's hierarchy";
  dividing.apply = [smoother](const Vectors& r, Vectors& z) {
    Wrapped result(Teuchos::rcpFromRef(z));
    smoother->Apply(result, Wrapped(Teuchos::rcpFromRef(const_cast<Vectors&>(r))), true);
  };
  const Comm comm(tpetra::communicator(*matrix->getRowMap()));
  Call call(comm, "solvers::require_smoother_diagonal");
  require_diagonal<Scalar>(*matrix, dividing, call);
}

/// Collective over the processes of the finest level. Judges the smoothers of all levels, or of all
/// but the coarsest. Throws InvalidArgument (`matrix.diagonal`) on all ranks.
template <class Scalar>
void require_level_diagonals(MueLu::Hierarchy<Scalar, LocalOrdinal, GlobalOrdinal, Node>& hierarchy,
                             bool with_coarsest, Call& call) {
  const int levels = levels_everywhere(hierarchy, call) - (with_coarsest ? 0 : 1);
  for (int l = 0; l < levels; ++l)
    call.relay([&] {
      if (l >= hierarchy.GetNumLevels()) return;
      for (const char* which : {"PreSmoother", "PostSmoother"})
        require_smoother_diagonal<Scalar>(*hierarchy.GetLevel(l), which, l);
    });
}

/// Collective. The same for an operator that a program made: one of Ifpack2, or MueLu's multigrid.
/// Any other operator is left alone.
template <class Scalar>
void require_operator_diagonal(const Tpetra::Operator<Scalar>& op, Call& call) {
  using Preconditioner = Ifpack2::Preconditioner<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
  if (const auto* const muelu = dynamic_cast<const MueLuOperator<Scalar>*>(&op)) {
    if (!muelu->GetHierarchy().is_null())
      require_level_diagonals<Scalar>(*muelu->GetHierarchy(), true, call);
    return;
  }
  const auto* const ifpack2 = dynamic_cast<const Preconditioner*>(&op);
  if (ifpack2 == nullptr || ifpack2->getMatrix().is_null()) return;
  Dividing<Scalar> dividing;
  dividing.description = ifpack2->description();
  if (ifpack2->isComputed())
    dividing.apply = [ifpack2](const auto& r, auto& z) { ifpack2->apply(r, z); };
  require_diagonal<Scalar>(*ifpack2->getMatrix(), dividing, call);
}

}  // namespace daptor::solvers
