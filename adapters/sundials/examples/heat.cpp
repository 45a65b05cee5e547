// SPDX-License-Identifier: BSD-3-Clause
// The heat equation on a square, integrated by CVODE in the memory of a grid with ghost cells.
//
//   mpirun -n 4 daptor_sundials_heat
//
// The grid is a section of a user's code: an array with a ghost cell on each side. CVODE's vectors
// have the same layout, so the right-hand side fills the ghost cells of the vector that it is given
// and loops over it; nothing is copied to or from a vector of SUNDIALS' own.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <cvode/cvode.h>
#include <mpi.h>
#include <sundials/sundials_config.h>
#include <sunlinsol/sunlinsol_spgmr.h>

#include <daptor/daptor.hpp>
#include <daptor/sundials.hpp>

namespace {

using daptor::Index;

constexpr Index points = 31;  // inside of the square, in each direction; it is 0 at the boundary
constexpr double end = 0.01;
const double pi = std::acos(-1.0);
const double step = 1.0 / static_cast<double>(points + 1);

/// u' = u_xx + u_yy. Ghost cells at the boundary of the square are elements of the vector, and stay
/// 0 because their derivative is 0.
int right_side(sunrealtype /*t*/, N_Vector y, N_Vector y_prime, void* data) {
  auto& halo = *static_cast<daptor::HaloExchange*>(data);
  const daptor::DistArray from = daptor::sundials::export_nvector(y);
  const daptor::DistArray to = daptor::sundials::export_nvector(y_prime);
  halo.rebind(from);
  halo.update();
  N_VConst(0.0, y_prime);
  const auto u = daptor::interior_view<const double, 2>(from);
  const auto result = daptor::interior_view<double, 2>(to);
  for (Index i = 0; i < u.extent(0); ++i)
    for (Index j = 0; j < u.extent(1); ++j)
      result(i, j) =
          (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j)) / (step * step);
  return 0;
}

double wave(Index i, Index j) {
  return std::sin(pi * step * static_cast<double>(i)) *
         std::sin(2 * pi * step * static_cast<double>(j));
}

/// Rate at which the differences make the wave decay.
double decay_rate() {
  const auto part = [](int k) { return 2 * std::sin(k * pi * step / 2) / step; };
  return part(1) * part(1) + part(2) * part(2);
}

/// Calls `f(i, j, value)` for the points of this process, counted from 1.
template <class F>
void for_each_point(const daptor::DistArray& a, F&& f) {
  const auto u = daptor::interior_view<double, 2>(a);
  const Index row = a.dimension(0).interior()->start, column = a.dimension(1).interior()->start;
  for (Index i = 0; i < u.extent(0); ++i)
    for (Index j = 0; j < u.extent(1); ++j) f(row + i, column + j, u(i, j));
}

bool integrate(MPI_Comm comm, SUNContext context) {
  daptor::BlockOptions options;
  options.ghosts = {1};
  const auto dimensions = daptor::block_dimensions({points, points}, comm, options);
  std::vector<double> memory(static_cast<std::size_t>(daptor::local_count(dimensions)));
  const daptor::DistArray a = daptor::describe(memory, dimensions).on(comm);
  for_each_point(a, [](Index i, Index j, double& value) { value = wave(i, j); });

  const auto y = daptor::sundials::import_strided_nvector(a, context);
  daptor::HaloExchange halo(a);
  void* cvode = CVodeCreate(CV_BDF, context);
  CVodeInit(cvode, right_side, 0.0, y.get());
  CVodeSStolerances(cvode, 1e-7, 1e-9);
  CVodeSetUserData(cvode, &halo);
  CVodeSetMaxNumSteps(cvode, 100000);
  SUNLinearSolver solver = SUNLinSol_SPGMR(y.get(), SUN_PREC_NONE, 20, context);
  CVodeSetLinearSolver(cvode, solver, nullptr);
  sunrealtype t = 0;
  const int status = CVode(cvode, end, y.get(), &t, CV_NORMAL);
  y.modified();
  long steps = 0;
  CVodeGetNumSteps(cvode, &steps);
  CVodeFree(&cvode);
  SUNLinSolFree(solver);

  double error = 0;
  for_each_point(a, [&](Index i, Index j, double value) {
    error = std::max(error, std::abs(value - std::exp(-decay_rate() * end) * wave(i, j)));
  });
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, comm);
  if (a.comm().rank() == 0) std::printf("%ld steps, error %.1e\n", steps, error);
  return status == CV_SUCCESS && error < 1e-5;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_WORLD;
  SUNContext context = nullptr;
#if SUNDIALS_VERSION_MAJOR >= 7
  SUNContext_Create(comm, &context);
#else
  SUNContext_Create(&comm, &context);
#endif
  const bool right = integrate(comm, context);
  SUNContext_Free(&context);
  MPI_Finalize();
  return right ? 0 : 1;
}
