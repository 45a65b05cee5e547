// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "daptor/buffer.hpp"
#include "daptor/dimension.hpp"
#include "daptor/report.hpp"
#include "daptor/version.hpp"

namespace daptor {

class Comm;
class DistArray;

namespace detail {
struct Proven;
struct ProofAccess;
}  // namespace detail

/// One process's section of a distributed array: a version, a buffer, and one Dimension per array
/// dimension.
///
/// A cheap value: copies share the description and the memory. It knows nothing of other processes:
/// on a communicator (`on`) it becomes a DistArray, which collective functions take. A described
/// section satisfies every local clause of the protocol (otherwise the constructor throws
/// Malformed).
///
/// A section is not described if it was default-constructed or moved from, or if `describe` was
/// given something that cannot be described (`defect()`). Such a section can be copied, assigned
/// to, printed, put on a communicator, and passed to any collective call, which throws on all ranks
/// what is wrong with it. Every other access to it throws the same on this process. `with_memory`
/// and `as_readonly` pass the defect on.
///
/// Example: a 2 x 10 array on two processes, divided over dimension 0 (each process has one row):
/// \code
/// double row[10];
/// auto section = daptor::describe(row, {daptor::block(2, {2, rank}), daptor::undistributed(10)});
/// section.global_shape();  // {2, 10} on both
/// section.local_shape();   // {1, 10} on both
/// daptor::DistArray a = section.on(MPI_COMM_WORLD);
/// \endcode
class Section {
 public:
  /// A section that is not described yet, such as a member that is assigned later. Its defect is
  /// `array.empty`.
  Section() = default;
  /// A section that could not be described.
  explicit Section(Defect defect) : defect_(std::move(defect)) {}
  /// From parts that exist already; for memory of your own use `describe`. Process-local.
  /// @param version     the version whose rules the dimensions follow, and in which the array is
  ///                    written
  /// @param buffer      the section's memory, including all padding
  /// @param dimensions  one for each dimension of the array, in normal form
  /// @param accepted    warnings and notes about the parts; `warnings()` begins with them
  /// @throws Malformed with every local finding if the parts do not form a conforming section
  /// @throws Unsupported (T07) for a version without rules; the defect of a dimension that has one
  Section(Version version, Buffer buffer, std::vector<Dimension> dimensions, Report accepted = {});

  /// False for a section that is not described.
  bool described() const { return form_ != nullptr; }
  /// The reason why the section is not described; an empty defect if it is.
  Defect defect() const;

  Version version() const { return form().version; }
  const Buffer& buffer() const {
    form();
    return buffer_;
  }
  const DataType& type() const { return buffer().type(); }

  int ndim() const { return static_cast<int>(form().dimensions.size()); }
  /// In normal form: however the dimensions were written, a section without data has no padding
  /// (A12), and a cyclic section without blocks starts at `size` (A23).
  const std::vector<Dimension>& dimensions() const { return form().dimensions; }
  /// Throws InvalidArgument if `d` is outside [0, ndim()).
  const Dimension& dimension(int d) const {
    const std::vector<Dimension>& all = form().dimensions;
    if (static_cast<std::size_t>(d) >= all.size()) refuse_dimension(d);
    return all[static_cast<std::size_t>(d)];
  }

  /// Number of owned elements of all processes along each dimension, boundary padding included.
  std::vector<Index> global_shape() const;
  /// Extents of the section, including all padding. Has ndim() entries, even if the buffer is flat.
  const std::vector<Index>& local_shape() const { return form().local_shape; }
  /// Byte strides of the section, one for each dimension, even if the buffer is flat.
  const std::vector<Index>& byte_strides() const { return form().byte_strides; }
  /// Extents without communication padding.
  const std::vector<Index>& owned_shape() const { return form().owned.shape; }
  /// Whether ghosts lie between owned elements, as they can in a list (`OwnedPart::apart`). The
  /// owned elements are then no box of the section: its offset, its address and those of the
  /// interior throw InvalidArgument (`owned.apart`), and `Dimension::owned_part` has the positions.
  bool owned_apart() const { return form().apart; }
  /// Local indices of the first owned element: the widths of the lower communication padding.
  const std::vector<Index>& owned_offset() const { return box().owned.offset; }
  /// Extents of the interior, that is, of the owned part without boundary padding: a stencil code
  /// loops over it.
  const std::vector<Index>& interior_shape() const { return form().interior().shape; }
  /// Local indices of the first element of the interior, after the padding of both kinds.
  const std::vector<Index>& interior_offset() const { return box().interior().offset; }
  /// Number of elements that this process owns.
  Index owned_count() const { return form().owned_count; }
  /// Number of elements of the section, including all padding.
  Index local_count() const { return buffer().local_count(); }
  /// Number of processes on the grid: the product over the distributed dimensions (D14).
  Index grid_count() const { return form().grid_count; }

  /// The distributed array that is made of this section and of those that the other ranks of `comm`
  /// put on it. Process-local: the first collective call with the array proves that they make one.
  /// @param comm  the processes among which the array is divided. An MPI communicator must not be
  ///              freed before the first collective call over it
  DistArray on(const Comm& comm) const;

  bool readonly() const { return buffer().readonly(); }
  /// The element whose local indices, which count padding, are all zero; null without memory.
  const void* data() const { return buffer().data(); }
  /// Throws InvalidArgument if the array is read-only.
  void* mutable_data() const { return buffer().mutable_data(); }
  /// The first owned element (after the lower communication padding). Null without memory.
  const void* owned_data() const;
  /// The first element of the interior (after the padding of both kinds). Null without memory.
  const void* interior_data() const;

  /// Call this after a write that no lease covers: it invalidates values that the producer and live
  /// native views have cached. Logically collective: call it on all ranks, even if they wrote
  /// nothing.
  void modified() const;

  /// The same description on other memory of the same shape and strides. Process-local.
  /// @param data   the element whose local indices are all zero; null for no memory
  /// @param owner  keeps the memory alive; if it is null, the caller does
  /// @returns a writable section, even if this one is read-only; this one is not changed
  Section with_memory(void* data, std::shared_ptr<const void> owner = nullptr) const;
  /// The same on memory that is only read: a read-only section.
  Section with_memory(const void* data, std::shared_ptr<const void> owner = nullptr) const;
  Section with_memory(std::nullptr_t, std::shared_ptr<const void> owner = nullptr) const {
    return with_memory(static_cast<void*>(nullptr), std::move(owner));
  }
  /// The same section, but read-only.
  Section as_readonly() const;
  /// The same section, whose memory is said to be in `space`: that of a device is described, proven
  /// and handed over, but never touched. Process-local.
  /// @param space   where the memory is
  /// @param stream  the queue of the device on which the caller's work on the memory is queued,
  ///                from now on that of all copies of this section (SharedState::stream); by
  ///                default it is not changed
  Section in_space(MemorySpace space, std::optional<Stream> stream = std::nullopt) const;

  /// Whether the other section has the same version, dimensions, element type, local shape, strides
  /// and memory space; addresses and read-only flags are not compared. Takes constant time for
  /// copies of one description. Process-local: those of other processes may differ.
  /// @throws Error the defect, if either section is not described
  bool same_layout(const Section& other) const;

  /// Warnings and notes with which the description was accepted (A03, A08, …).
  const Report& warnings() const { return form().warnings; }

 private:
  struct Form {
    Version version;
    std::vector<Dimension> dimensions;
    struct Part {
      std::vector<Index> shape, offset;
    };
    std::vector<Index> local_shape, byte_strides;
    Part owned;
    Part bounded;  ///< without boundary padding; empty if there is none
    const Part& interior() const { return bounded.shape.empty() ? owned : bounded; }
    bool apart = false;
    Index owned_count = 0;
    Index grid_count = 1;
    Report warnings;
    /// What was proven across ranks, on the communicator of the last proof. Only
    /// `detail::ProofAccess` changes it.
    mutable std::shared_ptr<const detail::Proven> proven;
    /// if false, `proven` is null and need not be read
    mutable std::atomic<bool> has_proof{false};
  };
  static std::shared_ptr<const Form> make_form(Version version, const Buffer& buffer,
                                               std::vector<Dimension> dimensions, Report accepted);
  static Form::Part without_boundary(const Form::Part& owned,
                                     const std::vector<Dimension>& dimensions);
  const Form& form() const {
    if (form_ == nullptr) raise_defect();
    return *form_;
  }
  const Form& box() const {
    if (form().apart) refuse_apart();
    return *form_;
  }
  [[noreturn]] static void refuse_apart();
  [[noreturn]] void refuse_dimension(int d) const;
  [[noreturn]] void raise_defect() const;
  const void* data_at(const std::vector<Index>& local) const;
  friend struct detail::ProofAccess;

  std::shared_ptr<const Form> form_;
  Buffer buffer_;
  Defect defect_;
};

/// Whether both sections have the same layout (`same_layout`) and the same memory, and both or
/// neither are read-only; communicators are not compared. Sections that are not described are equal
/// to each other.
bool operator==(const Section& a, const Section& b);
inline bool operator!=(const Section& a, const Section& b) {
  return !(a == b);
}

/// Prints the description for people, one line per dimension.
std::ostream& operator<<(std::ostream& out, const Section& array);

/// Checks the local clauses of one dimension that a normal form can break, except that the indices
/// of an unstructured section are unique (U04). Process-local.
/// @param dimension         if it has a defect, the result contains the defect's findings
/// @param dimension_number  the number of the dimension in the findings
/// @param version           the version whose rules are checked; those of 0.9.x if it has no rules
/// @returns errors, warnings and notes; empty if the dimension satisfies every clause
std::vector<Finding> check_dimension(const Dimension& dimension, int dimension_number,
                                     Version version = protocol_0_9);

}  // namespace daptor
