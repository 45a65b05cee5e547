// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "daptor/comm.hpp"
#include "daptor/datatype.hpp"
#include "daptor/detail/scan_kernel.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/fields.hpp"

/// \file
/// Segmented scans of one-dimensional arrays. Segments begin where a mask is set, and may extend
/// over any number of processes.

namespace daptor {

/// What a scan does to the elements of a segment: repeat the first one, or combine each one with
/// all that precede it in the segment. Sums and products of integers wrap around. The minimum and
/// the maximum of a NaN and anything is NaN. Bools have `copy`, `min` (and) and `max` (or), complex
/// numbers all but `min` and `max`, and elements with which this machine cannot compute (of foreign
/// byte order, half precision) `copy` alone.
enum class ScanBy { copy, sum, multiply, min, max };
constexpr auto words(ScanBy) {
  return word_list(word("copy", ScanBy::copy), word("sum", ScanBy::sum),
                   word("multiply", ScanBy::multiply), word("min", ScanBy::min),
                   word("max", ScanBy::max));
}

/// What a scan writes to the elements of its range that precede the first set element of the mask.
enum class BeforeFirst { keep, zero, refuse };
constexpr auto words(BeforeFirst) {
  return word_list(
      word("keep", BeforeFirst::keep, "nothing"), word("zero", BeforeFirst::zero, "zero"),
      word("refuse", BeforeFirst::refuse,
           "there must be none (sparse.before): the mask is set at the first index of the range"));
}

struct ScanOptions {
  std::optional<IndexRange> range = std::nullopt;
  bool exclusive = false;
  std::optional<BeforeFirst> before = std::nullopt;
};
constexpr auto fields(const ScanOptions&) {
  return field_list(
      optional_field("range", &ScanOptions::range,
                     "global indices that are scanned, within [0, size); not given: the whole "
                     "array; a set element of the mask outside the range does not count, and an "
                     "empty range writes nothing"),
      field("exclusive", &ScanOptions::exclusive,
            "leave out the element itself: the first element of a segment becomes 0 (of a product "
            "1, of a minimum and maximum the greatest and least value of the type), the next the "
            "first one, and so on; not for copies"),
      optional_field("before", &ScanOptions::before,
                     "what is written to the elements of the range before the first set element of "
                     "the mask; not given, as in Global Arrays: scan_copy writes zero, all others "
                     "keep what was there"));
}

/// How elements are combined: one of ScanBy, or a function of the caller's.
class Combination {
 public:
  Combination(ScanBy how) : how_(how) {}  // not explicit: scan(..., ScanBy::max)

  /// A combination of the caller's, for arrays with elements of type T. The function must be
  /// associative, need not be commutative, and gets the earlier part of a segment as its first
  /// argument. If it throws on one rank, all ranks throw, and the values of the destination are not
  /// known.
  /// @tparam T        a type that DataType::of accepts
  /// @param combine   called as `combine(const T&, const T&)`, returns T; copied
  /// @param identity  what an exclusive scan writes at the beginning of a segment; an exclusive
  ///                  scan is refused without it (`sparse.options`)
  template <class T, class F>
  static Combination of(F combine, std::optional<T> identity = std::nullopt) {
    using Step = detail::CallersStep<T, F>;
    Combination result(ScanBy::copy);
    const bool has_first = identity.has_value();
    result.callers_ =
        Callers{DataType::of<T>(),
                detail::ScanLoops<T, Step>::kernel(
                    std::make_shared<const Step>(Step{std::move(combine), identity.value_or(T())}),
                    has_first)};
    return result;
  }

  /// \name For scans. Process-local.
  /// \{
  /// Nullopt for a combination of the caller's.
  std::optional<ScanBy> how() const { return callers_ ? std::nullopt : std::optional(how_); }
  /// The loops for elements of a type.
  /// @throws InvalidArgument (`sparse.type`) if elements of the type cannot be combined in this way
  detail::ScanKernel kernel(const DataType& type) const;
  /// \}

 private:
  struct Callers {
    DataType type;
    detail::ScanKernel kernel;
  };
  ScanBy how_;
  std::optional<Callers> callers_;
};

/// \name Segmented scans. Collective.
/// A segment begins at each set element of the mask and ends before the next one or at the end of
/// the range. No value of one segment, such as a NaN, has an effect on another.
///
/// The three arrays have one dimension in blocks, even or of any bounds (or undistributed, on one
/// process), and each rank owns the same global indices of all three. Ranks may be in any order;
/// strides, padding and versions may differ. Communication padding is neither read nor written, and
/// elements outside the range are not written. Destination and source may be the same array.
///
/// Each rank goes through its part once. A segment that began on a lower rank is continued with
/// what the lower ranks have combined, so that floating-point results depend on how the array is
/// divided, and on nothing else; on one process they are those of a plain loop. log2(P) messages of
/// 64 bytes follow each other, twice as many if the ranks are in another order than their numbers;
/// no rank has a table of size P. The ranks may be simulated.
///
/// Example (`scan_add`), on any number of ranks:
/// \code
/// // mask    1 0 0 0 0 0 1 0 1  0  0  1  0  0  1  1  0
/// // source  1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17
/// daptor::scan_add(source, sums, mask);
/// // sums    1 3 6 10 15 21 7 15 9 19 30 12 25 39 15 16 33
/// \endcode
/// @param source       the array that is read
/// @param destination  the array that is written: the element type of the source
/// @param mask         integers or bools of 1, 2, 4 or 8 bytes; an element that is not 0 is set
/// @param options      range, kind of scan, and what stands before the first set element; the same
///                     on all ranks
/// @throws Malformed on all ranks, if the sections of one of the arrays do not form an array
/// @throws InvalidArgument on all ranks, before anything is written: `sparse.ndim`, `sparse.order`
///   (cyclic and unstructured arrays), `sparse.division` (other owned indices than the source),
///   `sparse.type`, `sparse.mask`, `sparse.range`, `sparse.memory` (a destination that overlaps the
///   mask, or a part of the source), `sparse.before`, `sparse.options`, `sparse.strides`,
///   `sparse.device`, `lease.readonly`, `lease.memory`
/// @throws what a view of the destination throws when it is notified of the write: on all ranks,
///   after the elements have been written
/// \{

/// Writes to each element the source's value at the beginning of its segment (`ga_scan_copy`).
/// Elements before the first segment become 0. Element types of any kind.
void scan_copy(const DistArray& source, const DistArray& destination, const DistArray& mask,
               const ScanOptions& options = {});
/// Writes to each element the sum of its segment up to it (`ga_scan_add`). Elements before the
/// first segment keep their values.
void scan_add(const DistArray& source, const DistArray& destination, const DistArray& mask,
              const ScanOptions& options = {});
/// Writes to each element the combination of its segment up to it, such as
/// `scan(a, b, mask, ScanBy::max)`.
void scan(const DistArray& source, const DistArray& destination, const DistArray& mask,
          const Combination& combine, const ScanOptions& options = {});
/// \}

}  // namespace daptor
