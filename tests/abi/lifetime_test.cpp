// SPDX-License-Identifier: BSD-3-Clause
// Who keeps a section alive, who opens it, and who is notified of writes.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <thread>

#include "sections.hpp"

namespace daptor::test {
namespace {

using Fail = CountingProducer::Log::Fail;

TEST(AbiImport, TakesTheSectionAndReleasesItOnce) {
  ForeignSection foreign;
  {
    const Section array = import_abi(&foreign.array);
    EXPECT_EQ(foreign.array.release, nullptr);
    EXPECT_EQ(array.data(), foreign.cells.data());
    EXPECT_EQ(foreign.counts.releases, 0);
    const auto view = daptor::view<double, 2>(array);
    view(1, 2) = -1;
    EXPECT_EQ(foreign.cells[6], -1);
  }
  EXPECT_EQ(foreign.counts.releases, 1);
  EXPECT_NE(foreign.counts.last_self, &foreign.array) << "the struct was moved, not referred to";
}

/// Makes three copies and a native view, and destroys them in the given order.
void destroy_in_order(const std::vector<int>& order) {
  ForeignSection foreign;
  std::optional<Section> copies[3];
  std::optional<CountingView> view;
  copies[0] = import_abi(&foreign.array);
  copies[1] = copies[0];
  copies[2] = copies[0]->as_readonly();
  view.emplace().watch(copies[0]->buffer().state());
  for (std::size_t step = 0; step < order.size(); ++step) {
    EXPECT_EQ(foreign.counts.releases, 0) << "before step " << step;
    if (order[step] < 3) {
      copies[order[step]].reset();
    } else {
      view.reset();
    }
  }
  EXPECT_EQ(foreign.counts.releases, 1);
}

TEST(AbiImport, ReleasesOnceInEveryOrderOfDestruction) {
  std::vector<int> order = {0, 1, 2, 3};
  int orders = 0;
  do {
    destroy_in_order(order);
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(orders, 24);
}

TEST(AbiImport, TakesAStructThatWasMoved) {
  ForeignSection foreign;
  auto first = std::make_unique<daptor_array>();
  auto second = std::make_unique<daptor_array>();
  daptor_array_move(&foreign.array, first.get());
  daptor_array_move(first.get(), second.get());
  EXPECT_EQ(rule_of<Malformed>([&] { import_abi(&foreign.array); }), "abi.released");
  EXPECT_EQ(rule_of<Malformed>([&] { import_abi(first.get()); }), "abi.released");
  {
    const Section array = import_abi(second.get());
    EXPECT_EQ(rule_of<Malformed>([&] { import_abi(second.get()); }), "abi.released");
    EXPECT_EQ(foreign.counts.releases, 0);
  }
  EXPECT_EQ(foreign.counts.releases, 1);
}

TEST(AbiImport, WorksWithoutOptionalCallbacks) {
  ForeignSection foreign;
  foreign.array.modified = nullptr;
  foreign.array.begin_access = nullptr;
  foreign.array.end_access = nullptr;
  foreign.array.last_error = nullptr;
  const Section array = import_abi(&foreign.array);
  WriteLease lease(array);
  lease.view<double, 2>()(0, 0) = 5;
  lease.close();
  EXPECT_EQ(foreign.cells[0], 5);
  EXPECT_EQ(foreign.counts.modified, 0);
}

TEST(AbiImport, LeasesOpenAndCloseTheProducersMemory) {
  ForeignSection foreign;
  const Section array = import_abi(&foreign.array);
  {
    const ReadLease first(array);
    const ReadLease second(array);
    EXPECT_EQ(foreign.counts.begins[DAPTOR_READ], 2);
  }
  EXPECT_EQ(foreign.counts.ends[DAPTOR_READ], 2);
  EXPECT_EQ(foreign.counts.modified, 0);
  {
    WriteLease lease(array);
    EXPECT_EQ(foreign.counts.begins[DAPTOR_WRITE], 1);
    lease.close();
    EXPECT_EQ(foreign.counts.ends[DAPTOR_WRITE], 1);
  }
  EXPECT_EQ(foreign.counts.modified, 1);
  EXPECT_EQ(foreign.counts.open(), 0);
  array.modified();
  EXPECT_EQ(foreign.counts.modified, 2);
}

TEST(AbiImport, TellsWhyAccessFailed) {
  ForeignSection foreign;
  foreign.counts.text = "the vector was resized";
  const Section array = import_abi(&foreign.array);
  foreign.counts.answer = DAPTOR_STALE;
  try {
    const ReadLease lease(array);
    FAIL() << "opened";
  } catch (const Stale& error) {
    EXPECT_EQ(error.rule(), "stale");
    EXPECT_EQ(error.finding().found, foreign.counts.text);
  }
  for (const int answer : {+DAPTOR_FAILED, 99, -1}) {
    foreign.counts.answer = answer;
    try {
      const WriteLease lease(array);
      FAIL() << "opened";
    } catch (const ProducerFailed& error) {
      EXPECT_EQ(error.rule(), rule_producer);
      EXPECT_EQ(error.finding().key, "begin_access");
      EXPECT_EQ(error.finding().found, foreign.counts.text);
    }
  }
  EXPECT_EQ(foreign.counts.open(), 0);
}

TEST(AbiImport, TellsWhyModifiedFailed) {
  ForeignSection foreign;
  const Section array = import_abi(&foreign.array);
  WriteLease lease(array);
  foreign.counts.answer = DAPTOR_FAILED;
  try {
    lease.close();
    FAIL() << "closed";
  } catch (const ProducerFailed& error) {
    EXPECT_EQ(error.finding().key, "modified");
    EXPECT_FALSE(error.finding().found.empty()) << "also where the producer gives no text";
  }
  EXPECT_EQ(foreign.counts.open(), 0);
}

TEST(AbiImport, ReadsNoMoreOfAnErrorTextThanIsNeeded) {
  ForeignSection foreign;
  const std::string endless(100000, 'x');
  foreign.counts.text = endless.c_str();
  const Section array = import_abi(&foreign.array);
  foreign.counts.answer = DAPTOR_FAILED;
  try {
    const ReadLease lease(array);
    FAIL() << "opened";
  } catch (const ProducerFailed& error) {
    EXPECT_LE(error.finding().found.str().size(), 1000U);
  }
}

/// What a producer of a later version may pass: both structs have more fields at the end.
struct LaterArray {
  daptor_array base;
  std::uint64_t more[3];
};
struct LaterDimension {
  daptor_dimension base;
  std::uint64_t more[2];
};

int later_released = 0;
extern "C" void release_later(daptor_array* self) {
  const auto* later = reinterpret_cast<const LaterArray*>(self);
  if (later->more[0] == 11 && later->more[2] == 13) ++later_released;
  self->release = nullptr;
}

TEST(AbiImport, MovesALargerStructWhole) {
  double cells[12] = {};
  const std::int64_t shape[] = {3, 4};
  LaterDimension dimensions[] = {{daptor_even_block(6, 2, 1), {1, 2}},
                                 {daptor_undistributed(4), {3, 4}}};
  LaterArray later = {{}, {11, 12, 13}};
  daptor_array_init(&later.base, "d", 8, 2, shape, &dimensions[0].base, cells);
  later.base.struct_size = sizeof(LaterArray);
  later.base.dimension_size = sizeof(LaterDimension);
  later.base.release = release_later;
  later_released = 0;
  {
    const Section array = import_abi(&later.base);
    EXPECT_EQ(array.global_shape(), (std::vector<Index>{6, 4}));
    later.more[0] = 0;
  }
  EXPECT_EQ(later_released, 1);
}

TEST(AbiExport, KeepsTheProducerUntilItsRelease) {
  CountingProducer::Log log;
  std::vector<double> memory(6);
  daptor_array section;
  {
    const Section array = counted(memory, {block(6, {1, 0})}, log);
    export_abi(array, &section);
  }
  EXPECT_EQ(log.destroyed, 0);
  daptor_array moved;
  daptor_array_move(&section, &moved);
  daptor_array_release(&section);
  EXPECT_EQ(log.destroyed, 0);
  daptor_array_release(&moved);
  EXPECT_EQ(log.destroyed, 1);
  EXPECT_EQ(moved.release, nullptr);
}

TEST(AbiExport, ReleasesOnAnyThread) {
  CountingProducer::Log log;
  std::vector<double> memory(6);
  daptor_array section;
  export_abi(counted(memory, {block(6, {1, 0})}, log), &section);
  std::thread([&] { daptor_array_release(&section); }).join();
  EXPECT_EQ(log.destroyed, 1);
}

TEST(AbiExport, CallbacksReachTheProducer) {
  CountingProducer::Log log;
  std::vector<double> memory(6);
  daptor_array section;
  export_abi(counted(memory, {block(6, {1, 0})}, log), &section);
  EXPECT_EQ(section.begin_access(&section, DAPTOR_WRITE), DAPTOR_OK);
  EXPECT_EQ(log.begins, 1);
  section.end_access(&section, DAPTOR_WRITE);
  EXPECT_EQ(log.ends, 1);
  EXPECT_EQ(section.modified(&section), DAPTOR_OK);
  EXPECT_EQ(log.modified, 1);
  daptor_array_release(&section);
}

TEST(AbiExport, CallbacksReturnWhatTheProducerThrows) {
  CountingProducer::Log log;
  std::vector<double> memory(6);
  daptor_array section;
  export_abi(counted(memory, {block(6, {1, 0})}, log), &section);
  log.fail = Fail::stale;
  EXPECT_EQ(section.begin_access(&section, DAPTOR_READ), DAPTOR_STALE);
  EXPECT_STREQ(section.last_error(&section), "moved on purpose");
  log.fail = Fail::error;
  EXPECT_EQ(section.begin_access(&section, DAPTOR_READ), DAPTOR_FAILED);
  EXPECT_STREQ(section.last_error(&section), "broken on purpose");
  EXPECT_EQ(section.modified(&section), DAPTOR_FAILED);
  log.fail = Fail::unknown;
  EXPECT_EQ(section.begin_access(&section, DAPTOR_READ), DAPTOR_FAILED);
  EXPECT_STRNE(section.last_error(&section), "broken on purpose");
  log.fail = Fail::elsewhere;
  EXPECT_EQ(section.begin_access(&section, DAPTOR_READ), DAPTOR_STALE);
  log.fail = Fail::no;
  EXPECT_EQ(section.begin_access(&section, 7), DAPTOR_FAILED);
  EXPECT_EQ(log.begins, log.ends);
  daptor_array_release(&section);
}

TEST(AbiExport, ReadOnlyArraysOpenForReadingOnly) {
  CountingProducer::Log log;
  std::vector<double> memory(6);
  daptor_array section;
  export_abi(counted(memory, {block(6, {1, 0})}, log, true), &section);
  EXPECT_EQ(section.flags, DAPTOR_READ_ONLY);
  EXPECT_EQ(section.begin_access(&section, DAPTOR_WRITE), DAPTOR_FAILED);
  EXPECT_EQ(log.begins, 0);
  EXPECT_EQ(section.begin_access(&section, DAPTOR_READ), DAPTOR_OK);
  section.end_access(&section, DAPTOR_READ);
  const Section back = import_abi(&section);
  EXPECT_TRUE(back.readonly());
  EXPECT_THROW(WriteLease lease(back), InvalidArgument);
}

TEST(AbiExport, ErrorsBelongToTheThreadThatMetThem) {
  CountingProducer::Log log;
  std::vector<double> memory(6);
  daptor_array section;
  export_abi(counted(memory, {block(6, {1, 0})}, log), &section);
  log.fail = Fail::stale;
  EXPECT_EQ(section.begin_access(&section, DAPTOR_READ), DAPTOR_STALE);
  log.fail = Fail::error;
  std::thread([&] { EXPECT_EQ(section.modified(&section), DAPTOR_FAILED); }).join();
  EXPECT_STREQ(section.last_error(&section), "moved on purpose");
  daptor_array_release(&section);
}

TEST(AbiCoherence, WritesOnEitherSideReachTheViewsOfBoth) {
  CountingProducer::Log log;
  std::vector<double> memory(6);
  const Section array = counted(memory, {block(6, {1, 0})}, log);
  daptor_array section;
  export_abi(array, &section);
  const Section back = import_abi(&section);
  CountingView here;
  CountingView there;
  here.watch(array.buffer().state());
  there.watch(back.buffer().state());
  array.modified();
  EXPECT_EQ(here.told, 1);
  EXPECT_EQ(there.told, 1);
  WriteLease(back).close();
  EXPECT_EQ(here.told, 2);
  EXPECT_EQ(there.told, 2);
  EXPECT_EQ(log.modified, 2);
  EXPECT_EQ(log.begins, log.ends);
}

// A struct that another component has wrapped: its callbacks are not this library's.
extern "C" void release_wrapped(daptor_array* self) {
  auto* inner = static_cast<daptor_array*>(self->private_data);
  inner->release(inner);
  self->release = nullptr;
}
extern "C" std::int32_t modify_wrapped(daptor_array* self) {
  auto* inner = static_cast<daptor_array*>(self->private_data);
  return inner->modified(inner);
}

TEST(AbiCoherence, WritesReachTheProducerThroughAForeignWrapper) {
  CountingProducer::Log log;
  std::vector<double> memory(6);
  daptor_array inner;
  {
    const Section array = counted(memory, {block(6, {1, 0})}, log);
    export_abi(array, &inner);
    CountingView here;
    here.watch(array.buffer().state());
    daptor_array outer = inner;
    outer.private_data = &inner;
    outer.release = release_wrapped;
    outer.modified = modify_wrapped;
    outer.begin_access = nullptr;
    outer.end_access = nullptr;
    const Section back = import_abi(&outer);
    WriteLease(back).close();
    EXPECT_EQ(here.told, 1);
  }
  EXPECT_EQ(log.modified, 1);
  EXPECT_EQ(log.destroyed, 1);
}

}  // namespace
}  // namespace daptor::test
