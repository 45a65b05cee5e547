// SPDX-License-Identifier: BSD-3-Clause
// What cannot become an operator is refused on all ranks.

#include <vector>

#include "petsc_operators.hpp"

namespace daptor::test {
namespace {

using solvers::ksp_as_operator;
using solvers::mat_as_operator;
using solvers::pc_as_operator;
using solvers::petsc_preconditioner;

TEST(PetscOperator, refusesMapsThatDoNotFit) {
  Seen seen;
  const OwnMat shell = shell_of(seen, some_count());
  expect_refused_everywhere<InvalidArgument>("operator.map-size", [&] {
    mat_as_operator(shell, {map_of(some_count() + (world_rank() == world_size() - 1)), {}});
  });
  if (world_size() == 1) return;
  expect_refused_everywhere<InvalidArgument>("collective.different", [&] {
    const auto map = map_of(some_count());
    mat_as_operator(shell, {world_rank() == 1 ? map : Teuchos::null, {}});
  });
  const std::vector<Map::global_ordinal_type> shared{world_rank(), world_rank() + 1};
  const auto overlapping = Teuchos::rcp(new Map(
      Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
      Teuchos::ArrayView<const Map::global_ordinal_type>(shared), 0, Tpetra::getDefaultComm()));
  const OwnMat two = shell_of(seen, 2);
  expect_refused_everywhere<NotRepresentable>("operator.map", [&] {
    mat_as_operator(two, {overlapping, {}});
  });
  const OwnMat own = [&] {
    OwnMat mat;
    MatCreateSeqDense(PETSC_COMM_SELF, 2, 2, nullptr, mat.address());
    return mat;
  }();
  expect_refused<InvalidArgument>("operator.communicator", [&] {
    mat_as_operator(own, {map_of(2), {}});
  });
}

/// PETSc's SOR would raise an error on one rank, for which the others would wait.
TEST(PetscOperator, refusesSorWithoutADiagonal) {
  for (int rank = 0; rank < world_size(); ++rank)
    for (const bool stored : {false, true}) {
      OwnMat a;
      MatCreateAIJ(PETSC_COMM_WORLD, 2, 2, PETSC_DETERMINE, PETSC_DETERMINE, 2, nullptr, 0, nullptr,
                   a.address());
      PetscInt first = 0;
      MatGetOwnershipRange(a, &first, nullptr);
      const bool here = rank == world_rank();
      if (!here || stored) MatSetValue(a, first, first, here ? 0.0 : 2.0, INSERT_VALUES);
      if (here) MatSetValue(a, first, first + 1, 1.0, INSERT_VALUES);
      MatSetValue(a, first + 1, first + 1, 2.0, INSERT_VALUES);
      MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
      MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
      for (const char* type : {"sor", "eisenstat"})
        expect_refused_everywhere<InvalidArgument>(
            "matrix.diagonal", [&] { petsc_preconditioner(a, std::string("-pc_type ") + type); });
      expect_refused_everywhere<InvalidArgument>(
          "matrix.diagonal", [&] { solvers::petsc_solver(a, "-ksp_type gmres -pc_type sor"); });
      EXPECT_NO_THROW(petsc_preconditioner(a, "-pc_type jacobi"));
    }
}

TEST(PetscOperator, refusesWhatHasNoMatrix) {
  EXPECT_THROW(mat_as_operator(nullptr), InvalidArgument);
  EXPECT_THROW(pc_as_operator(nullptr), InvalidArgument);
  EXPECT_THROW(ksp_as_operator(nullptr), InvalidArgument);
  EXPECT_THROW(petsc_preconditioner(nullptr, ""), InvalidArgument);
  OwnPc pc;
  PCCreate(PETSC_COMM_WORLD, pc.address());
  expect_refused_everywhere<InvalidArgument>("operator.matrix", [&] { pc_as_operator(pc); });
  OwnKsp ksp;
  KSPCreate(PETSC_COMM_WORLD, ksp.address());
  expect_refused_everywhere<InvalidArgument>("operator.matrix", [&] { ksp_as_operator(ksp); });
  OwnMat mat;
  MatCreate(PETSC_COMM_WORLD, mat.address());
  expect_refused_everywhere<InvalidArgument>("operator.matrix", [&] { mat_as_operator(mat); });
  const auto probe = Teuchos::rcp(new Probe(map_of(2)));
  expect_refused_everywhere<InvalidArgument>("operator.foreign", [&] { solvers::status(*probe); });
  expect_refused_everywhere<InvalidArgument>("operator.foreign",
                                             [&] { solvers::set_up_again(*probe); });
}

}  // namespace
}  // namespace daptor::test
