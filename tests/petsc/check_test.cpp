// SPDX-License-Identifier: BSD-3-Clause
// What check() finds about objects of PETSc: one planted defect for each rule, on each rank in
// turn. What it must not find is in check_right_test.cpp.

#include <petsc/private/kspimpl.h>

#include "../support/given_texts.hpp"
#include "checked.hpp"

namespace {

using namespace daptor_test;
using daptor::petsc::ValueWatch;

/// A Vec of five values for each rank with this mapping on top of it.
VecHandle mapped(std::vector<PetscInt> indices, PetscInt block = 1) {
  VecHandle vec = five_each();
  const MappingHandle mapping = mapping_of(std::move(indices), block);
  DAPTOR_EXPECT_OK(VecSetLocalToGlobalMapping(vec.get(), mapping.get()));
  return vec;
}

/// The lowest rank at fault that a finding names; none if these two are all.
std::optional<int> lowest_of(int one, int other) {
  if (size_of() == 2) return std::nullopt;
  return std::min(one, other);
}

/// The five indices that this rank owns, and the first of the next rank.
std::vector<PetscInt> right_indices() {
  std::vector<PetscInt> indices = owned_indices();
  if (size_of() > 1) indices.push_back(5 * ((rank_of() + 1) % size_of()));
  return indices;
}

TEST(CheckMapping, OutOfRange) {
  on_each_rank([](int culprit) {
    auto indices = right_indices();
    if (rank_of() == culprit) indices.push_back(5 * size_of());
    expect_found("check.mapping.range", mapped(indices).get(), culprit);
  });
}

TEST(CheckMapping, NamesTheVecAsTheProgramDoes) {
  auto indices = right_indices();
  indices.push_back(5 * size_of());
  const VecHandle vec = mapped(indices);
  for (const std::string& name : daptor::test::given_texts()) {
    DAPTOR_EXPECT_OK(PetscObjectSetName(reinterpret_cast<PetscObject>(vec.get()), name.c_str()));
    const daptor::Report report = daptor::petsc::check(vec.get());
    ASSERT_TRUE(report.has("check.mapping.range")) << report;
    daptor::test::expect_given(report.findings().front(), "Vec '" + name + "'");
  }
}

TEST(CheckMapping, OwnedTwice) {
  on_each_rank([](int culprit) {
    auto indices = right_indices();
    if (rank_of() == culprit) indices.push_back(indices[2]);
    expect_found("check.mapping.owned-twice", mapped(indices).get(), culprit,
                 daptor::Severity::warning);
  });
}

TEST(CheckMapping, GhostTwice) {
  if (size_of() == 1) return;
  on_each_rank([](int culprit) {
    auto indices = right_indices();
    if (rank_of() == culprit) indices.push_back(indices.back());
    expect_found("check.mapping.ghost-twice", mapped(indices).get(), culprit);
  });
}

TEST(CheckMapping, ReachedByNoRank) {
  on_each_rank([](int culprit) {
    auto indices = right_indices();
    if (rank_of() == culprit) indices[3] = -1;
    expect_found("check.mapping.unreached", mapped(indices).get(), culprit);
  });
}

TEST(CheckMapping, ReachedElsewhere) {
  if (size_of() == 1) return;
  on_each_rank([](int culprit) {
    auto indices = right_indices();
    if (rank_of() == culprit) indices[0] = -1;
    expect_found("check.mapping.elsewhere", mapped(indices).get(), culprit,
                 daptor::Severity::warning);
  });
}

TEST(CheckMapping, AbsentOnOneRank) {
  if (size_of() == 1) return;
  on_each_rank([](int culprit) {
    const VecHandle vec = five_each();
    const MappingHandle mapping = mapping_of(right_indices(), 1);
    if (rank_of() != culprit) {
      DAPTOR_EXPECT_OK(VecSetLocalToGlobalMapping(vec.get(), mapping.get()));
    }
    expect_found("check.mapping.absent", vec.get(), culprit);
  });
}

TEST(CheckMapping, AnotherBlockSize) {
  on_each_rank([](int culprit) {
    const VecHandle vec = five_each();
    // One block of five, in a Vec without blocks.
    const bool here = rank_of() == culprit;
    const MappingHandle mapping =
        here ? mapping_of({rank_of()}, 5) : mapping_of(owned_indices(), 1);
    expect_report("check.mapping.block-size", daptor::petsc::check(mapping.get(), vec.get()),
                  culprit);
  });
}

TEST(CheckMapping, OfSingleIndicesInABlockedMat) {
  on_each_rank([](int culprit) {
    MatHandle mat;
    DAPTOR_EXPECT_OK(MatCreate(world, mat.out()));
    DAPTOR_EXPECT_OK(MatSetSizes(mat.get(), 10, 10, PETSC_DETERMINE, PETSC_DETERMINE));
    DAPTOR_EXPECT_OK(MatSetBlockSize(mat.get(), 2));
    DAPTOR_EXPECT_OK(MatSetType(mat.get(), MATAIJ));
    DAPTOR_EXPECT_OK(MatSetUp(mat.get()));
    std::vector<PetscInt> blocks = owned_indices(), single;
    for (const PetscInt block : blocks) single.insert(single.end(), {2 * block, 2 * block + 1});
    const MappingHandle right = mapping_of(blocks, 2);
    const MappingHandle wrong =
        rank_of() == culprit ? mapping_of(single, 1) : mapping_of(blocks, 2);
    expect_nothing(mat.get());
    DAPTOR_EXPECT_OK(MatSetLocalToGlobalMapping(mat.get(), right.get(), wrong.get()));
    const daptor::Report report = daptor::petsc::check(mat.get());
    const auto& found = report.findings();
    ASSERT_FALSE(found.empty());
    const auto said = std::find_if(found.begin(), found.end(), [](const daptor::Finding& finding) {
      return finding.rule == "check.mapping.unblocked";
    });
    ASSERT_NE(said, found.end()) << report;
    EXPECT_EQ(said->key, "Mat, columns");
    EXPECT_EQ(said->severity, daptor::Severity::warning);
    EXPECT_NE(said->found.str().find("blocks of 2"), std::string::npos) << *said;
    // Other ranks have blocks, which is told as well.
    EXPECT_EQ(found.size(), size_of() > 1 ? 2U : 1U) << report;
  });
}

TEST(CheckMapping, OfTheColumnsOfAMat) {
  on_each_rank([](int culprit) {
    const MatHandle mat = laplacian();
    auto columns = owned_indices();
    if (rank_of() == culprit) columns[4] = -1;
    const MappingHandle rows = mapping_of(owned_indices(), 1), incomplete = mapping_of(columns, 1);
    DAPTOR_EXPECT_OK(MatSetLocalToGlobalMapping(mat.get(), rows.get(), incomplete.get()));
    expect_found("check.mapping.unreached", mat.get(), culprit);
    expect_report("check.mapping.unreached", daptor::petsc::check(incomplete.get(), mat.get()),
                  culprit);
  });
}

TEST(CheckMapping, OfAGhostedVecThatListsAnOwnIndex) {
  on_each_rank([](int culprit) {
    std::vector<PetscInt> ghosts;
    if (rank_of() == culprit) ghosts.push_back(5 * rank_of() + 1);
    expect_found("check.mapping.owned-twice", ghosted(ghosts).get(), culprit,
                 daptor::Severity::warning);
  });
}

/// A set of the indices of all ranks.
IsHandle divided_set(const std::vector<PetscInt>& indices) {
  IsHandle set;
  DAPTOR_EXPECT_OK(ISCreateGeneral(world, static_cast<PetscInt>(indices.size()), indices.data(),
                                   PETSC_COPY_VALUES, set.out()));
  return set;
}

TEST(CheckIndexSet, OutOfRange) {
  const VecHandle vec = five_each();
  const MatHandle mat = laplacian();
  for (const PetscInt outside : {PetscInt{-1}, PetscInt{5} * size_of()})
    on_each_rank([&](int culprit) {
      std::vector<PetscInt> indices = owned_indices();
      if (rank_of() == culprit) indices[3] = outside;
      const IsHandle set = divided_set(indices), local = index_set(indices);
      for (IS each : {set.get(), local.get()}) {
        expect_report("check.is.range", daptor::petsc::check(each, vec.get()), culprit);
        expect_report("check.is.range", daptor::petsc::check(each, mat.get()), culprit);
      }
    });
}

TEST(CheckIndexSet, RepeatedOnARankOrOnTwo) {
  const MatHandle mat = laplacian();
  on_each_rank([&](int culprit) {
    for (const int whose : {culprit, (culprit + 1) % size_of()}) {
      std::vector<PetscInt> indices = owned_indices();
      if (rank_of() == culprit) indices.push_back(5 * static_cast<PetscInt>(whose) + 2);
      const IsHandle set = divided_set(indices);
      const auto finding =
          expect_report("check.is.repeated", daptor::petsc::check(set.get(), mat.get()),
                        whose == culprit ? std::optional<int>(culprit) : lowest_of(culprit, whose));
      EXPECT_NE(finding.found.str().find("index " + std::to_string(5 * whose + 2)),
                std::string::npos);
      // Nothing speaks against it in a scatter, nor on a rank of its own.
      expect_nothing(set.get());
    }
  });
}

TEST(CheckIndexSet, PermutationThatIsNone) {
  for (const PetscInt wrong : {PetscInt{1}, PetscInt{5}})
    on_each_rank([&](int culprit) {
      std::vector<PetscInt> indices{4, 3, 2, 1, 0};
      if (rank_of() == culprit) indices[0] = wrong;
      const IsHandle set = divided_set(indices);
      DAPTOR_EXPECT_OK(ISSetInfo(set.get(), IS_PERMUTATION, IS_LOCAL, PETSC_FALSE, PETSC_TRUE));
      expect_found("check.is.permutation", set.get(), culprit);
    });
}

/// The indices of all ranks in reverse order.
std::vector<PetscInt> reversed() {
  std::vector<PetscInt> indices = owned_indices();
  for (PetscInt& index : indices) index = 5 * size_of() - 1 - index;
  return indices;
}

TEST(CheckIndexSet, PermutationOfAllRanksThatIsNone) {
  const IsHandle right = divided_set(reversed());
  // It looks at nothing where PETSc was not built for debugging, nor on several ranks.
  DAPTOR_EXPECT_OK(ISSetPermutation(right.get()));
  expect_nothing(right.get());
  const PetscInt twice = reversed()[4], beyond = 5 * size_of();
  for (const PetscInt wrong : {twice, PetscInt{-1}, beyond})
    on_each_rank([&](int culprit) {
      std::vector<PetscInt> indices = reversed();
      if (rank_of() == culprit) indices[0] = wrong;
      const IsHandle set = divided_set(indices);
      DAPTOR_EXPECT_OK(ISSetInfo(set.get(), IS_PERMUTATION, IS_GLOBAL, PETSC_FALSE, PETSC_TRUE));
      expect_found("check.is.permutation", set.get(), culprit);
    });
  if (size_of() == 1) return;
  // A permutation on each rank is none of them all.
  const IsHandle each = divided_set({4, 3, 2, 1, 0});
  DAPTOR_EXPECT_OK(ISSetPermutation(each.get()));
  expect_found("check.is.permutation", each.get(), std::nullopt);
}

TEST(CheckIndexSet, IdentityThatIsNone) {
  on_each_rank([&](int culprit) {
    std::vector<PetscInt> indices = owned_indices();
    const IsHandle right = divided_set(indices);
    DAPTOR_EXPECT_OK(ISSetIdentity(right.get()));
    expect_nothing(right.get());
    if (rank_of() == culprit) std::swap(indices[1], indices[2]);
    const IsHandle set = divided_set(indices);
    DAPTOR_EXPECT_OK(ISSetIdentity(set.get()));
    expect_found("check.is.permutation", set.get(), culprit);
  });
}

TEST(CheckIndexSet, BlocksThatAreNone) {
  on_each_rank([](int culprit) {
    std::vector<PetscInt> indices{0, 1, 6, 7};
    if (rank_of() == culprit) std::swap(indices[1], indices[2]);
    const IsHandle set = divided_set(indices);
    DAPTOR_EXPECT_OK(ISSetBlockSize(set.get(), 2));
    expect_found("check.is.blocks", set.get(), culprit, daptor::Severity::warning);
  });
}

TEST(CheckGhosts, MappingOfAnotherLength) {
  on_each_rank([](int culprit) {
    const VecHandle vec = ghosted({});
    auto indices = owned_indices();
    if (rank_of() == culprit) indices.push_back(-1);
    const MappingHandle mapping = mapping_of(indices, 1);
    DAPTOR_EXPECT_OK(VecSetLocalToGlobalMapping(vec.get(), mapping.get()));
    expect_found("check.ghosts.local-form", vec.get(), culprit);
  });
}

TEST(CheckVec, NotANumber) {
  for (const double wrong : {std::nan(""), HUGE_VAL})
    on_each_rank([&](int culprit) {
      const VecHandle vec = five_each();
      write(vec.get(), culprit, 3, wrong);
      const auto finding = expect_found("check.vec.not-finite", vec.get(), culprit);
      EXPECT_NE(finding.found.str().find("at index " + std::to_string(5 * culprit + 3)),
                std::string::npos)
          << finding;
    });
}

TEST(CheckVec, StaleNorm) {
  on_each_rank([](int culprit) {
    const VecHandle vec = five_each();
    PetscScalar* const behind = values(vec.get());
    norm_of(vec.get());
    if (rank_of() == culprit) behind[1] = 100;
    // The norm is that of all ranks.
    expect_found("check.vec.stale-norm", vec.get(), std::nullopt);
  });
}

TEST(CheckVec, NormOnSomeRanks) {
  if (size_of() == 1) return;
  on_each_rank([](int culprit) {
    const VecHandle vec = five_each();
    norm_of(vec.get());
    if (rank_of() == culprit) values(vec.get());
    expect_found("check.vec.norm-on-some", vec.get(), culprit);
  });
}

TEST(CheckVec, UnnoticedWrite) {
  on_each_rank([](int culprit) {
    const VecHandle vec = five_each();
    PetscScalar* const behind = values(vec.get());
    ValueWatch watch(vec.get());
    EXPECT_TRUE(watch.look().findings().empty());
    if (rank_of() == culprit) behind[4] = 8;
    expect_report("check.vec.unnoticed-write", watch.look(), culprit);
    EXPECT_TRUE(watch.look().findings().empty()) << "is told once";
    write(vec.get(), culprit, 4, 9);
    EXPECT_TRUE(watch.look().findings().empty()) << "PETSc knows";
  });
}

TEST(CheckMat, EmptyRow) {
  on_each_rank([](int culprit) {
    const MatHandle mat = laplacian([&](PetscInt row, PetscInt) { return row == 5 * culprit + 2; });
    expect_found("check.mat.empty-row", mat.get(), culprit, daptor::Severity::warning);
  });
}

TEST(CheckMat, MissingDiagonal) {
  on_each_rank([](int culprit) {
    const MatHandle mat = laplacian(
        [&](PetscInt row, PetscInt column) { return row == 5 * culprit + 2 && row == column; });
    expect_found("check.mat.no-diagonal", mat.get(), culprit, daptor::Severity::warning);
  });
}

/// A diagonal matrix of five rows a rank, made of arrays; the third row of one rank has entries in
/// these local columns.
struct OfArrays {
  std::vector<PetscInt> starts{0}, columns, no_starts = std::vector<PetscInt>(6), none{0};
  std::vector<PetscScalar> values, no_values{0};
  MatHandle mat;

  OfArrays(int culprit, std::vector<PetscInt> row) {
    for (PetscInt r = 0; r < 5; ++r) {
      if (r == 2 && rank_of() == culprit)
        columns.insert(columns.end(), row.begin(), row.end());
      else
        columns.push_back(r);
      starts.push_back(static_cast<PetscInt>(columns.size()));
    }
    values.assign(columns.size(), 1);
    if (size_of() == 1)
      DAPTOR_EXPECT_OK(MatCreateSeqAIJWithArrays(world, 5, 5, starts.data(), columns.data(),
                                                 values.data(), mat.out()));
    else
      DAPTOR_EXPECT_OK(MatCreateMPIAIJWithSplitArrays(
          world, 5, 5, PETSC_DETERMINE, PETSC_DETERMINE, starts.data(), columns.data(),
          values.data(), no_starts.data(), none.data(), no_values.data(), mat.out()));
  }
};

TEST(CheckMat, ColumnsTwiceOrNotInOrder) {
  on_each_rank([](int culprit) {
    const OfArrays next(culprit, {2, 2, 3});
    expect_found("check.mat.column-twice", next.mat.get(), culprit);
    const OfArrays apart(culprit, {3, 2, 3});
    const daptor::Report report = daptor::petsc::check(apart.mat.get());
    EXPECT_TRUE(report.has("check.mat.column-twice")) << report;
    EXPECT_TRUE(report.has("check.mat.column-order")) << report;
    const OfArrays unordered(culprit, {3, 2});
    expect_found("check.mat.column-order", unordered.mat.get(), culprit, daptor::Severity::warning);
  });
}

TEST(CheckMat, OtherColumnsThanRows) {
  if (size_of() == 1) return;
  MatHandle mat;
  const PetscInt columns = rank_of() == 0 ? 4 : rank_of() == 1 ? 6 : 5;
  DAPTOR_EXPECT_OK(MatCreateAIJ(world, 5, columns, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 1,
                                nullptr, mat.out()));
  for (const PetscInt row : owned_indices())
    DAPTOR_EXPECT_OK(MatSetValue(mat.get(), row, row, 1, INSERT_VALUES));
  DAPTOR_EXPECT_OK(MatAssemblyBegin(mat.get(), MAT_FINAL_ASSEMBLY));
  DAPTOR_EXPECT_OK(MatAssemblyEnd(mat.get(), MAT_FINAL_ASSEMBLY));
  const auto finding =
      expect_found("check.mat.layout", mat.get(), std::nullopt, daptor::Severity::warning);
  if (size_of() > 2) {
    EXPECT_EQ(finding.ranks, (std::vector<int>{0, 1}));
  }
}

TEST(CheckMat, VecsOfAnotherLayout) {
  if (size_of() == 1) return;
  on_each_rank([](int culprit) {
    const int to = (culprit + 1) % size_of();
    const MatHandle mat = laplacian();
    const VecHandle right = five_each();
    const VecHandle wrong = vec_of(rank_of() == culprit ? 4 : rank_of() == to ? 6 : 5);
    EXPECT_TRUE(daptor::petsc::check(mat.get(), right.get(), right.get()).findings().empty());
    for (const auto& report : {daptor::petsc::check(mat.get(), wrong.get(), right.get()),
                               daptor::petsc::check(mat.get(), right.get(), wrong.get())})
      expect_report("check.mat.vec", report, lowest_of(culprit, to));
  });
}

TEST(CheckMat, NullSpaceThatIsNone) {
  const MatHandle mat = laplacian();
  const SpaceHandle constant = null_space({}, true);
  DAPTOR_EXPECT_OK(MatSetNullSpace(mat.get(), constant.get()));
  expect_found("check.mat.null-space", mat.get(), std::nullopt);

  const MatHandle other = laplacian();
  VecHandle vec = five_each();
  DAPTOR_EXPECT_OK(VecNormalize(vec.get(), nullptr));
  const SpaceHandle space = null_space({vec.get()}, false);
  DAPTOR_EXPECT_OK(MatSetNullSpace(other.get(), space.get()));
  expect_found("check.mat.null-space", other.get(), std::nullopt);
}

TEST(CheckMat, NestedNullSpaceThatIsNone) {
  const MatHandle block = laplacian();
  Mat blocks[]{block.get(), nullptr, nullptr, block.get()};
  const VecHandle part = five_each(), other = five_each();
  Vec parts[]{part.get(), other.get()};
  MatHandle mat;
  VecHandle vec;
  DAPTOR_EXPECT_OK(MatCreateNest(world, 2, nullptr, 2, nullptr, blocks, mat.out()));
  DAPTOR_EXPECT_OK(VecCreateNest(world, 2, nullptr, parts, vec.out()));
  DAPTOR_EXPECT_OK(VecNormalize(vec.get(), nullptr));
  const SpaceHandle space = null_space({vec.get()}, false);
  DAPTOR_EXPECT_OK(MatSetNullSpace(mat.get(), space.get()));
  expect_found("check.mat.null-space", mat.get(), std::nullopt);
}

TEST(CheckMat, NullVectorsOfAnotherLength) {
  if (size_of() == 1) return;
  on_each_rank([](int culprit) {
    const int to = (culprit + 1) % size_of();
    const VecHandle vec = vec_of(rank_of() == culprit ? 4 : rank_of() == to ? 6 : 5);
    const SpaceHandle space = null_space({vec.get()}, false);
    const MatHandle mat = laplacian(), near = laplacian();
    DAPTOR_EXPECT_OK(MatSetNullSpace(mat.get(), space.get()));
    expect_found("check.mat.null-space-rows", mat.get(), lowest_of(culprit, to));
    DAPTOR_EXPECT_OK(MatSetNearNullSpace(near.get(), space.get()));
    expect_found("check.mat.near-null-space-rows", near.get(), lowest_of(culprit, to));
  });
}

TEST(CheckKsp, RightHandSideOfAnotherLayout) {
  if (size_of() == 1) return;
  on_each_rank([](int culprit) {
    const int to = (culprit + 1) % size_of();
    const MatHandle mat = laplacian();
    const KspHandle ksp = solver(mat.get(), KSPCG, PCNONE);
    const VecHandle b = five_each(), x = five_each();
    DAPTOR_EXPECT_OK(KSPSolve(ksp.get(), b.get(), x.get()));
    // KSPSolve itself would fail on two ranks, and wait on others.
    VecHandle other = vec_of(rank_of() == culprit ? 4 : rank_of() == to ? 6 : 5);
    std::swap(ksp.get()->vec_rhs, *other.out());
    expect_found("check.ksp.layout", ksp.get(), lowest_of(culprit, to));
    std::swap(ksp.get()->vec_rhs, *other.out());
  });
}

// A preconditioner that divides all but a part of the residual by a huge number.
TEST(CheckKsp, ConvergedWithALargeResidual) {
  const MatHandle mat = laplacian();
  const MatHandle preconditioner = diagonal(5, 1e12, 5 * size_of() - 1);
  const KspHandle ksp = solver(mat.get(), KSPGMRES, PCJACOBI);
  DAPTOR_EXPECT_OK(KSPSetOperators(ksp.get(), mat.get(), preconditioner.get()));
  const VecHandle b = five_each(), x = five_each();
  DAPTOR_EXPECT_OK(KSPSetInitialGuessNonzero(ksp.get(), PETSC_FALSE));
  DAPTOR_EXPECT_OK(KSPSolve(ksp.get(), b.get(), x.get()));
  KSPConvergedReason reason{};
  DAPTOR_EXPECT_OK(KSPGetConvergedReason(ksp.get(), &reason));
  EXPECT_EQ(reason, KSP_CONVERGED_RTOL);
  expect_found("check.ksp.residual", ksp.get(), std::nullopt, daptor::Severity::warning);
}

TEST(CheckKsp, NotSymmetric) {
  const MatHandle mat =
      laplacian([](PetscInt row, PetscInt column) { return row == 2 && column == 3; });
  const KspHandle ksp = solver(mat.get(), KSPCG, PCNONE);
  const daptor::Finding finding =
      expect_found("check.ksp.not-symmetric", ksp.get(), std::nullopt, daptor::Severity::warning);
  EXPECT_NE(finding.found.str().find("'flow_'"), std::string::npos) << finding;
  DAPTOR_EXPECT_OK(KSPSetType(ksp.get(), KSPGMRES));
  expect_nothing(ksp.get());
}

// A Krylov method within one that relies on the same map in each application.
TEST(CheckKsp, APreconditionerThatChanges) {
  const MatHandle mat = laplacian();
  const VecHandle b = five_each(), x = five_each();
  const KspHandle ksp = solver(mat.get(), KSPGMRES, PCKSP);
  PC pc = nullptr;
  KSP inner = nullptr;
  DAPTOR_EXPECT_OK(KSPGetPC(ksp.get(), &pc));
  DAPTOR_EXPECT_OK(PCKSPGetKSP(pc, &inner));
  DAPTOR_EXPECT_OK(KSPSetType(inner, KSPCG));
  DAPTOR_EXPECT_OK(KSPSolve(ksp.get(), b.get(), x.get()));
  const daptor::Finding finding = expect_found("check.ksp.variable-preconditioner", ksp.get(),
                                               std::nullopt, daptor::Severity::warning);
  EXPECT_NE(finding.found.str().find(
                "in which cg (options prefix 'flow_ksp_', relative tolerance 1e-05)"),
            std::string::npos)
      << finding;
  // Solved to the end, by a fixed number of steps, or within a flexible method, it is none.
  DAPTOR_EXPECT_OK(KSPSetTolerances(inner, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
  expect_nothing(ksp.get());
  DAPTOR_EXPECT_OK(KSPSetTolerances(inner, 1e-2, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
  DAPTOR_EXPECT_OK(KSPSetType(inner, KSPRICHARDSON));
  DAPTOR_EXPECT_OK(KSPSetNormType(inner, KSP_NORM_NONE));
  expect_nothing(ksp.get());
  DAPTOR_EXPECT_OK(KSPSetType(inner, KSPCG));
  DAPTOR_EXPECT_OK(KSPSetType(ksp.get(), KSPFGMRES));
  expect_nothing(ksp.get());
}

TEST(CheckScatter, VecsOfOtherSizes) {
  on_each_rank([](int culprit) {
    const VecHandle from = five_each();
    VecHandle to(local_vec(3)), other(local_vec(rank_of() == culprit ? 2 : 3));
    const ScatterHandle scatter = scatter_of(from.get(), {0, 1, 2}, to.get(), {0, 1, 2});
    const auto report_of = [&](const VecHandle& x, const VecHandle& y) {
      return daptor::petsc::check(scatter.get(), x.get(), y.get());
    };
    EXPECT_TRUE(report_of(from, to).findings().empty());
    EXPECT_TRUE(report_of(to, from).findings().empty());
    expect_report("check.scatter.vec", report_of(from, other), culprit);
    expect_report("check.scatter.vec", report_of(other, from), culprit);
    PetscInt same[]{0, 1, 2, 3, 4};
    DAPTOR_EXPECT_OK(VecScatterRemap(scatter.get(), same, nullptr));
    EXPECT_TRUE(report_of(other, from).findings().empty()) << "it no longer knows its sizes";
  });
}

/// A grid of `points` in a line, whose last rank may be given other settings than all others.
struct Line {
  PetscInt width = 1, components = 1;
  PetscInt to_next = 0;  ///< of the points of rank 0, those that rank 1 has instead
};

DmHandle line_of(const Line& line) {
  DmHandle dm;
  std::vector<PetscInt> points(static_cast<std::size_t>(size_of()), 5);
  if (size_of() > 1) {
    points[0] -= line.to_next;
    points[1] += line.to_next;
  }
  DAPTOR_EXPECT_OK(DMDACreate1d(world, DM_BOUNDARY_NONE, 5 * size_of(), line.components, line.width,
                                points.data(), dm.out()));
  DAPTOR_EXPECT_OK(DMSetUp(dm.get()));
  return dm;
}

TEST(CheckGrid, OtherSettingsOnOneRank) {
  if (size_of() == 1) return;
  for (int culprit = 1; culprit < size_of(); ++culprit)
    for (const Line& wrong : {Line{2, 1, 0}, Line{1, 1, 1}}) {
      const DmHandle dm = line_of(rank_of() == culprit ? wrong : Line{});
      const auto finding =
          expect_report("check.grid.settings", daptor::petsc::check(dm.get()), culprit);
      EXPECT_NE(finding.found.str().find(wrong.width == 2 ? "stencil of width 2" : "ranges 4 + 6"),
                std::string::npos)
          << finding;
      EXPECT_NE(finding.expected.str().find("width 1, boundary NONE, ownership ranges 5 + 5"),
                std::string::npos)
          << finding;
    }
}

TEST(CheckScatter, TwoSourcesForADestination) {
  on_each_rank([](int culprit) {
    const VecHandle from = five_each();
    VecHandle to(local_vec(3));
    const PetscInt last = rank_of() == culprit ? 1 : 2;
    const ScatterHandle scatter = scatter_of(from.get(), {0, 1, 2}, to.get(), {0, 1, last});
    expect_found("check.scatter.twice", scatter.get(), culprit, daptor::Severity::warning);
  });
}

TEST(CheckScatter, SourceOutOfRange) {
  on_each_rank([](int culprit) {
    // The next rank reads the element behind the last one of the culprit.
    const int reader = (culprit + 1) % size_of();
    ScatterHandle graph;
    DAPTOR_EXPECT_OK(PetscSFCreate(world, graph.out()));
    DAPTOR_EXPECT_OK(PetscSFSetType(graph.get(), PETSCSFBASIC));
    PetscSFNode source{culprit, rank_of() == reader ? 3 : 2};
    DAPTOR_EXPECT_OK(
        PetscSFSetGraph(graph.get(), 3, 1, nullptr, PETSC_COPY_VALUES, &source, PETSC_COPY_VALUES));
    expect_found("check.scatter.range", graph.get(), culprit);
  });
}

TEST(Check, ChangesNothing) {
  const VecHandle vec = ghosted({});
  const MatHandle mat = laplacian();
  const KspHandle ksp = solver(mat.get(), KSPCG, PCJACOBI);
  const VecHandle x = five_each();
  DAPTOR_EXPECT_OK(KSPSolve(ksp.get(), vec.get(), x.get()));
  values(vec.get());
  const auto states = [&] {
    return std::vector<std::int64_t>{state_of(vec.get()), state_of(mat.get()), state_of(ksp.get()),
                                     state_of(x.get())};
  };
  const auto before = states();
  for (int i = 0; i < 2; ++i) {
    expect_nothing(vec.get());
    expect_nothing(mat.get());
    expect_nothing(ksp.get());
  }
  EXPECT_EQ(states(), before);
  PetscBool known = PETSC_TRUE;
  PetscReal norm = 0;
  DAPTOR_EXPECT_OK(VecNormAvailable(vec.get(), NORM_2, &known, &norm));
  EXPECT_EQ(known, PETSC_FALSE);
  EXPECT_EQ(references(vec.get()), 2) << "the solver's and ours";
}

TEST(Check, NamesTheObject) {
  const VecHandle vec = five_each();
  DAPTOR_EXPECT_OK(PetscObjectSetName(reinterpret_cast<PetscObject>(vec.get()), "velocity"));
  DAPTOR_EXPECT_OK(VecSetOptionsPrefix(vec.get(), "flow_"));
  write(vec.get(), 0, 0, HUGE_VAL);
  const auto finding = expect_found("check.vec.not-finite", vec.get(), 0);
  const std::string type = size_of() == 1 ? "seq" : "mpi";
  EXPECT_EQ(
      finding.found.str().rfind("Vec 'velocity' (type " + type + ", options prefix 'flow_'): ", 0),
      0u)
      << finding;
}

TEST(Check, OptionsAreTheSame) {
  if (size_of() == 1) return;
  const VecHandle vec = five_each();
  const bool apply = rank_of() == 0;
  expect_different("apply", [&] { daptor::petsc::check(vec.get(), {true, apply}); });
}

TEST(Check, FaultsAreAgreed) {
  const auto sweep = [](const std::function<void()>& call) {
    daptor::test::Faults().expect_agreed(call);
  };
  auto indices = right_indices();
  indices[1] = -1;
  const VecHandle vec = mapped(indices);
  norm_of(vec.get());
  sweep([&] { daptor::petsc::check(vec.get()); });
  const MatHandle mat = laplacian();
  const SpaceHandle constant = null_space({}, true);
  DAPTOR_EXPECT_OK(MatSetNullSpace(mat.get(), constant.get()));
  sweep([&] { daptor::petsc::check(mat.get()); });
  const KspHandle ksp = solver(mat.get(), KSPCG, PCJACOBI);
  const VecHandle b = five_each(), x = five_each();
  DAPTOR_EXPECT_OK(KSPSolve(ksp.get(), b.get(), x.get()));
  sweep([&] { daptor::petsc::check(ksp.get()); });
  VecHandle to(local_vec(3));
  const ScatterHandle scatter = scatter_of(b.get(), {0, 1, 2}, to.get(), {0, 1, 2});
  sweep([&] { daptor::petsc::check(scatter.get()); });
  ValueWatch watch(b.get());
  sweep([&] { watch.look(); });
}

}  // namespace
