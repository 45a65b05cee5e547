// SPDX-License-Identifier: BSD-3-Clause
// Sources and targets on different communicators, and on some of the processes only.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "everywhere.hpp"
#include "held.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

using Numbered = Held<std::int64_t>;

/// Some processes of the world, in an order of their own.
class Group {
 public:
  /// `key` orders this process; negative if it does not belong to the group.
  explicit Group(int key) {
    MPI_Comm_split(MPI_COMM_WORLD, key < 0 ? MPI_UNDEFINED : 0, key, &comm_);
    if (comm_ == MPI_COMM_NULL) return;
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  bool here() const { return comm_ != MPI_COMM_NULL; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = -1;
  int size_ = 0;
};

using Arrays = std::vector<DistArray>;

/// An array of `layout` on a group, or none.
class Part {
 public:
  Part(const Layout& layout, const Group& group) {
    if (group.here()) held_ = std::make_unique<Numbered>(layout, group.comm());
  }
  Arrays arrays() const { return held_ ? Arrays{held_->array()} : Arrays(); }
  Numbered* operator->() const { return held_.get(); }
  explicit operator bool() const { return held_ != nullptr; }

 private:
  std::unique_ptr<Numbered> held_;
};

class Communicators : public ::testing::Test {
 protected:
  void SetUp() override {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
  /// Number of processes of a group, on all ranks.
  static Index processes(const Group& group) {
    int size = group.size();
    MPI_Allreduce(MPI_IN_PLACE, &size, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return size;
  }
  void check(const Group& from, const Group& to) {
    const Index sources = processes(from), targets = processes(to);
    const Layout rows{{even_axis(11, sources), undistributed_axis(4)}, {}};
    for (const Layout& columns :
         {Layout{{undistributed_axis(11), cyclic_axis(4, targets, 1)}, {}},
          Layout{{shuffled_axis(11, targets, 3), undistributed_axis(4)}, {}},
          Layout{{cyclic_axis(44, targets, 3)}, {}}, Layout{{shuffled_axis(44, targets, 5)}, {}}}) {
      check(rows, from, columns, to);
      check(columns, to, rows, from);
    }
  }
  void check(const Layout& rows, const Group& from, const Layout& columns, const Group& to) {
    Part source(rows, from), target(columns, to);
    if (source) source->number();
    Redistribution move(source.arrays(), target.arrays(), MPI_COMM_WORLD);
    move.run();
    if (target) {
      EXPECT_EQ(target->wrong(), 0);
      EXPECT_TRUE(target->rest_untouched());
    }
    if (source) source->forget();
    move.run_back();
    if (source) {
      EXPECT_EQ(source->wrong(), 0);
    }
  }

  int rank = 0, ranks = 1;
};

TEST_F(Communicators, OfOneSizeInAnotherOrder) {
  check(Group(rank), Group(ranks - rank));
  check(Group((rank * 5 + 2) % ranks), Group(rank));
}

TEST_F(Communicators, OfAPartOfTheProcesses) {
  const auto first = [&](int count) { return rank < count ? rank : -1; };
  const auto last = [&](int count) { return rank >= ranks - count ? ranks - rank : -1; };
  for (int count = 1; count <= ranks; ++count) {
    check(Group(first(count)), Group(rank));
    check(Group(rank), Group(last(count)));
    // Also groups that have no process in common.
    check(Group(first(count)), Group(last(std::max(1, ranks - count))));
  }
}

TEST_F(Communicators, EmptySectionsOnOneCommunicator) {
  const DistArray whole =
      like(describe(DataType::of<double>(), nullptr, {block(10, {ranks, rank}), undistributed(3)})
               .on(MPI_COMM_WORLD),
           layout::on_process(ranks - 1));
  EXPECT_EQ(whole.local_count(), rank == ranks - 1 ? 30 : 0);
  double* const elements = static_cast<double*>(whole.mutable_data());
  for (Index i = 0; i < whole.local_count(); ++i) elements[i] = static_cast<double>(i);
  const DistArray dealt = redistributed(whole, layout::block_cyclic({2, 1}));
  const DistArray again = redistributed(dealt, layout::on_process(ranks - 1));
  const auto* back = static_cast<const double*>(again.data());
  for (Index i = 0; i < again.local_count(); ++i) EXPECT_EQ(back[i], static_cast<double>(i));
}

TEST_F(Communicators, WhatDoesNotFitIsRefusedEverywhere) {
  const Group some(rank == 0 ? 0 : -1);
  const Layout line{{even_axis(6, 1)}, {}};
  const Part source(line, some), target(line, some);
  const auto rule = [&](const Arrays& from, const Arrays& to) -> std::string {
    try {
      Redistribution(from, to, MPI_COMM_WORLD);
    } catch (const Error& error) {
      return error.rule();
    }
    return "nothing";
  };
  EXPECT_EQ(rule({}, {}), "redistribute.comm");
  EXPECT_EQ(rule(source.arrays(), {}), "redistribute.comm");
  EXPECT_EQ(rule({}, target.arrays()), "redistribute.comm");
  if (ranks > 1) {
    // Not given on all processes of its communicator.
    Arrays partial;
    if (some.here()) partial = {source->array().on(MPI_COMM_WORLD)};
    EXPECT_EQ(rule(partial, target.arrays()), "redistribute.comm");
  }
  EXPECT_EQ(rule(source.arrays(), target.arrays()), "nothing");
}

/// On one process alone, and on communicators of the same processes.
TEST_F(Communicators, ArraysOfASideOnSeveral) {
  if (ranks == 1) return;
  const Group one(rank), other(ranks - 1 - rank);
  const Layout rows{{even_axis(12, ranks), undistributed_axis(4)}, {}};
  const Layout columns{{undistributed_axis(12), cyclic_axis(4, ranks, 1)}, {}};
  const Part a(rows, one), b(rows, other), x(columns, one), y(columns, one);
  const Arrays together{x->array(), y->array()};
  for (const bool everywhere : {true, false}) {
    const bool apart = everywhere || rank == ranks - 1;
    const Arrays mixed{a->array(), apart ? b->array() : b->array().on(one.comm())};
    const int culprit = everywhere ? 0 : ranks - 1;
    expect_refused_everywhere<InvalidArgument>(
        "redistribute.comm", [&] { Redistribution(mixed, together, MPI_COMM_WORLD); }, culprit);
    expect_refused_everywhere<InvalidArgument>(
        "redistribute.comm", [&] { Redistribution(together, mixed, MPI_COMM_WORLD); }, culprit);
  }
  // One for each side; two on copies of one communicator count as one.
  const Group copy(ranks - 1 - rank);
  const Arrays apart{b->array(), b->array().on(copy.comm())};
  EXPECT_NO_THROW(Redistribution(apart, together, MPI_COMM_WORLD));
}

/// Some processes have both sides, some only one: all are told what is wrong with either side.
TEST_F(Communicators, SectionsThatDisagree) {
  if (ranks < 3) return;
  const Group some(rank < 2 ? rank : -1), all(rank);
  const Part target({{even_axis(12, ranks)}, {}}, all);
  Arrays from;
  const Index size = rank == 1 ? 13 : 12;
  std::vector<std::int64_t> memory(13);
  if (some.here())
    from = {describe(memory.data(), {block(size, {2, some.rank()})}).on(some.comm())};
  expect_refused_everywhere("D10", [&] { Redistribution(from, target.arrays(), MPI_COMM_WORLD); });
  expect_refused_everywhere("D10", [&] { Redistribution(target.arrays(), from, MPI_COMM_WORLD); });
}

/// As many processes as either communicator has, but not those of one of them.
TEST_F(Communicators, PartsOfTwoCommunicators) {
  if (ranks != 4) return;
  MPI_Comm pair = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &pair);
  std::vector<std::int64_t> memory(8);
  Arrays from;
  if (rank < 2) from = {describe(memory.data(), {block(8, {2, 0})}).on(pair)};
  const Group all(rank);
  const Part target({{even_axis(8, ranks)}, {}}, all);
  expect_refused_everywhere("redistribute.comm",
                            [&] { Redistribution(from, target.arrays(), MPI_COMM_WORLD); });
  MPI_Comm_free(&pair);
}

}  // namespace
