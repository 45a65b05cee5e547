// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "daptor/call.hpp"
#include "daptor/dist_array.hpp"
#include "exchange/batch.hpp"

/// \file
/// What the operations on one-dimensional arrays require of their operands. Process-local; errors
/// are InvalidArgument, the defect of an array that is not described, and what leases throw.

namespace daptor::detail {

inline constexpr Wording sparse_wording{"sparse", "an operation", {}};

/// Equidistant elements in memory.
struct Strip {
  std::byte* first = nullptr;  ///< only written through if the array is a destination
  Index stride = 0;            ///< in bytes
  std::size_t itemsize = 1;

  std::byte* at(Index i) const { return first + i * stride; }
  bool gapless() const { return stride == static_cast<Index>(itemsize); }
};

/// The elements of a one-dimensional section, from local index `local` on, which counts padding.
Strip strip_from(const Section& array, Index local);

/// An operand, and its name in the call's signature.
struct Operand {
  const DistArray& array;
  const char* name;
};

/// One dimension (`sparse.ndim`).
void require_one_dimension(const Operand& operand);
/// One dimension, in blocks or undistributed (`sparse.order`).
void require_line(const Operand& operand);
/// Integers or bools (`sparse.mask`).
void require_mask_type(const Section& mask);
/// Elements of the same type (`sparse.type`).
void require_same_type(const Operand& operand, const Operand& as);
/// The same global size, and the same owned indices on this process (`sparse.division`). Both
/// satisfy `require_line`.
void require_same_division(const Operand& operand, const Operand& as);
/// Memory that the host can reach, with room for each element (`sparse.device`,
/// `sparse.strides`).
void require_written(const Section& destination);
/// Refuses a destination that shares memory with an array that is read (`sparse.memory`).
void refuse_overlap(const Section& destination, const Operand& read);
/// Whether both have the same owned elements in memory, so that one may be computed in place.
bool same_elements(const Section& a, const Section& b);

/// The range of a call, or the whole array; refuses one that reaches outside (`sparse.range`).
IndexRange chosen_range(const std::optional<IndexRange>& range, Index global_size);
/// The part of a range that this process owns, and where it is in memory.
IndexRange owned_part(const Section& line, IndexRange range);
Strip strip_of(const Section& line, IndexRange part);

/// All ranks must pass the same range, or none.
void same_range(Call& call, const std::optional<IndexRange>& range);

}  // namespace daptor::detail
