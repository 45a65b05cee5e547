// SPDX-License-Identifier: BSD-3-Clause
// What -ksp_view says about what MueLu was told of the matrix, and what is missing.

#include <cstdio>
#include <fstream>
#include <sstream>

#include "support.hpp"

namespace daptor::test {
namespace {

constexpr PetscInt side = 12;

/// Three coupled unknowns at each point of a grid; the first point's are prescribed.
OwnMat three_unknowns(PetscInt block_size) {
  const PetscInt points = side * side;
  const PetscInt mine = points / world_size() + (world_rank() < points % world_size() ? 1 : 0);
  OwnMat a;
  MatCreateAIJ(PETSC_COMM_WORLD, 3 * mine, 3 * mine, PETSC_DETERMINE, PETSC_DETERMINE, 15, nullptr,
               12, nullptr, a.address());
  MatSetBlockSize(a, block_size);
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  for (PetscInt row = first; row < last; ++row) {
    const PetscInt point = row / 3;
    MatSetValue(a, row, row, 20.0, INSERT_VALUES);
    if (point == 0) continue;
    for (const PetscInt other : {point - side, point - 1, point, point + 1, point + side})
      for (PetscInt c = 3 * other; c < 3 * other + 3; ++c)
        if (other >= 0 && other < points && c != row) MatSetValue(a, row, c, -1.0, INSERT_VALUES);
  }
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  return a;
}

/// What KSPView writes, on all ranks.
std::string view_of(KSP ksp) {
  const std::string file = "hints_" + std::to_string(world_size()) + ".txt";
  PetscViewer viewer = nullptr;
  PetscViewerASCIIOpen(PETSC_COMM_WORLD, file.c_str(), &viewer);
  DAPTOR_EXPECT_OK(KSPView(ksp, viewer));
  PetscViewerDestroy(&viewer);
  MPI_Barrier(MPI_COMM_WORLD);
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 0) std::remove(file.c_str());
  return text.str();
}

void expect_view(KSP ksp, const std::vector<std::string>& says, const char* not_said) {
  DAPTOR_EXPECT_OK(KSPSetUp(ksp));
  const std::string text = view_of(ksp);
  for (const std::string& words : says)
    EXPECT_NE(text.find(words), std::string::npos) << words << " in " << text;
  EXPECT_EQ(text.find(not_said), std::string::npos) << text;
}

TEST(Hints, theBlockSizeIsMissed) {
  const OwnMat a = three_unknowns(1);
  expect_view(ksp_of(a, "muelu"),
              {"1 unknown at each node, no near-null vectors, no coordinates",
               "each 3 rows have the same columns", "MatSetBlockSize(A, 3)"},
              "elasticity");
}

TEST(Hints, theRotationsAreMissed) {
  const OwnMat a = three_unknowns(3);
  expect_view(ksp_of(a, "muelu"), {"3 unknowns at each node", "PCSetCoordinates"}, "same columns");
  const WithOptions with("-pc_muelu_set \"number of equations=3\"");
  const OwnMat b = three_unknowns(1);
  expect_view(ksp_of(b, "muelu"), {"3 unknowns at each node", "PCSetCoordinates"}, "same columns");
}

TEST(Hints, theRotationsAreMissedBesideTheTranslations) {
  const OwnMat a = three_unknowns(3);
  OwnVec translations[3];
  for (PetscInt component = 0; component < 3; ++component) {
    OwnVec& translation = translations[component];
    MatCreateVecs(a, translation.address(), nullptr);
    VecSet(translation, 0.0);
    DAPTOR_EXPECT_OK(VecStrideSet(translation, component, 1.0));
    VecNormalize(translation, nullptr);
  }
  Vec vectors[] = {translations[0], translations[1], translations[2]};
  MatNullSpace space = nullptr;
  MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_FALSE, 3, vectors, &space);
  DAPTOR_EXPECT_OK(MatSetNearNullSpace(a, space));
  MatNullSpaceDestroy(&space);
  expect_view(ksp_of(a, "muelu"),
              {"3 unknowns at each node, 3 near-null vectors, no coordinates",
               "Hint: for elasticity, MueLu needs the rotations too"},
              "same columns");
}

TEST(Hints, nothingIsMissed) {
  expect_view(ksp_of(laplacian(20), "muelu"), {"1 unknown at each node"}, "Hint");
  const OwnMat a = three_unknowns(3);
  const OwnKsp ksp = ksp_of(a, "muelu");
  PC pc = nullptr;
  KSPGetPC(ksp, &pc);
  PetscInt rows = 0;
  PetscInt first = 0;
  MatGetLocalSize(a, &rows, nullptr);
  MatGetOwnershipRange(a, &first, nullptr);
  std::vector<PetscReal> places;
  for (PetscInt point = first / 3; point < (first + rows) / 3; ++point)
    for (const PetscInt place : {point % side, point / side, point % 5})
      places.push_back(static_cast<PetscReal>(place));
  DAPTOR_EXPECT_OK(PCSetCoordinates(pc, 3, rows / 3, places.data()));
  expect_view(ksp, {"3 unknowns at each node, 6 near-null vectors, coordinates"}, "Hint");
}

}  // namespace
}  // namespace daptor::test
