// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <vector>

#include "array/open_memory.hpp"
#include "daptor/lease.hpp"

namespace daptor::detail {

/// Leases on the arrays of a batch: all of them or none. Not copyable, not movable.
class OpenArrays {
 public:
  OpenArrays(const std::vector<DistArray>& read, const std::vector<DistArray>& write) {
    for (const DistArray& array : read) reading_.emplace_back(array);
    try {
      for (const DistArray& array : write) {
        open_for_writing(array);
        writing_.push_back(array);
      }
    } catch (...) {
      close_unwritten();
      throw;
    }
  }
  OpenArrays(const OpenArrays&) = delete;
  OpenArrays& operator=(const OpenArrays&) = delete;
  ~OpenArrays() { close_unwritten(); }

  /// All are closed, also where a view of one cannot be told; that error is thrown at the end.
  void close_written() {
    std::exception_ptr failure;
    for (const DistArray& array : writing_) {
      try {
        detail::close_written(array);
      } catch (...) {
        if (!failure) failure = std::current_exception();
      }
    }
    writing_.clear();
    reading_.clear();
    if (failure) std::rethrow_exception(failure);
  }

 private:
  void close_unwritten() noexcept {
    for (const DistArray& array : writing_) detail::close_unwritten(array);
    writing_.clear();
  }

  std::vector<ReadLease> reading_;
  std::vector<DistArray> writing_;
};

}  // namespace daptor::detail
