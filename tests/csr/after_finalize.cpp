// SPDX-License-Identifier: BSD-3-Clause
// Products that outlive MPI: one that only computes, and one that also gathers x and scatters y.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <daptor/daptor.hpp>

#include "finalized.hpp"

int main(int argc, char** argv) {
  using namespace daptor;
  MPI_Init(&argc, &argv);
  const Comm comm = MPI_COMM_WORLD;
  const GridPosition grid{comm.size(), comm.rank()};
  const Dimension even = block(2 * comm.size(), grid);
  const std::vector<double> values(2, 1);
  const Index first = 2 * comm.rank();
  const std::vector<std::int64_t> columns{first, first + 1}, lengths{1, 1};
  const CsrArrays matrix = csr_from_rows(values, columns, lengths, 2 * comm.size(), comm);
  const auto vector = [&](const Dimension& dimension) {
    return allocate<double>({dimension}).on(comm);
  };
  const Dimension dealt = cyclic(2 * comm.size(), grid, 1);
  std::vector<CsrProduct> products;
  products.emplace_back(matrix, vector(even), vector(even));
  products.emplace_back(matrix, vector(dealt), vector(dealt));
  for (CsrProduct& product : products) product.run();
  MPI_Finalize();
  for (CsrProduct& product : products) {
    if (!test::throws_finalized("run", [&] { product.run(); })) return EXIT_FAILURE;
    if (!test::throws_finalized("begin", [&] { product.begin(); })) return EXIT_FAILURE;
  }
  products.clear();
  std::puts("all as promised");
  return EXIT_SUCCESS;
}
