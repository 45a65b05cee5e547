// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "daptor/hdf5/dataset.hpp"
#include "library.hpp"

/// \file
/// Files that are there already, on one process.

namespace daptor::hdf5::detail {

/// Properties by which one process opens a file. HDF5's locks are left out: a side file has its
/// own, and not every file system has any.
Handle access_of_one_process();

/// Opens a file for reading.
/// @throws InvalidArgument: `hdf5.missing`, `hdf5.access`, `hdf5.foreign`, `hdf5.damaged`,
/// `hdf5.busy`
Handle open_existing(const std::string& path);

/// Whether the file has something of that name.
bool has_link(const Handle& file, const std::string& name);
/// Refuses a name at which the file has something else than a dataset, or below something else than
/// a group: that is never replaced.
/// @throws InvalidArgument: `hdf5.taken`
void require_place(const Handle& file, const std::string& path, const std::string& name);
/// Whether the file has these at its root, and nothing else, not even a user block before it.
/// @param names  of what the file has, each once
bool are_alone(const Handle& file, const std::vector<std::string>& names);

/// Throws unless the elements are numbers or bools: InvalidArgument (`hdf5.type`).
void require_elements(const Dataset& dataset);
/// Throws unless this HDF5 has the filters of a dataset: InvalidArgument (`hdf5.filter`).
/// @param write  whether they are needed to write, too
void require_filters(const Handle& dataset, const std::string& name, bool write);

/// What a dataset is. The extents are those of the steps that are complete.
/// @param path  of the file, for errors
/// @throws InvalidArgument: `hdf5.dataset`, `hdf5.format`
Dataset look_in(const Handle& file, const std::string& path, const std::string& name);
/// The same, and those of `open_existing`, and whether its elements can be read (`hdf5.filter`).
Dataset look_to_load(const std::string& path, const std::string& name);

/// The same with the numbers of its steps, as `inspect` tells them.
Dataset look_with_steps(const std::string& path, const std::string& name);

/// The names of the numbers that a dataset has for each step.
std::vector<std::string> step_numbers_of(const Dataset& dataset);
/// The name of the dataset with the numbers `number` of the steps of `name`.
std::string name_of_numbers(const std::string& name, const std::string& number);
/// Those numbers of the steps that are complete: a list of integers or of floating-point numbers.
Attribute numbers_of_steps(const Handle& file, const std::string& name, const std::string& number,
                           Index steps);

}  // namespace daptor::hdf5::detail
