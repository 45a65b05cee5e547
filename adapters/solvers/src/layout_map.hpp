// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Teuchos_RCP.hpp>
#include <Tpetra_Map_fwd.hpp>

#include "daptor/comm.hpp"
#include "daptor/types.hpp"

namespace daptor::solvers {

/// Collective over `comm`. A Map of `global` indices from 0 on, contiguous in rank order, of which
/// the `count` from `first` on are here, as the rows of a PETSc object are. Throws on all ranks.
Teuchos::RCP<const Tpetra::Map<>> layout_map(const Comm& comm, Index global, Index first,
                                             Index count);

}  // namespace daptor::solvers
