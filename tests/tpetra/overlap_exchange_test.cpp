// SPDX-License-Identifier: BSD-3-Clause
// An overlap Map filled in place: bit for bit the values that Tpetra's own Import and Export give.

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <Tpetra_Core.hpp>
#include <Tpetra_Export.hpp>
#include <Tpetra_Import.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Vector.hpp>
#include <daptor/daptor.hpp>
#include <daptor/tpetra.hpp>

#include "everywhere.hpp"

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

  /// Indices dealt to the ranks, in blocks or scattered.
  std::vector<Global> owned_indices(Global size, Global base, bool blocks) const {
    std::vector<Global> mine;
    for (Global i = 0; i < size; ++i) {
      const Global owner = blocks ? i * ranks / size : (i * 7 + i / 3) % ranks;
      if (owner == rank) mine.push_back(base + i);
    }
    return mine;
  }

  /// The owned indices with some indices of others before and after them.
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
    // The owned part of x has the values of the source.
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

    // And back: every element of x is added at its owner.
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

/// A padded array, imported on its overlap Map: the same as a Tpetra::Import from its owned Map.
TEST_F(OverlapExchange, OfAPaddedArray) {
  const daptor::BlockPadding padding({1, 2});
  const auto a = daptor::allocate<double>({daptor::block(5 * ranks, {ranks, rank}, padding)})
                     .on(MPI_COMM_WORLD);
  const auto owned = daptor::tpetra::import_map(a);
  const auto x = daptor::tpetra::import_vector<double>(
      a, {daptor::Numbering::natural, daptor::tpetra::Part::overlap, 0});
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

/// Indices of a list may lie past the size of its dimension (U05).
TEST_F(OverlapExchange, OfAListWithIndicesPastItsSize) {
  for (const bool one_to_one : {false, true}) {
    const daptor::IndexList list(std::vector<Index>{2 * rank + 100, 2 * rank + 101});
    const daptor::Dimension padded(3, daptor::Block{{1, 0}, {0, 3}, {0, 1}, {}, true});
    const auto a = daptor::allocate<double>(
                       {daptor::unstructured(2 * ranks, {ranks, rank}, list, one_to_one), padded})
                       .on(MPI_COMM_WORLD);
    const auto owned = daptor::tpetra::import_map(a);
    const auto x = daptor::tpetra::import_vector<double>(
        a, {daptor::Numbering::natural, daptor::tpetra::Part::overlap, 0});
    x.get()->putScalar(3);
    EXPECT_NO_THROW(daptor::tpetra::overlap_exchange(x.get(), owned).update());
    EXPECT_EQ(static_cast<const double*>(a.data())[0], 3);
  }
}

/// Rows divided among the processes, whole columns on each. Both dimensions are periodic and
/// padded, also wider than the part that a process owns, so that a process has an index several
/// times.
std::vector<daptor::Dimension> torus(int ranks, int rank, daptor::Padding rows,
                                     daptor::Padding columns) {
  return {daptor::block(2 * ranks, {ranks, rank}, daptor::BlockPadding(rows, {}, true)),
          daptor::block(3, {1, 0}, daptor::BlockPadding(columns, {}, true))};
}

bool is_owned(const daptor::LocalIndexMap& section, Index i, Index j) {
  return section.dimension(0).is_owned(i) && section.dimension(1).is_owned(j);
}

const std::vector<daptor::Padding> torus_widths{{0, 0}, {1, 1}, {0, 2}, {3, 1}, {2, 2}, {5, 7}};

constexpr daptor::tpetra::MapOptions overlap_of(
    Index base, daptor::Numbering numbering = daptor::Numbering::natural) {
  return {numbering, daptor::tpetra::Part::overlap, base};
}

/// Index bases with numberings.
const std::vector<std::pair<Index, daptor::Numbering>> map_kinds{
    {0, daptor::Numbering::natural},
    {1, daptor::Numbering::natural},
    {0, daptor::Numbering::contiguous},
    {1, daptor::Numbering::contiguous}};

TEST_F(OverlapExchange, OfPeriodicDimensionsWithBothEndsOnAProcess) {
  for (const auto& rows : torus_widths)
    for (const auto& columns : torus_widths)
      for (const auto& [base, numbering] : map_kinds) {
        const auto a =
            daptor::allocate<double>(torus(ranks, rank, rows, columns)).on(MPI_COMM_WORLD);
        const daptor::LocalIndexMap section(a);
        const auto owned = daptor::tpetra::import_map(a, {numbering, {}, base});
        const auto x = daptor::tpetra::import_vector<double>(a, overlap_of(base, numbering)).get();
        const auto values = daptor::view<double, 2>(a);
        const auto fill = [&](double copies) {
          for (Index i = 0; i < values.extent(0); ++i)
            for (Index j = 0; j < values.extent(1); ++j) {
              const auto global = section.global_of({i, j});
              values(i, j) = is_owned(section, i, j)
                                 ? 100.0 + static_cast<double>(3 * global[0] + global[1])
                                 : copies;
            }
        };
        fill(-1);
        auto halo = daptor::tpetra::overlap_exchange(x, owned);
        halo.update();
        for (Index i = 0; i < values.extent(0); ++i)
          for (Index j = 0; j < values.extent(1); ++j) {
            const auto global = section.global_of({i, j});
            EXPECT_EQ(values(i, j), 100.0 + static_cast<double>(3 * global[0] + global[1]));
          }

        // The same as Tpetra's own Import from a vector on the owned Map.
        MultiVector source(owned, 1);
        const auto numbers = section.owned_natural();
        {
          const auto to = source.getLocalViewHost(Tpetra::Access::OverwriteAll);
          for (std::size_t i = 0; i < numbers.size(); ++i)
            to(i, 0) = 100.0 + static_cast<double>(numbers[i]);
        }
        const Tpetra::Import<> import(owned, x->getMap());
        MultiVector theirs(x->getMap(), 1);
        theirs.doImport(source, import, Tpetra::REPLACE);
        expect_equal(*x, theirs);

        // And back: every copy is added. (Tpetra's Export finds only one of several equal indices.)
        fill(0.5);
        std::vector<double> copies(static_cast<std::size_t>(6 * ranks));
        for (const Index natural : section.local_natural())
          copies[static_cast<std::size_t>(natural)] += 0.5;
        MPI_Allreduce(MPI_IN_PLACE, copies.data(), static_cast<int>(copies.size()), MPI_DOUBLE,
                      MPI_SUM, MPI_COMM_WORLD);
        halo.accumulate(daptor::Combine::sum);
        std::size_t next = 0;
        for (Index i = 0; i < values.extent(0); ++i)
          for (Index j = 0; j < values.extent(1); ++j) {
            if (!is_owned(section, i, j)) continue;
            const Index natural = numbers[next++];
            EXPECT_EQ(values(i, j), 100.0 + static_cast<double>(natural) +
                                        copies[static_cast<std::size_t>(natural)] - 0.5);
          }
      }
}

/// Tpetra knows no boundary padding: its elements are owned, and contributions are added to them.
TEST_F(OverlapExchange, OfBoundaryPadding) {
  const auto a = daptor::allocate<double>(
                     {daptor::block(4 * ranks, {ranks, rank}, daptor::BlockPadding({1, 1}, {1, 1})),
                      daptor::block(4, {1, 0}, daptor::BlockPadding({0, 0}, {1, 1}))})
                     .on(MPI_COMM_WORLD);
  for (const auto numbering : {daptor::Numbering::natural, daptor::Numbering::contiguous}) {
    const auto owned = daptor::tpetra::import_map(a, {numbering});
    const auto x = daptor::tpetra::import_vector<double>(a, overlap_of(0, numbering)).get();
    x->putScalar(1.0 + rank);
    MultiVector sums(owned, 1);
    sums.doExport(*x, Tpetra::Export<>(x->getMap(), owned), Tpetra::ADD);
    MultiVector filled(x->getMap(), 1);
    filled.doImport(sums, Tpetra::Import<>(owned, x->getMap()), Tpetra::REPLACE);
    auto halo = daptor::tpetra::overlap_exchange(x, owned);
    halo.accumulate(daptor::Combine::sum);
    halo.update();
    expect_equal(*x, filled);
    // The array that comes back has its boundary padding.
    EXPECT_EQ(daptor::tpetra::export_multivector(x).dimensions(), a.dimensions());
  }
}

/// Indices dealt to the ranks in turn, followed by some of the next two ranks' as ghosts.
daptor::Dimension owned_and_ghosts(int ranks, int rank) {
  std::vector<Index> own;
  std::vector<Index> ghosts;
  for (Index i = 0; i < 5 * ranks; ++i) {
    const Index owner = (7 * i + i / ranks) % ranks;
    if (owner == rank)
      own.push_back(i);
    else if ((owner + ranks - rank) % ranks <= 2 && i % 3 != 1)
      ghosts.push_back(i);
  }
  return daptor::owned_then_ghosts(5 * ranks, {ranks, rank}, own, ghosts);
}

/// Finite elements: the owned part, the overlap and the exchange between them follow from one
/// description, on its own memory.
TEST_F(OverlapExchange, OfOwnedElementsThenGhosts) {
  const daptor::Dimension nodes = owned_and_ghosts(ranks, rank);
  const auto& list = *nodes.as<daptor::Unstructured>();
  const Index count = list.owned->count();
  for (const auto& [base, numbering] : map_kinds)
    for (const int kind : {0, 1, 2}) {
      // Nodes; two columns of nodes; nodes with three components.
      std::vector<daptor::Dimension> dimensions{nodes};
      if (kind == 1) dimensions.insert(dimensions.begin(), daptor::undistributed(2));
      if (kind == 2) dimensions.push_back(daptor::undistributed(3));
      const Index components = kind == 2 ? 3 : 1;
      const auto a = daptor::allocate<double>(dimensions).on(MPI_COMM_WORLD);
      const auto owned = daptor::tpetra::import_map(
          daptor::allocate<double>(kind == 1 ? std::vector<daptor::Dimension>{nodes} : dimensions)
              .on(MPI_COMM_WORLD),
          {numbering, {}, base});
      ASSERT_EQ(static_cast<Index>(owned->getMyGlobalIndices().extent(0)), count * components);
      EXPECT_EQ(static_cast<Index>(owned->getGlobalNumElements()), 5 * ranks * components);
      EXPECT_TRUE(owned->isOneToOne());
      // The owned part alone; the ghosts lie behind it.
      const auto part = daptor::tpetra::import_multivector<double>(a, {numbering, {}, base});
      EXPECT_EQ(static_cast<Index>(part.get()->getLocalLength()), count * components);
      EXPECT_EQ(part.get()->getNumVectors(), kind == 1 ? 2U : 1U);
      const auto X =
          daptor::tpetra::import_multivector<double>(a, overlap_of(base, numbering)).get();
      EXPECT_EQ(static_cast<Index>(X->getLocalLength()), list.indices.size() * components);
      if (a.local_count() > 0) {
        EXPECT_EQ(X->getLocalViewHost(Tpetra::Access::ReadOnly).data(), a.data());
      }
      if (count > 0) {
        EXPECT_EQ(part.get()->getLocalViewHost(Tpetra::Access::ReadOnly).data(), a.data());
      }

      const auto natural_of = [&](std::size_t row) {
        const auto at = static_cast<Index>(row);
        return list.indices[at / components] * components + at % components;
      };
      const auto value = [&](std::size_t row, std::size_t column) {
        return static_cast<double>(1000 * static_cast<Index>(column) + natural_of(row));
      };
      const auto rows = static_cast<std::size_t>(X->getLocalLength());
      for (std::size_t i = 0; i < rows && numbering == daptor::Numbering::natural; ++i)
        EXPECT_EQ(X->getMap()->getGlobalElement(static_cast<int>(i)) - base, natural_of(i));
      {
        const auto x = X->getLocalViewHost(Tpetra::Access::OverwriteAll);
        for (std::size_t i = 0; i < rows; ++i)
          for (std::size_t k = 0; k < x.extent(1); ++k)
            x(i, k) = static_cast<Index>(i) < count * components ? value(i, k) : -1;
      }
      MultiVector theirs(*X, Teuchos::Copy);
      MultiVector source(*part.get(), Teuchos::Copy);
      const Tpetra::Import<> import(source.getMap(), X->getMap());
      theirs.doImport(source, import, Tpetra::REPLACE);
      daptor::tpetra::overlap_exchange(X, owned).update();
      expect_equal(*X, theirs);
      const auto x = X->getLocalViewHost(Tpetra::Access::ReadOnly);
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = 0; k < x.extent(1); ++k) EXPECT_EQ(x(i, k), value(i, k));

      // The export has all of this without being told.
      const auto back = daptor::tpetra::export_multivector(X);
      EXPECT_EQ(back.dimensions(), a.dimensions());
      EXPECT_EQ(back.local_shape(), a.local_shape());
      EXPECT_EQ(back.data(), a.data());
      X->getVectorNonConst(0)->putScalar(0.25);
      daptor::HaloExchange halo(back);
      halo.accumulate(daptor::Combine::sum);
      halo.update();
      if (kind != 1) {
        EXPECT_EQ(daptor::tpetra::export_map(X->getMap()).owned_count(),
                  kind == 0 ? count : static_cast<Index>(rows));
      }
    }
}

TEST_F(OverlapExchange, AGhostTwiceInAListIsRefused) {
  for (int repeating = 0; repeating < ranks; ++repeating) {
    std::vector<Index> own{2 * rank, 2 * rank + 1};
    std::vector<Index> ghosts;
    if (rank == repeating) ghosts = {2 * rank};
    const auto a =
        daptor::allocate<double>({daptor::owned_then_ghosts(2 * ranks, {ranks, rank}, own, ghosts)})
            .on(MPI_COMM_WORLD);
    for (const auto numbering : {daptor::Numbering::natural, daptor::Numbering::contiguous})
      daptor::test::expect_refused<daptor::Malformed>(
          "U04", [&] { daptor::tpetra::import_map(a, overlap_of(0, numbering)); });
  }
}

/// Without a statement which of two equal indices is the owned one.
TEST_F(OverlapExchange, RefusesRepeatedIndicesOfOtherOwners) {
  const auto a = daptor::allocate<double>(torus(ranks, rank, {1, 1}, {1, 1})).on(MPI_COMM_WORLD);
  const auto x = daptor::tpetra::import_vector<double>(a, overlap_of(0)).get();
  std::vector<Global> backwards;
  for (Global i = 0; i < 6; ++i) backwards.push_back(6 * (ranks - 1 - rank) + i);
  if (ranks == 1) backwards.pop_back();
  daptor::test::expect_refused<daptor::NotRepresentable>(
      "tpetra.repeated-index", [&] { daptor::tpetra::overlap_exchange(x, map_of(backwards, 0)); });
}

/// Owners that the caller names, compared with those of the array: they differ on all ranks, or on
/// two of them.
TEST_F(OverlapExchange, OfAPaddedArrayWithOtherOwners) {
  const auto a = daptor::allocate<double>(
                     {daptor::block(5 * ranks, {ranks, rank},
                                    daptor::BlockPadding({ranks > 1 ? 1 : 0, ranks > 1 ? 1 : 0}))})
                     .on(MPI_COMM_WORLD);
  const auto x = daptor::tpetra::import_vector<double>(a, overlap_of(0)).get();
  constexpr int every = 0;
  for (int moved = every; moved < ranks; ++moved) {
    const auto first_of = [&](int owner) {
      const bool moves = 0 < owner && owner < ranks && (moved == every || moved == owner);
      return Global{5} * owner - (moves ? 1 : 0);
    };
    const Global first = first_of(rank);
    const Global stop = first_of(rank + 1);
    std::vector<Global> shifted;
    for (Global i = first; i < stop; ++i) shifted.push_back(i);
    {
      const auto values = x->getLocalViewHost(Tpetra::Access::OverwriteAll);
      for (std::size_t i = 0; i < values.extent(0); ++i) {
        const auto global = x->getMap()->getGlobalElement(static_cast<int>(i));
        values(i, 0) = first <= global && global < stop ? static_cast<double>(global) : -1;
      }
    }
    daptor::tpetra::overlap_exchange(x, map_of(shifted, 0)).update();
    const auto values = x->getLocalViewHost(Tpetra::Access::ReadOnly);
    for (std::size_t i = 0; i < values.extent(0); ++i)
      EXPECT_EQ(values(i, 0),
                static_cast<double>(x->getMap()->getGlobalElement(static_cast<int>(i))))
          << "the first index of rank " << moved << " moved";
  }
}

TEST_F(OverlapExchange, AFaultOnOneRankIsThrownOnAll) {
  const auto mine = owned_indices(9, 0, true);
  const auto owned = map_of(mine, 0);
  const auto x = Teuchos::rcp(new MultiVector(map_of(overlap_indices(mine, 9, 0, 1), 0), 1));
  daptor::test::Faults().expect_agreed(
      [&] { daptor::tpetra::overlap_exchange(x, owned).update(); });
}

TEST_F(OverlapExchange, Refused) {
  const auto x = Teuchos::rcp(new MultiVector(map_of(owned_indices(9, 1, true), 1), 1));
  const auto from_zero = map_of(owned_indices(9, 0, true), 0);
  daptor::test::expect_refused<daptor::InvalidArgument>(
      "halo.owned", [&] { daptor::tpetra::overlap_exchange(x, from_zero); });
}

/// Without ghosts on any rank, the overlap Map in contiguous numbers is the owned Map, and its
/// indices are not taken for natural ones.
TEST_F(OverlapExchange, ContiguousNumbersWithoutGhosts) {
  const Index p = ranks, r = rank;
  const std::vector<Index> backwards{2 * (p - 1 - r), 2 * (p - 1 - r) + 1};
  const auto list = daptor::owned_then_ghosts(2 * p, {p, r}, backwards, std::vector<Index>());
  const daptor::DistArray a =
      daptor::describe(daptor::DataType::of<double>(), nullptr, {list}).on(MPI_COMM_WORLD);
  const auto owned = daptor::tpetra::import_map(a, overlap_of(0, daptor::Numbering::contiguous));
  const Global next = 2 * ((r + 1) % p);
  std::vector<Global> indices{2 * static_cast<Global>(r), 2 * static_cast<Global>(r) + 1};
  if (p > 1) indices.push_back(next);
  const auto x = Teuchos::rcp(new Tpetra::Vector<double>(map_of(indices, 0)));
  x->putScalar(-1.0);
  x->replaceLocalValue(0, static_cast<double>(indices[0]));
  x->replaceLocalValue(1, static_cast<double>(indices[1]));
  daptor::tpetra::overlap_exchange(x, owned).update();
  const auto values = x->getLocalViewHost(Tpetra::Access::ReadOnly);
  for (std::size_t i = 0; i < indices.size(); ++i)
    EXPECT_EQ(values(i, 0), static_cast<double>(indices[i]));
}

/// In 0.10 padding may be stated on some ranks only.
TEST_F(OverlapExchange, PaddingThatSomeRanksState) {
  if (ranks < 3) return;
  const Index p = ranks, r = rank;
  daptor::Block block{{p, r}, {2 * r, 2 * r + 2}, {}, {}, r < 2};
  if (r == 0) block.communication.upper = 1;
  if (r == 1) block.communication.lower = 1;
  const Index extent = r < 2 ? 3 : 2;
  const daptor::DataType type = daptor::DataType::of<double>();
  const daptor::DistArray a =
      daptor::Section(
          daptor::protocol_0_10, daptor::Buffer(type, {2, extent}, {8 * extent, 8}, nullptr),
          {daptor::Dimension(2, daptor::Undistributed{}), daptor::Dimension(2 * p, block)})
          .on(MPI_COMM_WORLD);
  for (const auto numbering : {daptor::Numbering::natural, daptor::Numbering::contiguous}) {
    const auto map = daptor::tpetra::import_map(a, overlap_of(0, numbering));
    EXPECT_EQ(map->getMaxLocalIndex() + 1, 2 * extent);
    EXPECT_EQ(map->getGlobalNumElements(), static_cast<Tpetra::global_size_t>(4 * p + 4));
    daptor::tpetra::export_map(map, 4 * p);
  }
}

}  // namespace
