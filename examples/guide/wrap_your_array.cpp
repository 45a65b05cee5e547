// SPDX-License-Identifier: BSD-3-Clause
// A code with an array of its own, here a padded two-dimensional field, gives it to PETSc.

#include <iostream>
#include <vector>

#include <daptor/petsc.hpp>

int main(int argc, char** argv) {
  if (PetscInitialize(&argc, &argv, nullptr, nullptr) != 0) return 2;
  PetscReal norm = 0;
  int wrong = 0;
  {
    // [guide]
    daptor::BlockOptions options;
    options.communication = {{1, 1}, {1, 1}};  // copies of the neighbours' nearest row and column
    auto dimensions = daptor::block_dimensions({40, 30}, PETSC_COMM_WORLD, options);
    std::vector<PetscScalar> u(static_cast<std::size_t>(daptor::local_count(dimensions)));

    auto a = daptor::describe(u, dimensions).on(PETSC_COMM_WORLD);  // no copy: u stays yours
    auto field = daptor::petsc::import_dmda(a);                     // a DMDA on the same memory
    // [guide]

    {
      const daptor::LocalIndexMap map(a);
      const daptor::WriteLease lease(a);
      const auto owned = daptor::owned_view<PetscScalar, 2>(a);
      for (daptor::Index i = 0; i < owned.extent(0); ++i)
        for (daptor::Index j = 0; j < owned.extent(1); ++j)
          owned(i, j) = static_cast<PetscScalar>(static_cast<PetscReal>(
              map.natural_of(map.global_of({i + a.owned_offset()[0], j + a.owned_offset()[1]}))));
    }
    field.update_padding();  // halo exchange, in u

    // Every element, padding included, now holds its own global number.
    const daptor::LocalIndexMap map(a);
    const auto section = daptor::view<const PetscScalar, 2>(a);
    for (daptor::Index i = 0; i < section.extent(0); ++i)
      for (daptor::Index j = 0; j < section.extent(1); ++j)
        if (PetscRealPart(section(i, j)) !=
            static_cast<PetscReal>(map.natural_of(map.global_of({i, j}))))
          ++wrong;

    const daptor::Explanation explanation = daptor::explain(a);
    int rank = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    if (rank == 0) std::cout << a << "\n\n" << explanation;
    if (VecNorm(field.local(), NORM_INFINITY, &norm) != 0) return 2;
    field.close();
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
  return PetscFinalize() != 0 || wrong != 0 ? 1 : 0;
}
