// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

/// \file
/// For authors of adapters: the library that a process has loaded, which may be another one than
/// that with which the adapter was built.

namespace daptor::adapter {

/// The library behind an adapter, as it is in this process.
struct FoundLibrary {
  std::string adapter;  ///< `petsc`
  /// In the words of the adapter's TITLE: `PETSc 3.18.5, real double, 32-bit indices`.
  std::string version;
  /// Whether the adapter works with it. One that does not throws in its calls.
  bool fits = true;
};

/// Adds a question to those that `found_libraries` asks; the last one of an adapter counts.
/// Adapters call it together with `register_target`.
/// @param adapter  `petsc`
/// @param ask      asks the library itself, which need not be initialised; does not throw
void register_found(std::string adapter, std::function<FoundLibrary()> ask);

/// The libraries of all adapters that are loaded and say so, in the order in which they were
/// loaded. Process-local.
std::vector<FoundLibrary> found_libraries();

/// The first line of what MPI says of itself, as `Open MPI v4.1.4, package: ...`. MPI need not be
/// initialised. Process-local.
std::string found_mpi();

}  // namespace daptor::adapter
