// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace daptor::cli {

/// A library that this command was built with.
struct Library {
  std::string name;   ///< of the adapter, or `mpi`
  std::string built;  ///< `PETSc 3.18.5, real double, 32-bit indices`
  /// What this process has loaded, in the same words; empty where that cannot be asked.
  std::string found = {};
  /// Why the adapter cannot use what was found, or does not load; empty where all is well.
  std::string error = {};

  /// Whether `explain` asks about it: not so of an adapter without targets.
  bool has_targets = true;

  /// `built`, and what was found where that is something else.
  std::string text() const;
};

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
