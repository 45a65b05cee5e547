// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace daptor::cli {

/// An adapter that was built together with this command.
struct Adapter {
  std::string name;     ///< `petsc`
  std::string library;  ///< of the other side: `PETSc 3.18.5, real double, 32-bit indices`
  std::string file;     ///< the adapter's own library; empty where it is linked in
};

const std::vector<Adapter>& adapters();

/// Makes the targets of all adapters known to `explain`. They are loaded here and not with the
/// command, because the libraries behind them take a while. Returns a sentence for each that cannot
/// be loaded. Initialises nothing.
std::vector<std::string> load_adapters();

}  // namespace daptor::cli
