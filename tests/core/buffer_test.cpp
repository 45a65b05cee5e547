// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "daptor/error.hpp"
#include "text.hpp"

namespace daptor {
namespace {

using test::text;

const DataType float64 = DataType::of<double>();

Buffer buffer_of(std::vector<Index> shape, std::vector<Index> strides, void* data = nullptr) {
  return Buffer(float64, std::move(shape), std::move(strides), data);
}

std::string refusal(const std::function<void()>& make) {
  try {
    make();
  } catch (const Malformed& error) {
    return error.rule();
  }
  return "none";
}

TEST(Buffer, CountsItsElements) {
  EXPECT_EQ(buffer_of({}, {}).local_count(), 1);
  EXPECT_EQ(buffer_of({7}, {8}).local_count(), 7);
  EXPECT_EQ(buffer_of({2, 3, 4}, {96, 32, 8}).local_count(), 24);
  EXPECT_EQ(buffer_of({2, 0, 4}, {0, 0, 8}).local_count(), 0);
  EXPECT_EQ(buffer_of({Index{1} << 31}, {8}).local_count(), Index{1} << 31);
  EXPECT_EQ(buffer_of({INT64_MAX / 8}, {8}).local_count(), INT64_MAX / 8);
  const Index huge = Index{1} << 62;
  EXPECT_EQ(buffer_of({huge, 0, huge}, {8, 8, 8}).local_count(), 0) << "no bytes, no overflow";
}

TEST(Buffer, RefusesShapesThatCannotBe) {
  EXPECT_EQ(refusal([] { buffer_of({-1}, {8}); }), "T09");
  EXPECT_EQ(refusal([] { buffer_of({0, -1}, {8, 8}); }), "T09") << "also beside an empty extent";
  EXPECT_EQ(refusal([] { buffer_of({2, 3}, {8}); }), "T09");
  EXPECT_EQ(refusal([] { buffer_of({}, {8}); }), "T09");
  EXPECT_EQ(refusal([] { buffer_of({INT64_MAX / 8 + 1}, {8}); }), "T10") << "bytes, not elements";
  const Index half = Index{1} << 32;
  EXPECT_EQ(refusal([&] { buffer_of({half, half}, {0, 0}); }), "T10") << "2^64 wraps to 0";
  EXPECT_EQ(refusal([&] { buffer_of({INT64_MAX, 2, 3}, {0, 0, 0}); }), "T10");
}

TEST(Buffer, RefusesStridesThatReachBeyondAddresses) {
  EXPECT_EQ(refusal([] { buffer_of({3}, {INT64_MAX / 2 + 1}); }), "T09");
  EXPECT_EQ(refusal([] { buffer_of({3}, {INT64_MIN / 2}); }), "T09");
  EXPECT_EQ(refusal([] { buffer_of({2}, {INT64_MIN}); }), "T09");
  const Index quarter = Index{1} << 61;
  EXPECT_EQ(refusal([&] { buffer_of({2, 2, 2, 2}, {quarter, quarter, quarter, quarter}); }), "T09");
  EXPECT_EQ(refusal([&] {
              buffer_of({3, 3}, {quarter, -quarter});
            }),
            "T09")
      << "each end fits, their distance does not";
  EXPECT_EQ(refusal([&] { buffer_of({1}, {INT64_MIN}); }), "none") << "a stride without a step";
  EXPECT_EQ(refusal([&] { buffer_of({0, 5}, {INT64_MIN, INT64_MAX}); }), "none");
}

TEST(Buffer, IsContiguousWhereElementsFillARun) {
  const auto c = [](const Buffer& b) { return b.contiguous(Order::c); };
  const auto fortran = [](const Buffer& b) { return b.contiguous(Order::fortran); };
  EXPECT_TRUE(c(buffer_of({2, 3}, {24, 8})));
  EXPECT_FALSE(fortran(buffer_of({2, 3}, {24, 8})));
  EXPECT_TRUE(fortran(buffer_of({2, 3}, {8, 16})));
  EXPECT_FALSE(c(buffer_of({2, 3}, {8, 16})));
  EXPECT_TRUE(c(buffer_of({}, {})) && fortran(buffer_of({}, {})));
  EXPECT_TRUE(c(buffer_of({5}, {8})) && fortran(buffer_of({5}, {8})));
  EXPECT_FALSE(c(buffer_of({5}, {16})));
  EXPECT_FALSE(c(buffer_of({5}, {-8})));
  EXPECT_FALSE(c(buffer_of({5}, {0})));
  EXPECT_FALSE(c(buffer_of({2, 3}, {32, 8}))) << "a gap between the rows";
  EXPECT_TRUE(c(buffer_of({1, 3}, {12345, 8})) && fortran(buffer_of({1, 3}, {12345, 8})))
      << "the stride of one element does not count";
  EXPECT_TRUE(c(buffer_of({1, 1}, {-5, 0})));
  EXPECT_TRUE(c(buffer_of({2, 0}, {1, 1})) && fortran(buffer_of({2, 0}, {1, 1})));
}

/// The lowest byte and one past the highest, found by visiting every element.
IndexRange visited_span(const std::vector<Index>& shape, const std::vector<Index>& strides) {
  std::vector<Index> at(shape.size(), 0);
  IndexRange span{INT64_MAX, INT64_MIN};
  while (true) {
    Index offset = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) offset += at[d] * strides[d];
    span.start = std::min(span.start, offset);
    span.stop = std::max(span.stop, offset + 8);
    std::size_t d = 0;
    while (d < shape.size() && ++at[d] == shape[d]) at[d++] = 0;
    if (d == shape.size()) return span;
  }
}

TEST(Buffer, SpansFromTheLowestToTheHighestByte) {
  for (const Index rows : {1, 2, 5}) {
    for (const Index columns : {1, 3}) {
      for (const Index row_stride : {-40, 0, 8, 24, 100}) {
        for (const Index column_stride : {-24, -8, 0, 8, 16}) {
          const std::vector<Index> shape = {rows, columns};
          const std::vector<Index> strides = {row_stride, column_stride};
          EXPECT_EQ(buffer_of(shape, strides).byte_span(), visited_span(shape, strides));
        }
      }
    }
  }
  EXPECT_EQ(buffer_of({}, {}).byte_span(), (IndexRange{0, 8}));
  EXPECT_EQ(buffer_of({3, 0}, {8, 8}).byte_span(), (IndexRange{0, 0}));
  EXPECT_EQ(buffer_of({2}, {-(Index{1} << 62)}).byte_span(), (IndexRange{-(Index{1} << 62), 8}));
}

TEST(Buffer, StridesOfAGaplessArray) {
  EXPECT_EQ(contiguous_strides({2, 3, 4}, 8, Order::c), (std::vector<Index>{96, 32, 8}));
  EXPECT_EQ(contiguous_strides({2, 3, 4}, 8, Order::fortran), (std::vector<Index>{8, 16, 48}));
  EXPECT_EQ(contiguous_strides({}, 8, Order::c), std::vector<Index>());
  EXPECT_EQ(contiguous_strides({5, 0, 3}, 8, Order::c), (std::vector<Index>{24, 24, 8}));
  const Index huge = Index{1} << 61;
  EXPECT_EQ(refusal([&] { contiguous_strides({huge}, 8, Order::c); }), "T10");
  EXPECT_EQ(refusal([&] { contiguous_strides({huge, 0, huge, huge}, 8, Order::c); }), "none");
  for (const Order order : {Order::c, Order::fortran}) {
    for (const std::vector<Index>& shape :
         {std::vector<Index>{2, 3, 4}, {1, 7, 1}, {}, {0, 4}, {1, 1}, {huge, 0, huge}})
      EXPECT_TRUE(buffer_of(shape, contiguous_strides(shape, 8, order)).contiguous(order));
  }
}

TEST(Buffer, ReadOnlyMemoryIsNotGivenForWriting) {
  double values[4] = {};
  const Buffer writable = buffer_of({4}, {8}, values);
  EXPECT_EQ(writable.mutable_data(), values);
  EXPECT_FALSE(writable.readonly());
  const Buffer readonly = writable.as_readonly();
  EXPECT_TRUE(readonly.readonly());
  EXPECT_EQ(readonly.data(), values);
  EXPECT_EQ(readonly.state(), writable.state());
  EXPECT_THROW(static_cast<void>(readonly.mutable_data()), InvalidArgument);
  EXPECT_FALSE(writable.readonly()) << "a copy does not change its source";
}

TEST(Buffer, TakesOtherMemoryOfTheSameForm) {
  double first[4] = {};
  double second[4] = {};
  const Buffer original = buffer_of({4}, {8}, first);
  const auto state = plain_memory(nullptr);
  const Buffer other = original.with_memory(second, true, state);
  EXPECT_EQ(other.data(), second);
  EXPECT_TRUE(other.readonly());
  EXPECT_EQ(other.state(), state);
  EXPECT_TRUE(other.same_form(original));
  EXPECT_EQ(original.data(), first);
  const Buffer without_state = original.with_memory(second, false, nullptr);
  ASSERT_NE(without_state.state(), nullptr);
  EXPECT_NE(without_state.state(), original.state()) << "other memory is other state";
}

TEST(Buffer, HasTheSameFormWhereTypeShapeStridesAndSpaceAgree) {
  const Buffer original = buffer_of({4}, {8});
  EXPECT_TRUE(original.same_form(buffer_of({4}, {8})));
  EXPECT_FALSE(original.same_form(buffer_of({5}, {8})));
  EXPECT_FALSE(original.same_form(buffer_of({4}, {16})));
  EXPECT_FALSE(original.same_form(buffer_of({4, 1}, {8, 8})));
  EXPECT_FALSE(original.same_form(Buffer(DataType::of<float>(), {4}, {8}, nullptr)));
  EXPECT_FALSE(
      original.same_form(Buffer(float64, {4}, {8}, nullptr, false, nullptr, MemorySpace{2, 0})));
}

TEST(Buffer, KnowsWhetherItHasMemory) {
  double value = 0;
  EXPECT_TRUE(buffer_of({1}, {8}, &value).has_memory());
  EXPECT_FALSE(buffer_of({1}, {8}).has_memory());
  EXPECT_TRUE(buffer_of({0}, {8}).has_memory()) << "nothing is missing";
}

TEST(Buffer, IsPrintedForPeople) {
  double values[6] = {};
  EXPECT_EQ(text(buffer_of({2, 3}, {24, 8}, values)), "float64 [2 x 3] C order");
  EXPECT_EQ(text(buffer_of({2, 3}, {8, 16}, values)), "float64 [2 x 3] Fortran order");
  EXPECT_EQ(text(buffer_of({2, 2}, {48, 8}, values).as_readonly()),
            "float64 [2 x 2] strides (48, 8) bytes, read-only");
  EXPECT_EQ(text(buffer_of({6}, {8})), "float64 [6] C order, no memory");
  EXPECT_EQ(text(buffer_of({}, {}, values)), "float64 scalar");
  EXPECT_EQ(text(buffer_of({0}, {8})), "float64 [0] C order");
}

// --- the shared state and its views

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
    auto original = std::make_unique<Buffer>(float64, std::vector<Index>{4}, std::vector<Index>{8},
                                             memory->data(), false, plain_memory(memory));
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
