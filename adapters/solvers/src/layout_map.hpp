// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Teuchos_RCP.hpp>
#include <Tpetra_Map_fwd.hpp>

#include "daptor/call.hpp"
#include "daptor/types.hpp"

namespace daptor::solvers {

/// Collective. A Map of the indices [0, global), contiguous in rank order like the rows of a PETSc
/// object; this process has [first, first + count). Throws on all ranks.
Teuchos::RCP<const Tpetra::Map<>> layout_map(Call& call, Index global, Index first, Index count);

}  // namespace daptor::solvers
