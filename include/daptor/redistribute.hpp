// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include <mpi.h>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// From any description to any other. What is called redistribute copies.

namespace daptor {

namespace detail {
struct Redistributed;
struct Sides;
}  // namespace detail

struct RedistributionOptions {
  /// Fill the target's communication padding too, each element as its owner has it.
  bool fill_padding = false;
  /// An unstructured source may have an index more than once: all that have it hold the same value,
  /// and any of them is read.
  bool read_from_any = false;
  /// Source and target may differ in element type, where both are native types of C++ and NumPy's
  /// `same_kind` casting converts the one to the other: integers to wider and narrower ones, to
  /// floating and complex types, floating and complex types to such of other precision, real to
  /// complex.
  bool convert = false;
  /// Bytes of the buffers that elements are packed in on each process. 0: a quarter of the larger
  /// of the two local sections, of the process where that is largest, and no more than 8 MiB. At
  /// least 64 KiB are used, as much again for the way back, and 128 KiB more within a process where
  /// elements change on the way or one side numbers the other's.
  std::int64_t buffer_bytes = 0;
};

/// What happens to elements on their way, in the pass that writes them:
/// target = scale * source + keep * target. With `keep` 0 what the target held is not read.
struct Transform {
  /// Factor of the source's elements, real where they are.
  std::complex<double> scale = 1;
  /// Conjugate the source's elements; no effect on real elements.
  bool conjugate = false;
  /// Factor of what the target held.
  std::complex<double> keep = 0;
};

/// Arrays of one layout that live on a communicator of their own. A process without a part in them
/// gives no arrays and MPI_COMM_NULL, which is why this is an `MPI_Comm` and not a Comm.
struct ArraysOn {
  /// This process's sections, as many on each process of `comm`; empty without a part in them.
  std::vector<DistArray> arrays;
  /// The processes that the arrays are divided among; MPI_COMM_NULL without a part in them.
  MPI_Comm comm = MPI_COMM_NULL;
};

/// Copies between two arrays of one global shape and element type, whatever their distributions,
/// process grids, orders, strides, padding and versions. Made once for two layouts, used any number
/// of times, in both directions. Move-only.
///
/// One of the two may also be one-dimensional and number the other's elements in row-major order
/// (PETSc's natural ordering of a DMDA; the global indices of a Tpetra Map).
///
/// The target's boundary padding is filled as all that its processes own; its communication padding
/// where asked for. Indices of an unstructured target that several processes have arrive at all of
/// them.
///
/// The plan is made dimension by dimension from the two descriptions: its cost is in proportion to
/// the pieces that two processes share, not to elements. Elements that are consecutive on a side
/// are not packed there.
///
/// Example, a 4 x 6 array by rows on two processes, and by columns: process 0 keeps the upper left
/// quarter, sends the upper right one and receives the lower left one.
/// \code
/// daptor::DistArray columns = daptor::like(rows, daptor::layout::slab(1), comm);
/// daptor::Redistribution transpose(rows, columns, comm);  // collective
/// transpose.run();
/// work_on(columns);
/// transpose.run_back();
/// \endcode
///
/// `run`, `begin` and `end` are collective over the processes that share elements, and find nothing
/// wrong with the descriptions that the constructor did not. What MPI itself reports is thrown as
/// LibraryFailed, on the rank that sees it; after MPI_Finalize they throw Finalized.
class Redistribution {
 public:
  /// Collective over `comm`, on which both arrays are described. Throws, on all ranks: Malformed
  /// where the sections of either do not make one array, or lists of the source that name owners
  /// leave an index without one or with two (`owned.nobody`, `owned.twice`); InvalidArgument where
  /// the two differ in shape or element type (`redistribute.shape`, `redistribute.type`), for a
  /// target that cannot be written or has a stride of 0 (`lease.readonly`, `redistribute.strides`),
  /// or lies on the source's memory (`redistribute.memory`; exact for the same strides, else by
  /// spans), for either without memory or on a device (`lease.memory`, `redistribute.device`),
  /// where an index of the target is on no process of the source (`redistribute.missing`) or on
  /// several (`redistribute.overlap`), for options that differ (`redistribute.options`).
  /// @param source   what is read; it is kept alive
  /// @param target   what is written: as many global indices in each dimension, with writable
  ///                 memory of its own; it is kept alive
  /// @param comm     the processes that both arrays are divided among, over MPI
  /// @param options  what is filled and converted, and the size of buffers; the same on all ranks
  Redistribution(const DistArray& source, const DistArray& target, const Comm& comm,
                 const RedistributionOptions& options = {});
  /// Several arrays at once: all sources have one layout, all targets another. The i-th source goes
  /// to the i-th target. Throws also for other numbers and layouts (`redistribute.batch`,
  /// `redistribute.layout`).
  Redistribution(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets,
                 const Comm& comm, const RedistributionOptions& options = {});
  /// Between communicators of other processes, or of the same in another order; `comm` contains
  /// both. Collective over `comm`. Throws also where a process has arrays without a communicator or
  /// the reverse, or is not in `comm` (`redistribute.comm`).
  Redistribution(const ArraysOn& sources, const ArraysOn& targets, const Comm& comm,
                 const RedistributionOptions& options = {});
  Redistribution(Redistribution&& other) noexcept;
  Redistribution& operator=(Redistribution&& other) noexcept;
  /// Waits for what has begun and was not ended.
  ~Redistribution();

  /// Copies sources to targets: `begin` and `end`.
  /// @param transform  what happens to the elements on their way; the same on all ranks
  void run(const Transform& transform = {});
  /// Starts to copy. Until `end` the sources may be read but not written, the targets neither.
  /// Holds read leases on the sources and write leases on the targets until `end`. The first chunks
  /// travel meanwhile.
  /// @param transform  what happens to the elements on their way; the same on all ranks
  /// @throws InvalidArgument where something has begun already (`redistribute.begun`) and for a
  ///   transform that the elements do not have (`redistribute.transform`: complex factors of real
  ///   elements, factors of integers other than a `keep` of 0 or 1); Stale and ProducerFailed as
  ///   the leases. All of them before any message and on this process alone: the others wait in
  ///   `end` until it has begun too
  void begin(const Transform& transform = {});
  /// Copies the rest, what stays within the process included, and tells all views of the targets
  /// (`modified()`). Several redistributions that are under way at once end in the same order on
  /// all ranks. Throws InvalidArgument where nothing was begun (`redistribute.not-begun`). Where
  /// MPI fails, what the targets hold is not known, and the object can only be destroyed: later
  /// calls throw InvalidArgument
  /// (`redistribute.failed`).
  void end();

  /// \name The way back
  /// The same from targets to sources. The first call is collective over all of `comm`: it looks
  /// at what the constructor did, in the other direction, and throws as that.
  /// \{
  void run_back(const Transform& transform = {});
  void begin_back(const Transform& transform = {});
  /// \}

  /// Something has begun and was not ended.
  bool in_flight() const;

  /// Other arrays of the same layouts from now on. Sources that cannot be written have no way back.
  /// Process-local; where one process rebinds to other memory the others need not. Throws
  /// InvalidArgument before any message, and changes nothing, where layout or number differ, for
  /// arrays that the constructor would refuse here, and between `begin` and `end`.
  /// @param source, target  other sections of the same layouts (`DistArray::same_layout`); kept
  ///                        alive in place of those before
  void rebind(const DistArray& source, const DistArray& target);
  void rebind(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets);

  const std::vector<DistArray>& sources() const;
  const std::vector<DistArray>& targets() const;
  /// \name What `run` does here, for all arrays together. Process-local.
  /// \{
  /// Bytes that this process sends to all others together.
  std::int64_t bytes_sent() const;
  /// Bytes that it receives from all others together.
  std::int64_t bytes_received() const;
  /// Bytes copied within this process.
  std::int64_t bytes_copied() const;
  /// Bytes of the packing buffers.
  std::int64_t buffer_bytes() const;
  /// \}

 private:
  friend struct detail::Redistributed;
  struct State;
  Redistribution(detail::Sides sides, const RedistributionOptions& options,
                 const Transform* transform);
  State& state() const;
  std::unique_ptr<State> state_;
};

/// \name Collective over `comm`. Copies once. For more than once make a Redistribution.
/// Errors as its constructors, and on all ranks also what is wrong with `transform` on any of them:
/// one that the elements do not have (`redistribute.transform`), or that is not the same on all
/// ranks (`redistribute.options`).
/// @param source, sources  what is read
/// @param target, targets  what is written; `modified()` is called for them on all ranks
/// @param comm       the processes that the arrays are divided among, over MPI
/// @param options    what is filled and converted, and the size of buffers; the same on all ranks
/// @param transform  what happens to the elements on their way; the same on all ranks
/// \{
void redistribute(const DistArray& source, const DistArray& target, const Comm& comm,
                  const RedistributionOptions& options = {}, const Transform& transform = {});
void redistribute(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets,
                  const Comm& comm, const RedistributionOptions& options = {},
                  const Transform& transform = {});
void redistribute(const ArraysOn& sources, const ArraysOn& targets, const Comm& comm,
                  const RedistributionOptions& options = {}, const Transform& transform = {});
/// \}

/// Collective over `comm`. Bytes that `redistribute` would send from one process to another, of all
/// processes together; those that stay where they are do not count. Copies no element.
/// @param source, target  this process's sections; neither needs memory
/// @param comm, options   as Redistribution
/// @returns bytes, the same number on all ranks; 2^63 - 1 where it is more
/// @throws Error as Redistribution, but for memory
std::int64_t bytes_to_redistribute(const DistArray& source, const DistArray& target,
                                   const Comm& comm, const RedistributionOptions& options = {});

}  // namespace daptor
