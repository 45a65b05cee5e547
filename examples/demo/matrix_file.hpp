// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

/// What a file of a sparse matrix says about itself, after every number in it has been looked at.
struct MatrixFile {
  enum class Format { harwell_boeing, matrix_market };

  std::string path;
  Format format = Format::matrix_market;
  std::int64_t rows = 0;
  std::int64_t entries = 0;  ///< in the file; of a symmetric matrix one half
  bool symmetric = false;
};

/// Reads all of `path`, which is more than Trilinos' readers look at before they start to send rows
/// to the other ranks. Process-local. Throws std::runtime_error with one sentence for a file that
/// is missing, cut off, not a matrix, not square, not real.
MatrixFile inspect_matrix_file(const std::string& path);

/// Collective. The same on rank 0; the result, or a DemoError with its sentence, on all.
MatrixFile inspect_on_all(const std::string& path);
