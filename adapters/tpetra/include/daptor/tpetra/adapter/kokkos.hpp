// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// For adapters that join Tpetra with another library: whether Kokkos runs.

namespace daptor::tpetra {

/// Throws Finalized where Kokkos ran and does so no more, InvalidArgument
/// (`tpetra.not-initialized`) where it has not been seen running.
void require_kokkos();

}  // namespace daptor::tpetra
