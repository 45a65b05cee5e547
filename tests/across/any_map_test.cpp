// SPDX-License-Identifier: BSD-3-Clause
// Vectors on Maps that are not contiguous become PETSc objects on the same memory, if no index is
// on two processes, whether the array states that or it has to be proven.

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include "support.hpp"

namespace daptor::test {
namespace {

using Global = Map::global_ordinal_type;

enum class Deal { cyclic, permuted, backwards, with_empty_ranks };

/// The indices of this rank; each index is on one rank.
std::vector<Global> indices_of(Deal deal, Global size) {
  const int p = world_size();
  const int r = world_rank();
  std::vector<Global> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), Global{0});
  if (deal == Deal::permuted) std::shuffle(all.begin(), all.end(), std::mt19937(7));
  if (deal == Deal::backwards) std::reverse(all.begin(), all.end());
  std::vector<Global> mine;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto ranks = static_cast<std::size_t>(p);
    std::size_t owner = i * ranks / all.size();
    if (deal == Deal::cyclic) owner = i;
    if (deal == Deal::with_empty_ranks) owner = (ranks + 1) / 2 * (i % 2);
    if (static_cast<int>(owner % ranks) == r) mine.push_back(all[i]);
  }
  return mine;
}

Teuchos::RCP<const Map> map_of(const std::vector<Global>& mine, Global base) {
  std::vector<Global> shifted = mine;
  for (Global& index : shifted) index += base;
  return Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                              Teuchos::arrayViewFromVector(shifted), base,
                              Tpetra::getDefaultComm()));
}

constexpr Deal deals[] = {Deal::cyclic, Deal::permuted, Deal::backwards, Deal::with_empty_ranks};

TEST(AnyMap, AVectorIsAVec) {
  for (const Deal deal : deals)
    for (const Global base : {0, 1}) {
      const auto map = map_of(indices_of(deal, 30), base);
      const auto x = Teuchos::rcp(new Tpetra::Vector<double>(map));
      x->putScalar(2.0);
      const auto vec = petsc::import_vec(tpetra::export_multivector(x));
      if (x->getLocalLength() > 0) {
        EXPECT_EQ(memory_of(vec.get()), memory_of(*x));
      }
      PetscInt size = 0;
      DAPTOR_EXPECT_OK(VecGetSize(vec.get(), &size));
      EXPECT_EQ(size, 30);
      PetscScalar sum = 0;
      DAPTOR_EXPECT_OK(VecSum(vec.get(), &sum));
      EXPECT_EQ(sum, 60.0);
    }
}

TEST(AnyMap, AMultiVectorIsADenseMat) {
  for (const Deal deal : deals) {
    const auto map = map_of(indices_of(deal, 30), 0);
    const auto x = Teuchos::rcp(new MultiVector(map, 3));
    const auto mat = petsc::import_dense(tpetra::export_multivector(x));
    PetscInt rows = 0;
    PetscInt columns = 0;
    DAPTOR_EXPECT_OK(MatGetSize(mat.get(), &rows, &columns));
    EXPECT_EQ(rows, 30);
    EXPECT_EQ(columns, 3);
    const PetscScalar* memory = nullptr;
    DAPTOR_EXPECT_OK(MatDenseGetArrayRead(mat.get(), &memory));
    if (x->getLocalLength() > 0) {
      EXPECT_EQ(memory, memory_of(*x));
    }
    DAPTOR_EXPECT_OK(MatDenseRestoreArrayRead(mat.get(), &memory));
  }
}

/// The same for an array that does not state it.
TEST(AnyMap, ListsThatDoNotSaySoAreAsked) {
  for (const Deal deal : deals) {
    const auto mine = indices_of(deal, 30);
    const DistArray a = allocate<PetscScalar>(
                            {unstructured(30, {world_size(), world_rank()},
                                          IndexList(std::vector<Index>(mine.begin(), mine.end())))})
                            .on(PETSC_COMM_WORLD);
    const auto vec = petsc::import_vec(a);
    if (!mine.empty()) {
      EXPECT_EQ(memory_of(vec.get()), a.data());
    }
    for (const Assessment& verdict : explain(a)) {
      if (verdict.target == "petsc.vec") {
        EXPECT_TRUE(verdict.representable);
      }
    }
    // The proof can also be called by itself.
    const OneToOne proof = prove_one_to_one(a);
    EXPECT_FALSE(proof.against);
    EXPECT_TRUE(proof.array.dimension(0).as<Unstructured>()->one_to_one);
    EXPECT_EQ(proof.array.data(), a.data());
    EXPECT_EQ(proof.array.buffer().state(), a.buffer().state());
  }
}

template <class F>
void expect_refused_everywhere(const std::string& rule, const std::string& found, F&& call) {
  std::string text = "nothing thrown";
  try {
    call();
  } catch (const NotRepresentable& error) {
    text = error.what();
    EXPECT_EQ(error.rule(), rule) << text;
    EXPECT_NE(error.finding().found.str().find(found), std::string::npos) << text;
  }
  std::vector<char> first(4096, '\0');
  text.copy(first.data(), first.size() - 1);
  MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  EXPECT_EQ(text, first.data());
  EXPECT_NE(text, "nothing thrown");
}

/// One more rank has index 7; each rank does in turn.
TEST(AnyMap, AnIndexOnTwoProcessesIsRefused) {
  if (world_size() == 1) return;
  for (int victim = 0; victim < world_size(); ++victim) {
    auto mine = indices_of(Deal::permuted, 30);
    if (victim == world_rank() && std::find(mine.begin(), mine.end(), 7) == mine.end())
      mine.push_back(7);
    Index count = static_cast<Index>(mine.size());
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (count == 30) continue;  // this rank already had it
    const auto map = map_of(mine, 0);
    const auto x = Teuchos::rcp(new Tpetra::Vector<double>(map));
    const auto columns = Teuchos::rcp(new MultiVector(map, 2));
    expect_refused_everywhere("petsc.vec.overlap", "index 7 on several processes",
                              [&] { petsc::import_vec(tpetra::export_multivector(x)); });
    expect_refused_everywhere("petsc.dense.overlap", "index 7 on several processes",
                              [&] { petsc::import_dense(tpetra::export_multivector(columns)); });
    petsc::VecOptions any;
    any.allow_overlap = true;
    petsc::import_vec(tpetra::export_multivector(x), any);
    for (const Assessment& verdict : explain(tpetra::export_multivector(x))) {
      if (verdict.target == "petsc.vec") {
        EXPECT_FALSE(verdict.representable);
      }
    }
  }
}

}  // namespace
}  // namespace daptor::test
