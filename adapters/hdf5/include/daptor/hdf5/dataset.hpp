// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "daptor/comm.hpp"
#include "daptor/datatype.hpp"
#include "daptor/types.hpp"

/// \file
/// What a dataset in a file is, known on all ranks.

namespace daptor::hdf5 {

/// A value beside a dataset, as h5py's `dataset.attrs` has it.
using Attribute = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>,
                               std::vector<double>, std::vector<std::string>>;
using Attributes = std::map<std::string, Attribute>;

/// A dataset, without its elements.
struct Dataset {
  /// Extents of the array in the file. Of steps (`append`), those that are complete.
  std::vector<Index> shape;
  /// Type of an element, in the file's byte order; `nullopt` if Daptor has none like it, such as
  /// text.
  std::optional<DataType> type;
  /// Its attributes, those of Daptor (`daptor_...`) included. Bools are 0 and 1.
  Attributes attributes;
  /// The numbers that `append` was given with the steps, such as `time`: lists with one for each.
  Attributes of_steps = {};
  /// What an element is, in words, also if there is no `type`: `float64`, `text`,
  /// `a compound of x, y`.
  std::string elements = {};
  /// Attributes that an Attribute cannot hold, and what they are: `complex numbers`,
  /// `numbers in 2 dimensions`, `integers beyond 2^63 - 1`.
  std::map<std::string, std::string> left_out = {};
};

/// Collective. Looks at a dataset; reads no element.
/// @param path  the file; the same on all ranks, as are the other arguments
/// @param name  the dataset, with its groups: `run/temperature`
/// @param comm  the ranks that are told
/// @returns the same on all ranks
/// @throws InvalidArgument on all ranks: `hdf5.path`, `hdf5.missing`, `hdf5.access`,
///   `hdf5.foreign`, `hdf5.damaged`, `hdf5.name`, `hdf5.dataset`, `hdf5.format` (see `load`)
Dataset inspect(const std::string& path, const std::string& name, const Comm& comm);

}  // namespace daptor::hdf5
