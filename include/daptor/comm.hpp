// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include <mpi.h>

/// \file
/// The processes that make a collective call together.

namespace daptor {

class Communicator;

/// The communicator of a collective call, made from an `MPI_Comm` by itself: calls that take a
/// `const Comm&` are given the program's own MPI communicator. It may also stand for ranks that
/// live in one process (`daptor/simulated.hpp`).
///
/// Daptor communicates over a duplicate of its own. The duplicate is made once for each MPI
/// communicator, kept with it as an attribute, and freed when that has been freed and neither a
/// Comm nor an imported object needs it any more, at the latest by MPI_Finalize. After that every
/// collective call throws Finalized.
///
/// A Comm is a reference: a copy costs no more than that of a `std::shared_ptr` and communicates
/// nothing, and it is never empty.
/// \code
/// const daptor::Report report = daptor::validate(a, MPI_COMM_WORLD);
/// const daptor::Comm comm = MPI_COMM_WORLD;  // or once, for many calls
/// daptor::HaloExchange halo(a, comm);
/// \endcode
class Comm {
 public:
  /// Collective over `comm` when Daptor sees that communicator for the first time, which then
  /// succeeds on all of its processes or throws on all of them; process-local afterwards, where it
  /// allocates nothing.
  /// @param comm an intracommunicator, of which this process is a part. It may be freed at any time
  ///   afterwards.
  /// @throws InvalidArgument (`comm`), on this process alone, for MPI_COMM_NULL, which is also what
  ///   MPI_Comm_free leaves behind, for an intercommunicator, and before MPI_Init
  /// @throws Finalized after MPI_Finalize
  Comm(MPI_Comm comm);  // not explicit: see above
  /// Ranks of another kind than MPI's. Process-local.
  /// @param ranks  what this process knows of them; shared with every copy of the Comm
  /// @throws InvalidArgument (`comm`) for a null pointer
  explicit Comm(std::shared_ptr<const Communicator> ranks);

  /// This process's number, in [0, size()). Process-local.
  int rank() const;
  /// The number of processes. Process-local.
  int size() const;

  /// \name For authors of adapters (`daptor/adapter/communicator.hpp`)
  /// \{
  const Communicator& operator*() const noexcept { return *ranks_; }
  const Communicator* operator->() const noexcept { return ranks_.get(); }
  /// \}

  /// Both stand for the same duplicate. A communicator of the same processes is another one.
  friend bool operator==(const Comm& a, const Comm& b) noexcept { return a.ranks_ == b.ranks_; }
  friend bool operator!=(const Comm& a, const Comm& b) noexcept { return !(a == b); }

  // What was moved from would be empty: a move is a copy.
  Comm(const Comm&) noexcept = default;
  Comm& operator=(const Comm&) noexcept = default;
  ~Comm() = default;

 private:
  std::shared_ptr<const Communicator> ranks_;
};

}  // namespace daptor
