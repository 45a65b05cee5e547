// An overlap Map filled in place: bit by bit what Tpetra's own Import and Export give.

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <Tpetra_Core.hpp>
#include <Tpetra_Export.hpp>
#include <Tpetra_Import.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Vector.hpp>
#include <daptor/daptor.hpp>
#include <daptor/detail/fault.hpp>
#include <daptor/tpetra.hpp>

namespace {

using daptor::Index;
using Map = Tpetra::Map<>;
using MultiVector = Tpetra::MultiVector<double>;
using Global = Map::global_ordinal_type;

class OverlapExchange : public ::testing::Test {
 protected:
  void SetUp() override {
    comm = Tpetra::getDefaultComm();
    rank = comm->getRank();
    ranks = comm->getSize();
  }

  Teuchos::RCP<const Map> map_of(const std::vector<Global>& indices, Global base) const {
    return Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                                Teuchos::arrayViewFromVector(indices), base, comm));
  }

  /// Indices dealt to the ranks: in blocks, or here and there.
  std::vector<Global> owned_indices(Global size, Global base, bool blocks) const {
    std::vector<Global> mine;
    for (Global i = 0; i < size; ++i) {
      const Global owner = blocks ? i * ranks / size : (i * 7 + i / 3) % ranks;
      if (owner == rank) mine.push_back(base + i);
    }
    return mine;
  }

  /// The owned indices and, before and after them, some of others.
  std::vector<Global> overlap_indices(const std::vector<Global>& owned, Global size, Global base,
                                      unsigned seed) const {
    std::mt19937 random(seed + static_cast<unsigned>(rank));
    std::vector<bool> taken(static_cast<std::size_t>(size));
    for (const Global i : owned) taken[static_cast<std::size_t>(i - base)] = true;
    std::vector<Global> before, after;
    for (Global i = 0; i < size; ++i) {
      if (taken[static_cast<std::size_t>(i)] || random() % 3 != 0) continue;
      (random() % 2 == 0 ? before : after).push_back(base + i);
    }
    before.insert(before.end(), owned.begin(), owned.end());
    before.insert(before.end(), after.begin(), after.end());
    return before;
  }

  void check(Global size, Global base, bool blocks, std::size_t columns, unsigned seed) {
    const auto mine = owned_indices(size, base, blocks);
    const auto owned = map_of(mine, base);
    const auto overlap = map_of(overlap_indices(mine, size, base, seed), base);
    MultiVector source(owned, columns);
    source.randomize();
    const Tpetra::Import<> import(owned, overlap);

    const auto x = Teuchos::rcp(new MultiVector(overlap, columns));
    x->randomize();
    // The owned part of x is that of the source.
    MultiVector theirs(*x, Teuchos::Copy);
    theirs.doImport(source, import, Tpetra::REPLACE);
    {
      const auto from = source.getLocalViewHost(Tpetra::Access::ReadOnly);
      const auto to = x->getLocalViewHost(Tpetra::Access::ReadWrite);
      for (std::size_t i = 0; i < mine.size(); ++i)
        for (std::size_t k = 0; k < columns; ++k)
          to(static_cast<std::size_t>(overlap->getLocalElement(mine[i])), k) = from(i, k);
    }
    auto halo = daptor::tpetra::overlap_exchange(x, owned);
    halo.update();
    expect_equal(*x, theirs);

    // Back: every element of x added at its owner.
    MultiVector sums(owned, columns);
    sums.doExport(theirs, Tpetra::Export<>(overlap, owned), Tpetra::ADD);
    halo.accumulate(daptor::Combine::sum);
    const auto expected = sums.getLocalViewHost(Tpetra::Access::ReadOnly);
    const auto found = x->getLocalViewHost(Tpetra::Access::ReadOnly);
    for (std::size_t i = 0; i < mine.size(); ++i)
      for (std::size_t k = 0; k < columns; ++k)
        EXPECT_NEAR(found(static_cast<std::size_t>(overlap->getLocalElement(mine[i])), k),
                    expected(i, k), 1e-14);
  }

  static void expect_equal(const MultiVector& a, const MultiVector& b) {
    const auto one = a.getLocalViewHost(Tpetra::Access::ReadOnly);
    const auto two = b.getLocalViewHost(Tpetra::Access::ReadOnly);
    for (std::size_t i = 0; i < one.extent(0); ++i)
      for (std::size_t k = 0; k < one.extent(1); ++k) EXPECT_EQ(one(i, k), two(i, k));
  }

  Teuchos::RCP<const Teuchos::Comm<int>> comm;
  int rank = 0;
  int ranks = 1;
};

TEST_F(OverlapExchange, AsImportAndExport) {
  for (const Global base : {0, 1})
    for (const bool blocks : {true, false})
      for (const std::size_t columns : {1, 3})
        for (unsigned seed = 0; seed < 4; ++seed)
          check(10 * ranks + 3, base, blocks, columns, seed);
}

/// A padded array, imported on its overlap Map: as a Tpetra::Import from its owned Map.
TEST_F(OverlapExchange, OfAPaddedArray) {
  const daptor::BlockPadding padding({1, 2});
  const auto a = daptor::allocate<double>({daptor::block(5 * ranks, {ranks, rank}, padding)});
  const auto owned = daptor::tpetra::import_map(a, MPI_COMM_WORLD);
  const auto x = daptor::tpetra::import_vector<double>(
      a, MPI_COMM_WORLD, {daptor::Numbering::natural, daptor::tpetra::Part::overlap, 0});
  {
    const auto values = x.get()->getLocalViewHost(Tpetra::Access::ReadWrite);
    const auto& map = *x.get()->getMap();
    for (std::size_t i = 0; i < values.extent(0); ++i) {
      const auto global = map.getGlobalElement(static_cast<int>(i));
      values(i, 0) = owned->isNodeGlobalElement(global) ? 100.0 + static_cast<double>(global) : -1;
    }
  }
  daptor::tpetra::overlap_exchange(x.get(), owned).update();
  const daptor::LocalIndexMap map(a);
  const auto section = daptor::view<const double, 1>(a);
  for (Index i = 0; i < section.extent(0); ++i)
    EXPECT_EQ(section(i), 100.0 + static_cast<double>(map.global_of({i})[0]));
}

int victim = -1;

void fail_on_victim(const char* point) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (std::string(point) == "tpetra.overlap_exchange" && rank == victim)
    throw std::runtime_error("planted");
}

TEST_F(OverlapExchange, AFaultOnOneRankIsThrownOnAll) {
  const auto mine = owned_indices(9, 0, true);
  const auto owned = map_of(mine, 0);
  const auto x = Teuchos::rcp(new MultiVector(map_of(overlap_indices(mine, 9, 0, 1), 0), 1));
  for (victim = 0; victim < ranks; ++victim) {
    daptor::detail::set_fault_hook(fail_on_victim);
    try {
      daptor::tpetra::overlap_exchange(x, owned);
      ADD_FAILURE() << "nothing thrown";
    } catch (const daptor::LibraryFailed& error) {
      EXPECT_EQ(error.rule(), "library.c++");
      EXPECT_EQ(error.rank(), victim);
    }
    daptor::detail::set_fault_hook(nullptr);
  }
  daptor::tpetra::overlap_exchange(x, owned).update();
}

TEST_F(OverlapExchange, Refused) {
  const auto x = Teuchos::rcp(new MultiVector(map_of(owned_indices(9, 1, true), 1), 1));
  const auto from_zero = map_of(owned_indices(9, 0, true), 0);
  try {
    daptor::tpetra::overlap_exchange(x, from_zero);
    ADD_FAILURE() << "nothing thrown";
  } catch (const daptor::InvalidArgument& error) {
    EXPECT_EQ(error.rule(), "halo.owned") << error.what();
  }
}

}  // namespace
