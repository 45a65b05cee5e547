// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// \file
/// What a trace file says (`daptor/trace.hpp`, option `-daptor_check_trace`).

namespace daptor::compare {

struct Extreme {
  double value = 0;
  std::vector<std::int64_t> at;
};

/// A fingerprint of an array, a Vec or a Mat.
struct Print {
  std::int64_t count = 0, not_finite = 0;
  std::int64_t rows = -1, columns = -1;  ///< of a matrix
  bool is_complex = false;
  std::complex<double> sum, mixed;
  double magnitudes = 0, norm = 0;
  std::optional<Extreme> least, greatest, largest;
  std::optional<double> diagonal, diagonal_magnitudes, row_sum;
  /// Whether places are those of points in a grid, or in an array, which no distribution changes.
  bool natural = true;
  std::vector<std::int64_t> grid;  ///< points along x, y, z, and components

  bool is_matrix() const { return rows >= 0; }
};

/// What a solver says of its solve or step.
struct Solve {
  std::string type, preconditioner;
  std::int64_t steps = 0, reason = 0;
  std::optional<double> residual, rtol, true_residual, right_hand_side, time;
  std::optional<double> step_tolerance;  ///< by which steps in time adapt, if they do
};

/// One line of the file: an object in an event.
struct Item {
  std::string event, when, role;
  std::string object_class, name;  ///< the name may be empty
  std::int64_t object = 0;         ///< its number in this run
  std::int64_t by = 0;             ///< that of the operator which has made it; 0 if there is none
  double tolerance = 0;            ///< of solves by which it was made, as in a shell's product
  int level = 1;
  std::vector<std::string> within, since;
  std::string place;  ///< in the program, `at solve.c:88 in assemble`; may be empty
  std::optional<Print> print;
  std::optional<Solve> solve;

  /// What items of two runs have in common if they are about the same.
  std::string key() const {
    return event + '|' + when + '|' + role + '|' + object_class + '|' + name;
  }
};

struct Trace {
  std::string file;
  int ranks = 1, level = 1;
  double epsilon = 0;
  std::string program, petsc, scalar;
  std::vector<Item> items;
  bool ended = false;  ///< whether the run came to its end
};

/// @throws InvalidArgument for a file that cannot be read, or is no trace
Trace read_trace(const std::string& path);

}  // namespace daptor::compare
