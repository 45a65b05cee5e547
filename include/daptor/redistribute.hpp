#pragma once

#include <cstdint>
#include <memory>

#include <mpi.h>

#include "daptor/communicator.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// From any description to any other. What is called redistribute copies.

namespace daptor {

struct RedistributionOptions {
  /// Fill the target's communication padding too, each element as its owner has it.
  bool fill_padding = false;
  /// Bytes of the buffers that elements are packed in on each process. 0: a quarter of the larger
  /// of the two local sections. At least 64 KiB are used.
  std::int64_t buffer_bytes = 0;
};

/// Copies between two arrays of one global shape and element type, whatever their distributions,
/// process grids, orders, strides and padding. Made once for two layouts, used any number of times.
/// Move-only.
///
/// The plan is made dimension by dimension from the two descriptions: its cost is in proportion to
/// the pieces that two processes share, not to elements. Elements that are consecutive on a side
/// are not packed there.
///
/// Example, a 4 x 6 array by rows on two processes, and by columns: process 0 keeps the upper left
/// quarter, sends the upper right one and receives the lower left one.
/// \code
/// daptor::DistArray columns = daptor::allocate<double>(
///     {daptor::undistributed(4), daptor::block(6, {2, rank})});
/// daptor::redistribute(rows, columns, comm);
/// \endcode
class Redistribution {
 public:
  /// Collective over `comm`. Throws, on all ranks: Malformed where the sections of either do not
  /// make one array; InvalidArgument where the two differ in shape or element type
  /// (`redistribute.shape`, `redistribute.type`), where the target cannot be written or either has
  /// no memory (as a HaloExchange), where an index of the target is on no process of the source
  /// (`redistribute.missing`), for options that differ (`redistribute.options`).
  Redistribution(const DistArray& source, const DistArray& target, MPI_Comm comm,
                 const RedistributionOptions& options = {});
  Redistribution(const DistArray& source, const DistArray& target,
                 std::shared_ptr<const MpiCommunicator> comm,
                 const RedistributionOptions& options = {});
  Redistribution(Redistribution&& other) noexcept;
  Redistribution& operator=(Redistribution&& other) noexcept;
  ~Redistribution();

  /// Collective. Copies source to target. Holds a read lease on the one and a write lease on the
  /// other. Throws Stale and ProducerFailed as these, before any message.
  void run();

  /// Other arrays of the same layouts from now on. Process-local; as HaloExchange::rebind.
  void rebind(const DistArray& source, const DistArray& target);

  /// \name What `run` does here. Process-local.
  /// \{
  std::int64_t bytes_sent() const;
  std::int64_t bytes_received() const;
  /// Bytes copied within this process.
  std::int64_t bytes_copied() const;
  /// Bytes of the packing buffers.
  std::int64_t buffer_bytes() const;
  /// \}

 private:
  struct State;
  State& state() const;
  std::unique_ptr<State> state_;
};

/// Collective over `comm`. Copies once. For more than once make a Redistribution.
void redistribute(const DistArray& source, const DistArray& target, MPI_Comm comm,
                  const RedistributionOptions& options = {});

}  // namespace daptor
