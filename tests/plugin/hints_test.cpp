// SPDX-License-Identifier: BSD-3-Clause
// What -ksp_view says about what MueLu was told of the matrix, from which object, and what is
// missing, which is also said once.

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

#include <petscdmshell.h>

#include "support.hpp"

namespace daptor::test {
namespace {

constexpr PetscInt side = 12;

/// Coupled unknowns at each point of a grid; the first point's are prescribed.
OwnMat unknowns(PetscInt each, PetscInt block_size) {
  const PetscInt points = side * side;
  const PetscInt mine = points / world_size() + (world_rank() < points % world_size() ? 1 : 0);
  OwnMat a;
  MatCreateAIJ(PETSC_COMM_WORLD, each * mine, each * mine, PETSC_DETERMINE, PETSC_DETERMINE,
               5 * each, nullptr, 4 * each, nullptr, a.address());
  MatSetBlockSize(a, block_size);
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  for (PetscInt row = first; row < last; ++row) {
    const PetscInt point = row / each;
    MatSetValue(a, row, row, 20.0, INSERT_VALUES);
    if (point == 0) continue;
    for (const PetscInt other : {point - side, point - 1, point, point + 1, point + side})
      for (PetscInt c = each * other; c < each * other + each; ++c)
        if (other >= 0 && other < points && c != row) MatSetValue(a, row, c, -1.0, INSERT_VALUES);
  }
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  return a;
}

OwnMat three_unknowns(PetscInt block_size) {
  return unknowns(3, block_size);
}

/// The coordinates of this process's points, of which no plane has all.
std::vector<PetscReal> places_of(Mat a) {
  PetscInt first = 0;
  PetscInt last = 0;
  MatGetOwnershipRange(a, &first, &last);
  std::vector<PetscReal> places;
  for (PetscInt point = first / 3; point < last / 3; ++point)
    for (const PetscInt place : {point % side, point / side, point % 5})
      places.push_back(static_cast<PetscReal>(place));
  return places;
}

/// The rigid body modes. The caller destroys them.
MatNullSpace modes_of(Mat a) {
  const std::vector<PetscReal> places = places_of(a);
  OwnVec coordinates;
  MatCreateVecs(a, coordinates.address(), nullptr);
  VecSetBlockSize(coordinates, 3);
  PetscScalar* values = nullptr;
  VecGetArray(coordinates, &values);
  std::copy(places.begin(), places.end(), values);
  VecRestoreArray(coordinates, &values);
  MatNullSpace modes = nullptr;
  DAPTOR_EXPECT_OK(MatNullSpaceCreateRigidBody(coordinates, &modes));
  return modes;
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
  std::vector<PetscReal> places = places_of(a);
  const auto points = static_cast<PetscInt>(places.size() / 3);
  DAPTOR_EXPECT_OK(PCSetCoordinates(pc_of(ksp), 3, points, places.data()));
  expect_view(ksp, {"3 unknowns at each node, 6 near-null vectors, coordinates"}, "Hint");
  // A number of equations is as good as a block size.
  const WithOptions with("-pc_muelu_set \"number of equations=3\"");
  const OwnMat b = three_unknowns(1);
  const OwnKsp other = ksp_of(b, "muelu");
  DAPTOR_EXPECT_OK(PCSetCoordinates(pc_of(other), 3, points, places.data()));
  expect_view(other, {"3 unknowns at each node, 6 near-null vectors, coordinates"}, "Hint");
}

TEST(Hints, theOperatorKnowsWhatTheMatrixLacks) {
  const OwnMat applied = three_unknowns(3), matrix = three_unknowns(1);
  MatNullSpace modes = modes_of(applied);
  MatSetNearNullSpace(applied, modes);
  MatNullSpaceDestroy(&modes);
  const OwnKsp ksp = ksp_of(matrix, "muelu");
  KSPSetOperators(ksp, applied, matrix);
  expect_view(ksp,
              {"3 unknowns at each node (of the operator), 6 near-null vectors (of the operator)"},
              "Hint");
}

TEST(Hints, theFieldOfADmKnowsTheNearNullSpace) {
  const OwnMat a = three_unknowns(3);
  MatNullSpace modes = modes_of(a);
  PetscContainer field = nullptr;
  PetscContainerCreate(PETSC_COMM_WORLD, &field);
  const auto object = reinterpret_cast<PetscObject>(field);
  PetscObjectCompose(object, "nearnullspace", reinterpret_cast<PetscObject>(modes));
  MatNullSpaceDestroy(&modes);
  DM dm = nullptr;
  DMShellCreate(PETSC_COMM_WORLD, &dm);
  DAPTOR_EXPECT_OK(DMSetField(dm, 0, nullptr, object));
  PetscContainerDestroy(&field);
  {
    const OwnKsp ksp = ksp_of(a, "muelu");
    DAPTOR_EXPECT_OK(PCSetDM(pc_of(ksp), dm));
    expect_view(ksp, {"3 unknowns at each node, 6 near-null vectors (of the DM)"}, "Hint");
    // That of all fields together is not what a part of the rows needs.
    const OwnKsp part = ksp_of(laplacian(20), "muelu");
    DAPTOR_EXPECT_OK(PCSetDM(pc_of(part), dm));
    expect_view(part, {"no near-null vectors"}, "Hint");
  }
  DMDestroy(&dm);
}

/// What a set-up writes to stderr.
std::string said_of(Mat a) {
  const OwnKsp ksp = ksp_of(a, "muelu");
  ::testing::internal::CaptureStderr();
  DAPTOR_EXPECT_OK(KSPSetUp(ksp));
  return ::testing::internal::GetCapturedStderr();
}

TEST(Hints, areSaidOnce) {
  const OwnMat a = unknowns(4, 1);
  const std::string silent = [&] {
    const WithOptions with("-pc_muelu_hints false");
    return said_of(a);
  }();
  EXPECT_EQ(silent, "");
  const bool first = world_rank() == 0;
  EXPECT_EQ(said_of(a).find("daptor: -pc_type muelu: each 4 rows") != std::string::npos, first);
  EXPECT_EQ(said_of(a), "");
}

}  // namespace
}  // namespace daptor::test
