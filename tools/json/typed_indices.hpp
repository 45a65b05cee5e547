// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "daptor/value.hpp"

namespace daptor::json {

/// A buffer that owns these integers.
RawBuffer integer_buffer(std::vector<std::int64_t> integers);

/// Converts `{"dtype": ..., "values": ...}`, whose values are an integer_buffer, to a buffer of
/// that type that owns its memory. `nullopt` for any other object, and if the type does not hold
/// every value.
std::optional<RawBuffer> typed_indices(const Dictionary& map);

/// Whether the value of the key may be a list in memory: `indices`, `owned`.
bool has_list(const std::string& key);

/// The truth values of a one-dimensional buffer with memory. `nullopt` for any other buffer.
std::optional<std::vector<bool>> read_mask(const RawBuffer& raw);
/// The integers of a one-dimensional buffer with memory. `nullopt` for any other buffer.
std::optional<std::vector<std::int64_t>> read_integers(const RawBuffer& raw);

}  // namespace daptor::json
