// SPDX-License-Identifier: BSD-3-Clause
// CVODE works in the memory of an array, and its right-hand side in the layout of the array.

#include <cvode/cvode.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <cmath>

#include "daptor/block_dimensions.hpp"
#include "daptor/halo_exchange.hpp"
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

/// Integrates to t = 1 by Adams' methods, with fixed-point iterations, which need no solver.
void integrate(CVRhsFn right_side, const ImportedNVector& y, void* data, SUNContext context) {
  void* cvode = CVodeCreate(CV_ADAMS, context);
  const SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y.get(), 3, context);
  ASSERT_EQ(CVodeInit(cvode, right_side, 0.0, y.get()), CV_SUCCESS);
  ASSERT_EQ(CVodeSStolerances(cvode, 1e-9, 1e-12), CV_SUCCESS);
  ASSERT_EQ(CVodeSetUserData(cvode, data), CV_SUCCESS);
  ASSERT_EQ(CVodeSetMaxNumSteps(cvode, 10000), CV_SUCCESS);
  ASSERT_EQ(CVodeSetNonlinearSolver(cvode, solver), CV_SUCCESS);
  sunrealtype t = 0;
  EXPECT_EQ(CVode(cvode, 1.0, y.get(), &t, CV_NORMAL), CV_SUCCESS);
  y.modified();
  CVodeFree(&cvode);
  SUNNonlinSolFree(solver);
}

using Import = ImportedNVector (*)(const DistArray&, SUNContext);

void expect_decay(std::vector<Dimension> dimensions, Order order, Import import) {
  const Context context;
  DistArray a = allocate<double>(std::move(dimensions), order).on(world);
  const auto u = owned_view<double, 2>(a);
  for (Index i = 0; i < u.extent(0); ++i)
    for (Index j = 0; j < u.extent(1); ++j) u(i, j) = 1.0;
  CountingView other(a);
  integrate(decay, import(a, context), &a, context);
  EXPECT_EQ(other.count, 1);
  for (Index i = 0; i < u.extent(0); ++i)
    for (Index j = 0; j < u.extent(1); ++j)
      EXPECT_NEAR(u(i, j), std::exp(-rate(first_row(a) + i, j)), 1e-7);
}

TEST(Cvode, WorksInRows) {
  expect_decay(rows(), Order::c, import_nvector);
  expect_decay(rows(), Order::c, import_strided_nvector);
}
TEST(Cvode, WorksBetweenGhostRows) {
  expect_decay({block(4 * world_size(), line(), BlockPadding({1, 1}, {}, true)), undistributed(3)},
               Order::c, import_nvector);
}
TEST(Cvode, WorksInFortranOrder) {
  expect_decay({block(2 * world_size(), line()), undistributed(3)}, Order::fortran, import_nvector);
}

/// Heat on a torus, by differences of points that are 1 apart. The right-hand side fills the ghosts
/// of the vector that it is given.
int heat(sunrealtype /*t*/, N_Vector y, N_Vector y_prime, void* data) {
  auto& halo = *static_cast<HaloExchange*>(data);
  const DistArray from = export_nvector(y), to = export_nvector(y_prime);
  halo.rebind(from);
  halo.update();
  const auto u = owned_view<const double, 2>(from);
  const auto result = owned_view<double, 2>(to);
  for (Index i = 0; i < u.extent(0); ++i)
    for (Index j = 0; j < u.extent(1); ++j)
      result(i, j) = u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j);
  return 0;
}

TEST(Cvode, FillsGhostsOfItsOwnVectors) {
  constexpr Index n = 12;
  const Context context;
  BlockOptions options;
  options.communication = {{1, 1}, {1, 1}};
  options.periodic = {true, true};
  const DistArray a = allocate<double>(block_dimensions({n, n}, world, options)).on(world);
  expect_refused_everywhere("sundials.nvector.one-run", [&] { import_nvector(a, context); });
  const auto u = owned_view<double, 2>(a);
  const auto first = [&](int d) {
    const auto interior = a.dimension(d).interior();
    return interior ? interior->start : 0;
  };
  const double angle = 2 * std::acos(-1.0) / static_cast<double>(n);
  const auto wave = [&](Index i, Index j) {
    return std::cos(angle * static_cast<double>(first(0) + i)) *
           std::sin(2 * angle * static_cast<double>(first(1) + j));
  };
  for (Index i = 0; i < u.extent(0); ++i)
    for (Index j = 0; j < u.extent(1); ++j) u(i, j) = wave(i, j);
  HaloExchange halo(a);
  integrate(heat, import_strided_nvector(a, context), &halo, context);
  const double decayed = std::exp(2 * std::cos(angle) + 2 * std::cos(2 * angle) - 4);
  for (Index i = 0; i < u.extent(0); ++i)
    for (Index j = 0; j < u.extent(1); ++j) EXPECT_NEAR(u(i, j), decayed * wave(i, j), 1e-7);
}

}  // namespace
}  // namespace daptor::sundials::test
