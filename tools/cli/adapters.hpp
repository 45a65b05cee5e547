// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "daptor/adapter/saved_array.hpp"

namespace daptor::cli {

/// An adapter that was built together with this command.
struct Adapter {
  std::string name;     ///< `petsc`
  std::string library;  ///< of the other side: `PETSc 3.18.5, real double, 32-bit indices`
  /// The adapter's shared library, which registers its targets when it is loaded; empty for an
  /// adapter that is linked in or has no targets.
  std::string file;
  /// Registers the targets of an adapter that is linked in; null otherwise.
  bool (*register_targets)();
};

/// The adapters that were built, as each describes itself in its CMakeLists.txt.
const std::vector<Adapter>& adapters();

/// An adapter that looks into files of arrays (`daptor/adapter/saved_array.hpp`).
struct SavedArraysAdapter {
  std::string name;
  std::string file;                 ///< its shared library; empty if it is linked in
  std::string symbol;               ///< of the function in it
  adapter::SavedArraysIn function;  ///< of an adapter that is linked in; null otherwise
};
const std::vector<SavedArraysAdapter>& saved_arrays_adapters();

/// An adapter that cannot be loaded, and a sentence that says why.
struct AdapterFailure {
  std::string adapter;
  std::string sentence;
};

/// Makes the targets of all adapters known to `explain`. They are loaded here and not with the
/// command, because the libraries behind them take a while. Returns those that cannot be loaded.
/// Initialises nothing.
std::vector<AdapterFailure> load_adapters();

}  // namespace daptor::cli
