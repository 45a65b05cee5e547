#pragma once

#include "daptor/conformance.hpp"
#include "held.hpp"

namespace daptor::python {

/// A producer in Python for the conformance kit: `make(comm)` returns an object with
/// `__distarray__`. The kit calls it without the GIL. `labels`: its elements hold their row-major
/// global numbers. `label`, or None: what they hold instead, a function that takes a global index
/// and an element type as NumPy writes it, and returns the element's bytes.
conformance::Subject subject_of(py::handle make, bool labels, py::handle label);

}  // namespace daptor::python
