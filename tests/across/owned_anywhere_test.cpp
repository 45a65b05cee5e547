// SPDX-License-Identifier: BSD-3-Clause
// Lists with ghosts before and between what a process owns, as native objects.

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "everywhere.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

constexpr Index components = 2;

/// A periodic line of cells, of which each process has four and a ghost at each end.
class OwnedAnywhere : public ::testing::Test {
 protected:
  const int ranks = world_size(), rank = world_rank();
  const Index cells = Index{4} * ranks;

  std::vector<Index> box() const {
    std::vector<Index> indices;
    for (Index i = 0; i < 6; ++i) indices.push_back((4 * rank + i + cells - 1) % cells);
    return indices;
  }
  DistArray array(const std::vector<Index>& indices, const OwnedPart& owned) {
    const auto extent = static_cast<Index>(indices.size());
    memory.assign(static_cast<std::size_t>(extent * components), -1);
    for (Index number = 0; number < owned.count(); ++number)
      for (Index k = 0; k < components; ++k)
        memory[static_cast<std::size_t>(owned.position(number) * components + k)] =
            value(indices[static_cast<std::size_t>(owned.position(number))], k);
    return describe(memory, {unstructured(cells, {ranks, rank}, IndexList(indices), owned),
                             undistributed(components)})
        .on(MPI_COMM_WORLD);
  }
  /// The owned cells are between the ghosts.
  DistArray behind_a_ghost() { return array(box(), OwnedPart::at({1, 2, 3, 4})); }
  /// The ghosts are between the owned cells.
  DistArray around_ghosts() {
    auto indices = box();
    std::rotate(indices.begin(), indices.begin() + 1, indices.begin() + 3);
    std::rotate(indices.begin() + 3, indices.end() - 1, indices.end());
    return array(indices, OwnedPart::where({true, true, false, false, true, true}));
  }
  static double value(Index cell, Index k) { return static_cast<double>(10 * cell + k + 1); }
  double norm() const {
    double sum = 0;
    for (Index cell = 0; cell < cells; ++cell)
      for (Index k = 0; k < components; ++k) sum += value(cell, k);
    return sum;
  }
  void expect_filled(const DistArray& a) const {
    const auto& list = a.dimension(0).as<Unstructured>()->indices;
    for (Index i = 0; i < list.size(); ++i)
      for (Index k = 0; k < components; ++k)
        EXPECT_EQ(memory[static_cast<std::size_t>(i * components + k)], value(list[i], k));
  }

  std::vector<double> memory;
};

TEST_F(OwnedAnywhere, BehindAGhostIsARunOfMemory) {
  const DistArray a = behind_a_ghost();
  const double* const first = memory.data() + components;
  const auto x = petsc::import_vec(a);
  EXPECT_EQ(memory_of(x.get()), first);
  PetscInt block = 0;
  VecGetBlockSize(x.get(), &block);
  EXPECT_EQ(block, components);
  EXPECT_EQ(norm_of(x.get()), norm());
  const auto y = tpetra::import_vector<double>(a);
  EXPECT_EQ(memory_of(*y.get()), first);
  EXPECT_EQ(y.get()->norm1(), norm());
  HaloExchange(a).update();
  expect_filled(a);
}

TEST_F(OwnedAnywhere, AroundGhostsIsAllOrACopy) {
  const DistArray a = around_ghosts();
  ASSERT_TRUE(a.owned_apart());
  test::expect_refused_everywhere<NotRepresentable>("petsc.vec.one-run",
                                                    [&] { petsc::import_vec(a); });
  test::expect_refused_everywhere<NotRepresentable>("tpetra.one-run",
                                                    [&] { tpetra::import_vector<double>(a); });
  petsc::VecOptions ghosted;
  ghosted.ghosts = true;
  test::expect_refused_everywhere<NotRepresentable>("petsc.vec.one-run",
                                                    [&] { petsc::import_vec(a, ghosted); });
  const auto local = petsc::import_padded_vec(a);
  EXPECT_EQ(memory_of(local.get()), memory.data());
  const auto copy = petsc::copy_to_vec(a);
  EXPECT_EQ(norm_of(copy.get()), norm());
  const double* const values = memory_of(copy.get());
  PetscInt from = 0, to = 0;
  VecGetOwnershipRange(copy.get(), &from, &to);
  for (PetscInt i = from; i < to; ++i)
    EXPECT_EQ(values[i - from], value(i / components, i % components));

  tpetra::MapOptions overlap;
  overlap.part = tpetra::Part::overlap;
  if (ranks > 1) {  // one process has the ghosts' own cells too, and a Map has an index once
    const auto all = tpetra::import_multivector<double>(a, overlap);
    EXPECT_EQ(memory_of(*all.get()), memory.data());
    HaloExchange exchange = tpetra::overlap_exchange(all.get(), tpetra::import_map(a));
    exchange.update();
    expect_filled(a);
  } else {
    test::expect_refused_everywhere<Malformed>(
        "U04", [&] { tpetra::import_multivector<double>(a, overlap); });
  }
}

/// What is said before an import is what the import does.
TEST_F(OwnedAnywhere, Explained) {
  const auto representable = [](const Explanation& explanation, const std::string& target) {
    const auto found = std::find_if(explanation.begin(), explanation.end(),
                                    [&](const auto& each) { return each.target == target; });
    return found != explanation.end() && found->representable;
  };
  petsc::register_targets();
  tpetra::register_targets();
  const Explanation apart = explain(around_ghosts());
  for (const char* target : {"petsc.vec", "petsc.dmda", "tpetra.vector"})
    EXPECT_FALSE(representable(apart, target)) << target;
  for (const char* target : {"petsc.local-vec", "tpetra.map"})
    EXPECT_TRUE(representable(apart, target)) << target;
  const Explanation run = explain(behind_a_ghost());
  for (const char* target : {"petsc.vec", "petsc.local-vec", "tpetra.vector"})
    EXPECT_TRUE(representable(run, target)) << target;
}

}  // namespace
}  // namespace daptor::test
