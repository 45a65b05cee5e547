// SPDX-License-Identifier: BSD-3-Clause
// What MueLu is given besides the matrix is looked at on all ranks before its set-up, which one
// rank alone could leave.

#include <fstream>

#include "support.hpp"

namespace daptor::test {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// A vector with 1 everywhere, except on one rank, whose elements are all `value`.
OwnVec ones_but(Mat a, double value, int rank) {
  OwnVec vec;
  MatCreateVecs(a, vec.address(), nullptr);
  PetscInt first = 0;
  PetscInt last = 0;
  VecGetOwnershipRange(vec, &first, &last);
  for (PetscInt i = first; i < last; ++i)
    VecSetValue(vec, i, rank == world_rank() ? value : 1.0 + 0.01 * static_cast<double>(i),
                INSERT_VALUES);
  VecAssemblyBegin(vec);
  VecAssemblyEnd(vec);
  return vec;
}

void attach(Mat a, Vec one, Vec other) {
  MatNullSpace space = nullptr;
  Vec vectors[] = {one, other};
  MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_FALSE, 2, vectors, &space);
  DAPTOR_EXPECT_OK(MatSetNearNullSpace(a, space));
  MatNullSpaceDestroy(&space);
}

/// Vectors that MatNullSpaceCreate takes: of length 1.
void normalize(Vec vec) {
  PetscReal norm = 0;
  VecNorm(vec, NORM_2, &norm);
  if (norm > 0) VecScale(vec, 1.0 / norm);
}

TEST(Inputs, aNearNullVectorThatIsZeroOnOneRankIsRefusedOnAll) {
  for (const char* options : {"-pc_muelu_coarse_size 100", ""})
    for (int rank = 0; rank < world_size(); ++rank) {
      const WithOptions with(options);
      const OwnMat a = laplacian(50);  // of which MueLu makes two levels
      const OwnVec good = ones_but(a, 0.0, -1);
      const OwnVec bad = ones_but(a, 0.0, rank);
      normalize(good);
      normalize(bad);
      attach(a, good, bad);
      const OwnKsp ksp = ksp_of(a, "muelu");
      const Reported reported;
      EXPECT_NE(static_cast<int>(KSPSetUp(ksp)), 0);
      for (const std::string& words :
           {std::string("matrix.near-null-space error, rank ") + std::to_string(rank),
            std::string("near-null vector 1, which is 0"), std::string("MatSetNearNullSpace")})
        EXPECT_TRUE(reported.says(words.c_str())) << words << " in " << reported.text();
    }
}

TEST(Inputs, aNearNullVectorThatNoLevelUsesIsAccepted) {
  const OwnMat a = laplacian(6);
  const OwnVec good = ones_but(a, 0.0, -1);
  const OwnVec bad = ones_but(a, 0.0, world_size() - 1);
  if (world_size() > 1) attach(a, good, bad);
  const OwnKsp ksp = ksp_of(a, "muelu");
  DAPTOR_EXPECT_OK(KSPSetUp(ksp));
}

TEST(Inputs, whatIsNoNumberIsRefusedAndNamed) {
  for (int rank = 0; rank < world_size(); ++rank) {
    const OwnMat a = laplacian(40);
    const OwnVec good = ones_but(a, 0.0, -1);
    const OwnVec bad = ones_but(a, nan_value, rank);
    attach(a, good, bad);
    const OwnKsp ksp = ksp_of(a, "muelu");
    expect_refused("near-null vector 1, whose local element 0 is not a finite number",
                   [&] { return KSPSetUp(ksp); });

    const OwnMat b = laplacian(40);
    const OwnKsp other = ksp_of(b, "muelu");
    PC pc = nullptr;
    KSPGetPC(other, &pc);
    PetscInt nodes = 0;
    MatGetLocalSize(b, &nodes, nullptr);
    std::vector<PetscReal> places(static_cast<std::size_t>(2 * nodes), 0.5);
    if (rank == world_rank()) places[3] = nan_value;
    DAPTOR_EXPECT_OK(PCSetCoordinates(pc, 2, nodes, places.data()));
    expect_refused("coordinate 1, whose local element 1 is not a finite number",
                   [&] { return KSPSetUp(other); });
  }
}

/// Half of a rank's elements: MueLu itself finds it, and its words come with cause and remedy.
TEST(Inputs, whatMueLuItselfFindsComesWithCauseAndRemedy) {
  if (world_size() > 1) return;
  const WithOptions with("-pc_muelu_coarse_size 100");
  const OwnMat a = laplacian(40);
  const OwnVec good = ones_but(a, 0.0, -1);
  const OwnVec bad = ones_but(a, 0.0, -1);
  PetscScalar* values = nullptr;
  VecGetArray(bad, &values);
  std::fill(values, values + 800, 0.0);
  VecRestoreArray(bad, &values);
  normalize(good);
  normalize(bad);
  attach(a, good, bad);
  const OwnKsp ksp = ksp_of(a, "muelu");
  expect_refused("near-null vector is 0 in all rows of an aggregate",
                 [&] { return KSPSetUp(ksp); });
}

/// A diagonal matrix with this number of rows on this rank.
OwnMat diagonal_matrix(PetscInt rows) {
  OwnMat a;
  MatCreateAIJ(PETSC_COMM_WORLD, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 0,
               nullptr, a.address());
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  for (PetscInt r = first; r < last; ++r) MatSetValue(a, r, r, 2.0, INSERT_VALUES);
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  return a;
}

/// Writes a file in the program's folder, which rank 0 reads.
void write(const char* path, const std::string& text) {
  if (world_rank() == 0) std::ofstream(path) << text;
  MPI_Barrier(MPI_COMM_WORLD);
}

struct Saying {
  const char* type;
  const char* options;
  const char* words;
};

TEST(Inputs, nodesThatARankHasInPartAreRefusedOnAllHoweverTheyAreSaid) {
  write("factories.xml",
        "<ParameterList><ParameterList name=\"Matrix\"><Parameter name=\"PDE equations\" "
        "type=\"int\" value=\"3\"/></ParameterList><ParameterList name=\"Factories\"/>"
        "<ParameterList name=\"Hierarchy\"/></ParameterList>");
  write("easy.xml",
        "<ParameterList><Parameter name=\"number of equations\" type=\"int\" value=\"3\"/>"
        "</ParameterList>");
  constexpr Saying sayings[] = {
      {"muelu", "-pc_muelu_set \"number of equations=3\"", "'number of equations' 3"},
      {"muelu", "-pc_muelu_set \"level 0/number of equations=3\"",
       "'level 0/number of equations' 3"},
      {"muelu", "-pc_muelu_set \"problem: type=Elasticity-3D\"", "'number of equations' 3"},
      {"muelu", "-pc_muelu_set \"smoother: params/partitioner: PDE equations=3\"",
       "'smoother: params/partitioner: PDE equations' 3"},
      {"muelu", "-pc_muelu_xml easy.xml", "'number of equations' 3"},
      {"muelu", "-pc_muelu_xml factories.xml", "'Matrix/PDE equations' 3"},
      {"muelu", "-pc_muelu_set \"xml parameter file=easy.xml\"", "'number of equations' 3"},
      {"ifpack2",
       "-pc_ifpack2_type BLOCK_RELAXATION -pc_ifpack2_set \"partitioner: PDE equations=3\"",
       "'partitioner: PDE equations' 3"},
  };
  for (const Saying& saying : sayings)
    for (int odd = 0; odd < world_size(); ++odd) {
      SCOPED_TRACE(saying.options);
      const WithOptions with(saying.options);
      const OwnMat a = diagonal_matrix(world_rank() == odd ? 4 : 3);
      const OwnKsp ksp = ksp_of(a, saying.type);
      const Reported reported;
      EXPECT_NE(static_cast<int>(KSPSetUp(ksp)), 0);
      for (const std::string& words :
           {"trilinos.parameter error, rank " + std::to_string(odd), std::string(saying.words),
            std::string("for 4 rows of this process")})
        EXPECT_TRUE(reported.says(words.c_str())) << words << " in " << reported.text();
    }
}

TEST(Inputs, valuesWithWhichTrilinosWouldCrashOrHangAreRefused) {
  const OwnMat a = laplacian(8);
  std::vector<std::string> settings{"aggregation: brick x size=0",
                                    "level 1/aggregation: brick y size=0",
                                    "aggregation: block diagonal: interleaved blocksize=0",
                                    "emin: num iterations=-1",
                                    "max levels=1000003",
                                    "number of equations=0",
                                    "repartition: min rows per proc=0",
                                    "smoother: params/relaxation: mtgs cluster size=0"};
  if (world_size() > 1) {
    settings.emplace_back("aggregation: drop scheme=block diagonal classical");
    settings.push_back(settings.back() + "; aggregation: drop tol=0.0");
    settings.emplace_back("rap: triple product=true");
  }
  for (const std::string& setting : settings) {
    SCOPED_TRACE(setting);
    const WithOptions with(("-pc_muelu_set \"" + setting + '"').c_str());
    const OwnKsp ksp = ksp_of(a, "muelu");
    expect_refused("trilinos.parameter", [&] { return KSPSetUp(ksp); });
  }
}

/// Ifpack2 itself would raise an error on that process alone.
TEST(Inputs, typesThatNeedRowsOnEachProcessAreRefusedWithoutThem) {
  if (world_size() == 1) return;
  constexpr Saying sayings[] = {
      {"ifpack2", "-pc_ifpack2_type BLOCK_RELAXATION", "'type' BLOCK_RELAXATION"},
      {"ifpack2", "-pc_ifpack2_type RELAXATION -pc_ifpack2_relaxation \"Two-stage Gauss-Seidel\"",
       "'relaxation: type' Two-stage Gauss-Seidel"},
      {"muelu", "-pc_muelu_smoother BLOCK_RELAXATION", "'smoother: type' BLOCK_RELAXATION"},
      {"ifpack2", "-pc_ifpack2_set \"partitioner: local parts=2\"", "'partitioner: local parts' 2"},
  };
  for (const Saying& saying : sayings)
    for (int empty = 0; empty < world_size(); ++empty) {
      SCOPED_TRACE(saying.options);
      const WithOptions with(saying.options);
      const OwnMat a = diagonal_matrix(world_rank() == empty ? 0 : 3);
      const OwnKsp ksp = ksp_of(a, saying.type);
      const Reported reported;
      EXPECT_NE(static_cast<int>(KSPSetUp(ksp)), 0);
      for (const std::string& words :
           {"trilinos.parameter error, rank " + std::to_string(empty), std::string(saying.words)})
        EXPECT_TRUE(reported.says(words.c_str())) << words << " in " << reported.text();
    }
}

/// MueLu's own choice of processes for the parts fails on one process, where another has no rows.
TEST(Inputs, LevelsAreDividedAnewWhereAProcessHasNoRows) {
  if (world_size() == 1) return;
  const char* const options =
      "-pc_muelu_coarse_size 10 -pc_muelu_repartition -pc_muelu_set \"repartition: start level=0; "
      "repartition: min rows per proc=5";
  for (int empty = 0; empty < world_size(); ++empty) {
    Counts rows(static_cast<std::size_t>(world_size()), 400 / (world_size() - 1));
    rows[static_cast<std::size_t>(empty)] = 0;
    rows[static_cast<std::size_t>(empty == 0 ? 1 : 0)] += 400 % (world_size() - 1);
    const OwnMat a = laplacian(20, rows);
    {
      const WithOptions with((std::string(options) + '"').c_str());
      expect_solved(ksp_of(a, "muelu"), 40);
    }
    const WithOptions with((std::string(options) + "; repartition: remap parts=true\"").c_str());
    const OwnKsp ksp = ksp_of(a, "muelu");
    expect_refused("'repartition: remap parts' true, with a process without rows",
                   [&] { return KSPSetUp(ksp); });
  }
}

/// As PCs of KSPLSQR see it, whose second matrix is often the first.
TEST(Inputs, aMatrixThatIsNotSquareIsRefusedOnAll) {
  const PetscInt few = world_rank() == world_size() - 1 ? 1 : 0;
  const struct {
    PetscInt rows, columns;
    const char* words;
  } sizes[] = {{6, 4, " columns"}, {4, 6, " columns"}, {4 + few, 4, " columns"}};
  for (const auto& [rows, columns, words] : sizes)
    for (const char* const type : {"muelu", "ifpack2"}) {
      OwnMat a;
      MatCreateAIJ(PETSC_COMM_WORLD, rows, columns, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 1,
                   nullptr, a.address());
      MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
      MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
      OwnKsp ksp;
      KSPCreate(PETSC_COMM_WORLD, ksp.address());
      KSPSetOperators(ksp, a, a);
      KSPSetType(ksp, KSPLSQR);
      DAPTOR_EXPECT_OK(PCSetType(pc_of(ksp), type));
      const Reported reported;
      EXPECT_NE(static_cast<int>(PCSetUp(pc_of(ksp))), 0);
      EXPECT_TRUE(reported.says("matrix.square") && reported.says(words)) << reported.text();
    }
}

TEST(Inputs, aTypeThatDiffersIsRefusedOnAll) {
  if (world_size() == 1) return;
  const OwnMat a = laplacian(10);
  OwnKsp ksp;
  KSPCreate(PETSC_COMM_WORLD, ksp.address());
  KSPSetOperators(ksp, a, a);
  DAPTOR_EXPECT_OK(PCSetType(pc_of(ksp), world_rank() == 0 ? "muelu" : "ifpack2"));
  expect_refused("-pc_type", [&] { return PCSetUp(pc_of(ksp)); });
}

}  // namespace
}  // namespace daptor::test
