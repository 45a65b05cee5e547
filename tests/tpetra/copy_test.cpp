// SPDX-License-Identifier: BSD-3-Clause
// Copies between Maps, by the general functions and by those of the adapter, compared with Tpetra's
// own Import.

#include <cmath>

#include <Tpetra_Import.hpp>

#include "copy_maps.hpp"
#include "daptor/block_dimensions.hpp"
#include "daptor/redistribute.hpp"
#include "daptor/tpetra/copy.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

using tpetra::copy_to_multivector;
using tpetra::CopyOptions;
using tpetra::export_multivector;
using tpetra::export_multivector_readonly;

struct NameOf {
  template <class Info>
  std::string operator()(const Info& instance) const {
    return std::get<0>(instance.param).name + "_to_" + std::get<1>(instance.param).name;
  }
};

class BetweenMaps : public ::testing::TestWithParam<std::tuple<MapKind, MapKind>> {};

TEST_P(BetweenMaps, AsDoImport) {
  const auto& [from, to] = GetParam();
  for (const Index size : {Index{31}, Index{2 * world_size()}})
    for (const Global base : {0, 5})
      for (const std::size_t columns : {1, 3}) {
        const auto source_map = from.make(size, base);
        const auto target_map = to.make(size, base);
        const auto x = Teuchos::rcp(new MultiVector(source_map, columns));
        const auto y = Teuchos::rcp(new MultiVector(target_map, columns));
        number(*x);
        MultiVector expected(target_map, columns);
        RedistributionOptions options;
        options.read_from_any = !from.one_to_one;
        if (from.one_to_one)
          expected.doImport(*x, Tpetra::Import<>(source_map, target_map), Tpetra::REPLACE);
        else
          number(expected);
        redistribute(export_multivector_readonly(x), export_multivector(y), options);
        expect_equal(*y, expected);
      }
}

INSTANTIATE_TEST_SUITE_P(Kinds, BetweenMaps,
                         ::testing::Combine(::testing::ValuesIn(map_kinds()),
                                            ::testing::ValuesIn(map_kinds())),
                         NameOf());

/// An array whose owned elements have value_of their row-major number.
DistArray valued(const Layout& layout) {
  DistArray array = labelled(layout);
  for (Index i = 0; i < array.local_count(); ++i)
    doubles(array)[i] = value_of(static_cast<Index>(doubles(array)[i]));
  return array;
}

Index elements_of(const DistArray& array) {
  Index count = 1;
  for (const Index n : array.global_shape()) count *= n;
  return count;
}

/// Not the Maps that leave out some index.
bool complete(const std::string& name) {
  return name != "unstructured with gaps";
}

CopyOptions one_column() {
  CopyOptions options;
  options.one_column = true;
  return options;
}

TEST(CopyToMultiVector, OntoAnyMapAndBack) {
  for (const auto& [name, layout] : plain_layouts())
    for (const MapKind& kind : map_kinds()) {
      if (!complete(name)) continue;
      SCOPED_TRACE(name + " onto " + kind.name);
      const DistArray a = valued(layout);
      const auto map = kind.make(elements_of(a), 3);
      const auto x = copy_to_multivector<double>(a, map, one_column()).get();
      EXPECT_EQ(x->getMap().get(), map.get()) << "the Map itself";
      expect_numbered(*x);

      const DistArray original = valued(layout);
      x->scale(2.0);
      RedistributionOptions back;
      back.read_from_any = !kind.one_to_one;
      redistribute(export_multivector(x), a, back);
      for (Index i = 0; i < a.local_count(); ++i)
        EXPECT_EQ(doubles(a)[i], 2.0 * doubles(original)[i]);
      x->scale(2.0);
      CopyOptions options = one_column();
      options.read_from_any = !kind.one_to_one;
      tpetra::copy_from_multivector(x, a, options);
      for (Index i = 0; i < a.local_count(); ++i)
        EXPECT_EQ(doubles(a)[i], 4.0 * doubles(original)[i]);
    }
}

/// Neither side knows the owners of the other, and the columns stay whole on the way.
TEST(CopyToMultiVector, ColumnsOfListsInTwoDimensionsOntoAnyMap) {
  std::vector<Index> list;
  for (const Global i : dealt(13, 0)) list.push_back(i);
  const DistArray a =
      allocate<double>({undistributed(3),
                        unstructured(13, {world_size(), world_rank()}, IndexList(list)),
                        undistributed(2)})
          .on(MPI_COMM_WORLD);
  const auto mine = static_cast<Index>(list.size()) * 2;
  for (Index j = 0; j < 3; ++j)
    for (Index i = 0; i < mine; ++i)
      doubles(a)[j * mine + i] = value_of(2 * list[static_cast<std::size_t>(i / 2)] + i % 2, j);
  for (const MapKind& kind : map_kinds()) {
    SCOPED_TRACE(kind.name);
    const auto x = copy_to_multivector<double>(a, kind.make(26, 0)).get();
    ASSERT_EQ(x->getNumVectors(), 3U);
    expect_numbered(*x);
  }
}

/// An overlap Map with some indices several times on a process: all of them are filled, and the
/// owned ones are read.
TEST(CopyToMultiVector, OntoAMapOfPeriodicPaddingAndBack) {
  const Index p = world_size();
  const DistArray padded =
      allocate<double>({block(2 * p, {p, world_rank()}, BlockPadding({1, 2}, {}, true)),
                        block(3, {1, 0}, BlockPadding({2, 1}, {}, true))})
          .on(MPI_COMM_WORLD);
  const MapOptions overlap{Numbering::natural, Part::overlap, 0};
  const auto map = tpetra::import_map(padded, overlap);
  const Layout layouts[] = {{{cyclic_axis(2 * p, p, 1), undistributed_axis(3)}, {}},
                            {{shuffled_axis(2 * p, p, 3), undistributed_axis(3)}, {}},
                            {{shuffled_axis(6 * p, p, 5)}, {}}};
  for (const Layout& layout : layouts) {
    const DistArray a = valued(layout);
    const auto x = copy_to_multivector<double>(a, map, one_column()).get();
    expect_numbered(*x);
    x->scale(2.0);
    tpetra::copy_from_multivector(x, a, one_column());
    const DistArray original = valued(layout);
    for (Index i = 0; i < a.local_count(); ++i)
      EXPECT_EQ(doubles(a)[i], 2.0 * doubles(original)[i]);
  }
}

TEST(CopyToMultiVector, OntoAnEvenMap) {
  for (const auto& [name, layout] : plain_layouts()) {
    if (!complete(name)) continue;
    SCOPED_TRACE(name);
    const DistArray a = valued(layout);
    const auto x = copy_to_multivector<double>(a, one_column()).get();
    EXPECT_TRUE(x->getMap()->isContiguous());
    EXPECT_EQ(static_cast<Index>(x->getMap()->getGlobalNumElements()), elements_of(a));
    expect_numbered(*x);
  }
}

/// Padding, strides and Fortran order.
TEST(CopyToMultiVector, OfAnyMemory) {
  BlockOptions options;
  options.communication = {{1, 2}, {2, 1}};
  options.periodic = {true, false};
  const auto dimensions =
      block_dimensions({3 * world_size() + 1, 2 * world_size() + 3}, MPI_COMM_WORLD, options);
  for (const Order order : {Order::c, Order::fortran}) {
    const DistArray a = allocate<double>(dimensions, order).on(MPI_COMM_WORLD);
    const LocalIndexMap map(a);
    const auto natural = map.local_natural();
    std::size_t next = 0;
    for (Index i = 0; i < a.local_shape()[0]; ++i)
      for (Index j = 0; j < a.local_shape()[1]; ++j, ++next) {
        const bool owned = map.dimension(0).is_owned(i) && map.dimension(1).is_owned(j);
        *reinterpret_cast<double*>(static_cast<char*>(a.mutable_data()) + i * a.byte_strides()[0] +
                                   j * a.byte_strides()[1]) =
            owned ? value_of(natural[next]) : untouched;
      }
    expect_numbered(*copy_to_multivector<double>(a).get());
  }
}

TEST(CopyToMultiVector, ALeadingUndistributedDimensionGivesColumns) {
  const Index p = world_size();
  const auto line = GridPosition{world_size(), world_rank()};
  for (const bool deep : {false, true}) {
    std::vector<Dimension> dimensions{undistributed(3), cyclic(5 * p, line, 2)};
    if (deep) dimensions.push_back(undistributed(2));
    const DistArray a = allocate<double>(dimensions).on(MPI_COMM_WORLD);
    const Index rows = 5 * p * (deep ? 2 : 1);
    const auto natural = LocalIndexMap(a).owned_natural();
    for (std::size_t i = 0; i < natural.size(); ++i)
      doubles(a)[i] = value_of(natural[i] % rows, natural[i] / rows);
    for (const MapKind& kind : map_kinds()) {
      SCOPED_TRACE(kind.name + (deep ? ", three dimensions" : ""));
      const auto x = copy_to_multivector<double>(a, kind.make(rows, 0)).get();
      EXPECT_EQ(x->getNumVectors(), 3u);
      expect_numbered(*x);

      x->scale(-2.0);
      CopyOptions back;
      back.read_from_any = !kind.one_to_one;
      const DistArray b = allocate<double>(dimensions).on(MPI_COMM_WORLD);
      tpetra::copy_from_multivector(x, b, back);
      for (Index i = 0; i < a.local_count(); ++i) EXPECT_EQ(doubles(b)[i], -2.0 * doubles(a)[i]);
    }
    const auto x = copy_to_multivector<double>(a).get();
    EXPECT_EQ(x->getNumVectors(), 3u);
    expect_numbered(*x);
  }
}

TEST(CopyToMultiVector, OntoAPartOfTheRowsAndBack) {
  const Index p = world_size();
  const DistArray a = valued({{even_axis(4 * p, p)}, {}});
  // Every other row, without the last.
  std::vector<Global> list;
  for (Global i = 0; i < 4 * p; i += 2)
    if (i % p == world_rank()) list.push_back(i);
  const auto map = map_of(list, 0);
  const auto x = copy_to_multivector<double>(a, map).get();
  expect_numbered(*x);
  x->scale(-1.0);
  const DistArray part = export_multivector(x, 4 * p);
  EXPECT_EQ(part.global_shape(), a.global_shape());
  expect_refused_everywhere<InvalidArgument>("redistribute.missing",
                                             [&] { redistribute(part, a); });
  expect_refused_everywhere<InvalidArgument>("argument", [&] { export_multivector(x, 4 * p - 2); });
}

TEST(CopyToMultiVector, OtherTypesAreConvertedWhereAsked) {
  const DistArray a =
      allocate<float>({cyclic(4 * world_size(), {world_size(), world_rank()})}).on(MPI_COMM_WORLD);
  for (Index i = 0; i < a.local_count(); ++i)
    static_cast<float*>(a.mutable_data())[i] = static_cast<float>(i * world_size() + world_rank());
  CopyOptions options;
  options.convert = true;
  const auto x = copy_to_multivector<double>(a, options).get();
  for (Local i = 0; i < 4; ++i)
    EXPECT_EQ(data_of(*x)[i], static_cast<double>(x->getMap()->getGlobalElement(i)));
  expect_refused_everywhere<NotRepresentable>("tpetra.type",
                                              [&] { copy_to_multivector<double>(a); });
}

TEST(CopyToMultiVector, IsRefusedOnAllRanksTogether) {
  const DistArray a = valued({{even_axis(9, world_size())}, {}});
  const Global extra = world_rank() == 0 ? 9 : 0;
  expect_refused_everywhere<InvalidArgument>(
      "argument", [&] { copy_to_multivector<double>(a, map_of({extra}, 0)); });
  expect_refused_everywhere<InvalidArgument>(
      "argument", [&] { copy_to_multivector<double>(a, Teuchos::RCP<const Map>()); });
  expect_refused_everywhere<NotRepresentable>("tpetra.memory", [&] {
    copy_to_multivector<double>(describe(a.type(), nullptr, a.dimensions()).on(MPI_COMM_WORLD));
  });
  const auto x = Teuchos::rcp(new MultiVector(map_of(dealt(9, 0), 0), 2));
  expect_refused_everywhere<InvalidArgument>("argument",
                                             [&] { tpetra::copy_from_multivector(x, a); });
  expect_refused_everywhere<InvalidArgument>(
      "lease.readonly", [&] { tpetra::copy_from_multivector(x->getVector(0), a.as_readonly()); });
  if (world_size() == 1) return;
  CopyOptions options;
  options.one_column = world_rank() == 1;
  expect_different("one_column", [&] { copy_to_multivector<double>(a, options); });
  const DistArray twice =
      allocate<double>({unstructured(2, {world_size(), world_rank()}, IndexList({0, 1}))})
          .on(MPI_COMM_WORLD);
  expect_refused_everywhere<InvalidArgument>("redistribute.overlap",
                                             [&] { copy_to_multivector<double>(twice); });
}

/// What it returns is an import of the copy, as what petsc::copy_to_vec returns.
TEST(CopyToMultiVector, IsAnImportOfTheCopy) {
  const Index p = world_size();
  const Dimension rows = cyclic(5 * p, {p, world_rank()}, 2);
  const DistArray a = allocate<double>({undistributed(2), rows}).on(MPI_COMM_WORLD);
  for (Index i = 0; i < a.local_count(); ++i) doubles(a)[i] = value_of(i);
  auto x = copy_to_multivector<double>(a);
  EXPECT_EQ(x.array().global_shape(), a.global_shape());
  EXPECT_EQ(x.array().data(), static_cast<const void*>(data_of(*x.get())));
  // Back to an array by the description of the copy.
  const DistArray b = allocate<double>({undistributed(2), rows}).on(MPI_COMM_WORLD);
  redistribute(x.array(), b);
  for (Index i = 0; i < a.local_count(); ++i) EXPECT_EQ(doubles(b)[i], doubles(a)[i]);

  // Another memory of the same layout in the same object.
  const Teuchos::RCP<MultiVector> native = x.get();
  const DistArray other = allocate<double>(x.array().dimensions()).on(MPI_COMM_WORLD);
  for (Index i = 0; i < other.local_count(); ++i) doubles(other)[i] = -1;
  x.rebind(other);
  EXPECT_EQ(x.get().get(), native.get());
  EXPECT_EQ(native->getVector(1)->norm1(), static_cast<double>(5 * p));
  x.close();
  EXPECT_TRUE(x.get().is_null());
  EXPECT_EQ(native->getVector(1)->norm1(), static_cast<double>(5 * p)) << "it may outlive x";
}

TEST(CopyToMultiVector, BelongsToTpetra) {
  Teuchos::RCP<const Vector> column;
  {
    const DistArray a = valued({{cyclic_axis(19, world_size(), 1)}, {}});
    const auto x = copy_to_multivector<double>(a).get();
    EXPECT_EQ(a.buffer().state()->view_count(), 0u);
    column = x->getVector(0);
  }
  double sum = 0;
  for (Index i = 0; i < 19; ++i) sum += static_cast<double>(i + 2);
  EXPECT_NEAR(column->norm2(), std::sqrt(sum), 1e-12 * sum);
}

}  // namespace
}  // namespace daptor::test
