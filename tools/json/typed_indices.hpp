// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "daptor/value.hpp"

namespace daptor::json {

/// The integers as a buffer that owns them.
RawBuffer integer_buffer(std::vector<std::int64_t> integers);

/// `{"dtype": ..., "values": ...}`, the values an integer_buffer, as a buffer of that type that
/// owns its memory. Nothing where it is not that, or the type does not hold every value.
std::optional<RawBuffer> typed_indices(const Dictionary& map);

/// The integers of a one-dimensional buffer that has memory. Nothing where it is not that.
std::optional<std::vector<std::int64_t>> read_integers(const RawBuffer& raw);

}  // namespace daptor::json
