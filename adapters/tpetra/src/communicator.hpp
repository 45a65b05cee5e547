// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Teuchos_Comm.hpp>
#include <Teuchos_RCP.hpp>

#include "daptor/comm.hpp"

namespace daptor::tpetra {

/// Daptor's duplicate as a Teuchos communicator, made once for each duplicate. The result keeps the
/// duplicate alive. Collective in the first call for a duplicate; throws on one rank alone only if
/// memory is exhausted.
Teuchos::RCP<const Teuchos::Comm<int>> teuchos_comm(const Comm& comm);

}  // namespace daptor::tpetra
