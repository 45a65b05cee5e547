// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// For adapters that join Tpetra with another library: tells whether Trilinos can be used.

namespace daptor::tpetra {

/// Throws Finalized if Kokkos was running and has ended, InvalidArgument (`tpetra.not-initialized`)
/// if Daptor has never seen it running, InvalidArgument (`tpetra.build`) if the Trilinos that this
/// process has loaded is not the one that Daptor was built with. Process-local: in a collective
/// call for the first local check.
void require_trilinos();

}  // namespace daptor::tpetra
