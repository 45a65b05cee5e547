// SPDX-License-Identifier: BSD-3-Clause

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>

#include "allocated_bytes.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

TEST(Imported, HoldsNothingUntilItIsAssigned) {
  const DistArray a = allocate<double>({block(3 * world_size(), line())}).on(MPI_COMM_WORLD);
  tpetra::ImportedVector<double> x;
  EXPECT_FALSE(x);
  EXPECT_TRUE(x.get().is_null());
  EXPECT_THROW(x.rebind(a), InvalidArgument);
  EXPECT_NO_THROW(x.close());
  x = tpetra::import_vector<double>(a);
  EXPECT_TRUE(x);
  EXPECT_EQ(x.get()->getLocalLength(), 3U);
}

GridPosition seat() {
  return {world_size(), world_rank()};
}

/// Memory that is overwritten and freed as soon as nothing keeps it, and says so.
class Watched {
 public:
  explicit Watched(std::vector<Dimension> dimensions, double value)
      : count_(static_cast<std::size_t>(local_count(dimensions))) {
    auto* const memory = new double[count_ + 1];
    std::fill_n(memory, count_ + 1, value);
    std::shared_ptr<double> owner(memory, [count = count_, alive = alive_](double* gone) {
      std::fill_n(gone, count + 1, untouched);
      delete[] gone;
      *alive = false;
    });
    array = describe(memory, std::move(dimensions), Order::c, owner).on(MPI_COMM_WORLD);
  }

  bool alive() const { return *alive_; }
  std::optional<DistArray> array;

 private:
  std::size_t count_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

std::vector<Dimension> columns(Index count) {
  return {undistributed(count), block(5 * world_size(), seat())};
}

void expect_values(const MultiVector& x, double value) {
  const auto view = x.getLocalViewHost(Tpetra::Access::ReadOnly);
  for (std::size_t j = 0; j < view.extent(1); ++j)
    for (std::size_t i = 0; i < view.extent(0); ++i) EXPECT_EQ(view(i, j), value);
}

TEST(Lifetime, ClosingLetsGoOfTheMemory) {
  Watched memory(columns(2), 3.0);
  auto X = tpetra::import_multivector<double>(*memory.array);
  memory.array.reset();
  expect_values(*X.get(), 3.0);
  EXPECT_TRUE(memory.alive());
  for (int time = 0; time < 2; ++time) {
    X.close();
    EXPECT_FALSE(memory.alive());
    EXPECT_TRUE(X.get().is_null());
    EXPECT_FALSE(X.array().described());
  }
  // What was taken of it before keeps the memory as ever.
  Watched other(columns(2), 5.0);
  auto Y = tpetra::import_multivector<double>(*other.array);
  other.array.reset();
  const auto column = Y.get()->getVectorNonConst(1);
  Y.close();
  EXPECT_TRUE(other.alive());
  expect_values(*column, 5.0);
}

TEST(Lifetime, ColumnOutlivesEverythingElse) {
  for (const bool empty_handed : {true, false}) {
    Watched memory(columns(3), 4.0);
    Teuchos::RCP<Vector> column;
    {
      auto X = tpetra::import_multivector<double>(*memory.array);
      memory.array.reset();
      const Teuchos::RCP<MultiVector> native = X.get();
      column = native->getVectorNonConst(1);
      if (empty_handed) auto gone = std::move(X);
    }
    EXPECT_TRUE(memory.alive());
    expect_values(*column, 4.0);
    EXPECT_DOUBLE_EQ(column->norm1(), 20.0 * world_size());
    column->putScalar(5.0);
    column = Teuchos::null;
    EXPECT_FALSE(memory.alive());
  }
}

TEST(Lifetime, AnyOrderOfDestruction) {
  constexpr std::size_t kinds = 6;
  std::vector<std::size_t> order(kinds);
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Every order on one rank; on more, where each one costs more, every so many.
  const int step = world_size() == 1 ? 1 : 11;
  int number = 0;
  do {
    if (number++ % step != 0) continue;
    Watched memory(columns(2), 3.0);
    auto X = std::make_unique<tpetra::ImportedMultiVector<double>>(
        tpetra::import_multivector<double>(*memory.array));
    auto native = X->get();
    Teuchos::RCP<const MultiVector> column = native->getVector(0);
    auto shallow = std::make_unique<MultiVector>(*native, Teuchos::View);
    std::optional<DistArray> exported = tpetra::export_multivector(native);
    const std::function<void()> release[kinds] = {
        [&] { memory.array.reset(); },   [&] { X.reset(); },       [&] { native = Teuchos::null; },
        [&] { column = Teuchos::null; }, [&] { shallow.reset(); }, [&] { exported.reset(); }};
    for (std::size_t k = 0; k < kinds; ++k) {
      ASSERT_TRUE(memory.alive());
      release[order[k]]();
      if (X) expect_values(*X->get(), 3.0);
      if (!native.is_null()) expect_values(*native, 3.0);
      if (!column.is_null()) expect_values(*column, 3.0);
      if (shallow) expect_values(*shallow, 3.0);
      if (exported) {
        const ReadLease lease(*exported);
        EXPECT_EQ(*static_cast<const double*>(lease.data()), 3.0);
      }
    }
    EXPECT_FALSE(memory.alive());
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Lifetime, TheMapKeepsTheMemory) {
  Watched memory(columns(2), 1.0);
  Teuchos::RCP<const Map> map;
  {
    const auto X = tpetra::import_multivector<double>(*memory.array);
    map = X.get()->getMap();
  }
  memory.array.reset();
  EXPECT_TRUE(memory.alive());
  map = Teuchos::null;
  EXPECT_FALSE(memory.alive());
}

TEST(Lifetime, AMapByItselfDoesNotKeepTheMemory) {
  Watched memory(columns(2), 1.0);
  const auto map = tpetra::import_map(*memory.array);
  memory.array.reset();
  EXPECT_FALSE(memory.alive());
  EXPECT_EQ(map->getGlobalNumElements(), 10u * static_cast<unsigned>(world_size()));
}

TEST(Lifetime, MovedFromHoldsNothing) {
  Watched first(columns(2), 1.0);
  Watched second(columns(2), 2.0);
  auto X = tpetra::import_multivector<double>(*first.array);
  auto Y = tpetra::import_multivector<double>(*second.array);
  first.array.reset();
  second.array.reset();
  X = std::move(Y);
  EXPECT_FALSE(first.alive());
  EXPECT_TRUE(Y.get().is_null());
  expect_values(*X.get(), 2.0);
  static_assert(!std::is_copy_constructible_v<tpetra::ImportedMultiVector<double>>);
}

TEST(Lifetime, UsersCommunicatorFreedAfterTheImport) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const DistArray array = labelled({{shuffled_axis(40, world_size(), 3)}, {}});
  const auto x = tpetra::import_vector<double>(array.on(comm));
  const auto map = tpetra::import_map(array.on(comm), {Numbering::contiguous, Part::owned, 0});
  MPI_Comm_free(&comm);
  EXPECT_DOUBLE_EQ(x.get()->norm1(), 40.0 * 39 / 2);
  EXPECT_TRUE(map->isSameAs(*map));
  EXPECT_TRUE(map->isOneToOne());
  EXPECT_EQ(tpetra::export_multivector(x.get()).data(),
            array.owned_count() > 0 ? array.data() : data_of(*x.get()));
  Vector y(map, true);
  EXPECT_EQ(y.norm2(), 0.0);
}

TEST(Rebind, PutsOtherMemoryUnderTheSameObject) {
  const DistArray first = labelled({{plain_block(17, world_size())}, {}});
  const DistArray second = labelled({{plain_block(17, world_size())}, {}});
  auto x = tpetra::import_vector<double>(first);
  const Vector* const native = x.get().get();
  const Map* const map = native->getMap().get();
  x.rebind(second);
  EXPECT_EQ(x.get().get(), native);
  EXPECT_EQ(native->getMap().get(), map);
  EXPECT_EQ(x.array(), second);
  if (second.owned_count() > 0) {
    EXPECT_EQ(data_of(*native), second.data());
  }
  x.get()->putScalar(9);
  EXPECT_DOUBLE_EQ(world_sum([&] {
                     double sum = 0;
                     for (Index i = 0; i < first.local_count(); ++i) sum += doubles(first)[i];
                     return sum;
                   }()),
                   17.0 * 16 / 2);
}

TEST(Rebind, ColumnsKeepTheEarlierMemory) {
  Watched first(columns(2), 1.0);
  Watched second(columns(2), 2.0);
  Watched third(columns(2), 3.0);
  auto X = tpetra::import_multivector<double>(*first.array);
  auto column = X.get()->getVectorNonConst(1);
  first.array.reset();
  X.rebind(*second.array);
  second.array.reset();
  expect_values(*column, 1.0);
  expect_values(*X.get(), 2.0);
  X.rebind(*third.array);  // nothing refers to the second one any more
  third.array.reset();
  EXPECT_FALSE(second.alive());
  expect_values(*X.get(), 3.0);
  column = Teuchos::null;
  EXPECT_FALSE(first.alive());
  column = X.get()->getVectorNonConst(0);
  expect_values(*column, 3.0);
  { const auto gone = std::move(X); }
  EXPECT_TRUE(third.alive());
  expect_values(*column, 3.0);
}

TEST(Rebind, KeepsOffsetAndLeadingDimension) {
  const Index rows = 3 + world_rank();
  const Index size = 3 * world_size() + world_size() * (world_size() - 1) / 2;
  const Index start = 3 * world_rank() + world_rank() * (world_rank() - 1) / 2;
  const Index stride = rows + 2;
  const auto fill = [&](std::vector<double>& memory) {
    return describe(memory.data(),
                    {undistributed(2), block(size, seat(), IndexRange{start, start + rows})},
                    {8 * stride, 8})
        .on(MPI_COMM_WORLD);
  };
  std::vector<double> first(static_cast<std::size_t>(2 * stride), 1.0);
  std::vector<double> second(static_cast<std::size_t>(2 * stride), 2.0);
  auto X = tpetra::import_multivector<double>(fill(first));
  X.rebind(fill(second));
  EXPECT_EQ(data_of(*X.get()->getVector(1)), second.data() + stride);
  X.get()->putScalar(7);
  EXPECT_EQ(std::count(first.begin(), first.end(), 1.0), 2 * stride);
  EXPECT_EQ(std::count(second.begin(), second.end(), 7.0), 2 * rows);
}

TEST(Rebind, RefusalsLeaveEverythingAsItWas) {
  const DistArray array = allocate<double>({block(4 * world_size(), seat())}).on(MPI_COMM_WORLD);
  auto x = tpetra::import_vector<double>(array);
  const auto expect_refused = [&](auto error, const std::string& rule, const Section& other) {
    using ErrorClass = decltype(error);
    try {
      x.rebind(other);
      ADD_FAILURE() << "nothing was thrown, expected " << rule;
    } catch (const ErrorClass& thrown) {
      EXPECT_EQ(thrown.rule(), rule);
    }
    EXPECT_EQ(data_of(*x.get()), array.data());
    EXPECT_EQ(x.array(), array);
  };
  const InvalidArgument invalid("", "", "");
  const NotRepresentable refused{Finding{}};
  expect_refused(invalid, "argument", allocate<double>({block(5 * world_size(), seat())}));
  expect_refused(invalid, "argument", allocate<float>({block(4 * world_size(), seat())}));
  expect_refused(refused, "tpetra.readonly", array.as_readonly());
  expect_refused(refused, "tpetra.memory", array.with_memory(nullptr));
  expect_refused(refused, "tpetra.alignment",
                 array.with_memory(static_cast<char*>(array.mutable_data()) + 1));
}

TEST(Rebind, ReadOnlyMemoryUnderAConstObject) {
  const DistArray first = labelled({{plain_block(9, world_size())}, {}});
  const DistArray second = labelled({{plain_block(9, world_size())}, {}});
  auto x = tpetra::import_vector_readonly<double>(first.as_readonly());
  x.rebind(second.as_readonly());
  if (second.owned_count() > 0) {
    EXPECT_EQ(data_of(*x.get()), second.data());
  }
}

TEST(Growth, NoneOverManyRounds) {
  const DistArray array = labelled({{plain_block(1000, world_size())}, {}});
  const DistArray other = labelled({{plain_block(1000, world_size())}, {}});
  const DistArray listed = labelled({{shuffled_axis(50, world_size(), 1)}, {}});
  const auto holders = array.buffer().state().use_count();
  const auto round = [&](int i) {
    auto x = tpetra::import_vector<double>(array);
    x.rebind(other);
    x.rebind(array);
    if (i % 10 == 0) {
      tpetra::export_multivector(x.get());
      tpetra::import_multivector<double>(listed);
    }
  };
  const int rounds = world_size() == 1 ? 10000 : 500;
  for (int i = 0; i < rounds / 10; ++i) round(i);
  const std::size_t before = allocated_bytes();
  for (int i = 0; i < rounds; ++i) round(i);
  const std::size_t after = allocated_bytes();
  EXPECT_LT(after, before + 20 * static_cast<std::size_t>(rounds)) << "bytes allocated and kept";
  EXPECT_EQ(array.buffer().state().use_count(), holders);
  EXPECT_EQ(array.buffer().state()->view_count(), 0u);
}

TEST(Growth, NoCommunicatorsOverManyCommunicators) {
  const DistArray array = labelled({{plain_block(20, world_size())}, {}});
  for (int i = 0; i < 50; ++i) {
    MPI_Comm comm = MPI_COMM_NULL;
    ASSERT_EQ(MPI_Comm_dup(MPI_COMM_WORLD, &comm), MPI_SUCCESS);
    const auto x = tpetra::import_vector<double>(array.on(comm));
    const DistArray back = tpetra::export_multivector(x.get());
    EXPECT_EQ(back, array);
    MPI_Comm_free(&comm);
  }
}

}  // namespace
}  // namespace daptor::test
