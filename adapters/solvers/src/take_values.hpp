// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include <Teuchos_RCP.hpp>

#include "daptor/call.hpp"
#include "daptor/solvers/types.hpp"

namespace daptor::solvers {

/// Collective. Copies the values of `matrix` to `copy`, which `copy_matrix` has made of it earlier.
/// @param anew  whether they go to another matrix on the same graph, which replaces `copy`: where
///              others know the copy by its address, or need its old values if a later step fails
/// @returns false, with `copy` as it was, if the entries of some rank are at other positions
bool take_values(Mat matrix, Teuchos::RCP<CrsMatrix>& copy, bool anew, Call& call);

}  // namespace daptor::solvers
