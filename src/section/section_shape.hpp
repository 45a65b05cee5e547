// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "daptor/section.hpp"

namespace daptor {

/// Shape and strides of the section, with one entry for each dimension even if the buffer is flat
/// (A03), and the findings about a shape that does not fit (T10, T13, T15, P13, N04, C12, U06, E02,
/// E04, E06).
struct SectionShape {
  std::vector<Index> local_shape;
  std::vector<Index> byte_strides;
  Report report;
};

/// The dimension itself, or a dimension with the defect of the clauses that it breaks.
Dimension checked_dimension(Dimension dimension);

/// Throws Unsupported (T07) for a version without rules.
Version::Rules require_rules(Version version);

/// Number of elements of a section of this shape; `nullopt` if it does not fit in 64 bits.
std::optional<Index> element_count(const std::vector<Index>& local_shape);

/// The findings of `check_dimension` for each dimension, in order.
Report check_dimensions(const std::vector<Dimension>& dimensions, Version version);

/// The dimensions must already satisfy their own clauses (`check_dimension`).
SectionShape section_shape(Version version, const Buffer& buffer,
                           const std::vector<Dimension>& dimensions);

}  // namespace daptor
