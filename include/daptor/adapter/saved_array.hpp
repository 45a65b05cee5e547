// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "daptor/report.hpp"

/// \file
/// For authors of adapters that keep arrays in files: how the command `daptor` looks into them. The
/// adapter's target has the property DAPTOR_SAVED_ARRAYS, the name of a function in the style of C
/// of the type SavedArraysIn.

namespace daptor::adapter {

/// What a file says of an array, without its elements.
struct SavedArray {
  std::string name;
  /// Who had what when it was saved, in Daptor's JSON format; empty if the file does not say that.
  std::string description;
  /// What is wrong with what the file says.
  Report findings;
};

/// Process-local, and without MPI. Appends the arrays of a file that Daptor has written.
/// @throws InvalidArgument if the file cannot be read
using SavedArraysIn = void (*)(const char* path, std::vector<SavedArray>* arrays);

}  // namespace daptor::adapter
