// SPDX-License-Identifier: BSD-3-Clause
// What an exchange does besides moving the right elements: types, batches, overlap, other memory,
// refusals.

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <daptor/daptor.hpp>

#include "everywhere.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

GridPosition here() {
  return {world_size(), world_rank()};
}

/// A ring with four owned elements on each rank, and one copy at each end.
template <class T>
struct Ring {
  static constexpr Index owned = 4;

  Ring() : array(describe(memory.data(), {dimension()}).on(MPI_COMM_WORLD)) {}
  static Dimension dimension() {
    return block(owned * world_size(), here(), BlockPadding({1, 1}, {}, true));
  }
  T number(Index local) const {
    const Index size = owned * world_size();
    return T((owned * world_rank() - 1 + local + size) % size % 100);
  }
  void fill(T add = T(0)) {
    memory.fill(T(0));
    for (Index i = 1; i <= owned; ++i) memory[static_cast<std::size_t>(i)] = T(number(i) + add);
  }
  void expect_filled(T add = T(0)) const {
    for (Index i = 0; i < owned + 2; ++i)
      EXPECT_EQ(memory[static_cast<std::size_t>(i)], T(number(i) + add)) << "local " << i;
  }

  std::array<T, owned + 2> memory{};
  DistArray array;
};

template <class T>
void check_type() {
  Ring<T> ring;
  ring.fill();
  HaloExchange halo(ring.array);
  halo.update();
  ring.expect_filled();
}

TEST(HaloExchange, EveryElementType) {
  check_type<bool>();
  check_type<std::int8_t>();
  check_type<std::uint16_t>();
  check_type<std::int32_t>();
  check_type<std::uint64_t>();
  check_type<float>();
  check_type<double>();
  check_type<long double>();
  check_type<std::complex<float>>();
  check_type<std::complex<double>>();
}

TEST(HaloExchange, TrailingComponents) {
  const int rank = world_rank();
  std::array<std::array<float, 3>, 6> u{};
  for (int i = 1; i <= 4; ++i)
    for (int k = 0; k < 3; ++k)
      u[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)] =
          static_cast<float>(10 * (4 * rank + i - 1) + k);
  const auto a =
      describe(&u[0][0], {Ring<float>::dimension(), undistributed(3)}).on(MPI_COMM_WORLD);
  HaloExchange(a).update();
  const int all = 4 * world_size();
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(u[0][static_cast<std::size_t>(k)],
              static_cast<float>(10 * ((4 * rank - 1 + all) % all) + k));
    EXPECT_EQ(u[5][static_cast<std::size_t>(k)],
              static_cast<float>(10 * ((4 * rank + 4) % all) + k));
  }
}

TEST(HaloExchange, BatchTravelsTogether) {
  Ring<double> a, b, c;
  a.fill(0);
  b.fill(1000);
  c.fill(2000);
  HaloExchange halo({a.array, b.array, c.array});
  halo.update();
  a.expect_filled(0);
  b.expect_filled(1000);
  c.expect_filled(2000);
  const auto moved = static_cast<std::int64_t>(3 * 2 * sizeof(double));
  if (world_size() == 1) {
    EXPECT_EQ(halo.bytes_copied(), moved);
    EXPECT_TRUE(halo.destinations().empty());
  } else {
    EXPECT_EQ(halo.bytes_sent(), moved);
    EXPECT_EQ(halo.bytes_received(), moved);
    EXPECT_EQ(halo.destinations().size(), world_size() == 2 ? 1U : 2U);
    EXPECT_EQ(halo.destinations(), halo.sources());
  }
}

TEST(HaloExchange, WorkBetweenBeginAndEnd) {
  Ring<double> ring;
  ring.fill();
  HaloExchange halo(ring.array);
  EXPECT_FALSE(halo.in_flight());
  for (int step = 1; step <= 5; ++step) {
    halo.begin();
    EXPECT_TRUE(halo.in_flight());
    ring.memory[2] += 1;  // neither sent nor received
    halo.end();
  }
  EXPECT_EQ(ring.memory[0], ring.number(0));
  EXPECT_EQ(ring.memory[5], ring.number(5));
  EXPECT_EQ(ring.memory[2], ring.number(2) + 5);
}

/// Two exchanges are in flight at once, begun in the opposite order on odd ranks.
TEST(HaloExchange, TwoAtOnce) {
  Ring<double> a, b;
  a.fill(0);
  b.fill(500);
  HaloExchange first(a.array), second(b.array);
  if (world_rank() % 2 == 0) {
    first.begin();
    second.begin();
  } else {
    second.begin();
    first.begin();
  }
  first.end();
  second.end();
  a.expect_filled(0);
  b.expect_filled(500);
}

TEST(HaloExchange, RebindOnOneRankAlone) {
  Ring<double> a, b;
  a.fill();
  b.fill();
  HaloExchange halo(a.array);
  const bool moves = world_rank() == world_size() - 1;
  if (moves) halo.rebind(b.array);
  halo.update();
  (moves ? b : a).expect_filled();
  EXPECT_EQ((moves ? a : b).memory[0], 0);
  EXPECT_EQ(halo.arrays().front().data(), (moves ? b : a).memory.data());
}

TEST(HaloExchange, RebindRefusesBeforeAnyMessage) {
  Ring<double> a;
  Ring<float> other_type;
  a.fill();
  HaloExchange halo(a.array);
  expect_refused("halo.layout", [&] { halo.rebind(other_type.array); });
  std::array<double, 8> wider{};
  const auto padded =
      describe(wider.data(), {block(4 * world_size(), here(), BlockPadding({2, 2}, {}, true))})
          .on(MPI_COMM_WORLD);
  expect_refused("halo.layout", [&] { halo.rebind(padded); });
  expect_refused("halo.batch", [&] { halo.rebind({a.array, a.array}); });
  expect_refused("lease.readonly", [&] { halo.rebind(a.array.as_readonly()); });
  expect_refused("lease.memory", [&] { halo.rebind(a.array.with_memory(nullptr)); });
  halo.begin();
  expect_refused("halo.begun", [&] { halo.rebind(a.array); });
  expect_refused("halo.begun", [&] { halo.begin(); });
  expect_refused("halo.begun", [&] { halo.begin_accumulate(Combine::sum); });
  halo.end();
  a.expect_filled();
  expect_refused("halo.not-begun", [&] { halo.end(); });
  const HaloExchange taken = std::move(halo);
  expect_refused("halo.moved", [&] { halo.update(); });
}

TEST(HaloExchange, RefusedAtSetUpOnAllRanks) {
  Ring<double> a, b;
  const bool last = world_rank() == world_size() - 1;
  expect_refused_everywhere("lease.readonly",
                            [&] { HaloExchange halo(last ? a.array.as_readonly() : a.array); });
  expect_refused_everywhere(
      "lease.memory", [&] { HaloExchange halo(last ? a.array.with_memory(nullptr) : a.array); });
  // A process without arrays can only mean the communicator that it has used before.
  expect_refused_everywhere(world_size() == 1 ? "argument" : "halo.batch", [&] {
    const std::vector<DistArray> both{a.array, b.array}, none;
    HaloExchange halo(last ? none : both);
  });
  const auto plain = describe(&a.memory[1], {block(4 * world_size(), here())}).on(MPI_COMM_WORLD);
  expect_refused_everywhere("halo.layout", [&] {
    HaloExchange halo({b.array, last ? plain : a.array});
  });
  if (world_size() == 1) return;
  expect_different(
      "arrays",
      [&] {
        const std::vector<DistArray> both{a.array, b.array}, one{a.array};
        HaloExchange halo(last ? one : both);
      },
      "1, and 2 on rank 0");
  expect_different("stencil",
                   [&] { HaloExchange halo(a.array, {last ? Stencil::star : Stencil::box}); });
}

/// One rank has more elements than its neighbours expect.
TEST(HaloExchange, MismatchedNeighbours) {
  const int rank = world_rank();
  const int ranks = world_size();
  if (ranks == 1) return;
  std::array<double, 16> memory{};
  const bool last = rank == ranks - 1;
  const IndexRange mine{4 * rank, 4 * rank + (last ? 4 : rank == 0 ? 5 : 4)};
  const auto overlapping =
      describe(memory.data(), {block(4 * ranks, here(), mine, BlockPadding({1, 1}))})
          .on(MPI_COMM_WORLD);
  expect_refused_everywhere("B09", [&] { HaloExchange halo(overlapping); });
  const Section types =
      rank == 0 ? describe(memory.data(), {Ring<double>::dimension()})
                : describe(reinterpret_cast<float*>(memory.data()), {Ring<double>::dimension()});
  expect_refused_everywhere("T16", [&] { HaloExchange halo(types.on(MPI_COMM_WORLD)); });
  // In 0.10.x both neighbours must count the same padding.
  const auto block = [&](Padding communication) {
    Block parts{here(), {4 * rank, 4 * rank + 4}, {}, communication, true};
    return Section(protocol_0_10,
                   Buffer(DataType::of<double>(), {4 + communication.lower + communication.upper},
                          {sizeof(double)}, memory.data()),
                   {Dimension(4 * ranks, parts, false)});
  };
  const auto uneven = block({rank == 0 ? 0 : 1, last ? 0 : rank == 0 ? 2 : 1});
  expect_refused_everywhere("P16", [&] { HaloExchange halo(uneven.on(MPI_COMM_WORLD)); });
}

TEST(HaloExchange, Combining) {
  const auto accumulated = [](Combine how, double copies) {
    Ring<double> ring;
    ring.memory.fill(5);
    ring.memory[0] = ring.memory[5] = copies;
    HaloExchange(ring.array).accumulate(how);
    EXPECT_EQ(ring.memory[0], copies);
    EXPECT_EQ(ring.memory[2], 5);
    EXPECT_EQ(ring.memory[1], ring.memory[4]);
    return ring.memory[1];
  };
  EXPECT_EQ(accumulated(Combine::sum, 3), 8);
  EXPECT_EQ(accumulated(Combine::min, 3), 3);
  EXPECT_EQ(accumulated(Combine::min, 7), 5);
  EXPECT_EQ(accumulated(Combine::max, 7), 7);
  EXPECT_EQ(accumulated(Combine::insert, 2), 2);
}

template <class T>
T summed(T owned, T copies, Combine how = Combine::sum) {
  Ring<T> ring;
  ring.memory.fill(owned);
  ring.memory[0] = ring.memory[5] = copies;
  HaloExchange(ring.array).accumulate(how);
  return ring.memory[4];
}

TEST(HaloExchange, CombiningByType) {
  EXPECT_EQ(summed<std::int8_t>(100, 100), static_cast<std::int8_t>(-56));
  EXPECT_EQ(summed<std::uint16_t>(65535, 2), 1);
  EXPECT_EQ(summed<std::int32_t>(-7, 3), -4);
  EXPECT_EQ(summed<std::uint64_t>(7, 3), 10U);
  EXPECT_EQ(summed<float>(1.5F, 2), 3.5F);
  EXPECT_EQ(summed<long double>(1, 2), 3);
  EXPECT_EQ(summed<std::complex<double>>({1, 2}, {3, 4}), std::complex<double>(4, 6));
  EXPECT_EQ(summed<bool>(false, true, Combine::max), true);
  expect_refused("argument", [] { summed<bool>(false, true); });
  expect_refused("argument", [] { summed<std::complex<float>>(1, 2, Combine::min); });
  std::array<std::uint16_t, 6> memory{};
  const auto half =
      describe(DataType(Kind::floating, 2), memory.data(), {Ring<std::uint16_t>::dimension()})
          .on(MPI_COMM_WORLD);
  HaloExchange halo(half);
  expect_refused("argument", [&] { halo.accumulate(Combine::sum); });
  halo.accumulate(Combine::insert);
}

/// Views of the memory are notified.
TEST(HaloExchange, ViewsAreTold) {
  struct Watch final : NativeView {
    void modified() override { ++told; }
    int told = 0;
  };
  Ring<double> ring;
  ring.fill();
  Watch watch;
  watch.watch(ring.array.buffer().state());
  HaloExchange halo(ring.array);
  const int before = watch.told;
  halo.begin();
  EXPECT_EQ(watch.told, before);
  halo.end();
  EXPECT_EQ(watch.told, before + 1);
  watch.watch(nullptr);
}

/// A producer is told which way an exchange went, or else that something was written.
TEST(HaloExchange, TheProducerIsTold) {
  struct Native final : Producer {
    explicit Native(std::string& log) : told(log) {}
    void modified() override { told += "modified "; }
    void exchanged(PaddingExchange what) override {
      told += what == PaddingExchange::update ? "update " : "accumulate ";
    }
    std::string& told;
  };
  std::string told;
  Ring<double> ring;
  Buffer buffer(DataType::of<double>(), {6}, {8}, ring.memory.data(), false,
                std::make_shared<SharedState>(std::make_unique<Native>(told)));
  const DistArray a =
      Section(protocol_0_9, std::move(buffer), {Ring<double>::dimension()}).on(MPI_COMM_WORLD);
  HaloExchange halo(a);
  halo.update();
  halo.accumulate(Combine::sum);
  WriteLease(a).close();
  halo.begin();
  { const HaloExchange ended_by_its_destructor(std::move(halo)); }
  EXPECT_EQ(told, "update accumulate modified update ");
}

/// Ranks in reverse order on the grid.
TEST(HaloExchange, AnyOrderOfRanks) {
  const int ranks = world_size();
  const int seat = ranks - 1 - world_rank();
  std::array<double, 6> u{};
  for (int i = 1; i <= 4; ++i) u[static_cast<std::size_t>(i)] = 4 * seat + i - 1;
  const auto a =
      describe(u.data(), {block(4 * ranks, {ranks, seat}, BlockPadding({1, 1}, {}, true))})
          .on(MPI_COMM_WORLD);
  HaloExchange(a).update();
  EXPECT_EQ(u[0], (4 * seat - 1 + 4 * ranks) % (4 * ranks));
  EXPECT_EQ(u[5], (4 * seat + 4) % (4 * ranks));
}

TEST(HaloExchange, OnAPartOfTheRanks) {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, world_rank(), &part);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(part, &rank);
  MPI_Comm_size(part, &ranks);
  std::array<double, 6> u{};
  for (int i = 1; i <= 4; ++i) u[static_cast<std::size_t>(i)] = 4 * rank + i - 1;
  {
    HaloExchange halo(
        describe(u.data(), {block(4 * ranks, {ranks, rank}, BlockPadding({1, 1}, {}, true))})
            .on(part));
    MPI_Comm_free(&part);  // the exchange keeps what it needs
    halo.update();
  }
  EXPECT_EQ(u[0], (4 * rank - 1 + 4 * ranks) % (4 * ranks));
  EXPECT_EQ(u[5], (4 * rank + 4) % (4 * ranks));
}

/// Destroyed between begin and end, as by an exception.
TEST(HaloExchange, AbandonedUnderWay) {
  Ring<double> ring;
  ring.fill();
  {
    HaloExchange halo(ring.array);
    halo.begin();
  }
  update_padding(ring.array);
  ring.expect_filled();
}

/// A tag is free again when its object is gone on all ranks, at whatever time on each.
TEST(HaloExchange, ManyObjects) {
  Ring<double> a, b;
  a.fill(0);
  b.fill(500);
  HaloExchange first(a.array);
  std::vector<HaloExchange> kept;
  for (int i = 0; i < 200; ++i) {
    HaloExchange another(b.array);
    if (i % 7 == world_rank() % 3) kept.push_back(std::move(another));
  }
  HaloExchange second(b.array);
  if (world_rank() % 2 == 0) first.begin();
  second.begin();
  if (world_rank() % 2 != 0) first.begin();
  second.end();
  first.end();
  a.expect_filled(0);
  b.expect_filled(500);
}

TEST(HaloExchange, ElementsOnTheSameMemory) {
  std::array<double, 4> memory{};
  const auto a = describe(memory.data(), {block(4 * world_size(), here()), undistributed(3)},
                          {sizeof(double), 0})
                     .on(MPI_COMM_WORLD);
  expect_refused_everywhere("halo.strides", [&] { HaloExchange halo(a); });
}

TEST(HaloExchange, StridesInElements) {
  std::array<double, 24> memory{};
  const auto a =
      describe(memory.data(), {block(4 * world_size(), here()), undistributed(3)}, {3, 1})
          .on(MPI_COMM_WORLD);
  expect_refused_everywhere("describe.strides", [&] { HaloExchange halo(a); });
}

TEST(HaloExchange, ArraysOfABatchOnTheSameMemory) {
  Ring<double> ring;
  expect_refused_everywhere("halo.memory", [&] { HaloExchange halo({ring.array, ring.array}); });
  Ring<double> other;
  HaloExchange halo({ring.array, other.array});
  try {
    halo.rebind({ring.array, ring.array});
    ADD_FAILURE() << "not refused";
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.rule(), "halo.memory");
  }
}

/// A fault on any rank, at any point of the set-up, is thrown on all ranks.
TEST(HaloExchange, FaultsAtSetUp) {
  Ring<double> ring;
  ring.fill();
  std::array<double, 12> memory{};
  const bool last = world_rank() == world_size() - 1;
  std::vector<Index> shared(4);
  for (std::size_t i = 0; i < 4; ++i)
    shared[i] = (3 * world_rank() + static_cast<Index>(i)) % (3 * world_size() + 1);
  const auto lists =
      describe(memory.data(),
               {owned_then_ghosts(3 * world_size() + 1, here(), IndexList(shared), last ? 4 : 3),
                undistributed(3)})
          .on(MPI_COMM_WORLD);
  BlockPadding walls({1, 1}, {1, 1});
  const auto bounded =
      describe(memory.data(), {block(4 * world_size(), here(), walls)}).on(MPI_COMM_WORLD);
  HaloOptions named;
  named.owned = block(3 * world_size() + 1, here(),
                      IndexRange{3 * world_rank(), 3 * world_rank() + 3 + (last ? 1 : 0)});
  const std::vector<std::pair<DistArray, HaloOptions>> cases{
      {ring.array, {}}, {lists, {}}, {lists, named}, {bounded, {}}};
  for (const auto& [array, options] : cases) {
    const auto make = [&a = array, &o = options] { HaloExchange(a, o).update(); };
    // Also works where a rank has failed after the others took the tag of the exchange's messages.
    Faults().expect_agreed(make, make);
  }
}

}  // namespace
