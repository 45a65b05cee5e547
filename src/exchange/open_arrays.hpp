// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "daptor/dist_array.hpp"

namespace daptor::detail {

/// Leases on arrays that somebody else keeps, and keeps in place while they are open: all of them
/// or none. Allocates nothing. Not copyable, not movable.
class OpenArrays {
 public:
  OpenArrays() = default;
  OpenArrays(const OpenArrays&) = delete;
  OpenArrays& operator=(const OpenArrays&) = delete;
  ~OpenArrays() { close(); }

  /// Throws as ReadLease and WriteLease do; nothing is open then.
  void open(const std::vector<DistArray>& read, const std::vector<DistArray>& write);
  /// Nothing was written.
  void close() noexcept;
  /// All are closed, also where a view of one cannot be told; that error is thrown at the end.
  void close_written();

 private:
  const DistArray* read_ = nullptr;
  const DistArray* write_ = nullptr;
  std::size_t reading_ = 0;
  std::size_t writing_ = 0;
};

}  // namespace daptor::detail
