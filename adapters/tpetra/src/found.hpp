// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Whether the Trilinos that this process has loaded is one that this library can use.

namespace daptor::tpetra {

/// Throws InvalidArgument (`tpetra.build`) if the library is of another version than the headers
/// that Daptor was built with. The last number of a version is not compared. Process-local.
void require_same_trilinos();

/// Answers `daptor --version` and `daptor explain`.
void register_found_trilinos();

}  // namespace daptor::tpetra
