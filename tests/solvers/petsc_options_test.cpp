// SPDX-License-Identifier: BSD-3-Clause
// The line of options from which a preconditioner or solver of PETSc is made.

#include <array>

#include "petsc_operators.hpp"

namespace daptor::test {
namespace {

using solvers::petsc_preconditioner;
using solvers::petsc_solver;

TEST(PetscOptions, areThoseOfTheLineAlone) {
  const OwnMat a = laplacian(10);
  PetscOptionsSetValue(nullptr, "-pc_type", "none");
  PetscOptionsSetValue(nullptr, "-mg_levels_ksp_max_it", "7");
  const Op op = petsc_preconditioner(a,
                                     "-pc_type\n gamg\t-pc_gamg_threshold 0.02 "
                                     "-mg_levels_ksp_type 'richardson' -pc_gamg_agg_nsmooths 0");
  PCType type = nullptr;
  PCGetType(solvers::behind_pc(*op), &type);
  EXPECT_STREQ(type, PCGAMG);
  const Op plain = petsc_preconditioner(a, "");
  PCGetType(solvers::behind_pc(*plain), &type);
  EXPECT_STRNE(type, PCNONE);
  std::array<char, 16> value{};
  PetscBool found = PETSC_FALSE;
  PetscOptionsGetString(nullptr, nullptr, "-pc_type", value.data(), value.size(), &found);
  EXPECT_STREQ(value.data(), "none");
  PetscOptionsHasName(nullptr, nullptr, "-pc_gamg_threshold", &found);
  EXPECT_EQ(found, PETSC_FALSE);
  PetscBool used = PETSC_TRUE;
  PetscOptionsUsed(nullptr, "mg_levels_ksp_max_it", &used);
  EXPECT_EQ(used, PETSC_FALSE);
  PetscOptionsClearValue(nullptr, "-pc_type");
  PetscOptionsClearValue(nullptr, "-mg_levels_ksp_max_it");
}

TEST(PetscOptions, aNameThatNobodyAsksForIsNamed) {
  const OwnMat a = laplacian(10);
  expect_refused_everywhere<InvalidArgument>("options.unknown", [&] {
    try {
      petsc_preconditioner(a, "-pc_type gamg -pc_gamg_treshold 0.02 -sub_pc_type ilu");
    } catch (const Error& error) {
      EXPECT_EQ(error.finding().found.str().rfind("-pc_gamg_treshold, -sub_pc_type", 0), 0U)
          << error.what();
      throw;
    }
  });
  for (const char* line : {"-options_file x", "-prefix_push x_", "-pc_typ none"})
    expect_refused_everywhere<InvalidArgument>("options.unknown",
                                               [&] { petsc_preconditioner(a, line); });
  EXPECT_NO_THROW(petsc_preconditioner(a,
                                       "-pc_type bjacobi -sub_pc_type ilu "
                                       "-sub_pc_factor_levels 1"));
  EXPECT_NO_THROW(petsc_solver(a, "-ksp_type gmres -ksp_rtol 1e-3 -ksp_max_it 4 -pc_type none"));
}

/// PETSc asks for these after the set-up, or for other matrices.
TEST(PetscOptions, whatPetscAsksForLaterIsNotMisspelt) {
  const OwnMat a = laplacian(10);
  for (const char* line :
       {"-ksp_converged_reason ::failed", "-ksp_test_null_space", "-ksp_converged_rate ::failed",
        "-pc_type bjacobi -sub_ksp_type gmres -sub_ksp_converged_reason ::failed"})
    EXPECT_NO_THROW(petsc_solver(a, line)) << line;
  // With coarsening, and without.
  for (const char* limit : {"2", "1000"})
    EXPECT_NO_THROW(petsc_preconditioner(
        a, std::string("-pc_type gamg -mg_levels_esteig_ksp_type cg -pc_gamg_coarse_eq_limit ") +
               limit));
  EXPECT_NO_THROW(petsc_preconditioner(
      a, "-pc_type gamg -pc_gamg_coarse_eq_limit 1000 -mg_levels_ksp_max_it 3"));
  for (const char* line :
       {"-pc_type gamg -pc_gamg_coarse_eq_limit 2 -mg_levels_ksp_max_itt 3",
        "-pc_type jacobi -ksp_converged_reason", "-pc_type jacobi -mg_levels_ksp_max_it 3",
        "-pc_type jacobi -ksp_converged_reasom"})
    expect_refused_everywhere<InvalidArgument>("options.unknown",
                                               [&] { petsc_preconditioner(a, line); });
}

TEST(PetscOptions, whatPetscReadsWhenItIsStartedIsTheProgramsOption) {
  const OwnMat a = laplacian(10);
  for (const char* line : {"-info", "-log_view", "-malloc_debug", "-options_left"}) {
    const std::string text = expect_refused_everywhere<InvalidArgument>(
        "options.program", [&] { petsc_solver(a, std::string("-pc_type jacobi ") + line); });
    EXPECT_NE(text.find("PETSC_OPTIONS"), std::string::npos) << text;
  }
}

TEST(PetscOptions, whatIsNoOptionIsRefused) {
  const OwnMat a = laplacian(4);
  for (const char* line : {"gamg", "-pc_type gamg hypre", "-pc_type 'gamg"})
    expect_refused_everywhere<InvalidArgument>("options.syntax",
                                               [&] { petsc_preconditioner(a, line); });
  EXPECT_NO_THROW(petsc_solver(a, "-ksp_type richardson -ksp_richardson_scale -1"));
}

TEST(PetscOptions, mustBeTheSameOnAllRanks) {
  if (world_size() == 1) return;
  const OwnMat a = laplacian(4);
  for (int rank = 0; rank < world_size(); ++rank)
    expect_different(
        "options",
        [&] {
          petsc_preconditioner(a, rank == world_rank() ? "-pc_type jacobi" : "-pc_type none");
        },
        rank == 0 ? "\"-pc_type none\", and \"-pc_type jacobi\" on rank 0"
                  : "\"-pc_type jacobi\", and \"-pc_type none\" on rank 0");
}

}  // namespace
}  // namespace daptor::test
