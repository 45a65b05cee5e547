// SPDX-License-Identifier: BSD-3-Clause
// A section on a communicator: what it keeps, what an array on none is to a collective call, and
// arrays of one call on several communicators.

#include "daptor/dist_array.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "counting_communicator.hpp"
#include "daptor/daptor.hpp"
#include "everywhere.hpp"

namespace daptor::test {
namespace {

constexpr Index per_process = 4;

/// Four elements on each process, in the order of the ranks of `order`.
template <class T = double>
DistArray blocks(const Comm& order, const Comm& comm) {
  return allocate<T>({block(per_process * order.size(), {order.size(), order.rank()})}).on(comm);
}

/// With the same value for each element.
template <class T>
DistArray filled(const DistArray& array, T value) {
  const WriteLease lease(array);
  const auto elements = lease.view<T, 1>();
  for (Index i = 0; i < elements.size(); ++i) elements(i) = value;
  return array;
}

std::vector<double> elements_of(const DistArray& array) {
  const ReadLease lease(array);
  const auto elements = lease.view<double, 1>();
  std::vector<double> values;
  for (Index i = 0; i < elements.size(); ++i) values.push_back(elements(i));
  return values;
}

/// The matrix with ones on its diagonal, four rows on each process.
class Ones {
 public:
  explicit Ones(const Comm& order) : order_(order) {
    const Index first = per_process * order.rank();
    const bool last = order.rank() + 1 == order.size();
    columns_.resize(per_process);
    offsets_.resize(per_process + (last ? 1 : 0));
    std::iota(columns_.begin(), columns_.end(), first);
    std::iota(offsets_.begin(), offsets_.end(), first);
  }
  CsrArrays on(const Comm& comm) {
    const GridPosition at{order_.size(), order_.rank()};
    const Index size = per_process * at.size, first = per_process * at.rank;
    const IndexRange range{first, first + static_cast<Index>(offsets_.size())};
    return {describe(values_, {block(size, at)}).on(comm),
            describe(columns_, {block(size, at)}).on(comm),
            describe(offsets_, {block(size + 1, at, range)}).on(comm),
            size,
            size,
            0};
  }

 private:
  Comm order_;
  std::vector<double> values_ = std::vector<double>(per_process, 1);
  std::vector<Index> columns_, offsets_;
};

/// A communicator of the caller, freed with this object.
class OwnComm {
 public:
  static OwnComm duplicate() {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return OwnComm(comm);
  }
  /// All processes, the last one first.
  static OwnComm reversed() {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank(), &comm);
    return OwnComm(comm);
  }
  OwnComm(const OwnComm&) = delete;
  OwnComm& operator=(const OwnComm&) = delete;
  ~OwnComm() { MPI_Comm_free(&comm_); }
  operator MPI_Comm() const { return comm_; }

 private:
  explicit OwnComm(MPI_Comm comm) : comm_(comm) {}
  MPI_Comm comm_;
};

// --- what a section on a communicator keeps

TEST(DistArray, OnCommunicatesNothing) {
  const CountingCommunicator counting{Comm(MPI_COMM_WORLD)};
  const Comm counted = counting;
  const Section section = allocate<double>({block(per_process * world_size(), line())});
  const DistArray array = section.on(counted);
  const DistArray copy = array;
  EXPECT_EQ(copy.comm(), counted);
  EXPECT_EQ(copy.as_readonly().with_memory(nullptr).comm(), counted);
  EXPECT_EQ(counting.traffic.calls(), 0);
  // On one process alone, also of what no call would take.
  for (int alone = 0; alone < world_size(); ++alone) {
    if (world_rank() != alone) continue;
    EXPECT_EQ(section.on(MPI_COMM_WORLD).comm(), Comm(MPI_COMM_WORLD));
    EXPECT_EQ(Section().on(MPI_COMM_WORLD).comm(), Comm(MPI_COMM_WORLD));
    EXPECT_EQ(allocate<double>({undistributed(3)}).on(MPI_COMM_WORLD).comm().size(), world_size());
  }
}

TEST(DistArray, OnKeepsMemoryAndLayout) {
  std::vector<double> u(per_process);
  const Section section = describe(u, {block(per_process * world_size(), line())});
  const DistArray array = section.on(MPI_COMM_WORLD);
  EXPECT_EQ(array, section);
  EXPECT_EQ(&array.dimensions(), &section.dimensions()) << "copies share the description";
  EXPECT_EQ(array.buffer().state(), section.buffer().state());
  EXPECT_EQ(array.mutable_data(), u.data());
  EXPECT_EQ(DistArray(section, MPI_COMM_WORLD), array);
  EXPECT_TRUE(section.as_readonly().on(MPI_COMM_WORLD).readonly());
  const DistArray elsewhere = array.on(MPI_COMM_SELF);
  EXPECT_EQ(elsewhere, array);
  EXPECT_EQ(elsewhere.comm(), Comm(MPI_COMM_SELF));
  EXPECT_EQ(array.comm(), Comm(MPI_COMM_WORLD));
}

TEST(DistArray, KeepsTheOwnerAlive) {
  auto memory = std::make_shared<std::vector<double>>(per_process);
  const std::weak_ptr<std::vector<double>> alive = memory;
  double* const data = memory->data();
  DistArray array =
      describe(data, per_process, {undistributed(per_process)}, Order::c, std::move(memory))
          .on(MPI_COMM_SELF);
  EXPECT_FALSE(alive.expired());
  array = DistArray();
  EXPECT_TRUE(alive.expired());
}

TEST(DistArray, OtherMemoryIsOnTheSameCommunicator) {
  std::vector<double> u(per_process), v(per_process);
  const std::vector<double> constant(per_process);
  const auto owned = std::make_shared<std::vector<double>>(per_process);
  const DistArray array = describe(u, {undistributed(per_process)}).on(MPI_COMM_SELF);
  const std::vector<DistArray> made = {
      array.with_memory(v.data()), array.with_memory(constant.data()), array.with_memory(nullptr),
      array.with_memory(owned->data(), owned), array.as_readonly()};
  for (const DistArray& each : made) {
    EXPECT_EQ(each.comm(), Comm(MPI_COMM_SELF));
    EXPECT_TRUE(each.same_layout(array));
  }
  EXPECT_EQ(made[0].mutable_data(), v.data());
  EXPECT_EQ(made[1].data(), constant.data());
  EXPECT_TRUE(made[1].readonly());
  EXPECT_EQ(made[2].data(), nullptr);
  EXPECT_EQ(made[3].mutable_data(), owned->data());
  EXPECT_EQ(made[4].data(), u.data());
  EXPECT_TRUE(made[4].readonly());
  EXPECT_FALSE(array.readonly());
}

TEST(DistArray, OnPassesADefectOn) {
  double value = 0;
  const DistArray wrong =
      describe(DataType::of<double>(), nullptr, {undistributed(-1)}).on(MPI_COMM_SELF);
  for (const DistArray& each : {wrong, wrong.as_readonly(), wrong.with_memory(&value)}) {
    EXPECT_FALSE(each.described());
    EXPECT_EQ(each.defect().report().findings().front().rule, "D08");
    EXPECT_EQ(each.comm(), Comm(MPI_COMM_SELF));
  }
}

// --- an array on no communicator

TEST(DistArray, ThatIsNoneOnOneRankIsADefectOnAll) {
  if (world_size() == 1) return;
  const Comm world(MPI_COMM_WORLD);
  const DistArray sound = blocks(world, world), other = blocks(world, world);
  const DistArray mask = blocks<std::int32_t>(world, world);
  require_consistent(sound);
  Ones ones(world);
  const CsrArrays matrix = ones.on(world);
  const std::vector<std::function<void(const DistArray&)>> calls = {
      [](const DistArray& a) { require_consistent(a); },
      [](const DistArray& a) { GlobalIndexMap map(a); },
      [](const DistArray& a) { prove_one_to_one(a); },
      [](const DistArray& a) { without_padding(a); },
      [](const DistArray& a) { explain(a); },
      [](const DistArray& a) { HaloExchange halo(a); },
      [&](const DistArray& a) {
        HaloExchange halo({other, a});
      },
      [](const DistArray& a) { update_padding(a); },
      [&](const DistArray& a) { redistribute(a, other); },
      [&](const DistArray& a) { redistribute(other, a); },
      [&](const DistArray& a) { redistribute({other}, {a}, world); },
      [](const DistArray& a) { redistributed(a, layout::natural()); },
      [&](const DistArray& a) { pack(a, mask, other); },
      [&](const DistArray& a) { pack(other, mask, a); },
      [&](const DistArray& a) { scan_add(a, other, mask); },
      [&](const DistArray& a) { scan_add(other, a, mask); },
      [&](const DistArray& a) { multiply(matrix, a, other); },
      [&](const DistArray& a) { multiply(matrix, other, a); },
  };
  for (int culprit = 0; culprit < world_size(); ++culprit) {
    const bool here = world_rank() == culprit;
    const DistArray array = here ? DistArray() : sound;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      SCOPED_TRACE("call " + std::to_string(i) + ", rank " + std::to_string(culprit));
      expect_refused_everywhere<InvalidArgument>("array.empty", [&] { calls[i](array); });
    }
    const Report report = validate(array);
    ASSERT_TRUE(report.has("array.empty")) << report;
    EXPECT_EQ(report.first_error()->ranks, std::vector<int>{culprit}) << report;
    for (DistArray CsrArrays::*const part :
         {&CsrArrays::values, &CsrArrays::columns, &CsrArrays::offsets}) {
      CsrArrays broken = matrix;
      if (here) broken.*part = DistArray();
      expect_refused_everywhere<InvalidArgument>("array.empty",
                                                 [&] { require_consistent(broken); });
      expect_refused_everywhere<InvalidArgument>("array.empty",
                                                 [&] { multiply(broken, sound, other); });
    }
  }
  expect_refused_everywhere<InvalidArgument>("array.empty",
                                             [] { require_consistent(DistArray()); });
}

void expect_no_communicator() {
  expect_refused<InvalidArgument>("argument", [] {
    try {
      DistArray().comm();
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(error.finding().key, "comm") << error.what();
      throw;
    }
  });
}

TEST(DistArray, ThatIsNoneIsOnTheOnlyCommunicatorOfSeveralRanks) {
  const Comm world(MPI_COMM_WORLD);
  world->exclusive_sum(0);
  Comm(MPI_COMM_SELF)->exclusive_sum(0);  // of one rank, which does not count
  if (world_size() == 1) return expect_no_communicator();
  EXPECT_EQ(DistArray().comm(), world);
  {
    const OwnComm own = OwnComm::duplicate();
    const Comm second(own);
    EXPECT_EQ(DistArray().comm(), world) << "there was no call over the other one";
    second->exclusive_sum(0);
    expect_no_communicator();
  }
  EXPECT_EQ(DistArray().comm(), world) << "the other one was freed";
}

// --- arrays of one call on two communicators

/// A call with arrays on two communicators, over the ranks of the first.
struct OnTwo {
  std::string name;
  std::function<void(const Comm& first, const Comm& second)> call;
};

std::vector<OnTwo> calls_on_two() {
  const auto mask = [](const Comm& order, const Comm& comm) {
    return blocks<std::int32_t>(order, comm);
  };
  return {
      {"redistribute", [](auto& a, auto& b) { redistribute(blocks(a, a), blocks(a, b)); }},
      {"Redistribution, a second source",
       [](auto& a, auto& b) {
         Redistribution copy({blocks(a, a), blocks(a, b)}, {blocks(a, a), blocks(a, a)});
       }},
      {"Redistribution, a second target",
       [](auto& a, auto& b) {
         Redistribution copy({blocks(a, a), blocks(a, a)}, {blocks(a, a), blocks(a, b)});
       }},
      {"bytes_to_redistribute",
       [](auto& a, auto& b) { bytes_to_redistribute(blocks(a, a), blocks(a, b)); }},
      {"HaloExchange",
       [](auto& a, auto& b) {
         HaloExchange halo({blocks(a, a), blocks(a, b)});
       }},
      {"pack, the mask", [=](auto& a, auto& b) { pack(blocks(a, a), mask(a, b), blocks(a, a)); }},
      {"pack, the destination",
       [=](auto& a, auto& b) { pack(blocks(a, a), mask(a, a), blocks(a, b)); }},
      {"unpack, the source",
       [=](auto& a, auto& b) { unpack(blocks(a, b), mask(a, a), blocks(a, a)); }},
      {"packed, the mask", [=](auto& a, auto& b) { packed(blocks(a, a), mask(a, b)); }},
      {"scan_add, the destination",
       [=](auto& a, auto& b) { scan_add(blocks(a, a), blocks(a, b), mask(a, a)); }},
      {"scan_add, the mask",
       [=](auto& a, auto& b) { scan_add(blocks(a, a), blocks(a, a), mask(a, b)); }},
      {"scan_copy, the mask",
       [=](auto& a, auto& b) { scan_copy(blocks(a, a), blocks(a, a), mask(a, b)); }},
      {"multiply, x",
       [](auto& a, auto& b) { multiply(Ones(a).on(a), blocks(a, b), blocks(a, a)); }},
      {"multiply, y",
       [](auto& a, auto& b) { multiply(Ones(a).on(a), blocks(a, a), blocks(a, b)); }},
      {"multiply, the columns",
       [](auto& a, auto& b) {
         Ones ones(a);
         CsrArrays matrix = ones.on(a);
         matrix.columns = matrix.columns.on(b);
         multiply(matrix, blocks(a, a), blocks(a, a));
       }},
      {"require_consistent, the offsets",
       [](auto& a, auto& b) {
         Ones ones(a);
         CsrArrays matrix = ones.on(a);
         matrix.offsets = matrix.offsets.on(b);
         require_consistent(matrix);
       }},
  };
}

TEST(DistArray, OfDifferentProcessesAreRefusedOnAll) {
  if (world_size() == 1) return;
  const OwnComm own = OwnComm::reversed();
  const Comm world(MPI_COMM_WORLD), self(MPI_COMM_SELF), reversed(own);
  const std::vector<std::pair<Comm, Comm>> pairs = {
      {world, self}, {world, reversed}, {reversed, world}, {reversed, self}};
  for (const OnTwo& each : calls_on_two())
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      SCOPED_TRACE(each.name + ", communicators " + std::to_string(i));
      expect_refused_everywhere<InvalidArgument>(
          "collective.comm", [&] { each.call(pairs[i].first, pairs[i].second); });
      EXPECT_NO_THROW(each.call(pairs[i].first, pairs[i].first)) << "on one of the two";
    }
}

/// Some ranks name another communicator than the others for the same array.
TEST(DistArray, OnAnotherCommunicatorOnOneRankIsRefusedOnAll) {
  if (world_size() == 1) return;
  const Comm world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  for (const OnTwo& each : calls_on_two())
    for (int culprit = 0; culprit < world_size(); ++culprit) {
      SCOPED_TRACE(each.name + ", rank " + std::to_string(culprit));
      expect_refused_everywhere<InvalidArgument>(
          "collective.comm", [&] { each.call(world, world_rank() == culprit ? self : world); },
          culprit);
    }
}

TEST(DistArray, OnDuplicatesOfACommunicatorAreTogether) {
  const OwnComm first = OwnComm::duplicate(), second = OwnComm::duplicate();
  const Comm world(MPI_COMM_WORLD), one(first), two(second);
  ASSERT_NE(one, two);
  for (const OnTwo& each : calls_on_two())
    for (const auto& [a, b] : {std::pair(one, two), std::pair(two, one), std::pair(world, two)})
      EXPECT_NO_THROW(each.call(a, b)) << each.name;

  const double mine = 1 + world_rank();
  const std::vector<double> expected(per_process, mine);
  const DistArray x = filled(blocks(world, one), mine);
  const DistArray ones = filled(blocks<std::int32_t>(world, two), std::int32_t{1});
  const auto result = [&] { return filled(blocks(world, two), -1.0); };
  const DistArray copy = result(), packed = result(), sums = result(), product = result();
  redistribute(x, copy);
  EXPECT_EQ(elements_of(copy), expected);
  EXPECT_EQ(pack(x, ones, packed), per_process * world_size());
  EXPECT_EQ(elements_of(packed), expected);
  scan_add(x, sums, ones);
  EXPECT_EQ(elements_of(sums), expected) << "each element is a segment";
  multiply(Ones(world).on(one), x, product);
  EXPECT_EQ(elements_of(product), expected);

  const auto ring = [&](const Comm& comm) {
    const Dimension rows =
        block(per_process * world_size(), line(), BlockPadding({1, 1}, {}, true));
    return filled(allocate<double>({rows}).on(comm), mine);
  };
  const DistArray u = ring(one), v = ring(two);
  HaloExchange({u, v}).update();
  for (const DistArray& each : {u, v}) {
    EXPECT_EQ(elements_of(each).front(), 1 + (world_rank() + world_size() - 1) % world_size());
    EXPECT_EQ(elements_of(each).back(), 1 + (world_rank() + 1) % world_size());
  }
}

}  // namespace
}  // namespace daptor::test
