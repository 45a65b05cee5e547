// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "daptor/adapter/communicator.hpp"
#include "held.hpp"

namespace daptor::python {

/// A communicator with the Python object that it came as.
struct HeldComm {
  Comm ranks;
  /// As the caller gave it: an mpi4py or petsc4py communicator, or a handle.
  std::shared_ptr<const Held> object;
  /// What keeps a communicator that the object does not own.
  std::shared_ptr<const void> keeper = {};

  const Comm& operator*() const { return ranks; }
};

/// Collective at the first use of a communicator. Takes mpi4py's Comm, what has a method
/// `tompi4py` (petsc4py's Comm), or an integer handle as `Comm.py2f` returns it. Needs the GIL,
/// which it releases around MPI. Throws InvalidArgument, process-locally, for what is no
/// communicator, for a null or an inter-communicator, and where mpi4py is of another MPI.
HeldComm communicator_of(py::handle object);

/// The object of `comm` as an mpi4py communicator.
py::object to_mpi4py(const HeldComm& comm);

}  // namespace daptor::python
