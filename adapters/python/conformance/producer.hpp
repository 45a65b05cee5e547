// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "calls/held.hpp"
#include "daptor/conformance.hpp"

namespace daptor::python {

/// A Python producer for the conformance kit, which calls it without the GIL.
/// @param make    is called with a communicator; returns an object with `__distarray__`
/// @param labels  the elements of the interior hold their row-major global numbers
/// @param label   None, or a function that returns the bytes of an element's value, given its
///                global index in the interior and its element type as NumPy writes it
/// @param ghosts  communication padding holds the labels of what it copies
conformance::Subject subject_of(py::handle make, bool labels, py::handle label, bool ghosts);

}  // namespace daptor::python
