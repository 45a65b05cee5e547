// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "daptor/combine.hpp"
#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// Communication padding, updated in the producer's own buffer.

namespace daptor {

/// Which communication padding is exchanged: all of it (box), or what lies beyond the owned indices
/// in one dimension only (star: faces without edges and corners).
enum class Stencil { box, star };

struct HaloOptions {
  /// Which padding is exchanged; the same on all ranks.
  Stencil stencil = Stencil::box;
  /// Who owns the indices of an unstructured dimension: the process that has them here. One
  /// dimension for the whole communicator, of any distribution, in which no index is on two
  /// processes (a Tpetra source Map; that it is so is not proven). The array's dimension is the one
  /// that is divided. Where it is given it counts, also for a dimension that says itself which
  /// indices are owned (`owned_then_ghosts`).
  std::optional<Dimension> owned = std::nullopt;
};

/// Fills the copies that a process has of what others own, in the producer's buffer, and brings
/// contributions to such copies back to their owners. Made once for a layout, used any number of
/// times. Move-only.
///
/// Copies are the communication padding of block and undistributed dimensions, the ghosts of an
/// unstructured dimension that says how many of its indices are owned (`owned_then_ghosts`), and
/// the indices of an unstructured dimension that HaloOptions::owned gives to another process.
/// Indices that processes share without a word about their owner are refused: which of them to
/// overwrite is not Daptor's to guess.
/// Local indices beyond the owned ones in several dimensions at once (corners) belong to the
/// process at those coordinates of the grid. Boundary padding is its process's own: no call writes
/// to it.
///
/// Any number of dimensions; padding of any width, also wider than the neighbour's section, other
/// on each process, edge and dimension; periodic dimensions of any number of processes; any strides
/// and element types. Several arrays of one layout travel in one message for each neighbour.
///
/// Example, 18 elements on two processes with padding (1, 1): `update` writes process 1's first
/// owned element to local index 9 of process 0, and process 0's last to local index 0 of process 1.
/// \code
/// daptor::HaloExchange halo(a, comm);  // collective
/// for (int step = 0; step < steps; ++step) {
///   halo.begin();
///   compute_inner();  // reads no communication padding, writes nothing that is sent
///   halo.end();
///   compute_edges();
/// }
/// \endcode
///
/// `begin`, `end`, `update` and `accumulate` allocate nothing, and find nothing wrong with the
/// description that the constructor did not. They are collective over the processes that share
/// elements; MPI_THREAD_FUNNELED is enough. What MPI itself reports is thrown as LibraryFailed, on
/// the rank that sees it; after MPI_Finalize they throw Finalized.
class HaloExchange {
 public:
  /// Collective over `comm`. Proves the description (as `require_consistent`), tells the owners
  /// which of their elements are wanted, and allocates all that is needed: the bytes that are sent
  /// and received. O(boxes) metadata where no dimension is unstructured; for an unstructured
  /// one that is not `one_to_one` see `GlobalIndexMap::owners_of_unstructured`. That a list has
  /// each index once takes one pass over it, and for its duration a bit or eight bytes an index.
  ///
  /// Throws, on all ranks, Malformed where the sections do not make one array, an index is twice in
  /// the list of one process (U04), owned by two (`owned.twice`) or a ghost that nobody owns
  /// (`owned.nobody`); the defect of an array that could not be described; InvalidArgument for
  /// a read-only array or one without memory (`lease.readonly`, `lease.memory`), memory that the
  /// host cannot reach (`halo.device`), elements on the same memory (`halo.strides`), options that
  /// differ (`halo.options`), arrays of a batch that differ in layout (`halo.layout`) or number
  /// (`halo.batch`), owners that do not have an index of theirs, or indices without one
  /// (`halo.owned`), and shared indices whose owner nothing names (`halo.shared`).
  /// @param array    this process's section, with writable memory; it is kept alive
  /// @param comm     the processes that the array is divided among, over MPI
  /// @param options  which padding, and who owns what; the same on all ranks
  HaloExchange(const DistArray& array, const Comm& comm, const HaloOptions& options = {});
  /// A batch of arrays of one layout (`DistArray::same_layout`), at least one and as many on all
  /// ranks. Their padding travels together, in one message for each neighbour.
  HaloExchange(const std::vector<DistArray>& arrays, const Comm& comm,
               const HaloOptions& options = {});
  HaloExchange(HaloExchange&& other) noexcept;
  HaloExchange& operator=(HaloExchange&& other) noexcept;
  /// Waits for an exchange that has begun and was not ended.
  ~HaloExchange();

  /// Fills the copies from what their owners hold: `begin` and `end`.
  void update();
  /// Starts to fill the copies. Until `end`, elements that are copied, here or elsewhere, may be
  /// read but not written, and the copies neither. Holds a write lease on the arrays until `end`.
  /// Throws InvalidArgument
  /// (`halo.begun`) where an exchange has begun already; Stale and ProducerFailed as a WriteLease,
  /// before any message.
  void begin();
  /// Waits for the copies, and tells all views of the arrays (`modified()`). Throws InvalidArgument
  /// (`halo.not-begun`) where nothing was begun. Where MPI fails the object can only be
  /// destroyed, and what the copies hold is not known: later calls throw InvalidArgument
  /// (`halo.failed`).
  void end();

  /// Combines the copies into what their owners hold: `begin_accumulate` and `end`. To the owner's
  /// value come its own copies, then those of the other ranks in increasing order, so that results
  /// are the same each time; of what is inserted the last stays.
  /// Copies keep their values; those of a neighbour's boundary padding go nowhere, for that is
  /// never written.
  /// @param how  the same on all ranks
  void accumulate(Combine how);
  /// Starts to bring contributions back. Until `end` the copies may be read but not written, and
  /// the elements that others copy neither. Throws as `begin`, and InvalidArgument where the
  /// elements cannot be combined in this way (see Combine).
  void begin_accumulate(Combine how);

  /// An exchange has begun and was not ended.
  bool in_flight() const;

  /// Exchanges the padding of other arrays from now on. Process-local; where one process rebinds to
  /// another array of the same layout the others need not. Throws InvalidArgument before any
  /// message, and changes nothing, where layout (`halo.layout`) or number (`halo.batch`) differ,
  /// for read-only arrays and those without memory, and between `begin` and `end` (`halo.begun`).
  /// @param array  another section of the same layout (`DistArray::same_layout`); kept alive in
  ///               place of the one before
  void rebind(const DistArray& array);
  void rebind(const std::vector<DistArray>& arrays);

  const std::vector<DistArray>& arrays() const;
  const HaloOptions& options() const;
  /// \name What an update does here, for all arrays of the batch together. Process-local.
  /// \{
  /// Ranks that this process sends to, in increasing order.
  std::vector<int> destinations() const;
  /// Ranks that this process receives from, in increasing order.
  std::vector<int> sources() const;
  /// Bytes that this process sends in one update, to all others together.
  std::int64_t bytes_sent() const;
  /// Bytes that it receives in one update, from all others together.
  std::int64_t bytes_received() const;
  /// Bytes copied within this process: a periodic dimension of one process.
  std::int64_t bytes_copied() const;
  /// \}

 private:
  struct State;
  State& state() const;
  std::unique_ptr<State> state_;
};

/// Collective over `comm`. Fills the communication padding of an array once, in its own memory: a
/// HaloExchange that is made, updates and is destroyed. Make one to do it more than once.
/// @param array, comm, options  as HaloExchange; the array is not kept
/// @throws Error as HaloExchange
void update_padding(const DistArray& array, const Comm& comm, const HaloOptions& options = {});

}  // namespace daptor
