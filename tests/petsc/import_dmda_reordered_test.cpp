// SPDX-License-Identifier: BSD-3-Clause
// DMDAs that number the ranks in another order: of an array in Fortran order on a two-dimensional
// grid, and of an array whose ranks are transposed.

#include "grids.hpp"

namespace {

using namespace daptor_test;
using daptor::petsc::DMDAOptions;
using daptor::petsc::import_dmda;
using daptor::petsc::ImportedDMDA;

void expect_reordered(const DistArray& a) {
  label(a);
  const std::vector<Index> processes = daptor::block_grid(2, size_of());
  const bool in_order = processes[0] == 1 || processes[1] == 1;
  if (!in_order)
    expect_refused_everywhere<daptor::NotRepresentable>("petsc.dmda.rank-order",
                                                        [&] { import_dmda(a); });
  DMDAOptions options;
  options.allow_reorder = true;
  ImportedDMDA field = import_dmda(a, options);
  EXPECT_EQ(field.reordered(), !in_order);
  EXPECT_EQ(size_of(field.communicator()), size_of());
  field.update_padding();
  expect_padding(a, 1, false);
  field.close();
}

TEST(ImportDMDAReordered, NumbersInItsOwnCommunicator) {
  expect_reordered(make_grid({"fortran", 2, 1, {true, true}, 1, true, Order::fortran}));
}

DistArray transposed() {
  const std::vector<Index> processes = daptor::block_grid(2, size_of());
  // Column-major: the first coordinate varies fastest.
  const std::vector<Index> at{rank_of() % processes[0], rank_of() / processes[0]};
  GridCase grid{"transposed", 2, 1};
  std::vector<Dimension> dimensions;
  for (int d = 0; d < 2; ++d) {
    const auto u = static_cast<std::size_t>(d);
    dimensions.push_back(grid_dimension(grid, d, {processes[u], at[u]}));
  }
  return owning(std::move(dimensions));
}

TEST(ImportDMDAReordered, TransposedRanks) {
  expect_reordered(transposed());
}

TEST(ImportDMDAReordered, FurtherVectorsAreOnItsCommunicator) {
  const DistArray a = transposed();
  label(a);
  DMDAOptions options;
  options.allow_reorder = true;
  const ImportedDMDA field = import_dmda(a, options);
  EXPECT_EQ(field.array().comm(), a.comm());
  Vec b = nullptr;
  DMCreateGlobalVector(field.dm(), &b);
  const DistArray inside = daptor::petsc::export_dmda(field.dm(), b);
  VecDestroy(&b);
  EXPECT_EQ(inside.comm(), field.reordered() ? daptor::Comm(field.communicator()) : a.comm());
  if (field.reordered())
    expect_refused_everywhere<daptor::InvalidArgument>("collective.comm",
                                                       [&] { daptor::redistribute(a, inside); });
  daptor::redistribute(a, inside.on(world));
  for (const Element& e : elements(inside))
    EXPECT_EQ(at(inside, e.offset), PetscScalar(static_cast<double>(e.natural + 1)));
}

}  // namespace
