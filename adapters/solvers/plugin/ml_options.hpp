// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "muelu_pc.hpp"
#include "options.hpp"

namespace daptor::solvers::plugin {

/// What the options of PETSc's interface to ML (`-pc_ml_...`) ask for, in MueLu's words.
struct MlRequest {
  MueluRequest muelu;
  std::vector<std::string> untranslated;  ///< a sentence for each option that MueLu cannot follow
};

/// The defaults of PETSc's interface to ML, and no smoothers: those are PETSc's.
MlRequest ml_defaults();

/// Process-local. Reads the options; those that are not given have these defaults. Throws
/// InvalidArgument (`trilinos.option`) for a value out of its range.
MlRequest read_ml_options(Options& options);

}  // namespace daptor::solvers::plugin
