// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sundials/sundials_types.h>

#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"

namespace daptor::sundials::detail {

/// Requires that the owned elements of this process and, where no list has to be asked, those of
/// all processes can be counted by a sunindextype (`sundials.nvector.index-range`).
void count_reasons(const Section& array, adapter::Reasons& reasons);

/// Numbers of owned elements, of this process and of all.
struct Counts {
  sunindextype local, global;
};

/// Collective, after count_reasons has found nothing on any rank. Throws NotRepresentable
/// (`sundials.nvector.index-range`) on all ranks if lists have more than a sunindextype can count.
Counts count_owned(const Section& array, const Comm& comm);

}  // namespace daptor::sundials::detail
