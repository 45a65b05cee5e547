// SPDX-License-Identifier: BSD-3-Clause
// Local-to-global mappings and the ordering between both numberings.

#include <algorithm>

#include "grids.hpp"

namespace {

using namespace daptor_test;
using daptor::petsc::local_to_global;
using daptor::petsc::natural_ordering;
using daptor::petsc::Numbering;

std::vector<Layout> layouts() {
  std::vector<Layout> all = vec_layouts();
  for (const GridCase& grid : grid_cases())
    all.push_back({"grid_" + grid.name, [grid] { return make_grid(grid); }});
  all.push_back(
      {"wide_padding", [] {
         return owning({padded_block(3 * size_of(), {5, 4}, true), daptor::undistributed(2)});
       }});
  return all;
}

std::vector<PetscInt> indices_of(ISLocalToGlobalMapping mapping) {
  PetscInt count = 0;
  const PetscInt* list = nullptr;
  ISLocalToGlobalMappingGetSize(mapping, &count);
  ISLocalToGlobalMappingGetIndices(mapping, &list);
  std::vector<PetscInt> indices(list, list + count);
  ISLocalToGlobalMappingRestoreIndices(mapping, &list);
  return indices;
}

/// The elements of the section in memory order.
std::vector<Element> in_memory(const Section& array) {
  std::vector<Element> list = elements(array, true);
  std::stable_sort(list.begin(), list.end(),
                   [](const Element& a, const Element& b) { return a.offset < b.offset; });
  return list;
}

class Numbers : public ::testing::TestWithParam<Layout> {};

TEST_P(Numbers, NaturalIsTheGlobalIndex) {
  const DistArray a = GetParam().make();
  const auto mapping = local_to_global(a, Numbering::natural);
  const std::vector<PetscInt> indices = indices_of(mapping.get());
  const std::vector<Element> section = in_memory(a);
  ASSERT_EQ(indices.size(), section.size());
  for (std::size_t i = 0; i < section.size(); ++i) ASSERT_EQ(indices[i], section[i].natural);
}

// Checked by a Vec that has at each contiguous number the natural number.
TEST_P(Numbers, ContiguousIsTheVecsOwn) {
  const DistArray a = GetParam().make();
  const auto mapping = local_to_global(a, Numbering::contiguous);
  const std::vector<PetscInt> indices = indices_of(mapping.get());
  const std::vector<Element> section = in_memory(a);
  ASSERT_EQ(indices.size(), section.size());
  std::vector<PetscScalar> owned;
  std::vector<Index> offsets;
  for (const Element& e : elements(a)) offsets.push_back(e.offset);
  std::sort(offsets.begin(), offsets.end());
  for (const Element& e : section)
    if (std::binary_search(offsets.begin(), offsets.end(), e.offset))
      owned.push_back(static_cast<double>(e.natural));
  Vec vec = nullptr;
  VecCreateMPI(world, static_cast<PetscInt>(owned.size()), PETSC_DETERMINE, &vec);
  PetscScalar* values = nullptr;
  VecGetArray(vec, &values);
  std::copy(owned.begin(), owned.end(), values);
  VecRestoreArray(vec, &values);

  IS from = nullptr;
  Vec to = nullptr;
  VecScatter scatter = nullptr;
  ISCreateGeneral(PETSC_COMM_SELF, static_cast<PetscInt>(indices.size()), indices.data(),
                  PETSC_COPY_VALUES, &from);
  VecCreateSeq(PETSC_COMM_SELF, static_cast<PetscInt>(indices.size()), &to);
  VecScatterCreate(vec, from, to, nullptr, &scatter);
  VecScatterBegin(scatter, vec, to, INSERT_VALUES, SCATTER_FORWARD);
  VecScatterEnd(scatter, vec, to, INSERT_VALUES, SCATTER_FORWARD);
  const PetscScalar* found = nullptr;
  VecGetArrayRead(to, &found);
  for (std::size_t i = 0; i < section.size(); ++i)
    EXPECT_EQ(found[i], PetscScalar(static_cast<double>(section[i].natural))) << "position " << i;
  VecRestoreArrayRead(to, &found);
  VecScatterDestroy(&scatter);
  ISDestroy(&from);
  VecDestroy(&to);
  VecDestroy(&vec);
}

TEST_P(Numbers, OrderingGoesBothWays) {
  const DistArray a = GetParam().make();
  const auto ordering = natural_ordering(a);
  const auto mapping = local_to_global(a, Numbering::contiguous);
  std::vector<PetscInt> contiguous = indices_of(mapping.get());
  std::vector<PetscInt> natural;
  for (const Element& e : in_memory(a)) natural.push_back(static_cast<PetscInt>(e.natural));
  std::vector<PetscInt> converted = natural;
  AOApplicationToPetsc(ordering.get(), static_cast<PetscInt>(converted.size()), converted.data());
  EXPECT_EQ(converted, contiguous);
  AOPetscToApplication(ordering.get(), static_cast<PetscInt>(contiguous.size()), contiguous.data());
  EXPECT_EQ(contiguous, natural);
}

INSTANTIATE_TEST_SUITE_P(Layouts, Numbers, ::testing::ValuesIn(layouts()), NameOf());

DistArray with_indices(std::vector<Index> indices, Index size, bool one_to_one) {
  return owning(
      {daptor::unstructured(size, line(), daptor::IndexList(std::move(indices)), one_to_one)});
}

TEST(NumberingRefusal, NegativeAndOutsideIndices) {
  const Index base = 2 * rank_of();
  for (const Index strange : {Index{-1}, Index{2 * size_of()}}) {
    const bool mine = rank_of() == size_of() - 1;
    const DistArray a = with_indices({base, mine ? strange : base + 1}, 2 * size_of(), true);
    expect_refused_everywhere<daptor::NotRepresentable>(
        "petsc.numbering.index-range", [&] { local_to_global(a, Numbering::natural); });
    expect_refused_everywhere<daptor::NotRepresentable>("petsc.numbering.index-range",
                                                        [&] { natural_ordering(a); });
    const auto mapping = local_to_global(a, Numbering::contiguous);
    EXPECT_EQ(indices_of(mapping.get()).size(), 2u);
  }
}

TEST(NumberingRefusal, OverlapIsNoPermutation) {
  const DistArray a = with_indices({0, 1}, 2, false);
  const auto mapping = local_to_global(a, Numbering::natural);
  EXPECT_EQ(indices_of(mapping.get()), (std::vector<PetscInt>{0, 1}));
  if (size_of() > 1)
    expect_refused_everywhere<daptor::NotRepresentable>("petsc.numbering.overlap",
                                                        [&] { natural_ordering(a); });
}

TEST(NumberingRefusal, GapsAreNoPermutation) {
  const Index base = 3 * rank_of();
  const DistArray a = with_indices({base, base + 1}, 3 * size_of(), true);
  expect_refused_everywhere<daptor::NotRepresentable>("petsc.numbering.permutation",
                                                      [&] { natural_ordering(a); });
}

TEST(NumberingRefusal, DifferentNumberingsOnRanks) {
  if (size_of() == 1) return;
  const DistArray a = owning({daptor::block(9, line())});
  expect_different("numbering", [&] {
    local_to_global(a, rank_of() == 0 ? Numbering::natural : Numbering::contiguous);
  });
}

TEST(NumberingHandles, MoveAndReset) {
  const DistArray a = owning({daptor::block(9, line())});
  auto mapping = local_to_global(a, Numbering::natural);
  auto other = std::move(mapping);
  EXPECT_FALSE(static_cast<bool>(mapping));
  ASSERT_TRUE(static_cast<bool>(other));
  EXPECT_EQ(references(other.get()), 1);
  other = local_to_global(a, Numbering::contiguous);
  other.reset();
  other.reset();
  EXPECT_FALSE(static_cast<bool>(other));
}

}  // namespace
