// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daptor/device.hpp"
#include "daptor/error.hpp"

/// \file
/// Copies by the runtime library of CUDA or ROCm, whose functions have the same parameters.

namespace daptor::detail {

/// The functions of a runtime library: cudaGetDevice, hipGetDevice and so on. A code that is not 0
/// is a failure, and a stream is its handle.
struct RuntimeFunctions {
  static constexpr int to_device = 1;  ///< cudaMemcpyHostToDevice
  static constexpr int to_host = 2;    ///< cudaMemcpyDeviceToHost

  std::string library;  ///< "cuda" or "hip", with which the names of the functions begin
  int (*get_device)(int* device) = nullptr;
  int (*set_device)(int device) = nullptr;
  int (*copy)(void* to, const void* from, std::size_t bytes, int kind, void* stream) = nullptr;
  int (*copy_pitched)(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      std::size_t width, std::size_t height, int kind, void* stream) = nullptr;
  int (*synchronize)(void* stream) = nullptr;
  const char* (*text)(int code) = nullptr;
};

/// On the stream and the device of the array. Runs of equal length at equal distances, as a layer
/// of ghost cells has them, are one call. Every function throws LibraryFailed (`library.cuda`,
/// `library.hip`), on this process.
class RuntimeCopies final : public Device {
 public:
  explicit RuntimeCopies(RuntimeFunctions functions) : functions_(std::move(functions)) {}

  void copy_to_host(void* to, const void* from, std::size_t bytes, const Place& place) override {
    const Current current(*this, place);
    copy(to, from, bytes, RuntimeFunctions::to_host, place);
  }
  void copy_to_device(void* to, const void* from, std::size_t bytes, const Place& place) override {
    const Current current(*this, place);
    copy(to, from, bytes, RuntimeFunctions::to_device, place);
  }
  void copy_runs_to_host(std::byte* to, const std::byte* from, const std::vector<ByteRun>& runs,
                         const Place& place) override {
    copy_runs(to, from, runs, RuntimeFunctions::to_host, place);
  }
  void copy_runs_to_device(std::byte* to, const std::byte* from, const std::vector<ByteRun>& runs,
                           const Place& place) override {
    copy_runs(to, from, runs, RuntimeFunctions::to_device, place);
  }
  void fence(const Place& place) override {
    const Current current(*this, place);
    check(functions_.synchronize(stream(place)), "StreamSynchronize");
  }

 private:
  /// As long as this lives, calls of the library on this thread are about the place's device.
  class Current {
   public:
    Current(const RuntimeCopies& copies, const Place& place) : copies_(copies) {
      copies.check(copies.functions_.get_device(&before_), "GetDevice");
      if (place.space.device_id == before_) return;
      copies.check(copies.functions_.set_device(place.space.device_id), "SetDevice");
      changed_ = true;
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;
    ~Current() {
      if (changed_) static_cast<void>(copies_.functions_.set_device(before_));
    }

   private:
    const RuntimeCopies& copies_;
    int before_ = 0;
    bool changed_ = false;
  };

  void check(int code, const char* function) const {
    if (code != 0)
      throw LibraryFailed(functions_.library, functions_.library + function, functions_.text(code));
  }

  /// The numbers 1 and 2 are CUDA's handles for its default streams, and 0 is the null stream.
  static void* stream(const Place& place) { return reinterpret_cast<void*>(place.stream); }

  void copy(void* to, const void* from, std::size_t bytes, int kind, const Place& place) const {
    check(functions_.copy(to, from, bytes, kind, stream(place)), "MemcpyAsync");
  }

  /// Number of runs from `first` on that have the same length and distance; `step` is that
  /// distance.
  static std::size_t count_alike(const std::vector<ByteRun>& runs, std::size_t first, Index& step) {
    constexpr Index widest = std::numeric_limits<int>::max();  // CUDA's limit for a pitch
    if (first + 1 == runs.size()) return 1;
    step = runs[first + 1].offset - runs[first].offset;
    if (step < runs[first].bytes || step > widest) return 1;
    std::size_t last = first;
    while (last + 1 < runs.size() && runs[last + 1].bytes == runs[first].bytes &&
           runs[last + 1].offset - runs[last].offset == step)
      ++last;
    return last - first + 1;
  }

  void copy_runs(std::byte* to, const std::byte* from, const std::vector<ByteRun>& runs, int kind,
                 const Place& place) const {
    const Current current(*this, place);
    for (std::size_t i = 0; i < runs.size();) {
      const auto bytes = static_cast<std::size_t>(runs[i].bytes);
      std::byte* const there = to + runs[i].offset;
      const std::byte* const here = from + runs[i].offset;
      Index step = 0;
      const std::size_t count = count_alike(runs, i, step);
      const auto pitch = static_cast<std::size_t>(step);
      if (count == 1)
        copy(there, here, bytes, kind, place);
      else
        check(functions_.copy_pitched(there, pitch, here, pitch, bytes, count, kind, stream(place)),
              "Memcpy2DAsync");
      i += count;
    }
  }

  RuntimeFunctions functions_;
};

}  // namespace daptor::detail
