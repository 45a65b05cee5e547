// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "daptor/hdf5/dataset.hpp"
#include "library.hpp"

/// \file
/// Files that are there already, on one process.

namespace daptor::hdf5::detail {

/// Properties by which one process opens a file. HDF5's locks are left out: a side file has its
/// own, and not every file system has any.
Handle access_of_one_process();

/// Opens a file for reading.
/// @throws InvalidArgument: `hdf5.missing`, `hdf5.access`, `hdf5.foreign`, `hdf5.damaged`
Handle open_existing(const std::string& path);

/// Whether the file has something of that name.
bool has_link(const Handle& file, const std::string& name);
/// Whether the file has this at its root, and nothing else.
bool is_alone(const Handle& file, const std::string& name);

/// What a dataset is.
/// @throws InvalidArgument: those of `open_existing`, `hdf5.dataset`, `hdf5.format`
Dataset look(const std::string& path, const std::string& name);

}  // namespace daptor::hdf5::detail
