// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "daptor/adapter/extents.hpp"
#include "daptor/call.hpp"
#include "daptor/hdf5/progress.hpp"

namespace daptor::hdf5::detail {

/// Tells a function how far a call is, whose elements belong to one array after the other.
class Meter {
 public:
  /// @param progress  must outlive this
  explicit Meter(const Progress& progress) : progress_(progress) {}

  /// An array that is still to come.
  void expect(const std::vector<Index>& shape, std::size_t itemsize) {
    total_ += bytes_of(shape, itemsize);
  }
  /// The elements of this array are moved from now on.
  void begin(const std::vector<Index>& shape, std::size_t itemsize) {
    before_ += current_;
    current_ = bytes_of(shape, itemsize);
  }
  /// So many of the parts of the array have been moved. What the function throws is told by the
  /// next check of the call.
  void tell(Call& call, Index done, Index parts) {
    if (!progress_) return;
    const double share = static_cast<double>(done) / static_cast<double>(parts);
    const auto bytes =
        before_ +
        (done == parts ? current_ : static_cast<Index>(share * static_cast<double>(current_)));
    call.attempt([&] { progress_(bytes, total_); });
  }

 private:
  static Index bytes_of(const std::vector<Index>& shape, std::size_t itemsize) {
    return adapter::product(shape).value_or(0) * static_cast<Index>(itemsize);
  }
  const Progress& progress_;
  Index total_ = 0, before_ = 0, current_ = 0;
};

}  // namespace daptor::hdf5::detail
