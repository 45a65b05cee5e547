// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daptor/adapter/reason.hpp"
#include "daptor/fft/box.hpp"
#include "daptor/section.hpp"

namespace daptor::fft::detail {

/// The global indices that this process owns of a dimension; `nullopt` if they are no range.
/// Process-local.
std::optional<IndexRange> owned_range(const Dimension& dimension);

/// The reasons why the section is no box, by its dimensions and strides. Process-local.
adapter::Reasons box_reasons(const Section& array);

/// The box of a section without such reasons. Process-local.
Box box_of(const Section& array);

/// Refuses strides that are not one for each dimension. Process-local.
/// @throws InvalidArgument (`fft.strides`)
void require_strides(const Box& box);

}  // namespace daptor::fft::detail
