// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "daptor/buffer.hpp"
#include "daptor/dimension.hpp"
#include "daptor/report.hpp"
#include "daptor/version.hpp"

namespace daptor {

namespace detail {
struct Proven;
struct ProofAccess;
}  // namespace detail

/// One process's section of a distributed array: version, buffer, one Dimension per array
/// dimension.
///
/// A cheap value: copies share the description and the memory. It holds no communicator; every
/// collective function takes one. A described array keeps every local clause of the protocol (the
/// constructor throws Malformed otherwise); the clauses that need other processes are proven by
/// collective functions.
///
/// An array is not described when it was default-constructed or moved from, and when `describe`
/// was given what cannot be described (`defect()`). Such an array can be copied, assigned to,
/// printed and handed to any collective call, which throws on all ranks what is wrong with it;
/// every other access to it throws the same on this process. `with_memory` and `as_readonly` pass
/// the defect on.
///
/// Example, two processes, a 2 x 10 array divided over dimension 0 (each process has one row):
/// \code
/// double row[10];
/// auto a = daptor::describe(row, {daptor::block(2, {2, rank}), daptor::undistributed(10)});
/// a.global_shape();  // {2, 10} on both
/// a.local_shape();   // {1, 10} on both
/// \endcode
class DistArray {
 public:
  /// No array yet: a member that is assigned later. Its defect is `array.empty`.
  DistArray() = default;
  /// An array that could not be described.
  explicit DistArray(Defect defect) : defect_(std::move(defect)) {}
  /// From parts that are made already; `describe` is for memory of one's own. Process-local.
  /// @param version     whose rules the dimensions keep, and in whose words the array is written
  /// @param buffer      the section's memory, all padding included
  /// @param dimensions  one for each dimension of the array, in normal form
  /// @param accepted    warnings and notes of whoever made the parts; `warnings()` begins with them
  /// @throws Malformed with every local finding where the parts do not make a conforming section
  /// @throws Unsupported (T07) for a version without rules; the defect of a dimension that has one
  DistArray(Version version, Buffer buffer, std::vector<Dimension> dimensions,
            Report accepted = {});

  /// False for an array that is not described.
  bool described() const { return form_ != nullptr; }
  /// The reason why the array is not described; an empty defect if it is.
  Defect defect() const;

  Version version() const { return form().version; }
  const Buffer& buffer() const {
    form();
    return buffer_;
  }
  const DataType& type() const { return buffer().type(); }

  int ndim() const { return static_cast<int>(form().dimensions.size()); }
  /// In normal form: a section without data has no padding (A12), and a cyclic one without blocks
  /// starts at `size` (A23), however they were written.
  const std::vector<Dimension>& dimensions() const { return form().dimensions; }
  /// Throws InvalidArgument outside [0, ndim()).
  const Dimension& dimension(int d) const;

  /// Owned elements of all processes along each dimension, boundary padding included.
  std::vector<Index> global_shape() const;
  /// Extents of the section, all padding included. Has ndim() entries, also where the buffer is
  /// flat.
  const std::vector<Index>& local_shape() const { return form().local_shape; }
  /// Byte strides of the section, one for each dimension, also where the buffer is flat.
  const std::vector<Index>& byte_strides() const { return form().byte_strides; }
  /// Extents without communication padding.
  const std::vector<Index>& owned_shape() const { return form().owned.shape; }
  /// Where the owned part starts in the section: the lower communication padding.
  const std::vector<Index>& owned_offset() const { return form().owned.offset; }
  /// Extents of the interior: what is owned without boundary padding. What a stencil code loops
  /// over.
  const std::vector<Index>& interior_shape() const { return form().interior().shape; }
  /// Where the interior starts in the section: past the padding of both kinds.
  const std::vector<Index>& interior_offset() const { return form().interior().offset; }
  /// Elements owned by this process.
  Index owned_count() const { return form().owned_count; }
  /// Elements of the section, all padding included.
  Index local_count() const { return buffer().local_count(); }
  /// Processes of the grid: the product over the distributed dimensions (D14).
  Index grid_count() const { return form().grid_count; }

  bool readonly() const { return buffer().readonly(); }
  /// The element with local index zero in every dimension, padding counted; null without memory.
  const void* data() const { return buffer().data(); }
  /// Throws InvalidArgument where the array is read-only.
  void* mutable_data() const { return buffer().mutable_data(); }
  /// The first owned element (past the lower communication padding). Null without memory.
  const void* owned_data() const;
  /// The first element of the interior (past the padding of both kinds). Null without memory.
  const void* interior_data() const;

  /// Call this after a write that no lease covers: invalidates values that the producer and live
  /// native views have cached. Logically collective: call it on all ranks, even if they wrote
  /// nothing.
  void modified() const;

  /// The same description on other memory of the same shape and strides. Process-local.
  /// @param data   the element with local index zero in every dimension; null: no memory
  /// @param owner  keeps the memory alive; null: the caller does
  /// @returns a writable array, also where this one is read-only; this one is not changed
  DistArray with_memory(void* data, std::shared_ptr<const void> owner = nullptr) const;
  /// The same array, not writable.
  DistArray as_readonly() const;

  /// Whether the other array has the same version, dimensions, element type, local shape, strides
  /// and memory space; the address and the read-only flag do not count. Constant time for copies of
  /// one description. Process-local: the sections of other processes may differ.
  /// @throws Error the defect where either is not described
  bool same_layout(const DistArray& other) const;

  /// What was accepted with a warning or note when the description was made (A03, A08, …).
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
    Index owned_count = 0;
    Index grid_count = 1;
    Report warnings;
    /// What was proven across ranks, on the communicator of the last proof. Changed by
    /// `detail::ProofAccess` alone.
    mutable std::shared_ptr<const detail::Proven> proven;
    mutable std::atomic<bool> has_proof{false};  ///< false: `proven` is null and need not be read
  };
  static std::shared_ptr<const Form> make_form(Version version, const Buffer& buffer,
                                               std::vector<Dimension> dimensions, Report accepted);
  static Form::Part without_boundary(const Form::Part& owned,
                                     const std::vector<Dimension>& dimensions);
  const Form& form() const {
    if (form_ == nullptr) raise_defect();
    return *form_;
  }
  [[noreturn]] void raise_defect() const;
  const void* data_at(const std::vector<Index>& local) const;
  friend struct detail::ProofAccess;

  std::shared_ptr<const Form> form_;
  Buffer buffer_;
  Defect defect_;
};

/// The same layout (`same_layout`), the same memory, and both read-only or neither. Arrays that are
/// not described are equal to each other.
bool operator==(const DistArray& a, const DistArray& b);
inline bool operator!=(const DistArray& a, const DistArray& b) {
  return !(a == b);
}

/// The description for people, one line a dimension.
std::ostream& operator<<(std::ostream& out, const DistArray& array);

/// The local clauses of one dimension that a normal form can break. That the indices of an
/// unstructured section are unique (U04) is not looked at. Process-local.
/// @param dimension         may have a defect, whose findings are then among the result
/// @param dimension_number  goes into the findings
/// @param version           whose rules are asked; those of 0.9.x for a version without rules
/// @returns errors, warnings and notes; empty where the dimension keeps every clause
std::vector<Finding> check_dimension(const Dimension& dimension, int dimension_number,
                                     Version version = protocol_0_9);

}  // namespace daptor
