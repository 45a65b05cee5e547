// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

/// What a file with a sparse matrix says, after every number in it has been checked.
struct MatrixFile {
  enum class Format { harwell_boeing, matrix_market };

  std::string path;
  Format format = Format::matrix_market;
  std::int64_t rows = 0;
  std::int64_t entries = 0;  ///< in the file; half of the entries if the matrix is symmetric
  bool symmetric = false;
};

/// Reads all of `path`; Trilinos' readers check less before they start to send rows to other ranks.
/// Process-local. Throws std::runtime_error, with one sentence, for a file that is missing,
/// truncated, not a matrix, not square or not real.
MatrixFile inspect_matrix_file(const std::string& path);

/// Collective. Reads the file on rank 0; returns the result, or throws DemoError with its sentence,
/// on all ranks.
MatrixFile inspect_on_all(const std::string& path);
