// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "calls/held.hpp"

/// \file
/// What single files add to the module `_daptor`, which has `Array` before all but the errors.

namespace daptor::python {

/// Adds `_configuration`, and `_give_notes` and `_be_quiet_at_end`, by which notes become records
/// of Python's logging.
void bind_about(py::module_& module);
/// Translates every error of Daptor that leaves a function of one of the package's modules into an
/// exception of daptor._errors.
void bind_errors(py::module_& module);
/// Adds `_memory_of`: the memory of an object without the buffer protocol that has `__dlpack__` or
/// `__cuda_array_interface__`, or of an Array whose memory a device has. Null if the object has
/// none of these.
void bind_device_memory(py::module_& module);
/// Adds `register_device`.
void bind_devices(py::module_& module);
/// Adds `_Dimensions`, the dimensions of a rank's section, and `_import_section`: the builders of
/// the package need them.
void bind_building(py::module_& module);
/// Adds `HaloExchange`.
void bind_exchange(py::module_& module);
/// Adds `Array.read` and `Array.write`, and the classes of the objects that they return.
void bind_lease(py::module_& module);
/// Adds `Redistribution`, `redistribute` and `bytes_to_redistribute`.
void bind_redistribution(py::module_& module);
/// Adds `Layout`, the functions that make one, `Array.like` and `Array.redistributed`.
void bind_layout(py::module_& module);
/// Adds `enumerate`, the segmented scans, `pack`, `unpack` and `packed`.
void bind_sparse(py::module_& module);
/// Adds `_reduced` and `_divided_alike`, of which daptor._numeric.reductions is made.
void bind_reducing(py::module_& module);
/// Adds `_fingerprint`, `_trace` and `_open_trace`, of which daptor._numeric.tracing is made.
void bind_tracing(py::module_& module);

}  // namespace daptor::python
