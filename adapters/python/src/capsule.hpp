// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "daptor/dist_array.hpp"
#include "held.hpp"

namespace daptor::python {

/// A capsule named "daptor_array" that holds the C struct of daptor/abi.h. Whoever takes the struct
/// sets its `release` to null; else the capsule releases it.
py::capsule make_capsule(const DistArray& array);
bool is_array_capsule(py::handle object);

/// The section of a capsule, which the capsule still holds: the array keeps the capsule.
struct OpenedCapsule {
  DistArray array;
  /// Moves the section out of the capsule, to be released with the array, which must still be
  /// there. Throws ProducerFailed where somebody else has taken it meanwhile.
  std::function<void()> take_over;
};
/// Throws Malformed or Unsupported, and ProducerFailed where the section was taken before; the
/// capsule is as it was.
OpenedCapsule open_capsule(py::handle capsule);

}  // namespace daptor::python
