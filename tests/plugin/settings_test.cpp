// SPDX-License-Identifier: BSD-3-Clause
// Options of the plug-in's PCs: their ranges, and what happens if they differ between ranks.

#include "support.hpp"

namespace daptor::test {
namespace {

PetscErrorCode read_options(const char* type) {
  OwnPc pc;
  PCCreate(PETSC_COMM_WORLD, pc.address());
  DAPTOR_EXPECT_OK(PCSetType(pc, type));
  return PCSetFromOptions(pc);
}

struct Wrong {
  const char* type;
  const char* option;
  const char* value;
  const char* range;
};

/// Every number that either PC takes, at both ends of its range.
const Wrong wrong_values[] = {
    {"muelu", "-pc_muelu_levels", "-5", "at least 1"},
    {"muelu", "-pc_muelu_levels", "0", "at least 1"},
    {"muelu", "-pc_muelu_levels", "1001", "at most 1000"},
    {"muelu", "-pc_muelu_coarse_size", "0", "at least 1"},
    {"muelu", "-pc_muelu_damping", "nan", "a finite number"},
    {"muelu", "-pc_muelu_damping", "-inf", "a finite number"},
    {"muelu", "-pc_muelu_damping", "2.1", "at most 2"},
    {"muelu", "-pc_muelu_threshold", "-0.1", "at least 0"},
    {"muelu", "-pc_muelu_sweeps", "-1", "at least 1"},
    {"muelu", "-pc_muelu_degree", "0", "at least 1"},
    {"ifpack2", "-pc_ifpack2_fill", "-7", "at least 0"},
    {"ifpack2", "-pc_ifpack2_fill", "2.5", "a whole number"},
    {"ifpack2", "-pc_ifpack2_drop_tolerance", "nan", "at least 0"},
    {"ifpack2", "-pc_ifpack2_sweeps", "0", "at least 1"},
    {"ifpack2", "-pc_ifpack2_damping", "0", "more than 0"},
    {"ifpack2", "-pc_ifpack2_damping", "inf", "a finite number"},
    {"ifpack2", "-pc_ifpack2_degree", "-1", "at least 1"},
    {"ifpack2", "-pc_ifpack2_overlap", "-1", "at least 0"},
};

std::string line(const Wrong& wrong) {
  return std::string(wrong.option) + ' ' + wrong.value;
}

TEST(Settings, ANumberOutOfItsRangeIsRefusedWithNameValueAndRange) {
  for (const Wrong& wrong : wrong_values) {
    const WithOptions with(line(wrong).c_str());
    const Reported reported;
    EXPECT_NE(static_cast<int>(read_options(wrong.type)), 0) << line(wrong);
    for (const std::string& words :
         {std::string("trilinos.option"), line(wrong), std::string(wrong.range)})
      EXPECT_TRUE(reported.says(words.c_str())) << words << " in " << reported.text();
  }
}

TEST(Settings, OnOneRankAloneItIsRefusedOnAll) {
  for (const Wrong& wrong : {wrong_values[0], wrong_values[10]})
    for (int rank = 0; rank < world_size(); ++rank) {
      const WithOptions with(rank == world_rank() ? line(wrong).c_str() : "");
      expect_refused(wrong.value, [&] { return read_options(wrong.type); });
    }
}

TEST(Settings, ARatioOfFillHasAnotherRangeThanALevel) {
  const WithOptions with("-pc_ifpack2_type ILUT -pc_ifpack2_fill 0.5");
  expect_refused("at least 1", [] { return read_options("ifpack2"); });
  const WithOptions larger("-pc_ifpack2_type ILUT -pc_ifpack2_fill 1.5");
  DAPTOR_EXPECT_OK(read_options("ifpack2"));
}

TEST(Settings, WhatWasRefusedIsNotKept) {
  const OwnMat a = laplacian(40);
  for (const char* type : {"muelu", "ifpack2"}) {
    const OwnKsp ksp = ksp_of(a, type, KSPGMRES);
    PC pc = nullptr;
    KSPGetPC(ksp, &pc);
    {
      // The first value of each pair is good, and its effect would show; the second is not.
      const WithOptions with(
          "-pc_muelu_xml nowhere -pc_muelu_levels -1 -pc_ifpack2_type NOTHING -pc_ifpack2_fill -1");
      expect_refused("-1", [&] { return PCSetFromOptions(pc); });
    }
    expect_solved(ksp, 100);
  }
}

TEST(Settings, AnIntegerThatTrilinosCannotCountToIsRefused) {
  const WithOptions with("-pc_muelu_set \"max levels=99999999999\"");
  expect_refused("99999999999", [] { return read_options("muelu"); });
}

/// Names and values of options that differ between ranks, with the fault on each rank in turn.
TEST(Settings, OptionsThatDifferBetweenRanksAreNamed) {
  if (world_size() == 1) return;
  for (int rank = 0; rank < world_size(); ++rank) {
    const bool other = rank == world_rank();
    const WithOptions with(other ? "-pc_muelu_levels 3" : "-pc_muelu_levels 4");
    const Reported reported;
    EXPECT_NE(static_cast<int>(read_options("muelu")), 0);
    for (const char* words : {"trilinos.option", "-pc_muelu_levels", "'3'", "'4'", "rank 0"})
      EXPECT_TRUE(reported.says(words)) << words << " in " << reported.text();
  }
  for (int rank = 0; rank < world_size(); ++rank) {
    const WithOptions with(rank == world_rank() ? "-pc_muelu_xml nowhere" : "");
    expect_refused("-pc_muelu_xml", [] { return read_options("muelu"); });
  }
}

/// A prefix made from an object's address, as dolfinx does.
std::string prefix_of_this_rank() {
  return "solve_" + std::to_string(1000 + world_rank()) + "_";
}

OwnKsp prefixed(Mat a) {
  OwnKsp ksp;
  KSPCreate(PETSC_COMM_WORLD, ksp.address());
  KSPSetOptionsPrefix(ksp, prefix_of_this_rank().c_str());
  KSPSetOperators(ksp, a, a);
  KSPSetType(ksp, KSPCG);
  KSPSetTolerances(ksp, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, 100);
  PC pc = nullptr;
  KSPGetPC(ksp, &pc);
  DAPTOR_EXPECT_OK(PCSetType(pc, "muelu"));
  DAPTOR_EXPECT_OK(KSPSetFromOptions(ksp));
  return ksp;
}

TEST(Settings, APrefixMayBeAnotherOnEachRank) {
  const OwnMat a = laplacian(60);
  const std::string dashed = "-" + prefix_of_this_rank();
  expect_solved(prefixed(a), 10);
  const WithOptions with(
      (dashed + "pc_muelu_coarse_size 200 " + dashed + "pc_muelu_coarse_pc_type svd").c_str());
  const OwnKsp ksp = prefixed(a);
  expect_solved(ksp, 10);
}

TEST(Settings, ButNotWhatTheCoarseSolverIsTold) {
  if (world_size() == 1) return;
  const OwnMat a = laplacian(30);
  const std::string option = "-" + prefix_of_this_rank() + "pc_muelu_coarse_pc_type ";
  for (int rank = 0; rank < world_size(); ++rank) {
    const WithOptions with((option + (rank == world_rank() ? "svd" : "lu")).c_str());
    const OwnKsp ksp = prefixed(a);
    const Reported reported;
    EXPECT_NE(static_cast<int>(KSPSetUp(ksp)), 0);
    for (const char* words : {"muelu.parameters", "-pc_type", "'svd'", "'lu'"})
      EXPECT_TRUE(reported.says(words)) << words << " in " << reported.text();
  }
}

TEST(Settings, LevelsMoveToFewerProcessesWithoutCoordinates) {
  const WithOptions with("-pc_muelu_repartition true -pc_muelu_coarse_size 50");
  const OwnMat a = laplacian(60);
  expect_solved(ksp_of(a, "muelu"), 12);
}

TEST(Settings, WhatNeedsCoordinatesSaysSo) {
  if (world_size() == 1) return;
  const OwnMat a = laplacian(60);
  for (const char* choice :
       {"repartition: params/algorithm=rcb", "repartition: partitioner=zoltan"}) {
    const WithOptions with((std::string("-pc_muelu_repartition true -pc_muelu_coarse_size 50 "
                                        "-pc_muelu_set \"") +
                            choice + '"')
                               .c_str());
    const OwnKsp ksp = ksp_of(a, "muelu");
    expect_refused("PCSetCoordinates", [&] { return KSPSetUp(ksp); });
  }
}

}  // namespace
}  // namespace daptor::test
