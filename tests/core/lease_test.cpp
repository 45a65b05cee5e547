// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/lease.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "daptor/builders.hpp"
#include "daptor/error.hpp"
#include "everywhere.hpp"

namespace daptor::test {
namespace {

static_assert(!std::is_copy_constructible_v<ReadLease> && !std::is_copy_assignable_v<ReadLease>);
static_assert(!std::is_copy_constructible_v<WriteLease> && !std::is_copy_assignable_v<WriteLease>);
static_assert(std::is_nothrow_move_constructible_v<ReadLease>);
static_assert(std::is_nothrow_move_assignable_v<ReadLease>);
static_assert(std::is_nothrow_move_constructible_v<WriteLease>);
static_assert(std::is_nothrow_move_assignable_v<WriteLease>);
static_assert(std::is_nothrow_destructible_v<WriteLease>);
static_assert(
    std::is_same_v<decltype(std::declval<ReadLease>().view<double, 1>()), View<const double, 1>>);

/// The calls that a producer received, in order: r and w open, R and W close, m marks as modified.
struct Log {
  std::string calls;
  bool destroyed = false;
  bool stale = false;
  bool failing = false;
  bool elsewhere = false;
};

class LoggingProducer : public Producer {
 public:
  explicit LoggingProducer(Log& log) : log_(log) {}
  ~LoggingProducer() override { log_.destroyed = true; }

  void* begin_access(Access access, void* described) override {
    if (log_.stale) throw Stale("memory that was resized", "Export the array again.");
    log_.calls += access == Access::read ? 'r' : 'w';
    return log_.elsewhere ? &log_ : described;
  }
  void end_access(Access access) noexcept override {
    log_.calls += access == Access::read ? 'R' : 'W';
  }
  void modified() override {
    log_.calls += 'm';
    if (log_.failing) throw std::runtime_error("cache cannot be voided");
  }

 private:
  Log& log_;
};

class Told : public NativeView {
 public:
  void modified() override { ++times; }
  int times = 0;
};

class Lease : public ::testing::Test {
 protected:
  Section array(bool readonly = false) {
    auto state = std::make_shared<SharedState>(std::make_unique<LoggingProducer>(log));
    return Section(protocol_0_9,
                   Buffer(DataType::of<double>(), {6}, {8}, memory.data(), readonly, state),
                   {block(6, {1, 0})});
  }
  std::vector<double> memory = std::vector<double>(6, 1.0);
  Log log;
};

TEST_F(Lease, OfReadingOpensAndCloses) {
  const Section a = array();
  {
    const ReadLease lease(a);
    EXPECT_EQ(log.calls, "r");
    EXPECT_EQ(lease.data(), memory.data());
    const auto elements = lease.view<double, 1>();
    EXPECT_EQ(&elements(3), &memory[3]);
  }
  EXPECT_EQ(log.calls, "rR") << "reading voids nothing";
}

TEST_F(Lease, OfWritingClosesAndThenTellsEverybody) {
  const Section a = array();
  Told told;
  told.watch(a.buffer().state());
  {
    const WriteLease lease(a);
    EXPECT_EQ(lease.data(), memory.data());
    lease.view<double, 1>()(2) = 7;
    EXPECT_EQ(told.times, 0);
  }
  EXPECT_EQ(memory[2], 7);
  EXPECT_EQ(log.calls, "wWm");
  EXPECT_EQ(told.times, 1);
}

TEST_F(Lease, ClosesOnce) {
  const Section a = array();
  {
    ReadLease reading(a);
    reading.close();
    reading.close();
    WriteLease writing(a);
    writing.close();
    writing.close();
  }
  EXPECT_EQ(log.calls, "rRwWm");
}

TEST_F(Lease, ClosesWhereAnExceptionPasses) {
  const Section a = array();
  const auto leave = [&](auto&& body) {
    try {
      body();
    } catch (const std::runtime_error&) {
      return true;
    }
    return false;
  };
  EXPECT_TRUE(leave([&] {
    const ReadLease lease(a);
    throw std::runtime_error("on purpose");
  }));
  EXPECT_EQ(log.calls, "rR");
  EXPECT_TRUE(leave([&] {
    const WriteLease lease(a);
    throw std::runtime_error("on purpose");
  }));
  EXPECT_EQ(log.calls, "rRwWm") << "other ranks call modified() too";
}

TEST_F(Lease, ClosesWhereAViewIsRefused) {
  const Section a = array();
  EXPECT_THROW(
      {
        const WriteLease lease(a);
        (lease.view<float, 1>());
      },
      InvalidArgument);
  EXPECT_THROW(
      {
        const ReadLease lease(a);
        (lease.view<double, 2>());
      },
      InvalidArgument);
  EXPECT_EQ(log.calls, "wWmrR");
}

TEST_F(Lease, IsHandedOnByAMove) {
  const Section a = array();
  {
    ReadLease first(a);
    ReadLease second(std::move(first));
    EXPECT_EQ(second.data(), memory.data());
    EXPECT_EQ(log.calls, "r");
  }
  EXPECT_EQ(log.calls, "rR");
  log.calls.clear();
  {
    std::optional<WriteLease> first(a);
    WriteLease second(*std::move(first));
    first.reset();
    EXPECT_EQ(log.calls, "w");
  }
  EXPECT_EQ(log.calls, "wWm");
}

TEST_F(Lease, IsClosedByAnAssignment) {
  const Section a = array();
  Log other_log;
  std::vector<double> other_memory(6);
  const Section other(
      protocol_0_9,
      Buffer(DataType::of<double>(), {6}, {8}, other_memory.data(), false,
             std::make_shared<SharedState>(std::make_unique<LoggingProducer>(other_log))),
      {block(6, {1, 0})});
  {
    ReadLease reading(a);
    reading = ReadLease(other);
    EXPECT_EQ(log.calls, "rR");
    EXPECT_EQ(other_log.calls, "r");
    WriteLease writing(a);
    writing = WriteLease(other);
    EXPECT_EQ(log.calls, "rRwWm");
    EXPECT_EQ(other_log.calls, "rw");
    EXPECT_EQ(writing.data(), other_memory.data());
  }
  EXPECT_EQ(other_log.calls, "rwWmR");
}

TEST_F(Lease, SurvivesAnAssignmentToItself) {
  const Section a = array();
  {
    WriteLease lease(a);
    WriteLease& same = lease;
    lease = std::move(same);
    EXPECT_EQ(log.calls, "w");
  }
  EXPECT_EQ(log.calls, "wWm");
}

TEST_F(Lease, MayBeTakenSeveralTimes) {
  const Section a = array();
  {
    const ReadLease first(a);
    const ReadLease second(a);
    const WriteLease third(a);
  }
  EXPECT_EQ(log.calls, "rrwWmRR");
}

TEST_F(Lease, KeepsTheProducerAlive) {
  std::optional<ReadLease> lease;
  {
    const Section a = array();
    lease.emplace(a);
  }
  EXPECT_FALSE(log.destroyed);
  lease.reset();
  EXPECT_EQ(log.calls, "rR");
  EXPECT_TRUE(log.destroyed);
}

TEST_F(Lease, SaysThatTheMemoryIsStale) {
  const Section a = array();
  log.stale = true;
  EXPECT_THROW(ReadLease lease(a), Stale);
  EXPECT_THROW(WriteLease lease(a), Stale);
  EXPECT_EQ(log.calls, "") << "what did not open is not closed";
}

TEST_F(Lease, IsNotGivenOnMemoryElsewhere) {
  const Section a = array();
  log.elsewhere = true;
  EXPECT_THROW(ReadLease lease(a), Stale);
  EXPECT_THROW(WriteLease lease(a), Stale);
  EXPECT_EQ(log.calls, "rRwW") << "what opened is closed, and nothing was written";
}

TEST_F(Lease, OfWritingNeedsAWritableArray) {
  const Section a = array(true);
  test::expect_refused<InvalidArgument>("lease.readonly", [&] { const WriteLease lease(a); });
  EXPECT_EQ(log.calls, "");
  const ReadLease lease(a);
  EXPECT_EQ(lease.data(), memory.data());
}

TEST_F(Lease, NeedsMemory) {
  const Section nothing = describe(DataType::of<double>(), nullptr, {block(6, {1, 0})});
  for (const auto& take : {std::function<void()>([&] { ReadLease lease(nothing); }),
                           std::function<void()>([&] { WriteLease lease(nothing); })}) {
    test::expect_refused<InvalidArgument>("lease.memory", [&] { take(); });
  }
}

TEST_F(Lease, OfAnEmptySectionStillTellsOfWrites) {
  auto state = std::make_shared<SharedState>(std::make_unique<LoggingProducer>(log));
  const Section empty(protocol_0_9, Buffer(DataType::of<double>(), {0}, {8}, nullptr, false, state),
                      {block(0, {1, 0})});
  WriteLease(empty).close();
  EXPECT_EQ(log.calls, "wWm");
}

TEST_F(Lease, GivesTheMemoryBackWhereModifiedFails) {
  const Section a = array();
  log.failing = true;
  {
    WriteLease lease(a);
    EXPECT_THROW(lease.close(), std::runtime_error);
    lease.close();
  }
  EXPECT_EQ(log.calls, "wWm");
  log.calls.clear();
  { const WriteLease lease(a); }
  EXPECT_EQ(log.calls, "wWm") << "a destructor does not throw";
}

}  // namespace
}  // namespace daptor::test
