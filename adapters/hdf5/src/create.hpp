// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "daptor/datatype.hpp"
#include "daptor/hdf5/dataset.hpp"
#include "side_file.hpp"
#include "storage.hpp"

namespace daptor::hdf5::detail {

/// A dataset that is to be made.
struct NewDataset {
  std::string name;
  std::vector<Index> shape;
  DataType type;
  Attributes attributes;
  Storage storage;
};

/// Makes datasets in a copy of the file, or in a new one, with room for their elements. On one
/// process.
/// @param overwrite  whether they replace datasets of their names
/// @returns the file, with which only the elements are missing; it is closed in HDF5
/// @throws InvalidArgument (`hdf5.taken` and those of SideFile and `open_existing`), LibraryFailed
std::unique_ptr<SideFile> create_beside(const std::string& path,
                                        const std::vector<NewDataset>& datasets, bool overwrite);

/// Bytes of the elements, and some for what describes them; the largest number if there are more.
std::int64_t bytes_of(const NewDataset& dataset);
/// Opens a side file in HDF5, on one process.
/// @param copied  whether it is a copy of an HDF5 file, or empty
Handle open_side(const SideFile& side, bool copied);
/// Adds a dataset, with the groups of its name.
void create_dataset(const Handle& file, const NewDataset& dataset);
/// Runs work with a side file, `explained`.
void explained(const SideFile& side, const std::function<void()>& work);

}  // namespace daptor::hdf5::detail
