// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>

/// \file
/// How far a call is that moves many elements.

namespace daptor::hdf5 {

/// A function that is told how many bytes of how many have been moved, on all processes together.
///
/// It is called on the processes that pass one, which may be rank 0 alone, some times during the
/// call and at its end. What it throws ends the call on all ranks, as another error would.
/// \code
/// daptor::hdf5::SaveOptions options;
/// if (rank == 0) options.progress = [](std::int64_t done, std::int64_t total) { ... };
/// \endcode
class Progress {
 public:
  Progress() = default;
  template <class F, class = std::enable_if_t<std::is_invocable_v<F&, std::int64_t, std::int64_t>>>
  Progress(F function) : function_(std::move(function)) {}  // not explicit: an option is set to it
  explicit operator bool() const { return static_cast<bool>(function_); }
  void operator()(std::int64_t done, std::int64_t total) const { function_(done, total); }
  /// As an option it need not be the same on all ranks.
  operator std::string_view() const { return {}; }

 private:
  std::function<void(std::int64_t, std::int64_t)> function_;
};

}  // namespace daptor::hdf5
