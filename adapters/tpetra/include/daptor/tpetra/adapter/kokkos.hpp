// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// For adapters that join Tpetra with another library: tells whether Kokkos is running.

namespace daptor::tpetra {

/// Throws Finalized if Kokkos was running and has ended, InvalidArgument (`tpetra.not-initialized`)
/// if Daptor has never seen it running.
void require_kokkos();

}  // namespace daptor::tpetra
