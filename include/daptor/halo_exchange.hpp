// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "daptor/combine.hpp"
#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/fields.hpp"
#include "daptor/within_node.hpp"

/// \file
/// Updates communication padding in the producer's own buffer.

namespace daptor {

/// Which communication padding is exchanged: all of it (box), or only what is outside the owned
/// indices in one dimension (star: faces without edges and corners).
enum class Stencil { box, star };
constexpr auto words(Stencil) {
  return word_list(word("box", Stencil::box, "all of it"),
                   word("star", Stencil::star, "all except corners and edges"));
}

struct HaloOptions {
  Stencil stencil = Stencil::box;
  std::optional<Dimension> owned = std::nullopt;
  bool through_host = false;
  WithinNode within_node = WithinNode::quicker;
};
constexpr auto fields(const HaloOptions&) {
  return field_list(
      field("stencil", &HaloOptions::stencil, "which padding is exchanged"),
      optional_field(
          "owned", &HaloOptions::owned,
          "who owns the indices of an unstructured dimension: the rank that has them in this "
          "dimension, which is one dimension for the whole communicator, of any distribution, in "
          "which no index is on two ranks (such as a Tpetra source Map; that this holds is not "
          "proven); the array's dimension is the one that is divided, and what it says itself "
          "about owned indices (owned_then_ghosts) is overridden"),
      field("through_host", &HaloOptions::through_host,
            "an array in memory that the host cannot reach: copy the elements that are sent to the "
            "host, exchange them there, and copy what is received back, by the Device that is "
            "registered for that memory, with as much address space of the host as the local "
            "section, of which only what is exchanged is used; without it the array is refused"),
      field("within_node", &HaloOptions::within_node, "how ranks of one node exchange elements"));
}

/// Fills a process's copies of elements that others own, in the producer's buffer, and returns
/// contributions to such copies to their owners. Made once for a layout, and used any number of
/// times. Move-only.
///
/// Copies are the communication padding of block and undistributed dimensions, the ghosts of an
/// unstructured dimension that says how many of its indices are owned (`owned_then_ghosts`), and
/// the indices of an unstructured dimension that HaloOptions::owned gives to another process. If
/// processes share indices and nothing says who owns them, they are refused, because Daptor cannot
/// guess which copies to overwrite. Local indices outside the owned ones in several dimensions at
/// once (corners) belong to the process at those coordinates of the grid. Boundary padding belongs
/// to its process, and no call writes to it.
///
/// Arrays may have any number of dimensions; padding of any width, even wider than the neighbour's
/// section, and of different widths on each process, edge and dimension; periodic dimensions of any
/// number of processes; any strides and element types. Several arrays of one layout share one
/// message to each neighbour.
///
/// Example: 18 elements on two processes with padding (1, 1). `update` writes process 1's first
/// owned element to local index 9 of process 0, and process 0's last one to local index 0 of
/// process 1.
/// \code
/// daptor::HaloExchange halo(a);  // collective
/// for (int step = 0; step < steps; ++step) {
///   halo.begin();
///   compute_inner();  // reads no communication padding, writes nothing that is sent
///   halo.end();
///   compute_edges();
/// }
/// \endcode
///
/// `begin`, `end`, `update` and `accumulate` allocate nothing, and find no error in the description
/// that the constructor has not found. They are collective over the processes that share elements;
/// MPI_THREAD_FUNNELED is enough. Errors of MPI itself are thrown as LibraryFailed, on the rank
/// that sees them; after MPI_Finalize these calls throw Finalized.
class HaloExchange {
 public:
  /// Collective. Proves the description (like `require_consistent`), tells the owners which of
  /// their elements are wanted, and allocates all memory: the bytes that are sent and received.
  /// O(boxes) metadata if no dimension is unstructured; for an unstructured one that is not
  /// `one_to_one`, see `GlobalIndexMap::owners_of_unstructured`. To check that a list has each
  /// index once takes one pass over it and, meanwhile, a bit or eight bytes per index.
  ///
  /// Throws on all ranks: Malformed if the sections do not form one array, if an index is twice in
  /// the list of one process (U04) or has two owners (`owned.twice`), or if no process owns a ghost
  /// (`owned.nobody`); the defect of an array that could not be described; InvalidArgument for a
  /// read-only array or one without memory (`lease.readonly`, `lease.memory`), memory that the host
  /// cannot reach without HaloOptions::through_host or a registered Device (`halo.device`),
  /// elements or arrays of a batch that share memory
  /// (`halo.strides`, `halo.memory`), options that differ between ranks (`collective.different`),
  /// arrays of a batch that differ in layout (`halo.layout`) or number (`halo.batch`), owners that
  /// do not have an index of theirs, indices without an owner (`halo.owned`), and shared indices
  /// whose owner is not stated (`halo.shared`).
  /// @param array    the array, with writable memory; kept alive
  /// @param options  which padding is exchanged, and who owns which index; the same on all ranks
  HaloExchange(const DistArray& array, const HaloOptions& options = {});
  /// A batch of arrays of one layout (`Section::same_layout`): at least one, and the same number
  /// on all ranks. Their padding shares one message to each neighbour.
  HaloExchange(const std::vector<DistArray>& arrays, const HaloOptions& options = {});
  HaloExchange(HaloExchange&& other) noexcept;
  HaloExchange& operator=(HaloExchange&& other) noexcept;
  /// Waits for an exchange that was begun and not ended.
  ~HaloExchange();

  /// Fills the copies with the values of their owners: `begin`, then `end`.
  void update();
  /// Starts to fill the copies. Until `end`, elements that are copied, here or elsewhere, may be
  /// read but not written, and the copies may be neither read nor written. Holds a write lease on
  /// the arrays until `end`. Throws, before any message, InvalidArgument (`halo.begun`) if an
  /// exchange has begun already, and Stale and ProducerFailed like a WriteLease.
  void begin();
  /// Waits for the copies, and notifies all views of the arrays (`modified()`). Throws
  /// InvalidArgument (`halo.not-begun`) if no exchange was begun. If MPI fails, the values of the
  /// copies are not known, and the object can only be destroyed: later calls throw InvalidArgument
  /// (`halo.failed`).
  void end();

  /// Combines the copies with the values of their owners: `begin_accumulate`, then `end`. The
  /// owner's value is combined with its own copies first, then with those of the other ranks in
  /// increasing order, so that results are reproducible; with Combine::insert the last one stays.
  /// Copies keep their values. Copies of a neighbour's boundary padding are ignored, because that
  /// is never written.
  /// @param how  the same on all ranks
  void accumulate(Combine how);
  /// Starts to return contributions. Until `end`, the copies may be read but not written, and
  /// elements of which others have copies may be neither read nor written. Throws what `begin`
  /// throws, and InvalidArgument if the elements cannot be combined in this way (see Combine).
  void begin_accumulate(Combine how);

  /// Whether an exchange was begun and not ended.
  bool in_flight() const;

  /// From now on exchanges the padding of other arrays. Process-local: if one process rebinds to
  /// another array of the same layout, the others need not. Throws InvalidArgument before any
  /// message, and changes nothing, if layout (`halo.layout`) or number (`halo.batch`) differ, for
  /// arrays that are read-only or without memory, and between `begin` and `end` (`halo.begun`).
  /// @param array  another array of the same layout (`Section::same_layout`); kept alive in place
  ///               of the previous one
  void rebind(const DistArray& array);
  void rebind(const std::vector<DistArray>& arrays);

  const std::vector<DistArray>& arrays() const;
  const HaloOptions& options() const;
  /// \name Size of an update on this process, for all arrays of the batch together. Process-local.
  /// \{
  /// Ranks to which this process sends, in increasing order.
  std::vector<int> destinations() const;
  /// Ranks from which this process receives, in increasing order.
  std::vector<int> sources() const;
  /// Number of bytes that this process sends to all others in one update.
  std::int64_t bytes_sent() const;
  /// Number of bytes that this process receives from all others in one update.
  std::int64_t bytes_received() const;
  /// Number of bytes copied within this process, for a periodic dimension of one process.
  std::int64_t bytes_copied() const;
  /// \}

 private:
  /// For `count` arrays, which are copied only where lack of memory is an error of all ranks.
  HaloExchange(const DistArray* first, std::size_t count, const Comm& comm,
               const HaloOptions& options);
  struct State;
  State& state() const;
  std::unique_ptr<State> state_;
};

/// Collective. Fills the communication padding of an array once, in its own memory: makes a
/// HaloExchange, updates, and destroys it. To do it repeatedly, make a HaloExchange.
/// @param array, options  see HaloExchange; the array is not kept
/// @throws Error like HaloExchange
void update_padding(const DistArray& array, const HaloOptions& options = {});

}  // namespace daptor
