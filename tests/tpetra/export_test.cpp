// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include <Teuchos_Array.hpp>

#include "support.hpp"

namespace daptor::test {
namespace {

Tpetra::global_size_t count_them() {
  return Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid();
}

Teuchos::RCP<const Map> listed_map(const std::vector<Global>& list, Global base = 0) {
  return Teuchos::rcp(new Map(count_them(), list.data(), static_cast<Local>(list.size()), base,
                              Tpetra::getDefaultComm()));
}

Teuchos::RCP<const Map> contiguous_map(std::size_t local_count, Global base = 0) {
  return Teuchos::rcp(new Map(count_them(), local_count, base, Tpetra::getDefaultComm()));
}

Dimension world_block(Index start, Index count, Index size) {
  return block(size, {world_size(), world_rank()}, IndexRange{start, start + count});
}

/// Uneven counts with an empty rank, and the first index of each rank.
Index uneven_count(int rank) {
  return (rank * 3 + 2) % 5;
}
Index uneven_start(int rank) {
  Index start = 0;
  for (int r = 0; r < rank; ++r) start += uneven_count(r);
  return start;
}

TEST(ExportMap, BlockHoweverTheMapWasBuilt) {
  const int p = world_size();
  const int r = world_rank();
  const Index count = uneven_count(r);
  const Index start = uneven_start(r);
  const Dimension expected = world_block(start, count, uneven_start(p));
  for (const Global base : {Global{0}, Global{1}, Global{100}}) {
    std::vector<Global> list;
    for (Index i = start; i < start + count; ++i) list.push_back(i + base);
    EXPECT_EQ(tpetra::export_map(listed_map(list, base)), expected);
    EXPECT_EQ(tpetra::export_map(contiguous_map(static_cast<std::size_t>(count), base)), expected);
  }
  const auto uniform = Teuchos::rcp(new Map(23, 0, Tpetra::getDefaultComm()));
  EXPECT_EQ(tpetra::export_map(uniform), block(23, {p, r}));
}

TEST(ExportMap, UnstructuredWhereRanksAreOutOfOrder) {
  const Index p = world_size();
  if (p == 1) return;  // one rank is always in order
  const Global first = 2 * (p - 1 - world_rank());
  const auto map = listed_map({first, first + 1});
  const Dimension dimension = tpetra::export_map(map);
  ASSERT_EQ(dimension.dist_type(), 'u');
  const IndexList& list = dimension.as<Unstructured>()->indices;
  EXPECT_EQ(std::vector<Index>(list.begin(), list.end()), (std::vector<Index>{first, first + 1}));
  EXPECT_EQ(dimension.global_size(), 2 * p);
  EXPECT_TRUE(dimension.as<Unstructured>()->one_to_one);
}

TEST(ExportMap, UnstructuredWhereThereAreGapsOnOneRankOnly) {
  const Index p = world_size();
  const Global r = world_rank();
  const Global gap = r == p - 1 ? 1 : 0;
  const Dimension dimension = tpetra::export_map(listed_map({2 * r, 2 * r + 1 + gap}));
  EXPECT_EQ(dimension.dist_type(), 'u');
  EXPECT_EQ(dimension.global_size(), 2 * p + 1);
  // A contiguous range that begins after the index base is no block either.
  EXPECT_EQ(tpetra::export_map(listed_map({r + 1}, 0)).dist_type(), 'u');
}

TEST(ExportMap, DoesNotCopyTheList) {
  const Global r = world_rank();
  auto map = listed_map({7 * r + 3, 7 * r});
  const auto dimension = tpetra::export_map(map);
  const Index* const list = dimension.as<Unstructured>()->indices.data();
  EXPECT_EQ(static_cast<const void*>(list), static_cast<const void*>([&] {
              // The name of the call differs between versions of Trilinos; the view does not.
              return map->getMyGlobalIndices().data();
            }()));
  map = Teuchos::null;
  EXPECT_EQ(list[0], 7 * r + 3);
  EXPECT_EQ(list[1], 7 * r);
}

TEST(ExportMap, SubtractsTheIndexBaseFromAList) {
  const Global r = world_rank();
  const Dimension dimension = tpetra::export_map(listed_map({7 * r + 13, 7 * r + 10}, 10));
  const IndexList& list = dimension.as<Unstructured>()->indices;
  EXPECT_EQ(list[0], 7 * r + 3);
  EXPECT_EQ(list[1], 7 * r);
  EXPECT_EQ(dimension.global_size(), 7 * (world_size() - 1) + 4);
}

TEST(ExportMap, LocallyReplicated) {
  const auto map = Teuchos::rcp(new Map(6, 0, Tpetra::getDefaultComm(), Tpetra::LocallyReplicated));
  const Dimension dimension = tpetra::export_map(map);
  EXPECT_EQ(dimension.owned_count(), 6);
  EXPECT_EQ(dimension.global_size(), 6);
  if (world_size() == 1) {
    EXPECT_EQ(dimension.dist_type(), 'b');
  } else {
    ASSERT_EQ(dimension.dist_type(), 'u');
    EXPECT_EQ(dimension.as<Unstructured>()->indices[5], 5);
  }
  MultiVector x(map, 1);
  EXPECT_EQ(tpetra::export_multivector(Teuchos::rcpFromRef(x)).owned_count(), 6);
}

TEST(ExportMap, SaysOneToOneWhereItIsKnown) {
  const Layout layout{{cyclic_axis(30, world_size(), 1)}, {}};
  const auto map = tpetra::import_map(labelled(layout));
  const Dimension dimension = tpetra::export_map(map);
  if (world_size() > 1) {
    ASSERT_EQ(dimension.dist_type(), 'u');
    EXPECT_TRUE(dimension.as<Unstructured>()->one_to_one);
  }
}

/// Indices dealt to the ranks one by one; with `shared`, each rank also has the first index of the
/// next.
std::vector<Global> dealt(bool shared) {
  std::vector<Global> list;
  for (Global i = world_rank(); i < 7 * world_size(); i += world_size()) list.push_back(i);
  std::reverse(list.begin(), list.end());
  if (shared) list.push_back((world_rank() + 1) % world_size());
  return list;
}

TEST(ExportMap, SaysOneToOneWhereTheListsShowIt) {
  for (const Global base : {Global{0}, Global{3}}) {
    std::vector<Global> list = dealt(false);
    for (Global& index : list) index += base;
    const auto map = listed_map(list, base);
    const Dimension dimension = tpetra::export_map(map);
    ASSERT_EQ(dimension.dist_type(), 'u');
    EXPECT_TRUE(dimension.as<Unstructured>()->one_to_one);
    EXPECT_EQ(dimension.as<Unstructured>()->one_to_one, map->isOneToOne());
  }
}

TEST(ExportMap, DoesNotSayOneToOneOfSharedIndices) {
  if (world_size() == 1) return;
  const Dimension dimension = tpetra::export_map(listed_map(dealt(true)));
  ASSERT_EQ(dimension.dist_type(), 'u');
  EXPECT_FALSE(dimension.as<Unstructured>()->one_to_one);
}

TEST(ExportMap, RefusesAnIndexTwiceOnAProcess) {
  for (int victim = 0; victim < world_size(); ++victim) {
    std::vector<Global> list = dealt(false);
    if (victim == world_rank()) list.push_back(list.front());
    const auto map = listed_map(list);
    expect_refused_everywhere<NotRepresentable>("tpetra.repeated-index",
                                                [&] { tpetra::export_map(map); });
    // The Map's state is known by now, and the error is the same.
    expect_refused_everywhere<NotRepresentable>("tpetra.repeated-index",
                                                [&] { tpetra::export_map(map); });
    const auto x = Teuchos::rcp(new MultiVector(map, 2));
    expect_refused_everywhere<NotRepresentable>("tpetra.repeated-index",
                                                [&] { tpetra::export_multivector(x); });
  }
}

/// The Map of a padded section is exported as that section, on the same memory and on any number of
/// ranks, even if periodic padding brings an index to a process twice.
TEST(Export, OfAPaddedArrayIsThatArray) {
  const int p = world_size();
  const int r = world_rank();
  const MapOptions overlap{Numbering::natural, Part::overlap, 0};
  for (const bool periodic : {false, true})
    for (const Version version : {protocol_0_9, protocol_0_10}) {
      // Under 0.10 the widths of neighbours are equal.
      const Padding widths{version == protocol_0_9 ? 2 : 1, 1};
      const std::vector<Dimension> rows{block(4 * p, {p, r}, BlockPadding(widths, {}, periodic)),
                                        block(3, {1, 0}, BlockPadding({1, 1}, {}, periodic))};
      std::vector<Dimension> dimensions = rows;
      dimensions.insert(dimensions.begin(), undistributed(2));
      if (periodic && version == protocol_0_10) continue;  // no padding at the external edges
      const DistArray made = allocate<double>(dimensions).on(MPI_COMM_WORLD);
      const DistArray a = Section(version, made.buffer(), made.dimensions()).on(MPI_COMM_WORLD);
      const auto X = tpetra::import_multivector<double>(a, overlap).get();
      ASSERT_EQ(X->getNumVectors(), 2U);
      const DistArray back = tpetra::export_multivector(X);
      EXPECT_EQ(back.version(), version);
      EXPECT_EQ(back.dimensions(), a.dimensions());
      EXPECT_EQ(back.local_shape(), a.local_shape());
      EXPECT_EQ(back.byte_strides(), a.byte_strides());
      EXPECT_EQ(back.data(), a.data());
      ValidateOptions options;
      options.level = Level::full;
      EXPECT_TRUE(validate(back, options)) << validate(back);
      // The same holds for a column, and for the export of what is imported from it.
      const DistArray column = tpetra::export_multivector(X->getVectorNonConst(1));
      EXPECT_EQ(column.dimensions(),
                std::vector<Dimension>(a.dimensions().begin() + 1, a.dimensions().end()));
      const auto again = tpetra::import_vector<double>(column, overlap);
      EXPECT_EQ(data_of(*again.get()), data_of(*X->getVector(1)));
      // One dimension cannot describe it if an index is on a process twice.
      if (periodic)
        expect_refused_everywhere<NotRepresentable>("tpetra.repeated-index",
                                                    [&] { tpetra::export_map(X->getMap()); });
      else
        EXPECT_EQ(tpetra::export_map(X->getMap()).owned_count(),
                  static_cast<Index>(X->getLocalLength()));
    }
  const DistArray line =
      allocate<double>({block(4 * p, {p, r}, BlockPadding({6, 1}, {}, true))}).on(MPI_COMM_WORLD);
  EXPECT_EQ(tpetra::export_map(tpetra::import_map(line, overlap)), line.dimension(0));
}

/// The rows of this MultiVector begin with an undistributed dimension, which must not become its
/// columns when it comes back.
TEST(Export, OfOneColumnHasADimensionForIt) {
  const std::vector<Dimension> rows{
      undistributed(6),
      block(4 * world_size(), {world_size(), world_rank()}, BlockPadding({1, 1}))};
  std::vector<Dimension> dimensions = rows;
  dimensions.insert(dimensions.begin(), undistributed(1));
  const DistArray a = allocate<double>(dimensions).on(MPI_COMM_WORLD);
  const tpetra::MapOptions overlap{Numbering::natural, tpetra::Part::overlap, 0};
  const auto x = tpetra::import_multivector<double>(a, overlap);
  const DistArray back = tpetra::export_multivector(x.get());
  EXPECT_EQ(back.dimensions(), a.dimensions());
  EXPECT_EQ(back.data(), a.data());
  const auto y = tpetra::import_multivector<double>(back, overlap);
  EXPECT_EQ(y.get()->getNumVectors(), 1U);
  EXPECT_TRUE(y.get()->getMap()->isSameAs(*x.get()->getMap()));
  const DistArray values = allocate<double>(rows).on(MPI_COMM_WORLD);
  std::fill_n(static_cast<double*>(values.mutable_data()), values.local_count(), 7);
  const auto copy =
      tpetra::copy_to_multivector<double>(values, x.get()->getMap(), tpetra::CopyOptions{true});
  EXPECT_EQ(copy.get()->getNumVectors(), 1U);
  EXPECT_EQ(static_cast<const double*>(copy.array().owned_data())[0], 7);
}

TEST(ExportMap, WithoutElements) {
  EXPECT_EQ(tpetra::export_map(contiguous_map(0)), world_block(0, 0, 0));
  EXPECT_EQ(tpetra::export_map(listed_map({})).global_size(), 0);
}

TEST(Export, IsTheVectorsMemory) {
  const auto X = Teuchos::rcp(new MultiVector(contiguous_map(4), 3));
  const DistArray array = tpetra::export_multivector(X);
  EXPECT_EQ(array.ndim(), 2);
  EXPECT_EQ(array.dimension(0), undistributed(3));
  EXPECT_EQ(array.local_shape(), (std::vector<Index>{3, 4}));
  EXPECT_EQ(array.data(), data_of(*X));
  X->getVectorNonConst(2)->putScalar(6);
  {
    const ReadLease lease(array);
    const auto view = lease.view<double, 2>();
    EXPECT_EQ(view(2, 3), 6);
    EXPECT_EQ(view(1, 3), 0);
  }
  {
    WriteLease lease(array);
    const auto view = lease.view<double, 2>();
    for (Index i = 0; i < 4; ++i) view(0, i) = 2;
    lease.close();
  }
  EXPECT_DOUBLE_EQ(norm_of(*X, 0), 2 * std::sqrt(4.0 * world_size()));
}

TEST(Export, OfAVectorHasOneDimension) {
  const auto x = Teuchos::rcp(new Vector(contiguous_map(3)));
  const DistArray array = tpetra::export_multivector(x);
  EXPECT_EQ(array.dimensions(),
            std::vector<Dimension>{block(3 * world_size(), {world_size(), world_rank()})});
  const Teuchos::RCP<const Vector> y = x;
  EXPECT_TRUE(tpetra::export_multivector_readonly(y).readonly());
  EXPECT_TRUE(tpetra::export_multivector_readonly(x).readonly());
  EXPECT_THROW(WriteLease{tpetra::export_multivector_readonly(x)}, InvalidArgument);
}

TEST(Export, ColumnsOfALargerMultiVector) {
  const auto X = Teuchos::rcp(new MultiVector(contiguous_map(5), 4));
  const auto middle = X->subViewNonConst(Teuchos::Range1D(1, 2));
  const DistArray array = tpetra::export_multivector(middle);
  EXPECT_EQ(array.data(), data_of(*X->getVector(1)));
  EXPECT_EQ(array.local_shape(), (std::vector<Index>{2, 5}));

  const auto top_map = contiguous_map(3);
  const auto top = X->offsetViewNonConst(top_map, 1);
  const DistArray rows = tpetra::export_multivector(top);
  EXPECT_EQ(rows.byte_strides(), (std::vector<Index>{5 * 8, 8}));
  EXPECT_EQ(rows.data(), data_of(*X) + 1);
  const auto again = tpetra::import_multivector<double>(rows);
  EXPECT_EQ(again.get()->getStride(), 5u);
  EXPECT_EQ(data_of(*again.get()->getVector(3)), data_of(*X->getVector(3)) + 1);
}

TEST(Export, RefusesColumnsWithoutConstantStride) {
  const auto X = Teuchos::rcp(new MultiVector(contiguous_map(5), 4));
  const Teuchos::Array<std::size_t> picked(Teuchos::tuple<std::size_t>(0, 1, 3));
  const auto some = X->subViewNonConst(picked());
  ASSERT_FALSE(some->isConstantStride());
  const auto refuse = [&] { tpetra::export_multivector(some); };
  expect_refused_everywhere<NotRepresentable>("tpetra.stride", refuse);
  tpetra::export_multivector(X);  // now the Map's state is known
  expect_refused_everywhere<NotRepresentable>("tpetra.stride", refuse);
}

TEST(Export, IsProcessLocalOnceTheMapIsKnown) {
  const auto map = contiguous_map(3);
  tpetra::export_map(map);
  if (world_rank() == world_size() - 1) {
    const auto x = Teuchos::rcp(new Vector(map));
    EXPECT_EQ(tpetra::export_multivector(x).owned_count(), 3);
    EXPECT_EQ(tpetra::export_map(map).owned_count(), 3);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(Export, KeepsTheMultiVectorAlive) {
  auto X = Teuchos::rcp(new MultiVector(contiguous_map(4), 2));
  X->putScalar(8);
  const DistArray array = tpetra::export_multivector(X);
  const auto weak = X.create_weak();
  X = Teuchos::null;
  EXPECT_TRUE(weak.is_valid_ptr());
  {
    const ReadLease lease(array);
    EXPECT_EQ((lease.view<double, 2>()(1, 3)), 8);
  }
  const auto Y = tpetra::import_multivector<double>(array);
  Y.get()->putScalar(9);
  const ReadLease lease(array);
  EXPECT_EQ((lease.view<double, 2>()(0, 0)), 9);
}

TEST(Export, IsStaleOnceTheMultiVectorHasOtherMemory) {
  const auto map = contiguous_map(4);
  const auto X = Teuchos::rcp(new MultiVector(map, 2));
  const DistArray array = tpetra::export_multivector(X);
  { const ReadLease lease(array); }
  MultiVector other(map, 2);
  *X = other;
  EXPECT_THROW(ReadLease{array}, Stale);
  EXPECT_THROW(WriteLease{array}, Stale);

  const DistArray first = labelled({{plain_block(4 * world_size(), world_size())}, {}});
  const DistArray second = labelled({{plain_block(4 * world_size(), world_size())}, {}});
  auto y = tpetra::import_vector<double>(first);
  const DistArray exported = tpetra::export_multivector(y.get());
  y.rebind(second);
  EXPECT_THROW(ReadLease{exported}, Stale);
  y.rebind(first);
  { const ReadLease lease(exported); }
}

/// A producer that counts the calls it receives.
class CountingProducer final : public Producer {
 public:
  CountingProducer(int& writes, int& open) : writes_(writes), open_(open) {}
  void* begin_access(Access, void* described) override {
    ++open_;
    return described;
  }
  void end_access(Access) noexcept override { --open_; }
  void modified() override { ++writes_; }

 private:
  int& writes_;
  int& open_;
};

class CountingView final : public NativeView {
 public:
  explicit CountingView(const DistArray& array) { watch(array.buffer().state()); }
  void modified() override { ++writes; }
  int writes = 0;
};

TEST(Coherence, WritesAreKnownOnBothSidesOfAnImport) {
  int writes = 0;
  int open = 0;
  double memory[4] = {};
  const std::vector<Dimension> dimensions{block(4 * world_size(), {world_size(), world_rank()})};
  const Buffer buffer(
      DataType::of<double>(), {4}, {8}, memory, false,
      std::make_shared<SharedState>(std::make_unique<CountingProducer>(writes, open)));
  const DistArray source = Section(protocol_0_9, buffer, dimensions).on(MPI_COMM_WORLD);
  const auto x = tpetra::import_vector<double>(source);
  EXPECT_EQ(source.buffer().state()->view_count(), 1u);
  const DistArray one = tpetra::export_multivector(x.get());
  const DistArray two = tpetra::export_multivector(x.get());
  CountingView on_source(source);
  CountingView on_one(one);
  CountingView on_two(two);
  const auto expect_writes = [&](int expected) {
    EXPECT_EQ(writes, expected);
    EXPECT_EQ(on_source.writes, expected);
    EXPECT_EQ(on_one.writes, expected);
    EXPECT_EQ(on_two.writes, expected);
  };
  {
    WriteLease lease(one);
    EXPECT_EQ(open, 1);
    lease.view<double, 1>()(0) = 5;
    lease.close();
    EXPECT_EQ(open, 0);
  }
  expect_writes(1);
  source.modified();
  expect_writes(2);
  two.modified();
  expect_writes(3);
  { WriteLease lease(source); }
  expect_writes(4);
}

TEST(Coherence, RanksWithoutElementsHearOfWritesToo) {
  const Index p = world_size();
  const GridPosition seat{p, world_rank()};
  for (const int one : {0, world_size() - 1, world_size() / 2}) {
    // One rank has all elements, the others none.
    const IndexRange owned = world_rank() < one    ? IndexRange{0, 0}
                             : world_rank() == one ? IndexRange{0, 4}
                                                   : IndexRange{4, 4};
    int writes = 0;
    int open = 0;
    double memory[8] = {};
    const Buffer buffer(
        DataType::of<double>(), {2, owned.size()}, {32, 8}, memory, false,
        std::make_shared<SharedState>(std::make_unique<CountingProducer>(writes, open)));
    const DistArray source =
        Section(protocol_0_9, buffer, {undistributed(2), block(4, seat, owned)}).on(MPI_COMM_WORLD);
    auto X = tpetra::import_multivector<double>(source);
    tpetra::export_multivector(X.get()).modified();
    EXPECT_EQ(writes, 1);
    const DistArray column = tpetra::export_multivector(X.get()->getVectorNonConst(1));
    column.modified();
    EXPECT_EQ(writes, 2);
    { const WriteLease lease(column); }
    EXPECT_EQ(writes, 3);
    // A vector that the caller made cannot be told from the import here: writes to it are reported
    // on all ranks.
    const auto own = Teuchos::rcp(new MultiVector(X.get()->getMap(), 2));
    tpetra::export_multivector(own).modified();
    EXPECT_EQ(writes, 4);
    X.rebind(source);
    tpetra::export_multivector(X.get()).modified();
    EXPECT_EQ(writes, 5);
  }
}

/// A producer whose memory may have moved when it is opened.
class MovingProducer final : public Producer {
 public:
  MovingProducer(double*& memory, int& open) : memory_(memory), open_(open) {}
  void* begin_access(Access, void*) override {
    ++open_;
    return memory_;
  }
  void end_access(Access) noexcept override { --open_; }

 private:
  double*& memory_;
  int& open_;
};

TEST(Coherence, AnImportWhoseArrayHasMovedIsStaleAndNotLeftOpen) {
  int open = 0;
  double first[4] = {};
  double second[4] = {};
  double* memory = first;
  const Buffer buffer(
      DataType::of<double>(), {4}, {8}, first, false,
      std::make_shared<SharedState>(std::make_unique<MovingProducer>(memory, open)));
  const DistArray source =
      Section(protocol_0_9, buffer, {block(4 * world_size(), {world_size(), world_rank()})})
          .on(MPI_COMM_WORLD);
  const auto x = tpetra::import_vector<double>(source);
  const DistArray exported = tpetra::export_multivector(x.get());
  memory = second;
  for (const auto& take : std::vector<std::function<void()>>{
           [&] { const ReadLease lease(exported); }, [&] { const WriteLease lease(exported); }}) {
    const std::string text = expect_refused<Stale>("stale", take);
    EXPECT_NE(text.find("has moved to other memory"), std::string::npos) << text;
    EXPECT_EQ(open, 0);
  }
  memory = first;
  {
    const ReadLease lease(exported);
    EXPECT_EQ(open, 1);
  }
  EXPECT_EQ(open, 0);
}

TEST(Coherence, AVectorOfItsOwnOnAnImportsMapDoesNotOpenTheImport) {
  int writes = 0;
  int open = 0;
  double memory[4] = {};
  const Buffer buffer(
      DataType::of<double>(), {4}, {8}, memory, false,
      std::make_shared<SharedState>(std::make_unique<CountingProducer>(writes, open)));
  const DistArray source =
      Section(protocol_0_9, buffer, {block(4 * world_size(), {world_size(), world_rank()})})
          .on(MPI_COMM_WORLD);
  const auto x = tpetra::import_vector<double>(source);
  const auto y = Teuchos::rcp(new Vector(x.get()->getMap()));
  const DistArray own = tpetra::export_multivector(y);
  const ReadLease lease(own);
  EXPECT_EQ(open, 0);
}

}  // namespace
}  // namespace daptor::test
