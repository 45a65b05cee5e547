// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "daptor/adapter/reason.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/fft/box.hpp"

namespace daptor::fft::detail {

/// The global indices that this process owns of a dimension; `nullopt` if they are no range.
/// Process-local.
std::optional<IndexRange> owned_range(const Dimension& dimension);

/// Whether elements are real or complex numbers of one of the precisions that FFT libraries have.
bool is_real(const DataType& type);
bool is_complex(const DataType& type);

/// The reasons why the section is no box, by its dimensions and strides. Process-local.
adapter::Reasons box_reasons(const DistArray& array);

/// The box of a section without such reasons. Process-local.
Box box_of(const DistArray& array);

/// Refuses strides that are not one for each dimension. Process-local.
/// @throws InvalidArgument (`fft.strides`)
void require_strides(const Box& box);

/// `2 x 3 x 4`
std::string shape_text(const std::vector<Index>& shape);
/// `(2, 3, 4)`
std::string corner_text(const std::vector<Index>& corner);

}  // namespace daptor::fft::detail
