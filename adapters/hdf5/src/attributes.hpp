// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

#include "daptor/dist_array.hpp"
#include "daptor/hdf5/dataset.hpp"
#include "library.hpp"

namespace daptor::hdf5::detail {

inline constexpr const char* format_attribute = "daptor_format";
inline constexpr const char* version_attribute = "daptor_version";
inline constexpr const char* division_attribute = "daptor_division";
/// A word for each dimension: block, cyclic, unstructured, undistributed.
inline constexpr const char* distribution_attribute = "daptor_distribution";
/// Of cyclic dimensions, 0 for others.
inline constexpr const char* block_size_attribute = "daptor_block_size";
/// Of cyclic dimensions the place in the grid of the process that has the first block; 0 for
/// others.
inline constexpr const char* first_process_attribute = "daptor_first_process";
/// 1 if these attributes tell who had what: blocks are even, there are no lists, and ranks are in C
/// order.
inline constexpr const char* regular_attribute = "daptor_regular";
inline constexpr const char* numbering_attribute = "daptor_numbering";
/// How many steps of a dataset are complete.
inline constexpr const char* steps_attribute = "daptor_steps";
/// The names of the numbers that every step has, with commas between them.
inline constexpr const char* step_numbers_attribute = "daptor_step_numbers";
/// Of the datasets that this version writes.
inline constexpr std::int64_t format = 1;

/// Throws InvalidArgument (`hdf5.attribute`) for names that are empty or Daptor's own.
/// Process-local.
void require_attributes(const Attributes& attributes);

/// Those given, and those of Daptor that say what the array is. Process-local.
/// @param view       the array in the file's shape
/// @param regular    whether `is_regular` on all ranks
/// @param numbering  its name, or empty
Attributes with_own_attributes(const Section& view, bool regular, const std::string& numbering,
                               const Attributes& given);

/// Whether this process has what the attributes say that it has.
bool is_regular(const DistArray& view);

/// For messages and comparisons: `step=3, time=0.5`.
std::string text_of(const Attributes& attributes);

/// Adds attributes to a dataset. Process-local.
void write_attributes(hid_t dataset, const Attributes& attributes);
/// Those that Attribute can hold. Process-local.
/// @param left_out  gets the names of the others, and what they are; or null
Attributes read_attributes(hid_t dataset, std::map<std::string, std::string>* left_out = nullptr);

/// \name A dataset's description as bytes
/// \{
std::string packed(const Dataset& dataset);
Dataset unpacked(const std::string& bytes);
/// \}

}  // namespace daptor::hdf5::detail
