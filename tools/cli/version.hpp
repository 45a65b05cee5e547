// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "report/explanation.hpp"

namespace daptor::cli {

using report::Library;

/// MPI, and the libraries of all adapters, which are loaded for this. Initialises nothing.
std::vector<Library> libraries();

/// Whether what a library says of itself begins with its name and has that version number, and not
/// one of which it is a part: `Open MPI v4.1.4, package: ...` and `MPICH Version: 4.0.2`.
bool names_version(const std::string& text, const std::string& name, const std::string& number);

/// Whether what was compiled for the MPI of this name works with the one that says `found` of
/// itself: not if just one of the two is Open MPI. Others may share the interface of MPICH, and
/// releases of Open MPI that a program can load keep theirs.
bool fits_mpi(const std::string& found, const std::string& built_name);

/// The versions of Daptor, of the protocol, and of the libraries that this command was built with
/// and has found.
std::string version_text();

}  // namespace daptor::cli
