// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "daptor/daptor.hpp"

namespace daptor::test {

/// What a foreign producer has observed of its consumers.
struct Counts {
  int releases = 0;
  int modified = 0;
  int begins[2] = {0, 0};
  int ends[2] = {0, 0};
  daptor_array* last_self = nullptr;
  std::int32_t answer = DAPTOR_OK;  ///< result of begin_access and modified
  const char* text = nullptr;       ///< result of last_error

  int open() const { return begins[0] + begins[1] - ends[0] - ends[1]; }
};

inline Counts& counts_of(daptor_array* self) {
  auto& counts = *static_cast<Counts*>(self->private_data);
  counts.last_self = self;
  return counts;
}

extern "C" {
inline void counting_release(daptor_array* self) {
  ++counts_of(self).releases;
  self->release = nullptr;
}
inline std::int32_t counting_modified(daptor_array* self) {
  ++counts_of(self).modified;
  return counts_of(self).answer;
}
inline std::int32_t counting_begin(daptor_array* self, std::int32_t access) {
  Counts& counts = counts_of(self);
  if (counts.answer == DAPTOR_OK) ++counts.begins[access];
  return counts.answer;
}
inline void counting_end(daptor_array* self, std::int32_t access) {
  ++counts_of(self).ends[access];
}
inline const char* counting_error(daptor_array* self) {
  return counts_of(self).text;
}
}

/// A 3 x 4 section as a foreign producer fills it, with every callback: rows [3, 6) of 6, on
/// process 1 of 2, and undistributed columns. Not movable, because the struct points into it.
struct ForeignSection {
  ForeignSection() {
    dimensions = {daptor_even_block(6, 2, 1), daptor_undistributed(4)};
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<double>(12 + i);
    daptor_array_init(&array, "d", sizeof(double), 2, shape.data(), dimensions.data(),
                      cells.data());
    array.private_data = &counts;
    array.release = counting_release;
    array.modified = counting_modified;
    array.begin_access = counting_begin;
    array.end_access = counting_end;
    array.last_error = counting_error;
  }
  ForeignSection(const ForeignSection&) = delete;
  ForeignSection& operator=(const ForeignSection&) = delete;

  std::array<double, 12> cells{};
  std::array<std::int64_t, 2> shape{3, 4};
  std::array<daptor_dimension, 2> dimensions;
  Counts counts;
  daptor_array array;
};

/// A producer in C++ that counts calls, and fails when told to.
class CountingProducer : public Producer {
 public:
  struct Log {
    int begins = 0, ends = 0, modified = 0, destroyed = 0;
    enum class Fail { no, stale, error, unknown, elsewhere } fail = Fail::no;
  };
  explicit CountingProducer(Log& log) : log_(log) {}
  ~CountingProducer() override { ++log_.destroyed; }

  void* begin_access(Access, void* described) override {
    fail();
    ++log_.begins;
    return log_.fail == Log::Fail::elsewhere ? &log_ : described;
  }
  void end_access(Access) noexcept override { ++log_.ends; }
  void modified() override {
    fail();
    ++log_.modified;
  }

 private:
  void fail() const {
    if (log_.fail == Log::Fail::stale) throw Stale("moved on purpose", "");
    if (log_.fail == Log::Fail::error) throw std::runtime_error("broken on purpose");
    if (log_.fail == Log::Fail::unknown) throw 42;
  }
  Log& log_;
};

/// `memory`, described by `dimensions`, of a CountingProducer.
template <class T>
Section counted(std::vector<T>& memory, std::vector<Dimension> dimensions,
                CountingProducer::Log& log, bool readonly = false) {
  std::vector<Index> shape;
  for (const Dimension& dimension : dimensions) shape.push_back(dimension.local_extent());
  const std::vector<Index> strides = contiguous_strides(shape, sizeof(T), Order::c);
  auto state = std::make_shared<SharedState>(std::make_unique<CountingProducer>(log));
  return Section(protocol_0_9,
                 Buffer(DataType::of<T>(), shape, strides, memory.data(), readonly, state),
                 std::move(dimensions));
}

/// A native view that counts its notifications.
class CountingView : public NativeView {
 public:
  void modified() override { ++told; }
  int told = 0;
};

/// The rule of the first finding of what `body` throws; empty if it returns.
template <class E, class F>
std::string rule_of(F&& body) {
  try {
    body();
  } catch (const E& error) {
    return error.rule();
  }
  return {};
}

inline bool same_bytes(const daptor_array& a, const daptor_array& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace daptor::test
