// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "counting.hpp"

/// \file
/// The options of the doctor.

namespace daptor::petsc::plugin::doctor {

/// What the options ask for.
struct Options {
  bool values = false;   ///< values of Vecs are read
  bool calls = false;    ///< the calls of all ranks are compared
  bool ghosts = false;   ///< with values, which are then looked at in each event
  double patience = 30;  ///< seconds
  bool abort = false;    ///< the first severe finding ends the job
  std::string report;    ///< path; may be empty
  Counting counting;

  /// Collective over PETSC_COMM_WORLD. Those of the program; nothing if it does not ask for the
  /// doctor.
  /// @throws InvalidArgument, on all ranks, for values that are none
  static std::optional<Options> of_program();
};

/// Prints the options and what they mean, as PETSc prints its own, if the program runs with
/// `-help`. Collective over PETSC_COMM_WORLD.
void print_help_if_asked();

}  // namespace daptor::petsc::plugin::doctor
