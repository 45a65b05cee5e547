// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/explain.hpp"

/// \file
/// The targets, each in a file of its own.

namespace daptor::sundials::detail {

Target nvector_target();
Target strided_nvector_target();

/// The copy of both of them: in blocks, of elements that need no conversion. Process-local.
std::optional<TargetCopy> copy_for_nvector(const Section& array, const CopyRequest& request);

}  // namespace daptor::sundials::detail
