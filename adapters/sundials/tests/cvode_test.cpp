// SPDX-License-Identifier: BSD-3-Clause
// CVODE works in the memory of an array, and its right-hand side in the layout of the array.
#include <cvode/cvode.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <cmath>

#include "support.hpp"

namespace daptor::sundials::test {
namespace {

/// y' = -rate y, with a rate that depends on the global indices.
double rate(Index row, Index column) {
  return 1.0 + static_cast<double>(row % 3) + 0.5 * static_cast<double>(column);
}

Index first_row(const Section& a) {
  return a.dimension(0).as<Block>()->owned.start;
}

int decay(sunrealtype /*t*/, N_Vector y, N_Vector y_prime, void* data) {
  const auto& like = *static_cast<const DistArray*>(data);
  const DistArray from = export_nvector(y, like), to = export_nvector(y_prime, like);
  const auto u = owned_view<const double, 2>(from);
  const auto result = owned_view<double, 2>(to);
  for (Index i = 0; i < u.extent(0); ++i)
    for (Index j = 0; j < u.extent(1); ++j) result(i, j) = -rate(first_row(like) + i, j) * u(i, j);
  return 0;
}

void expect_integrated(std::vector<Dimension> dimensions, Order order) {
  const Context context;
  DistArray a = allocate<double>(std::move(dimensions), order).on(world);
  const auto u = owned_view<double, 2>(a);
  for (Index i = 0; i < u.extent(0); ++i)
    for (Index j = 0; j < u.extent(1); ++j) u(i, j) = 1.0;
  CountingView other(a);
  const ImportedNVector y = import_nvector(a, context);

  void* cvode = CVodeCreate(CV_ADAMS, context);
  ASSERT_EQ(CVodeInit(cvode, decay, 0.0, y.get()), CV_SUCCESS);
  ASSERT_EQ(CVodeSStolerances(cvode, 1e-9, 1e-12), CV_SUCCESS);
  ASSERT_EQ(CVodeSetUserData(cvode, &a), CV_SUCCESS);
  ASSERT_EQ(CVodeSetMaxNumSteps(cvode, 10000), CV_SUCCESS);
  const SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y.get(), 3, context);
  ASSERT_EQ(CVodeSetNonlinearSolver(cvode, solver), CV_SUCCESS);
  sunrealtype t = 0;
  EXPECT_EQ(CVode(cvode, 1.0, y.get(), &t, CV_NORMAL), CV_SUCCESS);
  y.modified();
  EXPECT_EQ(other.count, 1);
  CVodeFree(&cvode);
  SUNNonlinSolFree(solver);

  for (Index i = 0; i < u.extent(0); ++i)
    for (Index j = 0; j < u.extent(1); ++j)
      EXPECT_NEAR(u(i, j), std::exp(-rate(first_row(a) + i, j)), 1e-7);
}

TEST(Cvode, WorksInRows) {
  expect_integrated(rows(), Order::c);
}
TEST(Cvode, WorksBetweenGhostRows) {
  expect_integrated(
      {block(4 * world_size(), line(), BlockPadding({1, 1}, {}, true)), undistributed(3)},
      Order::c);
}
TEST(Cvode, WorksInFortranOrder) {
  expect_integrated({block(2 * world_size(), line()), undistributed(3)}, Order::fortran);
}

}  // namespace
}  // namespace daptor::sundials::test
