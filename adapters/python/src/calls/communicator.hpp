// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <memory>

#include "calls/held.hpp"
#include "daptor/adapter/communicator.hpp"

namespace daptor::python {

/// A communicator, together with the Python object that the caller passed.
struct HeldComm {
  Comm ranks;
  /// The caller's object: an mpi4py or petsc4py communicator.
  std::shared_ptr<const Held> object;
  /// Keeps the communicator alive if the object does not own it.
  std::shared_ptr<const void> keeper = {};

  const Comm& operator*() const { return ranks; }
};

/// Process-local. Accepts mpi4py's Comm, or an object with a method `tompi4py` (petsc4py's Comm).
/// Needs the GIL. Throws InvalidArgument for any other object, for a null communicator or an
/// intercommunicator, and if mpi4py was built with another MPI.
HeldComm communicator_of(py::handle object);

/// The communicator on which a rank reports `failure` if its arguments name no communicator: the
/// only communicator of several processes that Daptor knows. If there are several or none, throws
/// `failure` on this rank alone.
HeldComm communicator_for_failure(const std::exception_ptr& failure);

/// An mpi4py communicator for `comm`.
py::object to_mpi4py(const HeldComm& comm);

}  // namespace daptor::python
