// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include <mpi.h>

/// \file
/// The processes that make a collective call together.

namespace daptor {

class Communicator;

/// A communicator, into which an `MPI_Comm` converts implicitly: pass the program's own MPI
/// communicator to what takes a `const Comm&`, such as `Section::on`, by which arrays get theirs. A
/// Comm may also stand for ranks that are simulated in one process (`daptor/simulated.hpp`).
///
/// Making one is process-local. Daptor communicates over a duplicate of its own, which the first
/// collective call over an MPI communicator makes, and which is kept with that communicator as an
/// attribute. It is freed when that communicator has been freed and neither a Comm nor an imported
/// object needs it any more, at the latest by MPI_Finalize. After MPI_Finalize every collective
/// call throws Finalized.
///
/// A Comm is a reference: a copy costs no more than that of a `std::shared_ptr` and does not
/// communicate. A Comm is never empty.
/// \code
/// auto a = daptor::describe(u, dimensions).on(MPI_COMM_WORLD);
/// const daptor::Comm comm = MPI_COMM_WORLD;  // or once, for many arrays
/// auto b = daptor::describe(v, dimensions).on(comm);
/// \endcode
class Comm {
 public:
  /// Process-local. Allocates nothing where Daptor has seen the communicator before.
  /// @param comm  an intracommunicator to which this process belongs; it may be freed as soon as
  ///              there was a collective call over it. If it is freed before, later calls throw
  ///              InvalidArgument (`comm`)
  /// @throws InvalidArgument (`comm`), on this process alone, for MPI_COMM_NULL (which
  ///   MPI_Comm_free also leaves behind), for an intercommunicator, and before MPI_Init
  /// @throws Finalized after MPI_Finalize
  Comm(MPI_Comm comm);  // not explicit: see above
  /// Ranks of another kind than MPI's, such as simulated ones. Process-local.
  /// @param ranks  the operations of these ranks on this process; shared with every copy of the
  ///               Comm
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

  /// Whether both stand for the same communicator. Two communicators of the same processes differ.
  friend bool operator==(const Comm& a, const Comm& b) noexcept { return a.ranks_ == b.ranks_; }
  friend bool operator!=(const Comm& a, const Comm& b) noexcept { return !(a == b); }

  // A moved-from Comm would be empty, so a move is a copy.
  Comm(const Comm&) noexcept = default;
  Comm& operator=(const Comm&) noexcept = default;
  ~Comm() = default;

 private:
  std::shared_ptr<const Communicator> ranks_;
};

}  // namespace daptor
