// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "applied.hpp"

namespace daptor::solvers {

/// Collective. The operator for an object to which the caller holds a reference, set up.
Teuchos::RCP<Operator> as_operator(std::unique_ptr<Applied> applied, const OperatorMaps& maps);

}  // namespace daptor::solvers
