// SPDX-License-Identifier: BSD-3-Clause
// A padded array, the field of a stencil code with ghost cells on all sides, is solved for by a
// solver that needs one contiguous Vec: it is copied into a DMDA's global vector and back.

#include <daptor/petsc.hpp>

namespace {

/// Sets owned elements to their global numbers, and ghost cells to other values.
void number(const daptor::DistArray& a) {
  const daptor::LocalIndexMap map(a);
  const daptor::WriteLease lease(a);
  const auto section = daptor::view<PetscScalar, 2>(a);
  for (daptor::Index i = 0; i < section.extent(0); ++i)
    for (daptor::Index j = 0; j < section.extent(1); ++j) section(i, j) = -1.0;
  const auto inside = daptor::interior_view<PetscScalar, 2>(a);
  for (daptor::Index i = 0; i < inside.extent(0); ++i)
    for (daptor::Index j = 0; j < inside.extent(1); ++j)
      inside(i, j) = static_cast<PetscReal>(
          map.natural_of(map.global_of({i + a.interior_offset()[0], j + a.interior_offset()[1]})));
}

/// Number of interior elements that are not `factor` times their global number.
int count_wrong(const daptor::DistArray& a, PetscReal factor) {
  const daptor::LocalIndexMap map(a);
  const auto inside = daptor::interior_view<const PetscScalar, 2>(a);
  int wrong = 0;
  for (daptor::Index i = 0; i < inside.extent(0); ++i)
    for (daptor::Index j = 0; j < inside.extent(1); ++j) {
      const auto natural =
          map.natural_of(map.global_of({i + a.interior_offset()[0], j + a.interior_offset()[1]}));
      if (inside(i, j) != PetscScalar(factor * static_cast<PetscReal>(natural))) ++wrong;
    }
  return wrong;
}

/// Stands for a solver that needs b as one contiguous Vec.
PetscErrorCode solve(Vec b) {
  return VecScale(b, 2.0);
}

/// The ghost cells at the ends are points of the grid like all others.
int by_redistribution(const daptor::DistArray& a) {
  // [guide]
  auto field = daptor::petsc::import_dmda(a);  // a DMDA; local() is all of a
  Vec b = nullptr;
  DMCreateGlobalVector(field.dm(), &b);
  auto global = daptor::petsc::export_dmda(field.dm(), b);
  daptor::redistribute(a, global);  // what each rank owns, without its padding
  solve(b);
  global.modified();                // PETSc wrote b
  daptor::redistribute(global, a);  // and back
  field.update_padding();           // the neighbours' copies of it
  // [guide]
  field.close();
  VecDestroy(&b);
  return count_wrong(a, 2);
}

/// The ghost cells at the ends are outside the grid, which is the interior.
int by_dmda(const daptor::DistArray& a) {
  // [ghosted]
  daptor::petsc::DMDAOptions options;
  options.boundary = daptor::petsc::DMDABoundary::ghosted;  // the DMDA's grid is the interior
  auto field = daptor::petsc::import_dmda(a, options);
  Vec b = nullptr;
  DMCreateGlobalVector(field.dm(), &b);
  DMLocalToGlobal(field.dm(), field.local(), INSERT_VALUES, b);
  solve(b);
  DMGlobalToLocal(field.dm(), b, INSERT_VALUES, field.local());  // fills the neighbours' copies too
  a.modified();                                                  // PETSc wrote a
  // [ghosted]
  field.close();
  VecDestroy(&b);
  return count_wrong(a, 4);
}

}  // namespace

int main(int argc, char** argv) {
  if (PetscInitialize(&argc, &argv, nullptr, nullptr) != 0) return 2;
  int wrong = 0;
  {
    daptor::BlockOptions options;
    options.ghosts = {1};  // on all sides of each rank's memory
    auto dimensions = daptor::block_dimensions({24, 30}, PETSC_COMM_WORLD, options);
    std::vector<PetscScalar> u(static_cast<std::size_t>(daptor::local_count(dimensions)));
    auto a = daptor::describe(u, dimensions).on(PETSC_COMM_WORLD);
    number(a);
    wrong = by_redistribution(a) + by_dmda(a);
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
  return PetscFinalize() != 0 || wrong != 0 ? 1 : 0;
}
