// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "daptor/datatype.hpp"
#include "library.hpp"

namespace daptor::hdf5::detail {

/// HDF5's type of such elements, in memory as in the file, as h5py makes it: complex numbers are a
/// compound of `r` and `i`, bools an enumeration of FALSE and TRUE. Process-local.
/// @throws InvalidArgument (`hdf5.type`) if HDF5 has none
Handle hdf5_type(const DataType& type);

/// The element type that HDF5's type stands for; `nullopt` if there is none. Process-local.
std::optional<DataType> element_type(hid_t type);

/// What such an element is, in words: the name of its type, or its kind. Process-local.
std::string element_text(hid_t type);

/// The same in this machine's byte order.
DataType in_native_order(const DataType& type);

}  // namespace daptor::hdf5::detail
