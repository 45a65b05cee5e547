// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "calls/communicator.hpp"
#include "daptor/section.hpp"
#include "daptor/validate.hpp"

/// \file
/// Python objects as untrusted descriptions. An exception of foreign code is never thrown: it is
/// part of the result, so that the rank still takes part in the collective call.

namespace daptor::python {

/// The result of reading a foreign object: a description, or the reason why reading failed.
struct Reading {
  Submission submission;
  /// If reading failed, the error that all ranks should throw.
  std::exception_ptr failure;
  /// Owner of the array's memory if that is a Python buffer.
  std::weak_ptr<const Kept> kept;
  /// Moves a section out of its capsule, which holds it until this is called. Empty if there is no
  /// capsule.
  std::function<void()> take_over = {};

  /// Calls `take_over`, if there is a capsule: the array then owns the section.
  void accept() const {
    if (take_over) take_over();
  }
  /// The array, judged by every local clause; throws the errors. Called without the GIL.
  Section array() const;
  /// The same, on a grid that the communicator says if the description has none (`placed_on`).
  Section array_on(const Comm& comm) const;
};

/// What to do about an object that was passed in place of a producer.
std::string remedy_for(py::handle object);

/// Reads an Array, a capsule `daptor_array`, an object with `__distarray__`, or its dictionary.
/// Needs the GIL. Process-local.
Reading read(py::handle object);

}  // namespace daptor::python
