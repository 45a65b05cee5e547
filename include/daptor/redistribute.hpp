// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include <mpi.h>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/fields.hpp"
#include "daptor/within_node.hpp"

/// \file
/// Copies an array to any other description of it. Every call named redistribute copies.

namespace daptor {

class Call;

namespace detail {
struct Rebinding;
struct Redistributed;
struct Sides;
}  // namespace detail

struct RedistributionOptions {
  bool fill_padding = false;
  bool read_from_any = false;
  bool convert = false;
  std::int64_t buffer_bytes = 0;
  bool through_host = false;
  WithinNode within_node = WithinNode::quicker;
};
constexpr auto fields(const RedistributionOptions&) {
  using Options = RedistributionOptions;
  return field_list(
      field("fill_padding", &Options::fill_padding,
            "fill the target's communication padding too, with the values of the owners"),
      field("read_from_any", &Options::read_from_any,
            "an unstructured source may have an index several times: all ranks that have it must "
            "hold the same value, and any of them is read"),
      field("convert", &Options::convert,
            "element types may differ, if NumPy's same_kind casting converts one to the other: "
            "integers to wider and narrower ones and to floating and complex types, floating and "
            "complex types to other precisions, and real to complex; half precision and other byte "
            "orders are converted one element at a time"),
      field("buffer_bytes", &Options::buffer_bytes,
            "size of the buffers into which elements are packed on each rank; 0: a quarter of the "
            "larger of the two local sections, on the rank where that is largest, and at most 8 "
            "MiB; at least 64 KiB are used, the same again for the opposite direction, and 128 KiB "
            "more within a rank if elements are converted or one side numbers the other's"),
      field("through_host", &Options::through_host,
            "arrays in memory that the host cannot reach: copy what is read to the host, exchange "
            "it there, and copy what is written back, by the Device that is registered for that "
            "memory, with as much memory of the host as the local sections; without it they are "
            "refused"),
      field("within_node", &Options::within_node, "how ranks of one node exchange elements"));
}

/// What is done to elements in the pass that writes them: target = scale * source + keep * target.
/// If `keep` is 0, the target's previous values are not read. The factors are rounded to the
/// target's element type first: a scale of 1e300 is infinite for float32.
struct Transform {
  std::complex<double> scale = 1;
  bool conjugate = false;
  std::complex<double> keep = 0;
};
constexpr auto fields(const Transform&) {
  return field_list(field("scale", &Transform::scale,
                          "factor of the source's elements; must be real if they are"),
                    field("conjugate", &Transform::conjugate,
                          "conjugate the source's elements; has no effect on real ones"),
                    field("keep", &Transform::keep, "factor of the target's previous values"));
}

/// Copies between two arrays of the same global shape and element type, whatever their
/// distributions, process grids, orders, strides, padding and versions. Made once for two layouts,
/// and used any number of times, in both directions. Move-only.
///
/// One of the two arrays may also be one-dimensional, and number the other's elements in row-major
/// order (like PETSc's natural ordering of a DMDA, or the global indices of a Tpetra Map).
///
/// The target's boundary padding is filled like everything that its processes own; its
/// communication padding is filled if requested. If several processes have an index of an
/// unstructured target, the element arrives at all of them.
///
/// The plan is made dimension by dimension from the two descriptions. Its cost is proportional to
/// the number of pieces that two processes share, not to the number of elements. Elements that are
/// consecutive on one side are not packed on that side.
///
/// Example: a 4 x 6 array on two processes is copied from a division by rows to one by columns.
/// Process 0 keeps the upper left quarter, sends the upper right one and receives the lower left
/// one.
/// \code
/// daptor::DistArray columns = daptor::like(rows, daptor::layout::slab(1));
/// daptor::Redistribution transpose(rows, columns);  // collective
/// transpose.run();
/// work_on(columns);
/// transpose.run_back();
/// \endcode
///
/// `run`, `begin` and `end` are collective over the processes that share elements, and find no
/// error in the descriptions that the constructor has not found. Errors of MPI itself are thrown as
/// LibraryFailed, on the rank that sees them; after MPI_Finalize these calls throw Finalized.
class Redistribution {
 public:
  /// Collective over the ranks of both arrays, which are the same. Throws, on all ranks: Malformed
  /// if the sections of either array do not form one array, or if a list of the source that states
  /// owners leaves an index without an owner or with two (`owned.nobody`, `owned.twice`).
  /// InvalidArgument if the arrays differ in shape or element type (`redistribute.shape`,
  /// `redistribute.type`); if the target cannot be written or has elements that share memory
  /// (`lease.readonly`, `redistribute.strides`), or overlaps the source's memory
  /// (`redistribute.memory`; exact for equal strides, otherwise by the spans of memory); if either
  /// array has no memory (`lease.memory`), or is on a device without RedistributionOptions::
  /// through_host or a registered Device (`redistribute.device`); if an index of
  /// the target is on no process of the source (`redistribute.missing`) or on several
  /// (`redistribute.overlap`); and for options that differ between ranks (`collective.different`).
  /// @param source   the array that is read, which is kept alive
  /// @param target   the array that is written: it has the same global indices in each dimension,
  ///                 and writable memory of its own, and is kept alive
  /// @param options  what is filled and converted, and the size of buffers; the same on all ranks
  Redistribution(const DistArray& source, const DistArray& target,
                 const RedistributionOptions& options = {});
  /// Several arrays at once: all sources have one layout, and all targets another. The i-th source
  /// is copied to the i-th target. Also throws if numbers or layouts do not fit
  /// (`redistribute.batch`, `redistribute.layout`).
  Redistribution(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets,
                 const RedistributionOptions& options = {});
  /// Between arrays on different processes, or on the same in another order. Collective over
  /// `comm`, which contains the processes of both. The arrays of a side are on one communicator; a
  /// process outside of it passes no arrays for that side. Also throws if the arrays of a side are
  /// on several communicators, or not all of its processes pass them or are in `comm`
  /// (`redistribute.comm`).
  Redistribution(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets,
                 const Comm& comm, const RedistributionOptions& options = {});
  Redistribution(Redistribution&& other) noexcept;
  Redistribution& operator=(Redistribution&& other) noexcept;
  /// Waits for a copy that was begun and not ended.
  ~Redistribution();

  /// Copies sources to targets: `begin`, then `end`.
  /// @param transform  what is done to the elements; the same on all ranks
  void run(const Transform& transform = {});
  /// Starts to copy. Until `end`, the sources may be read but not written, and the targets may be
  /// neither read nor written. Holds read leases on the sources and write leases on the targets
  /// until `end`. The first chunks are sent meanwhile.
  /// @param transform  what is done to the elements; the same on all ranks
  /// @throws InvalidArgument if a copy has begun already (`redistribute.begun`), and for a
  ///   transform that is not defined for the elements (`redistribute.transform`: complex factors of
  ///   real elements, factors of integers other than a `keep` of 0 or 1); Stale and ProducerFailed
  ///   like the leases. All of them are thrown before any message, and on this process alone: the
  ///   others wait in `end` until this process has begun too
  void begin(const Transform& transform = {});
  /// Copies the rest, including elements that stay on their process, and notifies all views of the
  /// targets (`modified()`). Waits until the others have begun, and those on this node have taken
  /// what they need of the sources: until then they must not be written. If several redistributions
  /// are in flight, they must end in the same order on all ranks. Throws InvalidArgument if no copy
  /// was begun (`redistribute.not-begun`). If MPI fails, the values of the targets are not known,
  /// and the object can only be destroyed: later calls throw InvalidArgument
  /// (`redistribute.failed`).
  void end();

  /// \name The opposite direction
  /// These calls copy from targets to sources. The first call is collective over all ranks: it
  /// checks what the constructor checks, in the opposite direction, and throws the same errors.
  /// \{
  void run_back(const Transform& transform = {});
  void begin_back(const Transform& transform = {});
  /// \}

  /// Whether a copy was begun and not ended.
  bool in_flight() const;

  /// From now on copies between other arrays of the same layouts. Sources that cannot be written
  /// cannot be copied back to. Process-local: if one process rebinds to other memory, the others
  /// need not. Throws InvalidArgument before any message, and changes nothing, if layout or number
  /// differ, for arrays that the constructor would refuse on this process, and between `begin` and
  /// `end`.
  /// @param source, target  other arrays of the same layouts (`Section::same_layout`), kept alive
  ///                in place of the previous ones
  void rebind(const DistArray& source, const DistArray& target);
  void rebind(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets);

  const std::vector<DistArray>& sources() const;
  const std::vector<DistArray>& targets() const;
  /// \name Size of a run on this process, for all arrays together. Process-local.
  /// \{
  /// Number of bytes that this process sends to all others.
  std::int64_t bytes_sent() const;
  /// Number of bytes that this process receives from all others.
  std::int64_t bytes_received() const;
  /// Number of bytes copied within this process.
  std::int64_t bytes_copied() const;
  /// Number of bytes of the packing buffers.
  std::int64_t buffer_bytes() const;
  /// \}

 private:
  friend struct detail::Rebinding;
  friend struct detail::Redistributed;
  struct State;
  Redistribution(detail::Sides sides, const RedistributionOptions& options,
                 const Transform* transform, int tag, Call& call);
  State& state() const;
  std::unique_ptr<State> state_;
};

/// \name Copies once. Collective. To copy repeatedly, make a Redistribution.
/// Throws the errors of its constructors and, on all ranks, what is wrong with `transform` on any
/// rank: it is not defined for the elements (`redistribute.transform`), or differs between ranks
/// (`collective.different`).
/// @param source, sources  the arrays that are read
/// @param target, targets  the arrays that are written; `modified()` is called for them on all
///                ranks
/// @param comm       contains the processes of both sides, as for Redistribution
/// @param options    what is filled and converted, and the size of buffers; the same on all ranks
/// @param transform  what is done to the elements; the same on all ranks
/// \{
void redistribute(const DistArray& source, const DistArray& target,
                  const RedistributionOptions& options = {}, const Transform& transform = {});
void redistribute(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets,
                  const RedistributionOptions& options = {}, const Transform& transform = {});
void redistribute(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets,
                  const Comm& comm, const RedistributionOptions& options = {},
                  const Transform& transform = {});
/// \}

/// Collective. Number of bytes that `redistribute` would send between processes, in total; bytes
/// that stay on their process do not count. Copies no element.
/// @param source, target  the arrays; neither needs memory
/// @param options         see Redistribution
/// @returns the number of bytes, the same on all ranks; 2^63 - 1 if it is greater
/// @throws Error like Redistribution, except for errors about memory
std::int64_t bytes_to_redistribute(const DistArray& source, const DistArray& target,
                                   const RedistributionOptions& options = {});

}  // namespace daptor
