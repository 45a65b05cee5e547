// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/detail/refused.hpp"
#include "daptor/section.hpp"
#include "daptor/view.hpp"

namespace daptor {

/// Gives read access to the section's memory while this object lives. Process-local. Move-only; a
/// moved-from lease can only be destroyed or assigned to. The destructor closes the lease.
///
/// A lease is on the host's memory unless it names another space. It never copies: memory of a
/// device is refused where the host's is wanted (`copy_to_host` copies), and the other way round.
///
/// \code
/// daptor::ReadLease lease(a);
/// auto u = lease.view<const double, 2>();
/// \endcode
class ReadLease {
 public:
  /// @param array  this process's section; it is kept until the lease ends
  /// @throws Stale if the producer's memory is no longer what was described; ProducerFailed if the
  ///   producer cannot open it; InvalidArgument for a description without memory (rule
  ///   `lease.memory`) and for memory that the host cannot reach (`lease.device`); on this process
  ///   alone
  explicit ReadLease(const Section& array);
  /// The same for memory in the given space: `data()` is an address there, which the host must not
  /// touch if it is a device's. The caller orders its work behind that of the array's stream
  /// (SharedState::stream).
  /// @param space  of the array's memory; any space of the host stands for all of them
  ReadLease(const Section& array, MemorySpace space);
  ReadLease(ReadLease&& other) noexcept;
  ReadLease& operator=(ReadLease&& other) noexcept;
  ~ReadLease();

  const Section& array() const { return array_; }
  const void* data() const { return array_.data(); }
  template <class T, int Rank>
  View<const T, Rank> view() const& {
    return daptor::view<const T, Rank>(array_);
  }
  /// Not of a temporary, which closes the memory at the end of the statement.
  template <class T, int Rank>
  View<const T, Rank> view() && {
    static_assert(detail::never<T>,
                  "a view of a temporary lease, which ends at once: keep the lease in a variable, "
                  "daptor::ReadLease lease(a)");
    return daptor::view<const T, Rank>(array_);
  }
  /// Closes the memory; a second call has no effect.
  void close() noexcept;

 private:
  Section array_;
  bool open_ = false;
};

/// Gives write access to the section's memory while this object lives. Move-only.
///
/// `close()` is logically collective, because it calls `modified()`: every rank must take and close
/// a write lease, even if it writes no element (otherwise computing a norm hangs). The destructor
/// closes too, also during unwinding; an error of `modified()` is then lost.
class WriteLease {
 public:
  /// @param array  this process's section; it is kept until the lease ends
  /// @throws InvalidArgument (rule `lease.readonly`) for a read-only array; otherwise like
  ///   ReadLease
  explicit WriteLease(const Section& array);
  WriteLease(const Section& array, MemorySpace space);
  WriteLease(WriteLease&& other) noexcept;
  WriteLease& operator=(WriteLease&& other) noexcept;
  ~WriteLease();

  const Section& array() const { return array_; }
  void* data() const { return array_.mutable_data(); }
  template <class T, int Rank>
  View<T, Rank> view() const& {
    return daptor::view<T, Rank>(array_);
  }
  /// Not of a temporary, which closes the memory at the end of the statement.
  template <class T, int Rank>
  View<T, Rank> view() && {
    static_assert(detail::never<T>,
                  "a view of a temporary lease, which ends at once: keep the lease in a variable, "
                  "daptor::WriteLease lease(a)");
    return daptor::view<T, Rank>(array_);
  }
  /// Closes the memory and notifies every view that it was written. The memory is closed even if a
  /// view fails when it is notified; that error is thrown. A second call has no effect.
  void close();

 private:
  void end() noexcept;
  Section array_;
  bool open_ = false;
};

}  // namespace daptor
