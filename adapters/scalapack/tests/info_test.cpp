// SPDX-License-Identifier: BSD-3-Clause
// What INFO of a routine says, on all ranks.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "matrices.hpp"

namespace daptor::scalapack::test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The error that all ranks get if each has this INFO.
std::string failed(const std::string& routine, int info, std::optional<int> culprit = {}) {
  return expect_refused_everywhere<LibraryFailed>(
      "library.scalapack", [&] { check_info(routine, info, world); }, culprit);
}

TEST(Info, OfARoutineThatHasSucceeded) {
  EXPECT_EQ(check_info("pdgesv", 0, world), 0);
  EXPECT_EQ(check_info("pdsyevx", 0, world, PositiveInfo::result), 0);
}

TEST(Info, IsOneErrorWhereRanksDiffer) {
  const int last = world_size() - 1;
  const bool here = world_rank() == last;
  EXPECT_TRUE(has(failed("pdgetrf", here ? 3 : 0, last), "info = 3"));
  EXPECT_TRUE(has(failed("pdgetrf", here ? -606 : 0, last), "info = -606"));
  if (world_size() == 1) return;
  // An argument is wrong before anything is computed; of several positive ones the greatest counts.
  EXPECT_TRUE(has(failed("pdgetrf", here ? -1 : 7, last), "info = -1"));
  EXPECT_TRUE(has(failed("pdgetrf", world_rank(), last), "info = " + std::to_string(last)));
  EXPECT_EQ(check_info("pdgbtrf", world_rank(), world, PositiveInfo::result), last);
  expect_refused_everywhere<LibraryFailed>(
      "library.scalapack",
      [&] { check_info("pdgbtrf", here ? -5 : 1, world, PositiveInfo::result); }, last);
  expect_different("positive", [&] {
    check_info("pdgesv", 1, world, here ? PositiveInfo::result : PositiveInfo::error);
  });
}

TEST(Info, SaysWhatItMeans) {
  const auto error = [](const char* routine, int info) {
    const LibraryFailed each = info_error(routine, info);
    EXPECT_EQ(each.finding().key, routine);
    return each.finding().found.str() + ". " + each.finding().remedy.str();
  };
  EXPECT_TRUE(has(error("psgetrf", -606), "NB_ of DESCA (argument 6)"));
  EXPECT_TRUE(has(error("psgetrf", -606), "square blocks"));
  EXPECT_TRUE(has(error("psgetrf", -606), "copy_to_matrix<float>(a, grid)"));
  EXPECT_TRUE(has(error("pzgesv", -1102), "CTXT_ of DESCB (argument 11)"));
  EXPECT_TRUE(has(error("pzgesv", -1102), "one grid"));
  EXPECT_TRUE(has(error("pdsyev", -14), "LWORK (argument 14)"));
  EXPECT_TRUE(has(error("pdsyev", -14), "first element of WORK"));
  EXPECT_TRUE(has(error("pdpotrf", -1), "UPLO (argument 1)"));
  EXPECT_TRUE(has(error("pdgesv", 2), "U(2, 2) is exactly 0, so the matrix is singular"));
  EXPECT_TRUE(has(error("pcpotrf", 3), "leading minor of order 3 is not positive definite"));
  EXPECT_TRUE(has(error("pcpotrf", 3), "pcgesv"));
  // Results are there, or some of them.
  for (const char* const routine : {"pdgesvx", "pdposvx", "pdsyev", "pzheev", "pdsyevx", "pdgesvd"})
    EXPECT_TRUE(has(error(routine, 3), "PositiveInfo::result")) << routine;
  EXPECT_TRUE(has(error("pdsygvx", 2 + 16), "ICLUSTR"));
  EXPECT_TRUE(has(error("pdsygvx", 2 + 16), "B is not positive definite"));
  EXPECT_FALSE(has(error("pdsygvx", 2 + 16), "NZ"));
  // Routines that the table does not have.
  EXPECT_TRUE(has(error("pdlahqr", -204), "N_ of argument 2"));
  EXPECT_TRUE(has(error("pdlahqr", 4), "manual"));
  EXPECT_TRUE(has(error("my_solver", -3), "argument 3"));
}

TEST(Info, OfRealRoutinesReachesRanksOutsideOfTheGrid) {
  const Grid grid(world, 1, std::max(1, world_size() - 1));
  const DistArray ones =
      allocate<double>({block(4, {world_size(), world_rank()}), undistributed(4)}).on(world);
  const Matrix<double> a = copy_to_matrix<double>(ones, grid, {2, 2});
  const Matrix<double> wide = copy_to_matrix<double>(ones, grid, {2, 4});
  const int n = 4;
  for (const Matrix<double>* matrix : {&a, &wide}) {
    std::vector<int> pivots(static_cast<std::size_t>(matrix->local_rows() + matrix->row_block()));
    int info = 0;
    if (matrix->inside())
      pdgetrf_(&n, &n, matrix->data(), &one, &one, matrix->desc(), pivots.data(), &info);
    const std::string text = expect_refused_everywhere<LibraryFailed>(
        "library.scalapack", [&] { check_info("pdgetrf", info, grid.comm()); });
    EXPECT_TRUE(has(text, matrix == &a ? "U(1, 1)" : "NB_ of DESCA")) << text;
  }
}

TEST(Info, OfAFaultOnOneRank) {
  Faults().expect_agreed([] { check_info("pdgesv", 0, world); });
}

}  // namespace
}  // namespace daptor::scalapack::test
