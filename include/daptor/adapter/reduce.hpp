// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/datatype.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/lease.hpp"
#include "daptor/reductions.hpp"

/// \file
/// For bindings to other languages: reductions whose operands may be memory of another kind than a
/// described array. A reduction is two steps: `reduce_local`, on this rank's elements, within a
/// check of the caller's Call, and `combine_partials`, over the ranks.

namespace daptor::adapter {

/// What a reduction makes of the elements.
enum class Reduce {
  sum,
  mean,
  min,
  max,
  argmin,
  argmax,
  dot,         ///< sum of the products with the elements of another operand
  vdot,        ///< the same, with the first operand conjugated
  square,      ///< sum of the squares of absolute values
  absolute,    ///< sum of absolute values
  largest,     ///< greatest absolute value; 0 without elements
  deviation,   ///< sum of the squared distances from `ReduceArguments::centre`
  nonzero,     ///< number of elements that are not 0
  differences  ///< number of elements that differ from those of another operand, or from a number
};

/// Where the elements of an operand are along one dimension.
struct ElementLine {
  Index stride = 0;            ///< in bytes
  std::vector<Index> offsets;  ///< in bytes; empty if elements are equidistant
};

/// Opens the memory of an operand for reading. Process-local.
/// @throws InvalidArgument (`view.device`) for elements in memory that the host cannot reach; what
/// a
///   ReadLease throws
ReadLease open_operand(const Section& array);

/// One rank's elements of the interior's shape, in host memory that is open for reading.
struct ReduceOperand {
  DataType type;
  const std::byte* first = nullptr;
  std::vector<ElementLine> lines;

  /// The interior of a section. Its memory must stay open while the operand is used.
  static ReduceOperand of(const Section& array);
  /// Any strided memory.
  /// @param byte_strides  one for each dimension of the interior
  static ReduceOperand of(const DataType& type, const void* first,
                          const std::vector<Index>& byte_strides);
};

struct ReduceArguments {
  Reduce how = Reduce::sum;
  std::optional<ReduceOperand> other = std::nullopt;
  /// Elements that count: integers or bools, of which those that are not 0 are set.
  std::optional<ReduceOperand> where = std::nullopt;
  /// What all elements are compared with, if there is no other operand.
  std::optional<Scalar> number = std::nullopt;
  std::optional<Scalar> centre = std::nullopt;
  Tolerance tolerance = {};
  /// Of equal extremes, take the first in column-major order, as Fortran does.
  bool column_major = false;
};

/// For each dimension the positions, among the owned indices, that count on this rank, so that each
/// index counts once among the ranks; `nullopt` for all of them.
using CountedPositions = std::vector<std::optional<std::vector<Index>>>;

/// What a reduction knows of the elements of some ranks. Plain bytes, which ranks send each other.
struct Partial {
  std::uint8_t wide = 0;  ///< which type `value` has
  std::uint8_t integer_bytes = 0, unsigned_bytes = 0, floating_bytes = 0, complex_bytes = 0;
  std::uint8_t overflow = 0, invalid = 0;  ///< what the arithmetic has met
  std::uint8_t unused = 0;
  std::int64_t count = 0;    ///< number of elements
  std::int64_t matches = 0;  ///< number of elements that are not 0, or that differ
  std::int64_t number = 0;   ///< row-major number of the extreme
  alignas(16) unsigned char value[32] = {};
};

struct Reduced {
  Scalar number;             ///< the result; of the type that NumPy gives it
  Index count = 0;           ///< number of elements of all ranks
  Index matches = 0;         ///< see Partial
  std::vector<Index> place;  ///< global indices of the extreme
  bool overflow = false;     ///< finite elements have an infinite result
  bool invalid = false;      ///< such as the sum of two opposite infinities
};

/// Whether lists leave it open who owns an index that several ranks may have: then
/// `counted_positions` says which elements count. The same on all ranks of a proven array.
/// Process-local.
bool may_repeat(const Section& array);
/// Collective within a call that has proven the array. What is found is kept beside the proof, 8
/// bytes for each index.
/// @param proven  place of the array among those that the call has proven
std::shared_ptr<const CountedPositions> counted_positions(const DistArray& array, Call& call,
                                                          std::size_t proven = 0);

/// Process-local: for the body of a check.
/// @param array    its memory is open for reading
/// @param counted  of `counted_positions`; null if all elements of the interior count
/// @throws InvalidArgument (`reduction.type`) for a mask of another type
Partial reduce_local(const Section& array, const CountedPositions* counted,
                     const ReduceArguments& arguments);

/// Collective; fails only if the transport does. Combines the partials in pairs in the order of the
/// ranks, so that the result depends on their number alone, by 2 log2(P) messages. No rank holds
/// more than two partials.
///
/// Example: of five ranks, rank 0 combines itself with 1 and rank 2 with 3, then rank 0 those of
/// 0 1 with those of 2 3, and at last with that of 4.
Partial combine_partials(const Comm& comm, const Section& array, const ReduceArguments& arguments,
                         const Partial& mine);

/// Process-local. What the partial of all ranks says.
Reduced reduced(const Section& array, const ReduceArguments& arguments, const Partial& all);

/// Whether both arrays have interiors of the same shape, and this rank the same indices of both.
/// Process-local.
bool divided_alike(const Section& a, const Section& b);

}  // namespace daptor::adapter
