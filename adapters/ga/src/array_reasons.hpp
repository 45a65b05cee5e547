// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"

namespace daptor::ga::detail {

/// Why this section is not that of an exported Global Array. Empty for a section without elements,
/// which other ranks know more of. Process-local, without MPI.
adapter::Reasons array_reasons(const Section& array);

/// The call that copies any array to a Global Array, as reasons suggest it.
Suggestion to_array();

/// Collective. Throws NotRepresentable on all ranks if the sections are not of one Global Array.
void agree_on_array(const DistArray& array, Call& call);

}  // namespace daptor::ga::detail
