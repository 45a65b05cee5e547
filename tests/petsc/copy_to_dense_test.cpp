// SPDX-License-Identifier: BSD-3-Clause
// A copy of any array as a dense Mat: a redistribution to columns, and their import.

#include "copies.hpp"

namespace {

using namespace daptor_test;

/// The columns of an array whose rows are contiguous.
TEST(CopyToDense, IsWhatExplainOffers) {
  const Index rows = 3 * size_of() + 1;
  const DistArray a = numbered(owning({daptor::block(rows, line()), daptor::undistributed(3)}));
  const auto made = daptor::petsc::import_dense(
      daptor::redistributed(a, daptor::layout::slab(0, daptor::Order::fortran)));
  const daptor::Assessment verdict = asked("petsc.dense", a);
  EXPECT_EQ(verdict.copy.text,
            "daptor::petsc::import_dense(daptor::redistributed(a, daptor::layout::slab(0, "
            "daptor::Order::fortran)))");
  EXPECT_EQ(verdict.bytes_to_move, std::optional<std::int64_t>(bytes_sent(a, made.array())));
  PetscInt start = 0, stop = 0, columns = 0;
  DAPTOR_EXPECT_OK(MatGetOwnershipRange(made.get(), &start, &stop));
  DAPTOR_EXPECT_OK(MatGetSize(made.get(), nullptr, &columns));
  EXPECT_EQ(columns, 3);
  for (PetscInt i = start; i < stop; ++i)
    for (PetscInt j = 0; j < columns; ++j) {
      PetscScalar found = 0;
      DAPTOR_EXPECT_OK(MatGetValues(made.get(), 1, &i, 1, &j, &found));
      EXPECT_EQ(found, value_of(Index{3} * i + j));
    }
}

}  // namespace
