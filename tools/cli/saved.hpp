// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "daptor/adapter/saved_array.hpp"
#include "json/recorded.hpp"

/// \file
/// Arrays in files that an adapter has saved: `state.h5`, or one of them, `state.h5:temperature`.

namespace daptor::cli {

/// Whether the argument is such a file, or an array in one.
bool names_saved(const std::string& subject);

/// The arrays of the file, or the one that is named. Throws InvalidArgument if the file cannot be
/// read, has no array, or not that one, or if this build has no adapter for it.
std::vector<adapter::SavedArray> saved_arrays(const std::string& subject);

/// Who had what of an array when it was saved. Throws InvalidArgument also if the file does not say
/// that, or has several arrays and none is named.
Recorded read_saved(const std::string& subject);

}  // namespace daptor::cli
