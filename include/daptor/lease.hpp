#pragma once

#include "daptor/dist_array.hpp"
#include "daptor/view.hpp"

namespace daptor {

/// Reading the section's memory for a while. Process-local, move-only. The constructor throws Stale
/// where the producer's memory is no longer what was described; the destructor closes.
///
/// \code
/// daptor::ReadLease lease(a);
/// auto u = lease.view<const double, 2>();
/// \endcode
class ReadLease {
 public:
  explicit ReadLease(const DistArray& array);
  ReadLease(ReadLease&& other) noexcept;
  ReadLease& operator=(ReadLease&& other) noexcept;
  ~ReadLease();

  const DistArray& array() const { return array_; }
  const void* data() const { return array_.data(); }
  template <class T, int Rank>
  View<const T, Rank> view() const {
    return daptor::view<const T, Rank>(array_);
  }
  /// Gives the memory back; does nothing the second time.
  void close() noexcept;

 private:
  DistArray array_;
  bool open_ = false;
};

/// Writing the section's memory for a while. Move-only.
///
/// `close()` is logically collective: it calls `modified()`, so every rank takes and closes a write
/// lease, those that write nothing included (a norm hangs otherwise). The destructor closes too,
/// during unwinding as well. Throws InvalidArgument for a read-only array, Stale as ReadLease.
class WriteLease {
 public:
  explicit WriteLease(const DistArray& array);
  WriteLease(WriteLease&& other) noexcept;
  WriteLease& operator=(WriteLease&& other) noexcept;
  ~WriteLease();

  const DistArray& array() const { return array_; }
  void* data() const { return array_.mutable_data(); }
  template <class T, int Rank>
  View<T, Rank> view() const {
    return daptor::view<T, Rank>(array_);
  }
  /// Gives the memory back and tells every view that it was written. Does nothing the second time.
  void close();

 private:
  void end() noexcept;
  DistArray array_;
  bool open_ = false;
};

}  // namespace daptor
