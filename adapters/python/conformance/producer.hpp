#pragma once

#include "daptor/conformance.hpp"
#include "held.hpp"

namespace daptor::python {

/// A producer in Python for the conformance kit: `make(comm)` returns an object with
/// `__distarray__`. The kit calls it without the GIL. `labels`: its elements hold their row-major
/// global numbers.
conformance::Subject subject_of(py::handle make, bool labels);

}  // namespace daptor::python
