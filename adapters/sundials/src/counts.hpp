// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"

namespace daptor::sundials::detail {

/// Requires that the owned elements of this process and, where no list has to be asked, those of
/// all processes can be counted by a sunindextype (`sundials.nvector.index-range`).
void count_reasons(const Section& array, adapter::Reasons& reasons);

/// Collective. Number of elements that all ranks own. Throws NotRepresentable
/// (`sundials.nvector.index-range`) on all ranks if lists have more than a sunindextype can count.
Index count_owned(const Section& array, const Comm& comm);

}  // namespace daptor::sundials::detail
