// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "daptor/datatype.hpp"
#include "daptor/hdf5/dataset.hpp"
#include "side_file.hpp"

namespace daptor::hdf5::detail {

/// A dataset that is to be made.
struct NewDataset {
  std::string name;
  std::vector<Index> shape;
  DataType type;
  Attributes attributes;
  bool overwrite;
};

/// Makes the dataset in a copy of the file, or in a new one, with room for its elements. On one
/// process.
/// @returns the file, with which only the elements are missing; it is closed in HDF5
/// @throws InvalidArgument (`hdf5.taken` and those of SideFile and `open_existing`), LibraryFailed
std::unique_ptr<SideFile> create_beside(const std::string& path, const NewDataset& dataset);

}  // namespace daptor::hdf5::detail
