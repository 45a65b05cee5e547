// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <functional>

#include "support.hpp"

namespace daptor::test {
namespace {

using petsc::export_vec;
using petsc::import_vec;
using tpetra::export_multivector;
using tpetra::import_multivector;

TEST(VecAsMultiVector, isTheSameMemoryAndWritesAreSeenOnBothSides) {
  Vec x = make_vec();
  VecSet(x, 2.0);
  {
    const DistArray a = export_vec(x);
    const auto imported = import_multivector<double>(a);
    MultiVector& X = *imported.get();
    expect_same_memory(memory_of(x), memory_of(X));
    EXPECT_TRUE(X.getMap()->isContiguous());
    EXPECT_EQ(static_cast<PetscInt>(X.getLocalLength()), local_count());
    const double before = norm_of(x);
    EXPECT_DOUBLE_EQ(norm_of(X), before);

    X.scale(-3.0);  // Trilinos writes
    a.modified();
    EXPECT_DOUBLE_EQ(norm_of(x), 3 * before);
    VecScale(x, 0.5);  // PETSc writes
    a.modified();
    EXPECT_DOUBLE_EQ(norm_of(X), 1.5 * before);
    EXPECT_DOUBLE_EQ(norm_of(x), 1.5 * before);
  }
  VecDestroy(&x);
}

TEST(VecAsMultiVector, andBackIsTheSameArray) {
  Vec x = make_vec();
  VecSet(x, 1.0);
  {
    const DistArray a = export_vec(x);
    const auto X = import_multivector<double>(a);
    const DistArray b = export_multivector(X.get());
    EXPECT_EQ(a.dimensions(), b.dimensions());
    EXPECT_EQ(a.local_shape(), b.local_shape());
    petsc::ImportedVec y = import_vec(b);
    const auto Y = import_multivector<double>(export_vec(y.get()));
    expect_same_memory(memory_of(y.get()), memory_of(x));
    expect_same_memory(memory_of(*Y.get()), memory_of(x));

    // One object writes, and all four are notified.
    const double ones = norm_of(x);
    EXPECT_DOUBLE_EQ(norm_of(y.get()), ones);
    Y.get()->putScalar(4.0);
    Y.array().modified();
    EXPECT_DOUBLE_EQ(norm_of(x), 4 * ones);
    EXPECT_DOUBLE_EQ(norm_of(y.get()), 4 * ones);
    VecSet(y.get(), -6.0);
    y.array().modified();
    EXPECT_DOUBLE_EQ(norm_of(x), 6 * ones);
    EXPECT_DOUBLE_EQ(norm_of(*X.get()), 6 * ones);
  }
  VecDestroy(&x);
}

TEST(MultiVectorAsVec, isTheSameMemoryAndBack) {
  const Teuchos::RCP<const Map> map =
      Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                           static_cast<std::size_t>(local_count()), 0, Tpetra::getDefaultComm()));
  const auto X = Teuchos::rcp(new MultiVector(map, 1));
  X->putScalar(3.0);
  const DistArray a = export_multivector(X);
  petsc::ImportedVec x = import_vec(a);
  expect_same_memory(memory_of(x.get()), memory_of(*X));
  const double before = norm_of(x.get());
  EXPECT_DOUBLE_EQ(before, norm_of(*X));
  X->putScalar(5.0);
  a.modified();
  EXPECT_NEAR(norm_of(x.get()), before * 5 / 3, 1e-12 * (1 + before));
  const auto Y = import_multivector<double>(export_vec(x.get()));
  expect_same_memory(memory_of(*Y.get()), memory_of(*X));
  VecSet(x.get(), 1.0);
  EXPECT_NEAR(norm_of(*X), before / 3, 1e-12 * (1 + before));
  EXPECT_NEAR(norm_of(*Y.get()), before / 3, 1e-12 * (1 + before));
}

/// One rank writes, and all ranks close the lease: every object has the right norm, and no rank
/// waits.
TEST(VecAsMultiVector, aWriteOfOneRankIsLearntByAll) {
  Vec x = make_vec();
  {
    const DistArray a = export_vec(x);
    const auto X = import_multivector<double>(a);
    petsc::ImportedVec y = import_vec(export_multivector(X.get()));
    for (int writer = 0; writer < world_size(); ++writer) {
      norm_of(x);
      norm_of(y.get());
      WriteLease lease(a);
      if (world_rank() == writer)
        std::fill_n(static_cast<double*>(lease.data()), a.local_count(), 1.0 + writer);
      lease.close();
      const double expected = summed(memory_of(x), local_count());
      EXPECT_DOUBLE_EQ(norm_of(x), expected);
      EXPECT_DOUBLE_EQ(norm_of(y.get()), expected);
      EXPECT_DOUBLE_EQ(norm_of(*X.get()), expected);
    }
  }
  VecDestroy(&x);
}

TEST(VecOfBlocks, isAVectorOnThePointMap) {
  Vec x = make_vec(3);
  {
    const DistArray a = export_vec(x);
    ASSERT_EQ(a.ndim(), 2);
    const auto X = tpetra::import_vector<double>(a);
    expect_same_memory(memory_of(x), memory_of(*X.get()));
    EXPECT_EQ(static_cast<PetscInt>(X.get()->getLocalLength()), 3 * local_count());
    const auto flat = tpetra::import_vector<double>(flatten(a).on(a.comm()));
    EXPECT_TRUE(X.get()->getMap()->isSameAs(*flat.get()->getMap()));
    for (int i = 0; i < 3 * static_cast<int>(local_count()); ++i)
      X.get()->replaceLocalValue(i, static_cast<double>(X.get()->getMap()->getGlobalElement(i)));
    a.modified();
    PetscInt first = 0;
    PetscInt last = 0;
    VecGetOwnershipRange(x, &first, &last);
    for (PetscInt i = first; i < last; ++i) EXPECT_EQ(memory_of(x)[i - first], i);
  }
  VecDestroy(&x);
}

/// The same memory with its dimensions in reverse order: a row-major array becomes column-major.
DistArray reversed(const DistArray& a) {
  const Buffer& buffer = a.buffer();
  const auto backwards = [](auto list) { return decltype(list)(list.rbegin(), list.rend()); };
  const Section section(
      a.version(),
      Buffer(buffer.type(), backwards(buffer.local_shape()), backwards(buffer.byte_strides()),
             a.mutable_data(), a.readonly(), buffer.state()),
      backwards(a.dimensions()));
  return section.on(a.comm());
}

/// The columns of a MultiVector become a dense matrix of PETSc, with their leading dimension.
TEST(MultiVectorAsDense, columnsAreColumns) {
  const Teuchos::RCP<const Map> map =
      Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                           static_cast<std::size_t>(local_count()), 0, Tpetra::getDefaultComm()));
  const auto X = Teuchos::rcp(new MultiVector(map, 3));
  for (std::size_t j = 0; j < 3; ++j)
    X->getVectorNonConst(j)->putScalar(1.0 + static_cast<double>(j));
  const DistArray a = export_multivector(X);
  petsc::ImportedDense dense = petsc::import_dense(a);
  Vec weights = nullptr;
  Vec sum = nullptr;
  MatCreateVecs(dense.get(), &weights, &sum);
  VecSet(weights, 1.0);
  DAPTOR_EXPECT_OK(MatMult(dense.get(), weights, sum));
  for (PetscInt i = 0; i < local_count(); ++i) EXPECT_EQ(memory_of(sum)[i], 6.0);
  VecDestroy(&weights);
  VecDestroy(&sum);

  const auto Y = import_multivector<double>(reversed(petsc::export_dense(dense.get())));
  EXPECT_EQ(Y.get()->getNumVectors(), 3U);
  expect_same_memory(memory_of(*Y.get()), memory_of(*X));
  MatScale(dense.get(), 2.0);
  dense.array().modified();
  EXPECT_DOUBLE_EQ(norm_of(*X, 2), 3 * norm_of(*X, 0));
  EXPECT_DOUBLE_EQ(norm_of(*Y.get(), 2), norm_of(*X, 2));
}

/// Destroys all objects that share one array in every order: the remaining ones still work.
TEST(VecAsMultiVector, anyOrderOfDestructionIsSafe) {
  std::array<int, 5> order{0, 1, 2, 3, 4};
  do {
    Vec x = make_vec();
    VecSet(x, 2.0);
    const double expected = norm_of(x);
    auto a = std::make_unique<DistArray>(export_vec(x));
    auto X = std::make_unique<tpetra::ImportedMultiVector<double>>(import_multivector<double>(*a));
    auto y = std::make_unique<petsc::ImportedVec>(import_vec(export_multivector(X->get())));
    auto column = X->get()->getVectorNonConst(0);
    const std::array<std::function<void()>, 5> let_go{[&] { VecDestroy(&x); }, [&] { a.reset(); },
                                                      [&] { X.reset(); }, [&] { y.reset(); },
                                                      [&] { column = Teuchos::null; }};
    for (const int which : order) {
      let_go[static_cast<std::size_t>(which)]();
      if (x != nullptr) {
        EXPECT_DOUBLE_EQ(norm_of(x), expected);
      }
      if (a) {
        EXPECT_DOUBLE_EQ(summed(static_cast<const double*>(a->data()), local_count()), expected);
      }
      if (X) {
        EXPECT_DOUBLE_EQ(norm_of(*X->get()), expected);
      }
      if (y) {
        EXPECT_DOUBLE_EQ(norm_of(y->get()), expected);
      }
      if (!column.is_null()) {
        EXPECT_DOUBLE_EQ(column->norm1(), expected);
      }
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

/// An array that one library refuses is refused on all ranks, whichever side it came from.
TEST(VecAsMultiVector, theArrayOfAnotherTypeIsRefusedOnAllRanks) {
  const DistArray a =
      allocate<float>({block(3 * world_size(), {world_size(), world_rank()})}).on(PETSC_COMM_WORLD);
  EXPECT_THROW(import_vec(a), NotRepresentable);
  EXPECT_THROW(import_multivector<double>(a), NotRepresentable);
}

TEST(Explain, asksTheTargetsOfBothLibraries) {
  const DistArray a = allocate<double>({block(3 * world_size(), {world_size(), world_rank()})})
                          .on(PETSC_COMM_WORLD);
  const Explanation explanation = explain(a);
  for (const char* target : {"petsc.vec", "tpetra.map", "tpetra.multivector"}) {
    const auto found = std::find_if(explanation.begin(), explanation.end(),
                                    [&](const Assessment& one) { return one.target == target; });
    ASSERT_NE(found, explanation.end()) << target;
    EXPECT_TRUE(found->representable) << *found;
  }
}

}  // namespace
}  // namespace daptor::test
