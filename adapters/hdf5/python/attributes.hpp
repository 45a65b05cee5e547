// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "calls/held.hpp"
#include "daptor/hdf5/dataset.hpp"

namespace daptor::python {

/// Attributes of a dictionary. Process-local.
/// @throws InvalidArgument for what is no dictionary, and for values that Attribute cannot hold
hdf5::Attributes attributes_of(const py::object& attrs);

}  // namespace daptor::python
