// SPDX-License-Identifier: BSD-3-Clause
// Different collective calls at once.

#include "mixed_calls.hpp"
#include "daptor/validate.hpp"
#include "matrices.hpp"

namespace daptor::scalapack::test {
namespace {

TEST(MixedCalls, OfScalapack) {
  const Grid grid(world);
  const Shape shape{9, 7};
  Part part(shape, grid);
  const DistArray array = part.array();
  const Descriptor desc = descriptor_of(shape, grid, part.leading_dimension);
  const Matrix<double> matrix = import_matrix<double>(array, grid);
  Part other(shape, grid);
  daptor::test::expect_no_mixing(
      {{"validate", [&] { EXPECT_TRUE(validate(array)); }},
       {"scalapack::Grid", [&] { Grid(world, 1, 1); }},
       {"scalapack::Grid::of", [&] { Grid::of(array); }},
       {"scalapack::import_matrix", [&] { import_matrix<double>(array, grid); }},
       {"scalapack::export_matrix", [&] { export_matrix(desc.data(), part.values, world); }},
       {"scalapack::copy_to_matrix", [&] { copy_to_matrix<double>(array, grid); }},
       {"scalapack::copy_from_matrix", [&] { copy_from_matrix(matrix, other.array()); }}});
}

}  // namespace
}  // namespace daptor::scalapack::test
