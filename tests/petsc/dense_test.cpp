// SPDX-License-Identifier: BSD-3-Clause
// The columns of an array as a dense Mat, and back.

#include <algorithm>

#include "layouts.hpp"

namespace {

using namespace daptor_test;
using daptor::petsc::export_dense;
using daptor::petsc::import_dense;
using daptor::petsc::ImportedDense;

const void* elements_of(Mat mat) {
  const PetscScalar* values = nullptr;
  MatDenseGetArrayRead(mat, &values);
  const void* const memory = values;
  MatDenseRestoreArrayRead(mat, &values);
  return memory;
}

/// Computed from the columns, since MatNorm of PETSc up to 3.25 ignores the leading dimension on
/// several processes.
double frobenius_norm(Mat mat) {
  Vec right = nullptr;
  Vec left = nullptr;
  MatCreateVecs(mat, &right, &left);
  PetscInt columns = 0;
  MatGetSize(mat, nullptr, &columns);
  double sum = 0;
  for (PetscInt j = 0; j < columns; ++j) {
    VecSet(right, 0.0);
    if (rank_of() == 0) VecSetValue(right, j, 1.0, INSERT_VALUES);
    VecAssemblyBegin(right);
    VecAssemblyEnd(right);
    MatMult(mat, right, left);
    sum += norm_of(left) * norm_of(left);
  }
  VecDestroy(&right);
  VecDestroy(&left);
  return std::sqrt(sum);
}

/// The distance between columns is more than their length.
DistArray with_leading_dimension(Dimension rows, Index columns, Index gap) {
  const Index leading = rows.local_extent() + gap;
  auto memory = std::make_shared<std::vector<PetscScalar>>(
      static_cast<std::size_t>(leading * columns + 1), -7.0);
  constexpr auto item = static_cast<Index>(sizeof(PetscScalar));
  return daptor::describe(memory->data(), {std::move(rows), daptor::undistributed(columns)},
                          {item, leading * item}, memory)
      .on(world);
}

std::vector<Layout> dense_layouts() {
  using namespace daptor;
  return {
      {"rows_and_columns",
       [] {
         return owning({block(17, line()), undistributed(3)}, Order::fortran);
       }},
      {"one_column",
       [] {
         return owning({block(17, line()), undistributed(1)}, Order::fortran);
       }},
      {"no_column",
       [] {
         return owning({block(17, line()), undistributed(0)}, Order::fortran);
       }},
      {"columns_first",
       [] {
         return owning({undistributed(4), block(17, line())});
       }},
      {"uneven_with_empty_ranks",
       [] {
         return owning({uneven_block(), undistributed(3)}, Order::fortran);
       }},
      {"one_row",
       [] {
         return owning({block(1, line()), undistributed(5)}, Order::fortran);
       }},
      {"leading_dimension", [] { return with_leading_dimension(block(17, line()), 4, 3); }},
      {"padded_rows",
       [] {
         return owning({padded_block(19, {2, 1}, true), undistributed(3)}, Order::fortran);
       }},
      {"one_sided_rows",
       [] {
         return owning({padded_block(4 * size_of(), {1, 0}, false), undistributed(2)},
                       Order::fortran);
       }},
      {"cyclic_rows",
       [] {
         return owning({cyclic(19, line(), 2), undistributed(3)}, Order::fortran);
       }},
      {"unstructured_rows",
       [] {
         return owning({dealt(19), undistributed(3)}, Order::fortran);
       }},
      {"many_rows",
       [] {
         return owning({undistributed(2), block(9, line()), undistributed(3)});
       }},
  };
}

class ImportDense : public ::testing::TestWithParam<Layout> {};

TEST_P(ImportDense, IsTheProducersMemory) {
  const DistArray a = GetParam().make();
  label(a);
  const ImportedDense mat = import_dense(a);
  if (a.owned_count() > 0) {
    EXPECT_EQ(elements_of(mat.get()), a.owned_data());
  }
  EXPECT_NEAR(frobenius_norm(mat.get()), std::sqrt(square_sum(a)), 1e-9 * (1 + square_sum(a)));
  daptor::WriteLease lease(a);
  if (rank_of() == 0) label(a, 2);
  lease.close();
  expect_states_equal(mat.get());
  EXPECT_NEAR(frobenius_norm(mat.get()), std::sqrt(square_sum(a)), 1e-9 * (1 + square_sum(a)));
}

TEST_P(ImportDense, ExportsOneArrayOfAllRanks) {
  const DistArray a = GetParam().make();
  const ImportedDense mat = import_dense(a);
  const DistArray exported = export_dense(mat.get());
  EXPECT_TRUE(daptor::validate(exported));
  EXPECT_EQ(exported.buffer().state(), a.buffer().state());
  const ImportedDense again = import_dense(exported);
  if (a.owned_count() > 0) {
    EXPECT_EQ(elements_of(again.get()), a.owned_data());
  }
}

TEST_P(ImportDense, MultipliesAndWrites) {
  const DistArray a = GetParam().make();
  label(a);
  const ImportedDense mat = import_dense(a);
  Vec right = nullptr;
  Vec left = nullptr;
  MatCreateVecs(mat.get(), &right, &left);
  VecSet(right, 1.0);
  MatMult(mat.get(), right, left);
  PetscScalar sum = 0;
  VecSum(left, &sum);
  PetscScalar expected = 0;
  for (const Element& e : elements(a)) expected += at(a, e.offset);
  MPI_Allreduce(MPI_IN_PLACE, &expected, 1, MPIU_SCALAR, MPIU_SUM, world);
  EXPECT_NEAR(PetscAbsScalar(sum - expected), 0, 1e-9 * (1 + PetscAbsScalar(expected)));
  MatScale(mat.get(), 3.0);
  a.modified();
  for (const Element& e : elements(a))
    EXPECT_EQ(at(a, e.offset), PetscScalar(3.0 * static_cast<double>(e.natural + 1)));
  VecDestroy(&right);
  VecDestroy(&left);
}

TEST_P(ImportDense, GapsStayAsTheyAre) {
  const DistArray a = GetParam().make();
  label(a);
  const ImportedDense mat = import_dense(a);
  MatZeroEntries(mat.get());
  std::vector<Index> owned;
  for (const Element& e : elements(a)) {
    owned.push_back(e.offset);
    EXPECT_EQ(at(a, e.offset), PetscScalar(0.0));
  }
  for (const Element& e : elements(a, true))
    if (std::find(owned.begin(), owned.end(), e.offset) == owned.end()) {
      EXPECT_EQ(at(a, e.offset), PetscScalar(-1.0));
    }
}

TEST_P(ImportDense, Rebinds) {
  const DistArray a = GetParam().make();
  const DistArray other = GetParam().make();
  label(other, 2);
  const DistArray b = a.with_memory(other.mutable_data(), std::make_shared<DistArray>(other));
  ImportedDense mat = import_dense(a);
  for (const DistArray& next : {b, a, b}) {
    mat.rebind(next);
    expect_states_equal(mat.get());
    if (a.owned_count() > 0) {
      EXPECT_EQ(elements_of(mat.get()), next.owned_data());
    }
  }
  EXPECT_NEAR(frobenius_norm(mat.get()), std::sqrt(square_sum(b)), 1e-9 * (1 + square_sum(b)));
  mat.close();
  EXPECT_EQ(b.buffer().state()->view_count(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Layouts, ImportDense, ::testing::ValuesIn(dense_layouts()), NameOf());

TEST(DenseRoundTrip, ComesBackEqual) {
  for (const DistArray& a :
       {owning({daptor::block(17, line()), daptor::undistributed(3)}, Order::fortran),
        with_leading_dimension(daptor::block(17, line()), 4, 3)}) {
    const ImportedDense mat = import_dense(a);
    const DistArray back = export_dense(mat.get());
    EXPECT_TRUE(back == a) << back << "\n" << a;
    EXPECT_EQ(back.buffer().state(), a.buffer().state());
  }
}

TEST(DenseLifetime, MatKeepsTheProducerAlive) {
  auto [array, memory] =
      tracked({daptor::block(17, line()), daptor::undistributed(3)}, Order::fortran);
  Mat kept = nullptr;
  {
    const ImportedDense mat = import_dense(array);
    kept = mat.get();
    PetscObjectReference(reinterpret_cast<PetscObject>(kept));
  }
  array = owning({daptor::block(3, line())});
  EXPECT_FALSE(memory.expired());
  MatZeroEntries(kept);
  MatDestroy(&kept);
  EXPECT_TRUE(memory.expired());
}

TEST(ExportDense, DescribesAMatOfPetscs) {
  Mat mat = nullptr;
  MatCreateDense(world, PETSC_DECIDE, PETSC_DECIDE, 13, 4, nullptr, &mat);
  const DistArray a = export_dense(mat);
  EXPECT_EQ(a.data(), elements_of(mat));
  EXPECT_EQ(a.global_shape(), (std::vector<Index>{13, 4}));
  daptor::require_consistent(a);
  label(a);
  a.modified();
  expect_states_equal(mat);
  PetscReal norm = 0;
  MatNorm(mat, NORM_FROBENIUS, &norm);
  EXPECT_NEAR(static_cast<double>(norm), std::sqrt(square_sum(a)), 1e-9 * square_sum(a));
  EXPECT_TRUE(daptor::petsc::export_dense_readonly(mat).readonly());
  EXPECT_EQ(references(mat), 2);
  const DistArray copy = export_dense(mat);
  EXPECT_EQ(copy.buffer().state(), a.buffer().state());
  Mat alias = mat;
  MatDestroy(&alias);
  EXPECT_EQ(references(mat), 1);
  const daptor::ReadLease lease(a);
  EXPECT_EQ(lease.data(), a.data());
}

TEST(ExportDense, IsStaleWhilePlaced) {
  Mat mat = nullptr;
  MatCreateDense(world, 3, PETSC_DECIDE, PETSC_DETERMINE, 4, nullptr, &mat);
  const DistArray a = export_dense(mat);
  std::vector<PetscScalar> other(64);
  MatDensePlaceArray(mat, other.data());
  EXPECT_THROW(daptor::ReadLease{a}, daptor::Stale);
  MatDenseResetArray(mat);
  const daptor::ReadLease lease(a);
  MatDestroy(&mat);
}

TEST(ExportDense, RefusesOtherMats) {
  EXPECT_THROW(export_dense(nullptr), daptor::InvalidArgument);
  Mat mat = nullptr;
  MatCreate(world, &mat);
  EXPECT_THROW(export_dense(mat), daptor::InvalidArgument);
  MatSetSizes(mat, 2, 2, PETSC_DETERMINE, PETSC_DETERMINE);
  MatSetType(mat, MATAIJ);
  expect_refused_everywhere<daptor::NotRepresentable>("petsc.dense.type",
                                                      [&] { export_dense(mat); });
  PetscObjectChangeTypeName(reinterpret_cast<PetscObject>(mat), "seqdensecuda");
  expect_refused_everywhere<daptor::NotRepresentable>("petsc.dense.device",
                                                      [&] { export_dense(mat); });
  PetscObjectChangeTypeName(reinterpret_cast<PetscObject>(mat),
                            size_of() == 1 ? MATSEQAIJ : MATMPIAIJ);
  MatDestroy(&mat);
}

}  // namespace
