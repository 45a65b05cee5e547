// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include <Tpetra_Import.hpp>

#include "daptor/block_dimensions.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

class EveryLayout : public ::testing::Test {};

/// The global indices that the Map of the layout must have.
std::vector<Global> expected_indices(const Layout& layout, const MapOptions& options) {
  const std::vector<Index> numbers = layout.owned_numbers(world_rank());
  Index before = 0;
  for (int r = 0; r < world_rank(); ++r) before += layout.owned_count(r);
  std::vector<Global> expected;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    expected.push_back(options.index_base + (options.numbering == Numbering::natural
                                                 ? numbers[i]
                                                 : before + static_cast<Index>(i)));
  return expected;
}

std::vector<MapOptions> numberings() {
  return {{Numbering::natural, Part::owned, 0},
          {Numbering::contiguous, Part::owned, 0},
          {Numbering::natural, Part::owned, 1000},
          {Numbering::contiguous, Part::owned, 1}};
}

TEST_F(EveryLayout, MapHasTheGlobalIndices) {
  for (const auto& [name, layout] : plain_layouts()) {
    SCOPED_TRACE(name);
    const DistArray array = labelled(layout);
    for (const MapOptions& options : numberings()) {
      const auto map = tpetra::import_map(array, options);
      EXPECT_EQ(global_indices(*map), expected_indices(layout, options));
      EXPECT_EQ(map->getIndexBase(), options.index_base);
      EXPECT_EQ(static_cast<Index>(map->getGlobalNumElements()), world_sum(array.owned_count()));
      // Tpetra takes an empty Map on several processes for a replicated one.
      EXPECT_TRUE(map->isOneToOne() || map->getGlobalNumElements() == 0);
    }
  }
}

TEST_F(EveryLayout, MapHasNoListWhereIndicesAreOneRunInRankOrder) {
  const auto contiguous = [](const Layout& layout) {
    return tpetra::import_map(labelled(layout))->isContiguous();
  };
  const Index p = world_size();
  EXPECT_TRUE(contiguous({{even_axis(23, p)}, {}}));
  EXPECT_TRUE(contiguous({{cyclic_axis(4 * p, p, 4)}, {}}));
  EXPECT_TRUE(contiguous({{even_axis(7, p), undistributed_axis(5)}, {}}));
  EXPECT_TRUE(contiguous({{even_axis(1, 1), even_axis(9, p)}, {}}));
  std::vector<std::vector<Index>> runs(static_cast<std::size_t>(p));
  for (Index r = 0; r < p; ++r) runs[static_cast<std::size_t>(r)] = {2 * r, 2 * r + 1};
  EXPECT_TRUE(contiguous({{unstructured_axis(2 * p, runs)}, {}}));
  if (p == 1) return;
  EXPECT_FALSE(contiguous({{cyclic_axis(2 * p, p, 1)}, {}}));
  EXPECT_FALSE(contiguous({{undistributed_axis(2), even_axis(2 * p, p)}, {}}));
  std::swap(runs.front(), runs.back());
  EXPECT_FALSE(contiguous({{unstructured_axis(2 * p, runs)}, {}}));
}

/// Checks the memory, writes on both sides, norms, and the exported description.
template <class Native>
void expect_shared(const tpetra::Imported<Native>& imported, const DistArray& array) {
  const auto& x = *imported.get();
  if (array.owned_count() > 0) {
    EXPECT_EQ(data_of(x), array.data());
  }
  double square = 0;
  for (Index i = 0; i < array.local_count(); ++i) square += doubles(array)[i] * doubles(array)[i];
  EXPECT_DOUBLE_EQ(x.norm2(), std::sqrt(world_sum(square)));

  for (Index i = 0; i < array.local_count(); ++i) doubles(array)[i] += 1;
  const auto view = x.getLocalViewHost(Tpetra::Access::ReadOnly);
  for (Index i = 0; i < array.local_count(); ++i)
    EXPECT_EQ(view(static_cast<std::size_t>(i), 0), doubles(array)[i]);
  EXPECT_DOUBLE_EQ(x.norm1(), world_sum([&] {
                     double sum = 0;
                     for (Index i = 0; i < array.local_count(); ++i) sum += doubles(array)[i];
                     return sum;
                   }()));
}

TEST_F(EveryLayout, VectorIsTheArraysMemory) {
  for (const auto& [name, layout] : plain_layouts()) {
    SCOPED_TRACE(name);
    for (const MapOptions& options : numberings()) {
      const DistArray array = labelled(layout);
      const auto imported = tpetra::import_vector<double>(array, options);
      EXPECT_EQ(global_indices(*imported.get()->getMap()), expected_indices(layout, options));
      expect_shared(imported, array);

      imported.get()->putScalar(3.5);
      for (Index i = 0; i < array.local_count(); ++i) EXPECT_EQ(doubles(array)[i], 3.5);

      const DistArray back = tpetra::export_multivector(imported.get());
      EXPECT_EQ(back.data(), array.owned_count() > 0 ? array.data() : back.data());
      EXPECT_EQ(back.ndim(), 1);
      EXPECT_EQ(back.owned_count(), array.owned_count());
      if (options.numbering == Numbering::natural && back.dimension(0).dist_type() == 'u') {
        const IndexList& list = back.dimension(0).as<Unstructured>()->indices;
        const std::vector<Index> numbers = layout.owned_numbers(world_rank());
        EXPECT_EQ(std::vector<Index>(list.begin(), list.end()), numbers);
      }
    }
  }
}

TEST_F(EveryLayout, BlocksComeBackEqualToTheStart) {
  const Index p = world_size();
  std::vector<Index> uneven;
  for (Index r = 0; r < p; ++r) uneven.push_back(1 + r % 3);
  for (const Axis& axis : {plain_block(23, p), plain_block(uneven), plain_block(p / 2 + 1, p)}) {
    const DistArray array = labelled({{axis}, {}});
    const auto x = tpetra::import_vector<double>(array);
    EXPECT_EQ(tpetra::export_multivector(x.get()), array);
    const auto y = tpetra::import_multivector<double>(array);
    EXPECT_EQ(tpetra::export_multivector(y.get()), array);
  }
}

TEST(Vector, OfEveryScalarOfTheInstallation) {
  const Axis axis = plain_block(9, world_size());
  const auto try_scalar = [&](auto zero) {
    using Scalar = decltype(zero);
    const DistArray array =
        allocate<Scalar>(Layout{{axis}, {}}.dimensions(world_rank())).on(MPI_COMM_WORLD);
    const auto x = tpetra::import_vector<Scalar>(array);
    x.get()->putScalar(Scalar{7});
    const auto* const data = static_cast<const Scalar*>(array.data());
    for (Index i = 0; i < array.local_count(); ++i) EXPECT_EQ(data[i], Scalar{7});
    EXPECT_EQ(tpetra::export_multivector(x.get()), array);
  };
  try_scalar(double{});
  if constexpr (tpetra::has_scalar<float>) try_scalar(float{});
  if constexpr (tpetra::has_scalar<int>) try_scalar(int{});
  if constexpr (tpetra::has_scalar<Global>) try_scalar(Global{});
  if constexpr (tpetra::has_scalar<std::complex<double>>) try_scalar(std::complex<double>{});
}

TEST(Vector, PaddedInTheSlowestDimensionOnly) {
  const Index p = world_size();
  const Axis axis = even_axis(4 * p, p, {{1, 1}, {0, 0}, false});
  const std::vector<Dimension> dimensions{axis.make({p, world_rank()}), undistributed(3)};
  const DistArray array = allocate<double>(dimensions).on(MPI_COMM_WORLD);
  std::fill_n(doubles(array), array.local_count(), untouched);
  const auto x = tpetra::import_vector<double>(array);
  EXPECT_EQ(static_cast<const void*>(data_of(*x.get())), array.owned_data());
  EXPECT_TRUE(x.get()->getMap()->isContiguous());
  EXPECT_EQ(static_cast<Index>(x.get()->getLocalLength()), 12);
  x.get()->putScalar(2);
  Index written = 0;
  for (Index i = 0; i < array.local_count(); ++i) written += doubles(array)[i] == 2 ? 1 : 0;
  EXPECT_EQ(written, 12);
}

TEST(MultiVector, ColumnsWithAGapBetweenThem) {
  constexpr Index columns = 3;
  const Index p = world_size();
  for (const Index gap : {Index{0}, Index{2}}) {
    for (const Index size : {4 * p + 1, p / 2 + 1}) {
      const IndexRange owned = even_block(size, {p, world_rank()});
      const Index stride = owned.size() + gap;
      std::vector<double> memory(static_cast<std::size_t>(columns * stride), untouched);
      const DistArray array =
          describe(memory.data(), {undistributed(columns), block(size, {p, world_rank()})},
                   {stride * Index{sizeof(double)}, Index{sizeof(double)}})
              .on(MPI_COMM_WORLD);
      const auto X = tpetra::import_multivector<double>(array);
      EXPECT_EQ(X.get()->getNumVectors(), std::size_t{columns});
      EXPECT_TRUE(X.get()->isConstantStride());
      EXPECT_TRUE(X.get()->getMap()->isContiguous());
      for (std::size_t j = 0; j < columns; ++j) {
        if (!owned.empty()) {
          EXPECT_EQ(data_of(*X.get()->getVector(j)), &memory[j * static_cast<std::size_t>(stride)]);
        }
        X.get()->getVectorNonConst(j)->putScalar(static_cast<double>(j + 1));
        EXPECT_DOUBLE_EQ(norm_of(*X.get(), j),
                         static_cast<double>(j + 1) * std::sqrt(static_cast<double>(size)));
      }
      for (Index k = 0; k < columns * stride; ++k) {
        const Index column = k / stride;
        EXPECT_EQ(memory[static_cast<std::size_t>(k)],
                  k % stride < owned.size() ? static_cast<double>(column + 1) : untouched);
      }
      const DistArray back = tpetra::export_multivector(X.get());
      EXPECT_EQ(back.dimensions(), array.dimensions());
      if (!owned.empty()) {
        EXPECT_EQ(back.data(), array.data());
        EXPECT_EQ(back.byte_strides(), array.byte_strides());
      }
    }
  }
}

TEST(MultiVector, OneColumnWhereTheLeadingDimensionIsDistributed) {
  const DistArray array = labelled({{even_axis(5, world_size()), undistributed_axis(4)}, {}});
  const auto X = tpetra::import_multivector<double>(array);
  EXPECT_EQ(X.get()->getNumVectors(), 1u);
  EXPECT_EQ(X.get()->getGlobalLength(), 20u);
}

TEST(MultiVector, NoColumnsAndOneColumn) {
  for (const Index columns : {Index{0}, Index{1}}) {
    const Axis axis = even_axis(7, world_size());
    const DistArray array =
        allocate<double>({undistributed(columns), axis.make({world_size(), world_rank()})})
            .on(MPI_COMM_WORLD);
    const auto X = tpetra::import_multivector<double>(array);
    EXPECT_EQ(static_cast<Index>(X.get()->getNumVectors()), columns);
    EXPECT_EQ(X.get()->getGlobalLength(), 7u);
  }
}

/// Rows that Tpetra would have to list, of which no element has a number.
TEST(MultiVector, NoColumnsListNothing) {
  const Index p = world_size(), n = (Index{1} << 20) * p;
  const DistArray array =
      allocate<double>({undistributed(0), cyclic(n, {world_size(), world_rank()}, 3)})
          .on(MPI_COMM_WORLD);
  const auto X = tpetra::import_multivector<double>(array);
  EXPECT_EQ(X.get()->getNumVectors(), 0u);
  EXPECT_EQ(static_cast<Index>(X.get()->getLocalLength()), array.owned_shape()[1]);
  EXPECT_EQ(static_cast<Index>(X.get()->getGlobalLength()), n);
  EXPECT_TRUE(X.get()->getMap()->isContiguous());
  EXPECT_EQ(assess(tpetra::multivector_target(), array).bytes_per_index, 0);
  EXPECT_EQ(tpetra::export_multivector(X.get()).owned_shape(), array.owned_shape());
}

/// A padded array over a grid, whose owned elements are labelled and whose padding is unset.
struct Padded {
  DistArray array;
  std::vector<Index> natural;  // of every local element, found by counting
  Padded(const std::vector<Index>& shape, const BlockOptions& options)
      : array(
            allocate<double>(block_dimensions(shape, MPI_COMM_WORLD, options)).on(MPI_COMM_WORLD)) {
    natural = {0};
    std::vector<bool> owned{true};
    for (int d = 0; d < array.ndim(); ++d) {
      const IndexRange range = array.dimension(d).as<Block>()->owned;
      const Padding padding = array.dimension(d).communication_padding();
      const Index size = shape[static_cast<std::size_t>(d)];
      std::vector<Index> numbers;
      std::vector<bool> mine;
      for (std::size_t i = 0; i < natural.size(); ++i) {
        for (Index g = range.start - padding.lower; g < range.stop + padding.upper; ++g) {
          numbers.push_back(natural[i] * size + (g + 5 * size) % size);
          mine.push_back(owned[i] && range.contains(g));
        }
      }
      natural = std::move(numbers);
      owned = std::move(mine);
    }
    for (std::size_t i = 0; i < natural.size(); ++i)
      doubles(array)[i] = owned[i] ? static_cast<double>(natural[i]) : untouched;
  }
};

/// A vector on the owned Map of the array, in which each element has its natural number.
Teuchos::RCP<Vector> owned_source(const Section& array, const Teuchos::RCP<const Map>& owned) {
  const auto source = Teuchos::rcp(new Vector(owned));
  const auto view = source->getLocalViewHost(Tpetra::Access::OverwriteAll);
  const std::vector<Index> numbers = LocalIndexMap(array).owned_natural();
  for (std::size_t i = 0; i < numbers.size(); ++i) view(i, 0) = static_cast<double>(numbers[i]);
  return source;
}

void expect_filled_by_import(const std::vector<Index>& shape, const BlockOptions& options) {
  for (const Numbering numbering : {Numbering::natural, Numbering::contiguous}) {
    const Padded padded(shape, options);
    const DistArray& array = padded.array;
    const auto X = tpetra::import_multivector<double>(array, {numbering, Part::overlap, 0});
    ASSERT_EQ(static_cast<Index>(X.get()->getLocalLength()), array.local_count());
    if (array.local_count() > 0) {
      EXPECT_EQ(data_of(*X.get()), array.data());
    }
    if (numbering == Numbering::natural) {
      const auto indices = global_indices(*X.get()->getMap());
      EXPECT_EQ(std::vector<Index>(indices.begin(), indices.end()), padded.natural);
    }
    const auto source = owned_source(array, tpetra::import_map(array, {numbering}));
    const Tpetra::Import<> update(source->getMap(), X.get()->getMap());
    X.get()->doImport(*source, update, Tpetra::INSERT);
    for (std::size_t i = 0; i < padded.natural.size(); ++i)
      EXPECT_EQ(doubles(array)[i], static_cast<double>(padded.natural[i]));
    EXPECT_EQ(tpetra::export_multivector(X.get()).dimensions(), array.dimensions());
  }
}

TEST(Overlap, ImportFillsThePaddingInPlace) {
  const Index p = world_size();
  expect_filled_by_import({4 * p}, {{}, {{1, 1}}, {}, {}});
  expect_filled_by_import({3 * p + 1}, {{}, {{1, 2}}, {}, {}});
  expect_filled_by_import({2 * p, 5}, {{p, 1}, {{1, 1}, {0, 0}}, {}, {}});
  expect_filled_by_import({3 * p, 3 * p}, {{}, {{1, 1}, {1, 1}}, {}, {}});
  expect_filled_by_import({2 * p, 2 * p, 2 * p}, {{}, {{1, 1}, {1, 0}, {0, 1}}, {}, {}});
}

TEST(Overlap, ImportFillsPeriodicPaddingOfOneAndOfManyProcesses) {
  const Index p = world_size();
  expect_filled_by_import({p}, {{}, {{1, 1}}, {}, {true}});
  expect_filled_by_import({3 * p}, {{}, {{2, 1}}, {}, {true}});
  expect_filled_by_import({2 * p, 3}, {{p, 1}, {{1, 1}, {1, 1}}, {}, {true, true}});
  expect_filled_by_import({3, 2 * p}, {{1, p}, {{0, 0}, {1, 1}}, {}, {false, true}});
}

/// In contiguous numbering each element of the overlap has the index that its owner gives it: an
/// Import from the owned Map brings the value of the element with the same natural number.
void expect_numbers_of_owners(const Layout& layout, Order order = Order::c, Index base = 0) {
  const DistArray array =
      allocate<double>(layout.dimensions(world_rank()), order).on(MPI_COMM_WORLD);
  const auto owned = tpetra::import_map(array, {Numbering::contiguous, Part::owned, base});
  const auto overlap = tpetra::import_map(array, {Numbering::contiguous, Part::overlap, base});
  EXPECT_TRUE(owned->isContiguous());
  EXPECT_EQ(overlap->getIndexBase(), base);
  const std::vector<Index> natural = LocalIndexMap(array).local_natural();
  Vector filled(overlap);
  ASSERT_EQ(filled.getLocalLength(), natural.size());
  filled.doImport(*owned_source(array, owned), Tpetra::Import<>(owned, overlap), Tpetra::INSERT);
  const auto values = filled.getLocalViewHost(Tpetra::Access::ReadOnly);
  for (std::size_t i = 0; i < natural.size(); ++i)
    EXPECT_EQ(values(i, 0), static_cast<double>(natural[i]));
}

TEST(Overlap, ContiguousNumbersAreThoseOfTheOwners) {
  const Index p = world_size();
  const BlockPadding halo{{1, 1}, {}, false};
  const BlockPadding ring{{1, 2}, {}, true};
  std::vector<Index> uneven, backwards;
  for (Index r = 0; r < p; ++r) uneven.push_back((r * 5 + 2) % 4);  // some are empty
  for (Index r = p; r-- > 0;) backwards.push_back(r);
  for (const auto& seats : {std::vector<Index>{}, backwards})
    for (const Order order : {Order::c, Order::fortran})
      for (const Index base : {0, 1}) {
        const auto check = [&](const std::vector<Axis>& axes) {
          expect_numbers_of_owners({axes, seats}, order, base);
        };
        check({even_axis(3 * p, p, halo)});
        check({block_axis(uneven, ring)});
        check({ghosted_axis(5 * p, p, 3)});
        check({ghosted_axis(p / 2 + 1, p, 4), undistributed_axis(3)});
        check({even_axis(2, 1), even_axis(3 * p, p, halo)});
        check({even_axis(3, 1, ring), block_axis(uneven, ring)});
        check({ghosted_axis(5 * p, p, 3), even_axis(4, 1, ring)});
        check({cyclic_axis(2 * p + 1, p, 2), even_axis(3, 1, ring), undistributed_axis(2)});
        check({even_axis(3, 1, ring), even_axis(3 * p, p, ring), even_axis(2, 1, ring)});
        if (p % 2 == 0) check({even_axis(5, 2, ring), ghosted_axis(9, p / 2, 5)});
        if (p % 2 == 0) check({even_axis(5, 2, halo), even_axis(2 * p, p / 2, ring)});
      }
}

TEST(Overlap, WithoutPaddingIsTheOwnedMap) {
  const DistArray array = labelled({{plain_block(13, world_size())}, {}});
  const MapOptions overlap{Numbering::natural, Part::overlap, 0};
  const MapOptions contiguous{Numbering::contiguous, Part::overlap, 0};
  EXPECT_TRUE(tpetra::import_map(array, contiguous)->isContiguous());
  const DistArray zero_wide = labelled({{even_axis(13, world_size())}, {}});
  EXPECT_TRUE(tpetra::import_map(zero_wide, overlap)->isContiguous());
  EXPECT_TRUE(tpetra::import_map(zero_wide, contiguous)->isContiguous());
  EXPECT_TRUE(tpetra::import_map(array, overlap)->isContiguous());
  const auto x = tpetra::import_vector<double>(array, overlap);
  EXPECT_EQ(tpetra::export_multivector(x.get()), array);
}

/// The rows have their padding, whatever the number of columns.
TEST(Overlap, OfNoColumns) {
  const int p = world_size();
  for (const Index columns : {0, 1, 2})
    for (const bool periodic : {false, true}) {
      const DistArray array =
          allocate<double>({undistributed(columns),
                            block(7 * p, {p, world_rank()}, BlockPadding({0, 2}, {}, periodic))})
              .on(MPI_COMM_WORLD);
      const MapOptions options{Numbering::natural, Part::overlap, 0};
      const auto X = tpetra::import_multivector<double>(array, options);
      EXPECT_EQ(static_cast<Index>(X.get()->getNumVectors()), columns);
      EXPECT_EQ(static_cast<Index>(X.get()->getLocalLength()), array.local_shape()[1]);
      const auto indices = global_indices(*X.get()->getMap());
      const Index first = 7 * world_rank();
      for (std::size_t i = 0; i < indices.size(); ++i)
        EXPECT_EQ(indices[i], (first + static_cast<Index>(i)) % (7 * p));
      const DistArray back = tpetra::export_multivector(X.get());
      if (columns != 1) {
        EXPECT_EQ(back.dimensions(), array.dimensions());
      }
      // With rows of no elements there is nothing to number.
      const auto map = tpetra::import_map(array, options);
      EXPECT_EQ(static_cast<Index>(map->getMyGlobalIndices().extent(0)),
                columns * array.local_shape()[1]);
    }
}

TEST(Map, NeedsNoMemory) {
  const Index p = world_size();
  const DistArray array = describe(DataType::of<char>(), nullptr,
                                   {block(3'000'000'000 * p, {p, world_rank()})}, Order::c)
                              .on(MPI_COMM_WORLD);
  expect_refused_everywhere<NotRepresentable>("tpetra.local-ordinal",
                                              [&] { tpetra::import_map(array); });
  const DistArray fits = describe(DataType::of<char>(), nullptr,
                                  {block(2'000'000'000 * p, {p, world_rank()})}, Order::c)
                             .on(MPI_COMM_WORLD);
  const auto map = tpetra::import_map(fits);
  EXPECT_EQ(map->getMaxAllGlobalIndex(), 2'000'000'000 * p - 1);
}

TEST(Map, OfOverlappingListsIsNotOneToOne) {
  const Index p = world_size();
  std::vector<std::vector<Index>> lists(static_cast<std::size_t>(p));
  for (Index r = 0; r < p; ++r) lists[static_cast<std::size_t>(r)] = {r, (r + 1) % (p + 1), 50};
  const DistArray array = labelled({{unstructured_axis(51, lists)}, {}});
  const auto X = tpetra::import_multivector<double>(array);
  EXPECT_EQ(X.get()->getMap()->isOneToOne(), p == 1);
  const auto indices = global_indices(*X.get()->getMap());
  EXPECT_EQ(std::vector<Index>(indices.begin(), indices.end()),
            lists[static_cast<std::size_t>(world_rank())]);
  const DistArray back = tpetra::export_multivector(X.get());
  const auto& list = *array.dimension(0).as<Unstructured>();
  EXPECT_EQ(back.dimension(0), unstructured(51, list.grid, list.indices, p == 1));
  EXPECT_EQ(back.data(), array.data());
}

TEST(Const, ReadOnlyMemoryGivesAConstObject) {
  const DistArray array = labelled({{plain_block(11, world_size())}, {}});
  const DistArray locked = array.as_readonly();
  const auto x = tpetra::import_vector_readonly<double>(locked);
  const auto X = tpetra::import_multivector_readonly<double>(locked);
  static_assert(std::is_same_v<decltype(x.get()), const Teuchos::RCP<const Vector>&>);
  static_assert(std::is_same_v<decltype(X.get()), const Teuchos::RCP<const MultiVector>&>);
  if (array.owned_count() > 0) {
    EXPECT_EQ(data_of(*x.get()), array.data());
    EXPECT_EQ(data_of(*X.get()), array.data());
  }
  EXPECT_EQ(tpetra::export_multivector_readonly(X.get()), locked);
}

}  // namespace
}  // namespace daptor::test
