// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/section.hpp"

/// \file
/// For authors of adapters: whether elements share memory, so that what is written to one of them
/// is read from another. Process-local, for arrays with memory.
///
/// The answers are exact, also for arrays that interleave, such as the columns of a matrix or the
/// fields of a record. Only if finding out would take very long, elements count as sharing memory.

namespace daptor::adapter {

/// Which elements of a section are looked at.
enum class SectionPart {
  all,   ///< communication padding too
  owned  ///< without communication padding
};

/// Whether an element of one array shares memory with an element of the other.
bool share_memory(const Section& a, const Section& b, SectionPart part = SectionPart::all);

/// Whether two elements of one array share memory, as with a stride of 0 or in a sliding window.
bool elements_share_memory(const Section& array, SectionPart part = SectionPart::all);

}  // namespace daptor::adapter
