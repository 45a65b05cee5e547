#pragma once

#include "daptor/dist_array.hpp"
#include "held.hpp"

namespace daptor::python {

/// A capsule named "daptor_array" that holds the C struct of daptor/abi.h. Whoever takes the struct
/// sets its `release` to null; else the capsule releases it.
py::capsule make_capsule(const DistArray& array);
bool is_array_capsule(py::handle object);
/// Takes the section out of the capsule; throws Malformed or Unsupported, and ProducerFailed where
/// it was taken before.
DistArray take_capsule(py::handle capsule);

}  // namespace daptor::python
