// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>

#include "communicator.hpp"
#include "daptor/dist_array.hpp"

namespace daptor::python {

/// `daptor.Array`: a DistArray with its communicator.
struct Array {
  DistArray array;
  HeldComm comm;
  /// What keeps the memory, where it is a Python buffer: for the search of cycles.
  std::weak_ptr<const Kept> kept = {};
};

/// Adds `Array` to the module.
void bind_array(py::module_& module);

/// The Array behind a Python object, or a null pointer: for other objects, and where `__init__` was
/// evaded.
const Array* array_behind(PyObject* object);

}  // namespace daptor::python
