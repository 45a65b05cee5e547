// SPDX-License-Identifier: BSD-3-Clause
// A row whose diagonal is missing, or is a stored zero: what divides by it is refused when it is
// set up, because it would lead to a wrong solution that is called converged. All else still
// solves.

#include <Ifpack2_Factory.hpp>
#include <Tpetra_CrsMatrix.hpp>

#include "support.hpp"

namespace daptor::test {
namespace {

constexpr PetscInt side = 40;
constexpr PetscInt odd = 11;  // the row without a diagonal, unless a test says otherwise

enum class Kind { missing, zero };

/// A diagonally dominant five-point matrix, except for one row.
OwnMat with_a_hole(Kind kind, PetscInt hole = odd) {
  const PetscInt all = side * side;
  OwnMat a;
  MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, all, all, 5, nullptr, 4, nullptr,
               a.address());
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  for (PetscInt r = first; r < last; ++r) {
    for (const PetscInt c : {r - side, r - 1, r + 1, r + side})
      if (c >= 0 && c < all) MatSetValue(a, r, c, -1.0, INSERT_VALUES);
    if (r != hole || kind == Kind::zero) MatSetValue(a, r, r, r == hole ? 0.0 : 4.1, INSERT_VALUES);
  }
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  return a;
}

void expect_hole_named(const std::function<PetscErrorCode()>& call, PetscInt hole = odd) {
  const Reported reported;
  EXPECT_NE(static_cast<int>(call()), 0);
  const std::string row = "row " + std::to_string(hole) + ", whose diagonal is zero or missing";
  for (const char* words : {"matrix.diagonal", row.c_str(), "1 such row on all ranks", "ILUT"})
    EXPECT_TRUE(reported.says(words)) << words << " in " << reported.text();
}

struct Method {
  const char* type;
  const char* options;
};

constexpr Method dividing[] = {
    {"ifpack2", "-pc_ifpack2_type RELAXATION"},
    {"ifpack2", "-pc_ifpack2_type RELAXATION -pc_ifpack2_relaxation Gauss-Seidel"},
    {"ifpack2", "-pc_ifpack2_type CHEBYSHEV"},
    {"ifpack2", "-pc_ifpack2_type DIAGONAL"},
    {"ifpack2", "-pc_ifpack2_type SCHWARZ -pc_ifpack2_subdomain RELAXATION"},
    {"muelu", "-pc_muelu_coarse_size 200"},
    {"muelu", "-pc_muelu_coarse_size 200 -pc_muelu_smoother CHEBYSHEV"},
};

TEST(Diagonal, whatDividesByItIsRefusedAtSetUp) {
  int number = 0;
  for (const Kind kind : {Kind::missing, Kind::zero})
    for (const Method& method : dividing) {
      // Of 7 methods each, with one kind or the other.
      if (!tried(number++, 2)) continue;
      SCOPED_TRACE(method.options);
      const WithOptions with(method.options);
      const OwnMat a = with_a_hole(kind);
      const OwnKsp ksp = ksp_of(a, method.type, KSPGMRES);
      expect_hole_named([&] { return KSPSetUp(ksp); });
    }
}

TEST(Diagonal, theRowIsNamedOnWhicheverRankItIs) {
  const WithOptions with("-pc_ifpack2_type RELAXATION");
  for (int rank = 0; rank < world_size(); ++rank) {
    const PetscInt hole = odd + rank * (side * side / world_size());
    const OwnMat a = with_a_hole(Kind::missing, hole);
    PetscInt first = 0;
    PetscInt last = 0;
    MatGetOwnershipRange(a, &first, &last);
    EXPECT_EQ(first <= hole && hole < last, world_rank() == rank);
    const OwnKsp ksp = ksp_of(a, "ifpack2", KSPGMRES);
    expect_hole_named([&] { return KSPSetUp(ksp); }, hole);
  }
}

TEST(Diagonal, alsoWhereItBecomesZeroLater) {
  int number = 0;
  for (const Method& method : dividing)
    for (const char* reuse : {"", " -pc_muelu_reuse RP"}) {
      if (!tried(2 + number++, 3)) continue;
      SCOPED_TRACE(std::string(method.options) + reuse);
      const WithOptions with((std::string(method.options) + reuse).c_str());
      const OwnMat a = with_a_hole(Kind::zero);
      const auto set = [&](double value) {
        PetscInt first = 0;
        PetscInt last = 0;
        MatGetOwnershipRange(a, &first, &last);
        if (first <= odd && odd < last) MatSetValue(a, odd, odd, value, INSERT_VALUES);
        MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
        MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
      };
      set(4.1);
      const OwnKsp ksp = ksp_of(a, method.type, KSPGMRES);
      PC pc = nullptr;
      KSPGetPC(ksp, &pc);
      DAPTOR_EXPECT_OK(PCSetUp(pc));
      set(0.0);
      expect_hole_named([&] { return PCSetUp(pc); });
      set(4.1);
      expect_solved(ksp, 500);
    }
}

TEST(Diagonal, whatDoesNotDivideByItSolves) {
  for (const Kind kind : {Kind::missing, Kind::zero})
    for (const Method& method : {Method{"ifpack2", "-pc_ifpack2_type ILUT"},
                                 Method{"muelu", ""},  // the coarse solver alone
                                 Method{"muelu",
                                        "-pc_muelu_coarse_size 200 -pc_muelu_smoother ILUT "
                                        "-pc_muelu_algorithm unsmoothed"},
                                 Method{"ifpack2",
                                        "-pc_ifpack2_type CHEBYSHEV -pc_ifpack2_set "
                                        "\"chebyshev: min diagonal value=1.0\""}}) {
      SCOPED_TRACE(method.options);
      const WithOptions with((std::string(method.options) + " -ksp_rtol 1e-12").c_str());
      const OwnMat a = with_a_hole(kind);
      expect_solved(ksp_of(a, method.type, KSPGMRES), 500);
    }
}

/// It would raise an error on the process with the row alone.
TEST(Diagonal, PetscsSorOnTheCoarsestLevelIsRefused) {
  const WithOptions with("-pc_muelu_coarse_pc_type sor");
  for (const Kind kind : {Kind::missing, Kind::zero}) {
    const OwnMat a = with_a_hole(kind, side * side - 3);
    const OwnKsp ksp = ksp_of(a, "muelu", KSPGMRES);
    expect_refused("the coarsest level: row 1597, whose diagonal is zero or missing",
                   [&] { return KSPSetUp(ksp); });
  }
}

TEST(Diagonal, alsoOfAnOperatorThatTheProgramMade) {
  using Row = Tpetra::RowMatrix<PetscScalar>;
  for (const Kind kind : {Kind::missing, Kind::zero})
    for (const char* type : {"RELAXATION", "CHEBYSHEV", "ILUT"}) {
      SCOPED_TRACE(type);
      const OwnMat a = with_a_hole(kind);
      const auto copy = solvers::copy_matrix(a);
      const auto made = Ifpack2::Factory::create<Row>(type, Teuchos::RCP<const Row>(copy));
      made->initialize();
      made->compute();
      OwnPc pc;
      PCCreate(PETSC_COMM_WORLD, pc.address());
      if (std::string(type) == "ILUT") {
        EXPECT_NO_THROW(solvers::operator_as_pc(made, pc));
        continue;
      }
      for (const auto& call : std::vector<std::function<void()>>{
               [&] { solvers::operator_as_pc(made, pc); },
               [&] { solvers::operator_as_mat(made, PETSC_COMM_WORLD); }})
        expect_refused_everywhere<InvalidArgument>("matrix.diagonal", call);
    }
  const OwnMat a = with_a_hole(Kind::missing);
  Teuchos::ParameterList parameters;
  parameters.set("coarse: max size", 200);
  expect_refused_everywhere<InvalidArgument>("matrix.diagonal",
                                             [&] { solvers::muelu_preconditioner(a, parameters); });
}

}  // namespace
}  // namespace daptor::test
