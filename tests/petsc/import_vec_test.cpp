// SPDX-License-Identifier: BSD-3-Clause
// A Vec on a producer's memory: both share the memory in both directions, and PETSc's caches are
// invalidated.

#include "layouts.hpp"

namespace {

using namespace daptor_test;
using daptor::petsc::export_vec;
using daptor::petsc::import_padded_vec;
using daptor::petsc::import_vec;
using daptor::petsc::ImportedVec;

double square_of(PetscScalar value) {
  const auto magnitude = static_cast<double>(PetscAbsScalar(value));
  return magnitude * magnitude;
}

class ImportVec : public ::testing::TestWithParam<Layout> {};

TEST_P(ImportVec, IsTheProducersMemory) {
  const DistArray a = GetParam().make();
  const ImportedVec vec = import_vec(a);
  expect_on_memory_of(vec.get(), a);
  PetscInt local = -1;
  PetscInt global = -1;
  VecGetLocalSize(vec.get(), &local);
  VecGetSize(vec.get(), &global);
  EXPECT_EQ(local, a.owned_count());
  Index sum = a.owned_count();
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT64_T, MPI_SUM, world);
  EXPECT_EQ(global, sum);
  EXPECT_TRUE(vec.array() == a);
}

TEST_P(ImportVec, NormIsRightAfterOneRankWrites) {
  const DistArray a = GetParam().make();
  label(a);
  const ImportedVec vec = import_vec(a);
  EXPECT_NEAR(norm_of(vec.get()), std::sqrt(square_sum(a)), 1e-9 * (1 + norm_of(vec.get())));
  {
    daptor::WriteLease lease(a);
    if (rank_of() == size_of() - 1) label(a, 3);
    lease.close();
  }
  expect_states_equal(vec.get());
  const double expected = std::sqrt(square_sum(a));
  EXPECT_NEAR(norm_of(vec.get()), expected, 1e-9 * (1 + expected));
}

TEST_P(ImportVec, WritesOfPetscAreSeen) {
  const DistArray a = GetParam().make();
  label(a);
  const ImportedVec vec = import_vec(a);
  std::vector<PetscScalar> before;
  for (const Element& e : elements(a, true)) before.push_back(at(a, e.offset));
  VecScale(vec.get(), 2.0);
  a.modified();
  expect_states_equal(vec.get());
  const daptor::LocalIndexMap map(a);
  for (const Element& e : elements(a))
    EXPECT_EQ(at(a, e.offset), PetscScalar(2.0 * static_cast<double>(e.natural + 1)));
  // The memory between and around the owned elements is unchanged.
  Index owned = 0;
  Index position = 0;
  for (const Element& e : elements(a, true)) {
    const PetscScalar now = at(a, e.offset);
    const PetscScalar then = before[static_cast<std::size_t>(position++)];
    if (now == 2.0 * then && then != PetscScalar(-1.0)) {
      ++owned;
    } else {
      EXPECT_EQ(now, then);
    }
  }
  EXPECT_EQ(owned, a.owned_count());
}

TEST_P(ImportVec, RebindsToOtherMemory) {
  const DistArray a = GetParam().make();
  const auto bytes = static_cast<std::size_t>(a.local_count() + 1);
  auto other = std::make_shared<std::vector<PetscScalar>>(bytes, 7.0);
  auto third = std::make_shared<std::vector<PetscScalar>>(bytes, 5.0);
  const DistArray b = a.with_memory(other->data(), other);
  const DistArray c = a.with_memory(third->data(), third);
  label(a);
  ImportedVec vec = import_vec(a);
  norm_of(vec.get());
  for (const DistArray& next : {b, c, a, b}) {
    vec.rebind(next);
    expect_states_equal(vec.get());
    expect_on_memory_of(vec.get(), next);
    EXPECT_NEAR(norm_of(vec.get()), std::sqrt(square_sum(next)), 1e-9 * (1 + square_sum(next)));
    EXPECT_EQ(next.buffer().state()->view_count(), 1u);
  }
  EXPECT_EQ(a.buffer().state()->view_count(), 0u);
  EXPECT_EQ(c.buffer().state()->view_count(), 0u);
}

TEST_P(ImportVec, PaddedSectionIsALocalVec) {
  const DistArray a = GetParam().make();
  label(a);
  const ImportedVec vec = import_padded_vec(a);
  PetscInt size = -1;
  VecGetSize(vec.get(), &size);
  EXPECT_EQ(size, a.local_count());
  if (a.local_count() > 0) {
    EXPECT_EQ(memory_of(vec.get()), a.data());
  }
  double expected = 0;
  for (const Element& e : elements(a, true)) expected += square_of(at(a, e.offset));
  EXPECT_NEAR(norm_of(vec.get()), std::sqrt(expected), 1e-9 * (1 + expected));
  daptor::WriteLease lease(a);
  if (rank_of() == 0) label(a, 2);
  lease.close();
  expected = 0;
  for (const Element& e : elements(a, true)) expected += square_of(at(a, e.offset));
  EXPECT_NEAR(norm_of(vec.get()), std::sqrt(expected), 1e-9 * (1 + expected));
}

INSTANTIATE_TEST_SUITE_P(Layouts, ImportVec, ::testing::ValuesIn(vec_layouts()), NameOf());

TEST(VecRoundTrip, BlockComesBackEqual) {
  for (const DistArray& a : {owning({daptor::block(41, line())}), owning({uneven_block()}),
                             owning({daptor::block(13, line()), daptor::undistributed(3)})}) {
    const ImportedVec vec = import_vec(a);
    const DistArray back = export_vec(vec.get());
    EXPECT_TRUE(back == a) << back << "\n" << a;
    EXPECT_EQ(back.buffer().state(), a.buffer().state());
  }
}

TEST(VecRoundTrip, UnflattenGivesTheOriginalDescription) {
  const DistArray a = owning(daptor::block_dimensions({9, 8}, world));
  const ImportedVec vec = import_vec(a);
  const Section flat = daptor::flatten(export_vec(vec.get()));
  EXPECT_TRUE(daptor::unflatten(flat, a) == a);
}

TEST(VecBlockSize, ComesFromTheFastestUndistributedDimension) {
  const auto block_size = [](const DistArray& a, daptor::petsc::VecOptions options) {
    const ImportedVec vec = import_vec(a, options);
    PetscInt size = 0;
    VecGetBlockSize(vec.get(), &size);
    return size;
  };
  const DistArray c = owning({daptor::block(13, line()), daptor::undistributed(3)});
  EXPECT_EQ(block_size(c, {}), 3);
  daptor::petsc::VecOptions flat;
  flat.flat = true;
  EXPECT_EQ(block_size(c, flat), 1);
  const DistArray fortran =
      owning({daptor::undistributed(4), daptor::block(13, line())}, Order::fortran);
  EXPECT_EQ(block_size(fortran, {}), 4);
  EXPECT_EQ(block_size(owning({daptor::block(13, line())}), {}), 1);
}

TEST(VecType, IsStandard) {
  const ImportedVec vec = import_vec(owning({daptor::block(5, line())}));
  VecType type = nullptr;
  VecGetType(vec.get(), &type);
  EXPECT_STREQ(type, size_of() == 1 ? VECSEQ : VECMPI);
}

TEST(VecOverlap, IsAllowedWhereAskedFor) {
  std::vector<Index> indices(4);
  std::iota(indices.begin(), indices.end(), rank_of());
  const DistArray a =
      owning({daptor::unstructured(3 + size_of(), line(), daptor::IndexList(indices))});
  daptor::petsc::VecOptions options;
  options.allow_overlap = true;
  const ImportedVec vec = import_vec(a, options);
  PetscInt size = 0;
  VecGetSize(vec.get(), &size);
  EXPECT_EQ(size, 4 * size_of());
}

TEST(VecLocalToGlobal, SetsThroughSectionPositions) {
  const DistArray a = owning({padded_block(23, {2, 1}, true), daptor::undistributed(3)});
  label(a);
  daptor::petsc::VecOptions options;
  options.local_to_global = true;
  const ImportedVec vec = import_vec(a, options);
  // Each rank adds 1 to every point of its padded section, so a point's owner gets 1 for each
  // section that contains it.
  const std::vector<Element> section = elements(a, true);
  std::vector<PetscInt> positions(section.size());
  std::iota(positions.begin(), positions.end(), 0);
  const std::vector<PetscScalar> ones(section.size(), 1000.0);
  VecSetValuesLocal(vec.get(), static_cast<PetscInt>(positions.size()), positions.data(),
                    ones.data(), ADD_VALUES);
  VecAssemblyBegin(vec.get());
  VecAssemblyEnd(vec.get());
  a.modified();
  std::vector<int> seen(3 * 23, 0);
  for (const Element& e : section) ++seen[static_cast<std::size_t>(e.natural)];
  MPI_Allreduce(MPI_IN_PLACE, seen.data(), static_cast<int>(seen.size()), MPI_INT, MPI_SUM, world);
  for (const Element& e : elements(a))
    EXPECT_EQ(at(a, e.offset), PetscScalar(static_cast<double>(e.natural + 1) +
                                           1000.0 * seen[static_cast<std::size_t>(e.natural)]));
}

}  // namespace
