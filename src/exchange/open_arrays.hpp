// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "daptor/dist_array.hpp"

namespace daptor::detail {

/// Leases on arrays that the caller keeps, and keeps in place while they are open. Either all of
/// them are open or none. Does not allocate. Not copyable, not movable.
class OpenArrays {
 public:
  OpenArrays() = default;
  OpenArrays(const OpenArrays&) = delete;
  OpenArrays& operator=(const OpenArrays&) = delete;
  ~OpenArrays() { close(); }

  /// Throws what ReadLease and WriteLease throw; then none of the arrays is open.
  void open(const std::vector<DistArray>& read, const std::vector<DistArray>& write);
  /// Closes arrays to which nothing was written.
  void close() noexcept;
  /// Closes all arrays after a write, or after a halo exchange. If a view of an array fails when it
  /// is notified, the others are still closed, and the error is thrown at the end.
  void close_written(std::optional<PaddingExchange> exchanged = std::nullopt);

 private:
  const DistArray* read_ = nullptr;
  const DistArray* write_ = nullptr;
  std::size_t reading_ = 0;
  std::size_t writing_ = 0;
};

/// The same, with copies of the arrays.
class HeldArrays {
 public:
  void open(std::vector<DistArray> read, std::vector<DistArray> write) {
    read_ = std::move(read);
    write_ = std::move(write);
    arrays_.open(read_, write_);
  }
  void close_written() { arrays_.close_written(); }

 private:
  std::vector<DistArray> read_, write_;
  OpenArrays arrays_;
};

}  // namespace daptor::detail
