// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "communicator.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/validate.hpp"

/// \file
/// Python objects as untrusted descriptions. Reading never throws what foreign code throws: that
/// is part of the result, so that the rank still takes part in what is collective.

namespace daptor::python {

/// What a foreign call gave: what it stands for, or why it failed.
struct Reading {
  Submission submission;
  /// Where it failed: the error that all ranks should throw.
  std::exception_ptr failure;
  /// What keeps the array's memory, where it is a Python buffer.
  std::weak_ptr<const Kept> kept;
  /// Moves a section out of its capsule, which until then still holds it.
  std::function<void()> take_over = {};

  /// What was read is now the reader's own.
  void accept() const {
    if (take_over) take_over();
  }
  /// The array, judged by every local clause; throws what is wrong. Without the GIL.
  DistArray array() const;
};

/// Takes an Array, a capsule `daptor_array`, an object with `__distarray__`, or its dictionary.
/// Needs the GIL. Process-local.
Reading read(py::handle object);

}  // namespace daptor::python
