// SPDX-License-Identifier: BSD-3-Clause
// check_ghosts: ghosts that have not the values of their owners, in ghosted Vecs and in the local
// Vecs of DMs.

#include <petscdmda.h>

#include <daptor/error.hpp>

#include "checked.hpp"

namespace {

using namespace daptor_test;
using daptor::petsc::check_ghosts;

/// The first index of the next rank and the last one of the rank before, in a ring.
std::vector<PetscInt> ring() {
  if (size_of() == 1) return {};
  const PetscInt all = 5 * size_of();
  return {5 * (rank_of() + 1) % all, (5 * rank_of() + all - 1) % all};
}

/// The values of a Vec of five for each rank are their indices.
void number(Vec vec) {
  PetscScalar* const memory = values(vec);
  for (const PetscInt index : owned_indices()) memory[index - 5 * rank_of()] = index;
}

void update(Vec vec) {
  DAPTOR_EXPECT_OK(VecGhostUpdateBegin(vec, INSERT_VALUES, SCATTER_FORWARD));
  DAPTOR_EXPECT_OK(VecGhostUpdateEnd(vec, INSERT_VALUES, SCATTER_FORWARD));
}

void expect_right(const daptor::Report& report) {
  EXPECT_TRUE(report.findings().empty()) << report;
}

void expect_says(const daptor::Finding& finding, const std::string& words) {
  EXPECT_NE(finding.found.str().find(words), std::string::npos) << finding;
}

TEST(CheckGhostValues, AfterAnUpdate) {
  const VecHandle vec = ghosted(ring());
  number(vec.get());
  update(vec.get());
  expect_right(check_ghosts(vec.get()));
}

TEST(CheckGhostValues, ALeftOutUpdateIsFoundWithElementRankAndDifference) {
  if (size_of() == 1) return;
  on_each_rank([](int culprit) {
    const VecHandle vec = ghosted(ring());
    DAPTOR_EXPECT_OK(PetscObjectSetName(reinterpret_cast<PetscObject>(vec.get()), "u"));
    number(vec.get());
    update(vec.get());
    write(vec.get(), culprit, 0, 100);
    const int reader = (culprit + size_of() - 1) % size_of(), index = 5 * culprit;
    const auto finding = expect_report("check.ghosts.stale", check_ghosts(vec.get()), reader);
    EXPECT_EQ(finding.rank_count, 1) << finding;
    expect_says(finding, "Vec 'u' (type mpi): ghost 0, of index " + std::to_string(index) +
                             ", which rank " + std::to_string(culprit) + " owns, holds ");
    expect_says(finding,
                "; 1 of 2 copies on this rank differ; the largest difference of all ranks "
                "is " +
                    std::to_string(100 - index) + ", on rank " + std::to_string(reader));
    update(vec.get());
    expect_right(check_ghosts(vec.get()));
  });
}

TEST(CheckGhostValues, OfBlocks) {
  if (size_of() == 1) return;
  VecHandle vec;
  const PetscInt all = 2 * size_of();
  const PetscInt ghost = 2 * (rank_of() + 1) % all;  // in blocks of three
  DAPTOR_EXPECT_OK(VecCreateGhostBlock(world, 3, 6, PETSC_DETERMINE, 1, &ghost, vec.out()));
  DAPTOR_EXPECT_OK(VecSet(vec.get(), 1));
  update(vec.get());
  write(vec.get(), 0, 1, -1);
  const auto finding = expect_report("check.ghosts.stale", check_ghosts(vec.get()), size_of() - 1);
  expect_says(finding, "ghost 1, of index 1, which rank 0 owns, holds ");
}

TEST(CheckGhostValues, ChangesNothing) {
  const VecHandle vec = ghosted(ring());
  number(vec.get());
  Vec local = nullptr;
  DAPTOR_EXPECT_OK(VecGhostGetLocalForm(vec.get(), &local));
  const auto state = [](Vec of) {
    PetscObjectState number = 0;
    DAPTOR_EXPECT_OK(PetscObjectStateGet(reinterpret_cast<PetscObject>(of), &number));
    return number;
  };
  DAPTOR_EXPECT_OK(VecGhostRestoreLocalForm(vec.get(), &local));
  DAPTOR_EXPECT_OK(VecGhostGetLocalForm(vec.get(), &local));
  write(vec.get(), 0, 2, 7);  // the states of both differ now
  const auto of_vec = state(vec.get()), of_local = state(local);
  EXPECT_NE(of_vec, of_local);
  const daptor::Report found = check_ghosts(vec.get());
  EXPECT_EQ(found.findings().empty(), size_of() == 1) << found;
  static_cast<void>(daptor::petsc::check(vec.get()));
  EXPECT_EQ(state(vec.get()), of_vec);
  EXPECT_EQ(state(local), of_local);
  const PetscScalar* memory = nullptr;
  DAPTOR_EXPECT_OK(VecGetArrayRead(local, &memory));
  for (std::size_t i = 0; i < ring().size(); ++i) EXPECT_EQ(memory[5 + i], PetscScalar(0));
  DAPTOR_EXPECT_OK(VecRestoreArrayRead(local, &memory));
  DAPTOR_EXPECT_OK(VecGhostRestoreLocalForm(vec.get(), &local));
}

TEST(CheckGhostValues, RefusesAVecWithoutGhosts) {
  EXPECT_THROW(check_ghosts(five_each().get()), daptor::NotRepresentable);
}

/// A grid of 4 x 4 points for each rank with two components, periodic in y.
DmHandle grid() {
  DmHandle dm;
  DAPTOR_EXPECT_OK(DMDACreate2d(world, DM_BOUNDARY_GHOSTED, DM_BOUNDARY_PERIODIC, DMDA_STENCIL_BOX,
                                4 * size_of(), 4, size_of(), 1, 2, 1, nullptr, nullptr, dm.out()));
  DAPTOR_EXPECT_OK(DMSetUp(dm.get()));
  return dm;
}

struct GridVecs {
  VecHandle global, local;

  explicit GridVecs(DM dm) {
    DAPTOR_EXPECT_OK(DMCreateGlobalVector(dm, global.out()));
    DAPTOR_EXPECT_OK(DMCreateLocalVector(dm, local.out()));
    PetscInt first = 0, last = 0;
    DAPTOR_EXPECT_OK(VecGetOwnershipRange(global.get(), &first, &last));
    PetscScalar* const memory = values(global.get());
    for (PetscInt i = first; i < last; ++i) memory[i - first] = i;
    DAPTOR_EXPECT_OK(VecSet(local.get(), -1));  // and so beyond the ends of x
    DAPTOR_EXPECT_OK(DMGlobalToLocal(dm, global.get(), INSERT_VALUES, local.get()));
  }
};

TEST(CheckLocalVec, AfterGlobalToLocal) {
  const DmHandle dm = grid();
  const GridVecs vecs(dm.get());
  expect_right(check_ghosts(dm.get(), vecs.local.get(), vecs.global.get()));
}

TEST(CheckLocalVec, AStaleGhostIsFoundWithPointRankAndDifference) {
  on_each_rank([](int culprit) {
    const DmHandle dm = grid();
    const GridVecs vecs(dm.get());
    // Component 1 of the first point of the rank: in its own local Vec, that of the rank below, and
    // in both once more across the end of y.
    const PetscInt index = 32 * culprit + 1;
    write(vecs.global.get(), culprit, 1, static_cast<PetscReal>(index) + 0.25);
    const int lowest = std::max(culprit - 1, 0);
    // A finding of both of two ranks names none.
    const bool both = size_of() == 2 && culprit == 1;
    const auto finding = expect_report("check.ghosts.stale",
                                       check_ghosts(dm.get(), vecs.local.get(), vecs.global.get()),
                                       both ? std::nullopt : std::optional(lowest));
    EXPECT_EQ(finding.rank_count, culprit == 0 ? 1 : 2) << finding;
    expect_says(finding, "grid point (" + std::to_string(4 * culprit) +
                             ", 0), component 1 (index " + std::to_string(index) + ", which rank " +
                             std::to_string(culprit) + " owns) holds ");
    expect_says(finding, "2 of ");
    expect_says(finding,
                "the largest difference of all ranks is 0.25, on rank " + std::to_string(lowest));
  });
}

TEST(CheckLocalVec, RefusesVecsOfAnotherGrid) {
  const DmHandle dm = grid();
  const GridVecs vecs(dm.get());
  on_each_rank([&](int culprit) {
    const VecHandle longer(local_vec(rank_of() == culprit ? 999 : 2 * 6 * 6));
    EXPECT_THROW(check_ghosts(dm.get(), longer.get(), vecs.global.get()), daptor::InvalidArgument);
  });
  EXPECT_THROW(check_ghosts(dm.get(), vecs.local.get(), five_each().get()),
               daptor::InvalidArgument);
}

}  // namespace
