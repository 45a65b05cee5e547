// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "daptor/dist_array.hpp"

namespace daptor {

/// Shape and strides of the section with one entry for each dimension, also where the buffer is
/// flat (A03), and what does not fit (T10, T13, T15, P13, N04, C12, U06, E02, E04,
/// E06).
struct SectionShape {
  std::vector<Index> local_shape;
  std::vector<Index> byte_strides;
  Report report;
};

/// Throws Unsupported (T07) for a version without rules.
Version::Rules require_rules(Version version);

/// Elements of a section of this shape; nothing where 64 bits do not hold the number.
std::optional<Index> element_count(const std::vector<Index>& local_shape);

/// What `check_dimension` finds in each, in their order.
Report check_dimensions(const std::vector<Dimension>& dimensions, Version version);

/// The dimensions must keep their own clauses (`check_dimension`).
SectionShape section_shape(Version version, const Buffer& buffer,
                           const std::vector<Dimension>& dimensions);

}  // namespace daptor
