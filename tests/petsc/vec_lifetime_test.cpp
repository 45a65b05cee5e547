// SPDX-License-Identifier: BSD-3-Clause
// Which objects keep which others alive, and in which order they may be destroyed.

#include <algorithm>

#include <sys/resource.h>

#include "layouts.hpp"

namespace {

using namespace daptor_test;
using daptor::petsc::export_vec;
using daptor::petsc::import_vec;
using daptor::petsc::ImportedVec;

std::vector<Dimension> thirty() {
  return {daptor::block(30, line())};
}

TEST(VecLifetime, ImportKeepsTheProducerAlive) {
  auto [array, memory] = tracked(thirty());
  std::optional<DistArray> a = array;
  array = owning(thirty());  // releases the structured binding
  label(*a);
  const double expected = std::sqrt(square_sum(*a));
  ImportedVec vec = import_vec(*a);
  a.reset();
  EXPECT_FALSE(memory.expired());
  EXPECT_NEAR(norm_of(vec.get()), expected, 1e-9 * expected);
  vec.close();
  EXPECT_TRUE(memory.expired());
}

TEST(VecLifetime, EveryOrderOfDestruction) {
  std::vector<int> order{0, 1, 2, 3};
  do {
    auto [array, memory] = tracked(thirty());
    std::optional<DistArray> a = array;
    array = owning(thirty());
    std::optional<ImportedVec> x = import_vec(*a);
    std::optional<ImportedVec> y = import_vec(*a);
    std::optional<DistArray> back = export_vec(x->get());
    for (std::size_t i = 0; i < order.size(); ++i) {
      EXPECT_FALSE(memory.expired());
      if (order[i] == 0) a.reset();
      if (order[i] == 1) x.reset();
      if (order[i] == 2) y.reset();
      if (order[i] == 3) back.reset();
    }
    EXPECT_TRUE(memory.expired());
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(VecLifetime, ReferenceOutlivesTheImport) {
  auto [array, memory] = tracked(thirty());
  Vec kept = nullptr;
  {
    label(array);
    const ImportedVec vec = import_vec(array);
    kept = vec.get();
    PetscObjectReference(reinterpret_cast<PetscObject>(kept));
  }
  const double expected = std::sqrt(square_sum(array));
  EXPECT_NEAR(norm_of(kept), expected, 1e-9 * expected);
  // It is still notified of writes.
  EXPECT_EQ(array.buffer().state()->view_count(), 1u);
  daptor::WriteLease lease(array);
  label(array, 2);
  lease.close();
  EXPECT_NEAR(norm_of(kept), 2 * expected, 1e-9 * expected);
  lease = daptor::WriteLease(owning(thirty()));
  array = owning(thirty());
  EXPECT_FALSE(memory.expired());
  EXPECT_NEAR(norm_of(kept), 2 * expected, 1e-9 * expected);
  VecDestroy(&kept);
  EXPECT_TRUE(memory.expired());
}

TEST(VecLifetime, DuplicatesAreOnTheirOwn) {
  auto [array, memory] = tracked(thirty());
  Vec copy = nullptr;
  {
    const ImportedVec vec = import_vec(array);
    VecDuplicate(vec.get(), &copy);
    EXPECT_NE(memory_of(copy), memory_of(vec.get()));
    VecSet(copy, 2.0);
  }
  EXPECT_EQ(array.buffer().state()->view_count(), 0u);
  array.modified();
  array = owning(thirty());
  EXPECT_TRUE(memory.expired()) << "a duplicate holds the producer of its original";
  EXPECT_NEAR(norm_of(copy), 2 * std::sqrt(30.0), 1e-9);
  VecDestroy(&copy);
}

TEST(VecLifetime, MovesHandOver) {
  auto [array, memory] = tracked(thirty());
  ImportedVec x = import_vec(array);
  const Vec native = x.get();
  ImportedVec y = std::move(x);
  EXPECT_FALSE(static_cast<bool>(x));
  EXPECT_EQ(y.get(), native);
  ImportedVec z = import_vec(array);
  EXPECT_EQ(array.buffer().state()->view_count(), 2u);
  z = std::move(y);
  EXPECT_EQ(array.buffer().state()->view_count(), 1u);
  EXPECT_EQ(references(native), 1);
  EXPECT_THROW(x.array(), daptor::InvalidArgument);
  EXPECT_THROW(x.rebind(array), daptor::InvalidArgument);
  x.close();
  z.close();
  z.close();
  EXPECT_EQ(array.buffer().state()->view_count(), 0u);
}

TEST(VecLifetime, CloseLeavesOtherReferencesAlone) {
  const DistArray a = owning(thirty());
  ImportedVec vec = import_vec(a);
  Vec kept = vec.get();
  PetscObjectReference(reinterpret_cast<PetscObject>(kept));
  vec.close();
  EXPECT_EQ(references(kept), 1);
  EXPECT_EQ(memory_of(kept), a.owned_count() > 0 ? a.owned_data() : memory_of(kept));
  VecDestroy(&kept);
}

TEST(VecLifetime, SolversWorkVectorsDoNotHoldTheMemory) {
  auto [array, memory] = tracked(thirty());
  Vec* work = nullptr;
  {
    const ImportedVec vec = import_vec(array);
    VecDuplicateVecs(vec.get(), 3, &work);
  }
  array = owning(thirty());
  EXPECT_TRUE(memory.expired());
  VecDestroyVecs(3, &work);
}

TEST(VecLifetime, UsersCommunicatorMayGo) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(world, &comm);
  const DistArray a = owning(thirty());
  label(a);
  ImportedVec vec = import_vec(a.on(comm));
  MPI_Comm_free(&comm);
  EXPECT_NEAR(norm_of(vec.get()), std::sqrt(square_sum(a)), 1e-9 * square_sum(a));
  vec.close();
}

TEST(VecRebind, RefusesBeforeAnythingChanges) {
  const DistArray a = owning(thirty());
  ImportedVec vec = import_vec(a);
  const auto expect_unchanged = [&] {
    expect_on_memory_of(vec.get(), a);
    EXPECT_TRUE(vec.array() == a);
    EXPECT_EQ(a.buffer().state()->view_count(), 1u);
  };
  const DistArray longer = owning({daptor::block(30 + size_of(), line())});
  EXPECT_THROW(vec.rebind(longer), daptor::InvalidArgument);
  expect_unchanged();
  EXPECT_THROW(vec.rebind(owning(thirty()).as_readonly()), daptor::InvalidArgument);
  expect_unchanged();
  if (a.owned_count() > 0) {
    EXPECT_THROW(vec.rebind(a.with_memory(nullptr)), daptor::InvalidArgument);
    std::vector<char> bytes(sizeof(PetscScalar) * 32);
    EXPECT_THROW(vec.rebind(a.with_memory(bytes.data() + 1)), daptor::InvalidArgument);
  }
  expect_unchanged();
}

TEST(VecRebind, IsStaleUnderSomebodyElsesArray) {
  const DistArray a = owning(thirty());
  const DistArray b = owning(thirty());
  ImportedVec vec = import_vec(a);
  std::vector<PetscScalar> other(64);
  VecPlaceArray(vec.get(), other.data());
  if (a.owned_count() > 0) {
    EXPECT_THROW(vec.rebind(b), daptor::Stale);
    EXPECT_EQ(memory_of(vec.get()), other.data());
  }
  VecResetArray(vec.get());
  vec.rebind(b);
  expect_on_memory_of(vec.get(), b);
}

// A Vec that is exported and imported again: all objects share one memory and are notified of each
// other's writes.
TEST(VecCoherence, ReachesEveryViewOfTheMemory) {
  Vec x = nullptr;
  VecCreateMPI(world, PETSC_DECIDE, 30, &x);
  VecSet(x, 1.0);
  const DistArray first = export_vec(x);
  const DistArray second = export_vec(x);
  EXPECT_EQ(first.buffer().state(), second.buffer().state());
  const ImportedVec y = import_vec(first);
  const DistArray third = export_vec(y.get());
  const ImportedVec z = import_vec(third);
  for (const Vec vec : {x, y.get(), z.get()}) EXPECT_NEAR(norm_of(vec), std::sqrt(30.0), 1e-12);
  {
    daptor::WriteLease lease(second);
    auto view = lease.view<PetscScalar, 1>();
    if (rank_of() == 0)
      for (Index i = 0; i < view.extent(0); ++i) view(i) = 3.0;
    lease.close();
  }
  for (const Vec vec : {x, y.get(), z.get()}) {
    expect_states_equal(vec);
    EXPECT_NEAR(norm_of(vec), std::sqrt(square_sum(third)), 1e-12);
  }
  VecDestroy(&x);
}

long resident_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(VecLeaks, ManyRoundsLeaveNothing) {
  const DistArray a = owning({daptor::block(64, line())});
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(world, &comm);
#ifndef DAPTOR_ADDRESS_SANITIZED
  const int rounds = size_of() <= 2 ? 10000 : 500;
#else
  const int rounds = 500;
#endif
  long before = 0;
  for (int i = 0; i < rounds; ++i) {
    ImportedVec vec = import_vec(a.on(comm));
    const DistArray back = export_vec(vec.get());
    if (i % 2 == 0) vec.close();
    if (i == rounds / 10) before = resident_kilobytes();
  }
#ifndef DAPTOR_ADDRESS_SANITIZED
  // The sanitizer keeps freed memory for a while, and looks for leaks itself.
  EXPECT_LT(resident_kilobytes() - before, 1024);
#else
  EXPECT_GT(before, 0);
#endif
  EXPECT_EQ(a.buffer().state()->view_count(), 0u);
  MPI_Comm_free(&comm);
}

// Open MPI numbers its communicators, and reuses the numbers of freed ones.
TEST(VecLeaks, CommunicatorsAreGivenBack) {
  const DistArray a = owning({daptor::block(64, line())});
  const auto round = [&] {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(world, &comm);
    ImportedVec vec = import_vec(a.on(comm));
    vec.close();
    const auto number = MPI_Comm_c2f(comm);
    MPI_Comm_free(&comm);
    return number;
  };
  round();
  const auto first = round();
  auto last = first;
  for (int i = 0; i < 40; ++i) last = round();
  EXPECT_LT(last, first + 40);
}

}  // namespace
