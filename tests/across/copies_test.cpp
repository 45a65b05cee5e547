// SPDX-License-Identifier: BSD-3-Clause
// The distribution of one library is filled from that of the other.

#include <functional>

#include "daptor/redistribute.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

using petsc::export_dmda;
using petsc::export_vec;
using tpetra::copy_to_multivector;
using tpetra::export_multivector;
using tpetra::export_multivector_readonly;
using Global = Map::global_ordinal_type;

/// Indices dealt to the ranks in random order; with `overlap`, also their neighbours.
Teuchos::RCP<const Map> dealt_map(Index size, bool overlap) {
  std::vector<Global> list;
  for (Index i = size - 1; i >= 0; --i) {
    const auto owner = [&](Index k) { return (k * 7 + k / 3) % world_size() == world_rank(); };
    if (owner(i) || (overlap && i > 0 && owner(i - 1))) list.push_back(i);
  }
  return Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(), list.data(),
                              static_cast<int>(list.size()), 0, Tpetra::getDefaultComm()));
}

void expect_numbers(const MultiVector& x) {
  const auto values = x.getLocalViewHost(Tpetra::Access::ReadOnly);
  for (std::size_t i = 0; i < values.extent(0); ++i)
    EXPECT_EQ(values(i, 0), static_cast<double>(x.getMap()->getGlobalElement(static_cast<int>(i))));
}

/// Numbers the Vec's elements in its own order.
void number(Vec x, double scale = 1) {
  PetscInt start = 0, stop = 0;
  PetscScalar* values = nullptr;
  VecGetOwnershipRange(x, &start, &stop);
  VecGetArray(x, &values);
  for (PetscInt i = start; i < stop; ++i) values[i - start] = scale * i;
  VecRestoreArray(x, &values);
}

void expect_equal(Vec x, Vec expected) {
  PetscBool equal = PETSC_FALSE;
  VecEqual(x, expected, &equal);
  EXPECT_TRUE(equal == PETSC_TRUE);
}

class Copies : public ::testing::TestWithParam<bool> {};

TEST_P(Copies, aVecOntoAnyMapAndBack) {
  Vec x = make_vec();
  Vec expected = make_vec();
  PetscInt size = 0;
  VecGetSize(x, &size);
  number(x);
  number(expected, -2);
  {
    const auto map = dealt_map(size, GetParam());
    const auto X = copy_to_multivector<double>(export_vec(x), map).get();
    expect_numbers(*X);

    X->scale(-2);
    VecSet(x, 0);
    const double none = norm_of(x);  // from now on the Vec has cached its norm
    EXPECT_EQ(none, 0);
    RedistributionOptions back;
    back.read_from_any = GetParam();
    redistribute(export_multivector_readonly(X), export_vec(x), back);
    EXPECT_DOUBLE_EQ(norm_of(x), norm_of(expected));
    expect_equal(x, expected);
  }
  VecDestroy(&x);
  VecDestroy(&expected);
}

TEST_P(Copies, aDMDAOntoAnyMapInNaturalNumbersAndBack) {
  for (const PetscInt dof : {1, 2}) {
    DM dm = nullptr;
    Vec global = nullptr, natural = nullptr, expected = nullptr;
    DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_PERIODIC, DMDA_STENCIL_BOX, 11, 9,
                 PETSC_DECIDE, PETSC_DECIDE, dof, 1, nullptr, nullptr, &dm);
    DMSetUp(dm);
    DMCreateGlobalVector(dm, &global);
    DMCreateGlobalVector(dm, &expected);
    DMDACreateNaturalVector(dm, &natural);
    const auto from_natural = [&](double scale, Vec target) {
      number(natural, scale);
      DMDANaturalToGlobalBegin(dm, natural, INSERT_VALUES, target);
      DMDANaturalToGlobalEnd(dm, natural, INSERT_VALUES, target);
    };
    from_natural(1, global);
    from_natural(3, expected);
    const auto X =
        copy_to_multivector<double>(export_dmda(dm, global), dealt_map(99 * dof, GetParam())).get();
    expect_numbers(*X);
    X->scale(3);
    RedistributionOptions back;
    back.read_from_any = GetParam();
    redistribute(export_multivector_readonly(X), export_dmda(dm, global), back);
    expect_equal(global, expected);
    for (Vec* vec : {&global, &natural, &expected}) VecDestroy(vec);
    DMDestroy(&dm);
  }
}

TEST_P(Copies, aMultiVectorIntoAVec) {
  const auto X = Teuchos::rcp(new MultiVector(dealt_map(37, GetParam()), 1));
  {
    const auto values = X->getLocalViewHost(Tpetra::Access::OverwriteAll);
    for (std::size_t i = 0; i < values.extent(0); ++i)
      values(i, 0) = static_cast<double>(X->getMap()->getGlobalElement(static_cast<int>(i)));
  }
  petsc::CopyOptions options;
  options.read_from_any = GetParam();
  const petsc::ImportedVec x = petsc::copy_to_vec(export_multivector(X), options);
  Vec expected = nullptr;
  VecDuplicate(x.get(), &expected);
  number(expected);
  expect_equal(x.get(), expected);
  VecDestroy(&expected);
}

INSTANTIATE_TEST_SUITE_P(Maps, Copies, ::testing::Bool());

}  // namespace
}  // namespace daptor::test
