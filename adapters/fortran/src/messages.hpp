// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/report.hpp"

namespace daptor::fortran {

/// Messages about this thread's call count indices from these numbers, one for each dimension, or
/// from 1 where the objects of the call have different ones.
void messages_count_from(const std::vector<Index>& first);

/// The next `daptor_fortran_message` on this thread returns all findings, one per line, and the
/// verdict: about a call that succeeded.
void note(const Report& report);

}  // namespace daptor::fortran
