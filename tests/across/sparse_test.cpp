// SPDX-License-Identifier: BSD-3-Clause
// Enumerate, segmented sums and packing on the memory of a Vec and of a Tpetra vector.

#include "support.hpp"
#include "world_comm.hpp"

namespace daptor::test {
namespace {

/// Where segments begin.
bool starts(Index i) {
  return i == 2 || i % 7 == 4;
}

/// A mask that is divided like an array.
DistArray mask_like(const DistArray& array) {
  DistArray mask = allocate<std::int32_t>(array.dimensions()).on(array.comm());
  const IndexRange owned = array.dimension(0).as<Block>()->owned;
  const auto elements = view<std::int32_t, 1>(mask);
  for (Index i = 0; i < owned.size(); ++i) elements(i) = starts(owned.start + i) ? 1 : 0;
  return mask;
}

TEST(SparseAcross, EnumerateWritesIntoAVec) {
  Vec x = make_vec();
  VecSet(x, 3.0);
  {
    const DistArray a = petsc::export_vec(x);
    const Index size = a.dimension(0).global_size();
    EXPECT_DOUBLE_EQ(norm_of(x), 3.0 * static_cast<double>(size));  // PETSc keeps the norm
    const auto X = tpetra::import_multivector<double>(a);
    const petsc::ImportedVec y = petsc::import_vec(tpetra::export_multivector(X.get()));
    EXPECT_DOUBLE_EQ(norm_of(y.get()), norm_of(x));
    enumerate(a, 1, 1);
    for (Vec each : {x, y.get()})
      EXPECT_DOUBLE_EQ(norm_of(each), 0.5 * static_cast<double>(size * (size + 1)));
    expect_same_memory(memory_of(x), static_cast<const double*>(a.data()));
    expect_same_memory(memory_of(y.get()), memory_of(x));
    const IndexRange owned = a.dimension(0).as<Block>()->owned;
    for (Index i = 0; i < owned.size(); ++i)
      EXPECT_EQ(memory_of(x)[i], static_cast<double>(owned.start + i + 1));
  }
  VecDestroy(&x);
}

TEST(SparseAcross, SumsOfAVecInATpetraVectorAndPackedInAVec) {
  Vec x = make_vec();
  const auto map =
      Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                           static_cast<std::size_t>(local_count()), 0, Tpetra::getDefaultComm()));
  const auto Y = Teuchos::rcp(new Tpetra::Vector<double>(map));
  Y->putScalar(-1.0);
  {
    const DistArray from = petsc::export_vec(x), to = tpetra::export_multivector(Y);
    const double* const memory = memory_of(*Y);
    enumerate(from, 1, 1);
    const DistArray mask = mask_like(from);
    scan_add(from, to, mask);
    expect_same_memory(memory_of(x), static_cast<const double*>(from.data()));
    expect_same_memory(memory_of(*Y), memory);
    expect_same_memory(memory_of(*Y), static_cast<const double*>(to.data()));

    const Index size = to.dimension(0).global_size();
    const IndexRange owned = to.dimension(0).as<Block>()->owned;
    std::vector<double> firsts;
    double sum = -1, all = 0;
    for (Index i = 0; i < size; ++i) {
      const auto element = static_cast<double>(i + 1);
      if (starts(i)) {
        firsts.push_back(element);
        sum = element;
      } else if (i > 2) {
        sum += element;
      }
      all += std::abs(sum);
      if (owned.contains(i)) {
        EXPECT_EQ(memory_of(*Y)[i - owned.start], sum) << i;
      }
    }
    EXPECT_DOUBLE_EQ(norm_of(*Y), all);

    // The first sum of each segment is its first element.
    const petsc::ImportedVec few = petsc::import_vec(packed(to, mask));
    PetscInt count = 0, first = 0, last = 0;
    VecGetSize(few.get(), &count);
    ASSERT_EQ(static_cast<std::size_t>(count), firsts.size());
    VecGetOwnershipRange(few.get(), &first, &last);
    for (PetscInt i = first; i < last; ++i)
      EXPECT_EQ(memory_of(few.get())[i - first], firsts[static_cast<std::size_t>(i)]);
  }
  VecDestroy(&x);
}

}  // namespace
}  // namespace daptor::test
