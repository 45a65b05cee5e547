// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/dist_array.hpp"

/// \file
/// Copies between memory of a device and the host, where a program asks for them by name. Nothing
/// else in Daptor makes such copies, except exchanges with the option `through_host`.

namespace daptor {

/// Copies this process's section, padding included, to new memory of the host. Process-local.
/// @param array  in memory of a device for which a Device is registered, or of the host. It is
///               opened for reading meanwhile
/// @returns the same section in memory of its own, which is writable and has the same strides; one
///   that is not described is returned as it is
/// @throws InvalidArgument for a description without memory (rule `lease.memory`) and if no Device
///   is registered for its memory (`copy.device`); Stale and ProducerFailed like a ReadLease;
///   whatever the device throws
Section copy_to_host(const Section& array);
inline DistArray copy_to_host(const DistArray& array) {
  return copy_to_host(static_cast<const Section&>(array)).on(array.comm());
}

/// Copies all elements of this process's section to an array of the same form, and notifies the
/// views of its memory (`modified()`): logically collective.
/// @param host    in memory of the host, as `copy_to_host` makes it
/// @param device  the array that is written; of the same type, shape, strides and dimensions
/// @throws InvalidArgument if the forms differ (rule `copy.layout`), for arrays without memory or
///   read-only (`lease.memory`, `lease.readonly`), if the host cannot reach the memory of `host`
///   (`lease.device`) or no Device is registered for that of `device` (`copy.device`); Stale and
///   ProducerFailed like a WriteLease; whatever the device throws. On this process alone
void copy_to_device(const Section& host, const Section& device);

}  // namespace daptor
