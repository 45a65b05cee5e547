// SPDX-License-Identifier: BSD-3-Clause
// The state of memory that several arrays and views share.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "daptor/buffer.hpp"
#include "daptor/datatype.hpp"

namespace daptor {
namespace {

class CountingProducer final : public Producer {
 public:
  explicit CountingProducer(int& told, bool throws = false) : told_(told), throws_(throws) {}
  void modified() override {
    ++told_;
    if (throws_) throw std::runtime_error("producer");
  }

 private:
  int& told_;
  bool throws_;
};

class CountingView final : public NativeView {
 public:
  explicit CountingView(const char* failure = nullptr) : failure_(failure) {}
  void modified() override {
    ++told;
    if (failure_ != nullptr) throw std::runtime_error(failure_);
  }
  int told = 0;

 private:
  const char* failure_;
};

std::shared_ptr<SharedState> counting_state(int& told, bool throws = false) {
  return std::make_shared<SharedState>(std::make_unique<CountingProducer>(told, throws));
}

TEST(SharedState, TellsProducerAndEachLiveViewOnce) {
  int told = 0;
  const auto state = counting_state(told);
  CountingView views[3];
  for (CountingView& view : views) view.watch(state);
  views[1].watch(state);  // watching twice changes nothing
  EXPECT_EQ(state->view_count(), 3U);
  state->modified();
  EXPECT_EQ(told, 1);
  for (const CountingView& view : views) EXPECT_EQ(view.told, 1);
}

TEST(SharedState, TellsAllEvenWhereOneFails) {
  int told = 0;
  const auto state = counting_state(told, true);
  CountingView first;
  CountingView failing("view");
  CountingView last;
  first.watch(state);
  failing.watch(state);
  last.watch(state);
  try {
    state->modified();
    ADD_FAILURE() << "the failure is lost";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "producer") << "the first failure comes out";
  }
  EXPECT_EQ(told + first.told + failing.told + last.told, 4);
  EXPECT_THROW(state->modified(), std::runtime_error) << "and the lock is free again";
}

TEST(SharedState, ViewsLeaveInAnyOrder) {
  std::vector<int> order = {0, 1, 2, 3};
  do {
    int told = 0;
    const auto state = counting_state(told);
    std::vector<std::unique_ptr<CountingView>> views;
    for (int i = 0; i < 4; ++i) {
      views.push_back(std::make_unique<CountingView>());
      views.back()->watch(state);
    }
    std::set<int> alive = {0, 1, 2, 3};
    int rounds = 0;
    for (const int leaving : order) {
      views[static_cast<std::size_t>(leaving)].reset();
      alive.erase(leaving);
      state->modified();
      ++rounds;
      EXPECT_EQ(state->view_count(), alive.size());
      for (const int i : alive) EXPECT_EQ(views[static_cast<std::size_t>(i)]->told, rounds);
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(SharedState, AViewCanWatchAnother) {
  int told[2] = {};
  const auto first = counting_state(told[0]);
  const auto second = counting_state(told[1]);
  CountingView stays;
  CountingView moves;
  stays.watch(first);
  moves.watch(first);
  moves.watch(second);
  EXPECT_EQ(moves.state(), second);
  EXPECT_EQ(first->view_count(), 1U);
  EXPECT_EQ(second->view_count(), 1U);
  first->modified();
  EXPECT_EQ(moves.told, 0);
  second->modified();
  EXPECT_EQ(moves.told, 1);
  EXPECT_EQ(stays.told, 1);
  moves.unwatch();
  moves.unwatch();
  EXPECT_EQ(moves.state(), nullptr);
  EXPECT_EQ(second->view_count(), 0U);
  moves.watch(nullptr);
  moves.watch(first);
  EXPECT_EQ(first->view_count(), 2U);
}

/// A view that runs an action while it is notified.
class ActingView final : public NativeView {
 public:
  explicit ActingView(std::function<void()> act) : act_(std::move(act)) {}
  ~ActingView() override { unwatch(); }
  void modified() override {
    ++told;
    act_();
  }
  std::atomic<int> told{0};

 private:
  std::function<void()> act_;
};

/// A view that is notified may do anything, even with other views of the memory.
TEST(SharedState, NoLockIsHeldWhileAViewIsTold) {
  int told = 0;
  const auto state = counting_state(told);
  CountingView older;
  auto leaving = std::make_unique<CountingView>();
  CountingView comes;
  ActingView acting([&] {
    EXPECT_EQ(state->view_count(), 3U);
    leaving.reset();
    comes.watch(state);
    acting.unwatch();
    EXPECT_EQ(state->view_count(), 2U);
  });
  older.watch(state);
  leaving->watch(state);
  acting.watch(state);
  state->modified();
  EXPECT_EQ(acting.told, 1);
  EXPECT_EQ(older.told, 1) << "those after one that left are told";
  EXPECT_EQ(comes.told, 0) << "one that comes later has nothing to forget";
  state->modified();
  EXPECT_EQ(acting.told, 1);
  EXPECT_EQ(older.told, 2);
  EXPECT_EQ(comes.told, 1);
}

TEST(SharedState, AViewThatTellsItsOwnStateIsToldOnce) {
  int told = 0;
  const auto state = counting_state(told);
  CountingView other;
  ActingView acting([&] { state->modified(); });
  acting.watch(state);
  other.watch(state);
  state->modified();
  EXPECT_EQ(acting.told, 1);
  EXPECT_EQ(other.told, 2);
  EXPECT_EQ(told, 2);
}

/// While one thread is inside of a view's callback, other views come and go; only that view itself
/// has to wait.
TEST(SharedState, ThreadsDoNotWaitForForeignCode) {
  int told = 0;
  const auto state = counting_state(told);
  std::atomic<bool> inside{false}, go_on{false}, ended{false};
  auto slow = std::make_unique<ActingView>([&] {
    inside = true;
    while (!go_on) std::this_thread::yield();
    ended = true;
  });
  slow->watch(state);
  std::thread teller([&] { state->modified(); });
  while (!inside) std::this_thread::yield();
  {
    CountingView other;
    other.watch(state);
    EXPECT_EQ(state->view_count(), 2U);
  }
  std::thread destroyer([&] {
    slow.reset();
    EXPECT_TRUE(ended) << "a view is not destroyed while it is told";
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  go_on = true;
  teller.join();
  destroyer.join();
  EXPECT_EQ(state->view_count(), 0U);
}

/// Two threads notify while two others add and remove views: no view is notified by two threads at
/// a time.
TEST(SharedState, ViewsComeAndGoWhileThreadsTell) {
  const auto state = plain_memory(nullptr);
  std::atomic<int> within{0};
  std::atomic<bool> stop{false};
  ActingView stays([&] {
    EXPECT_EQ(++within, 1);
    --within;
  });
  stays.watch(state);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 2000; ++round) state->modified();
      stop = true;
    });
    threads.emplace_back([&] {
      while (!stop) {
        ActingView first([] {}), second([] {});
        first.watch(state);
        second.watch(state);
        first.unwatch();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(state->view_count(), 1U);
  EXPECT_GE(stays.told, 4000);
}

TEST(SharedState, MemoryLivesAsLongAsAnythingNeedsIt) {
  // The order in which they are destroyed: 0 is the buffer, 1 a copy of it, 2 a view.
  std::vector<int> order = {0, 1, 2};
  do {
    auto memory = std::make_shared<std::vector<double>>(4);
    const std::weak_ptr<std::vector<double>> alive = memory;
    auto original = std::make_unique<Buffer>(DataType::of<double>(), std::vector<Index>{4},
                                             std::vector<Index>{8}, memory->data(), false,
                                             plain_memory(memory));
    memory.reset();
    auto copy = std::make_unique<Buffer>(original->as_readonly());
    auto view = std::make_unique<CountingView>();
    view->watch(original->state());
    for (const int leaving : order) {
      EXPECT_FALSE(alive.expired());
      if (leaving == 0) original.reset();
      if (leaving == 1) copy.reset();
      if (leaving == 2) view.reset();
    }
    EXPECT_TRUE(alive.expired()) << "and not longer";
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(SharedState, AProducerMayGoWithTheViewThatKeptIt) {
  auto memory = std::make_shared<int>(1);
  const std::weak_ptr<int> alive = memory;
  CountingView view;
  view.watch(plain_memory(std::move(memory)));
  EXPECT_FALSE(alive.expired());
  view.watch(plain_memory(nullptr));
  EXPECT_TRUE(alive.expired());
}

TEST(SharedState, PlainMemoryIsAlwaysOpen) {
  double value = 0;
  const auto state = plain_memory(nullptr);
  EXPECT_EQ(state->producer().begin_access(Access::write, &value), &value);
  state->producer().end_access(Access::write);
  state->modified();
  SharedState without_producer(nullptr);
  EXPECT_EQ(without_producer.producer().begin_access(Access::read, &value), &value);
  without_producer.modified();
  EXPECT_EQ(without_producer.view_count(), 0U);
}

}  // namespace
}  // namespace daptor
