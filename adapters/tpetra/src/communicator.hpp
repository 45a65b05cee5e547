// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Teuchos_Comm.hpp>
#include <Teuchos_RCP.hpp>

#include "daptor/comm.hpp"

namespace daptor::tpetra {

/// Daptor's duplicate as Teuchos has it, made once for each duplicate. What holds the result keeps
/// the duplicate alive. Collective the first time for a duplicate; does not throw on one rank alone
/// but for lack of memory.
Teuchos::RCP<const Teuchos::Comm<int>> teuchos_comm(const Comm& comm);

}  // namespace daptor::tpetra
