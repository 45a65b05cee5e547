// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "calls/held.hpp"
#include "daptor/section.hpp"

namespace daptor::python {

/// A capsule named "daptor_array" that holds the C struct of daptor/abi.h. A consumer that takes
/// the struct sets its `release` to null; otherwise the capsule releases it.
py::capsule make_capsule(const Section& array);
bool is_array_capsule(py::handle object);

/// The section of a capsule. The capsule still holds it, and the array keeps the capsule alive.
struct OpenedCapsule {
  Section array;
  /// Moves the section out of the capsule, so that it is released with the array, which must still
  /// exist. Throws ProducerFailed if another consumer has taken it in the meantime.
  std::function<void()> take_over;
};
/// Throws Malformed or Unsupported, and ProducerFailed if the section was already taken; the
/// capsule is left unchanged.
OpenedCapsule open_capsule(py::handle capsule);

}  // namespace daptor::python
