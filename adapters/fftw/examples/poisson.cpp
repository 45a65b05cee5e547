// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation on a periodic DMDA, solved by Fourier transform in the memory of the vector,
// and by PETSc's multigrid.
//
//   mpirun -n 4 daptor_fft_poisson
//
// The right side lies in a local vector of the DMDA, with two ghost cells on each side. It is
// transformed from there and back, and what lies in its ghost cells is left alone.

#include <array>
#include <cmath>
#include <complex>
#include <vector>

#include <petscdmda.h>
#include <petscksp.h>

#include <daptor/daptor.hpp>
#include <daptor/fftw.hpp>
#include <daptor/petsc.hpp>

namespace {

using daptor::Index;

/// Eigenvalues of -u'' by second differences, whose points are 1 apart.
std::vector<double> eigenvalues(const daptor::fft::Transform& transform, int dimension) {
  const auto size =
      static_cast<double>(transform.input().global_shape()[static_cast<std::size_t>(dimension)]);
  std::vector<double> values = transform.frequencies(dimension);
  for (double& value : values) value = 2 - 2 * std::cos(2 * PETSC_PI * value / size);
  return values;
}

/// Overwrites the local vector with the solution whose mean is zero.
void solve_by_fft(DM dm, Vec local) {
  const daptor::DistArray u = daptor::petsc::export_dmda(dm, local);
  daptor::fft::TransformOptions options;
  options.scale = daptor::fft::Scale::backward;
  daptor::fft::Transform transform(u, daptor::fft::fitting_output(u, options), options);
  transform.forward();
  {
    const std::vector<double> a = eigenvalues(transform, 0);
    const std::vector<double> b = eigenvalues(transform, 1);
    const std::vector<double> c = eigenvalues(transform, 2);
    daptor::WriteLease lease(transform.output());
    auto spectrum = lease.view<std::complex<double>, 3>();
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j)
        for (std::size_t k = 0; k < c.size(); ++k) {
          const double eigenvalue = a[i] + b[j] + c[k];
          spectrum(static_cast<Index>(i), static_cast<Index>(j), static_cast<Index>(k)) *=
              eigenvalue == 0 ? 0 : 1 / eigenvalue;
        }
    lease.close();
  }
  transform.backward();
}

Mat laplacian(DM dm) {
  Mat A = nullptr;
  DMCreateMatrix(dm, &A);
  DMDALocalInfo grid;
  DMDAGetLocalInfo(dm, &grid);
  for (PetscInt k = grid.zs; k < grid.zs + grid.zm; ++k)
    for (PetscInt j = grid.ys; j < grid.ys + grid.ym; ++j)
      for (PetscInt i = grid.xs; i < grid.xs + grid.xm; ++i) {
        const MatStencil row{k, j, i, 0};
        const std::array<MatStencil, 7> points{row,
                                               MatStencil{k - 1, j, i, 0},
                                               MatStencil{k + 1, j, i, 0},
                                               MatStencil{k, j - 1, i, 0},
                                               MatStencil{k, j + 1, i, 0},
                                               MatStencil{k, j, i - 1, 0},
                                               MatStencil{k, j, i + 1, 0}};
        const std::array<PetscScalar, 7> values{6, -1, -1, -1, -1, -1, -1};
        MatSetValuesStencil(A, 1, &row, 7, points.data(), values.data(), ADD_VALUES);
      }
  MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY);
  MatNullSpace constants = nullptr;
  MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_TRUE, 0, nullptr, &constants);
  MatSetNullSpace(A, constants);
  MatNullSpaceDestroy(&constants);
  return A;
}

void solve_by_multigrid(Mat A, Vec b, Vec x) {
  KSP ksp = nullptr;
  PC pc = nullptr;
  KSPCreate(PETSC_COMM_WORLD, &ksp);
  KSPSetOperators(ksp, A, A);
  KSPSetType(ksp, KSPCG);
  KSPGetPC(ksp, &pc);
  PCSetType(pc, PCGAMG);
  KSPSetTolerances(ksp, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, 500);
  // The preconditioned residual has a constant part that no iteration can remove.
  KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED);
  KSPSetFromOptions(ksp);
  KSPSolve(ksp, b, x);
  KSPDestroy(&ksp);
}

double run() {
  DM dm = nullptr;
  DMDACreate3d(PETSC_COMM_WORLD, DM_BOUNDARY_PERIODIC, DM_BOUNDARY_PERIODIC, DM_BOUNDARY_PERIODIC,
               DMDA_STENCIL_BOX, 24, 20, 18, PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE, 1, 2,
               nullptr, nullptr, nullptr, &dm);
  DMSetUp(dm);
  Vec b = nullptr, x = nullptr, local = nullptr;
  DMCreateGlobalVector(dm, &b);
  VecDuplicate(b, &x);
  DMCreateLocalVector(dm, &local);
  VecSetRandom(b, nullptr);
  PetscScalar sum = 0;
  PetscInt size = 0;
  VecSum(b, &sum);
  VecGetSize(b, &size);
  VecShift(b, -sum / static_cast<PetscReal>(size));  // or there is no solution

  DMGlobalToLocal(dm, b, INSERT_VALUES, local);
  solve_by_fft(dm, local);
  daptor::redistribute(daptor::petsc::export_dmda(dm, local), daptor::petsc::export_dmda(dm, x));

  Mat A = laplacian(dm);
  Vec by_multigrid = nullptr;
  VecDuplicate(b, &by_multigrid);
  solve_by_multigrid(A, b, by_multigrid);
  VecSum(by_multigrid, &sum);
  VecShift(by_multigrid, -sum / static_cast<PetscReal>(size));
  PetscReal difference = 0, residual = 0;
  VecAXPY(by_multigrid, -1.0, x);
  VecNorm(by_multigrid, NORM_INFINITY, &difference);
  MatMult(A, x, by_multigrid);
  VecAXPY(by_multigrid, -1.0, b);
  VecNorm(by_multigrid, NORM_INFINITY, &residual);
  PetscPrintf(PETSC_COMM_WORLD, "residual %.1e, difference from multigrid %.1e\n",
              static_cast<double>(residual), static_cast<double>(difference));
  MatDestroy(&A);
  for (Vec* vec : {&b, &x, &local, &by_multigrid}) VecDestroy(vec);
  DMDestroy(&dm);
  return static_cast<double>(PetscMax(residual, difference));
}

}  // namespace

int main(int argc, char** argv) {
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  const double error = run();
  PetscFinalize();
  return error < 1e-9 ? 0 : 1;
}
