// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/reduce.hpp"
#include "reduce/accumulator.hpp"
#include "reduce/arithmetic.hpp"
#include "reduce/walk.hpp"
#include "reduce/wide.hpp"

namespace daptor {

using adapter::Partial;
using adapter::Reduce;
using adapter::ReduceArguments;

namespace detail {
namespace {

void require_truth_values(const ReduceArguments& arguments) {
  if (!arguments.where) return;
  const DataType& type = arguments.where->type;
  if (type.kind() == Kind::floating || type.kind() == Kind::complex)
    adapter::refuse_argument("reduction.type", "a mask with elements of " + type.name(),
                             "integers or bools, of which those that are not 0 are set",
                             "Make the mask from a comparison of the elements.");
}

/// The type in which this reduction computes with these elements.
Wide wide_for(const DataType& type, Reduce how) {
  const Wide wide = wide_of(type);
  switch (how) {
    case Reduce::mean:
    case Reduce::square:
    case Reduce::absolute:
    case Reduce::largest:
    case Reduce::deviation:
      return fraction_of(wide);
    default:
      return wide;
  }
}

/// The mask of a block of a row; keeps the elements that are set.
class Mask {
 public:
  Mask(const Walk& walk, const ReduceArguments& arguments) {
    if (arguments.where)
      rows_.emplace(walk, *arguments.where,
                    wide_of(arguments.where->type) == Wide::i64 ? Wide::i64 : Wide::u64);
  }
  void read(const std::vector<Index>& outer, Index from, Index count) {
    if (rows_) rows_->read(outer, from, count, flags_.data());
  }
  bool given() const { return rows_.has_value(); }
  bool set(Index i) const { return !rows_ || flags_[static_cast<std::size_t>(i)] != 0; }
  template <class W>
  Index keep(W* x, W* y, Index count) const {
    if (!rows_) return count;
    Index kept = 0;
    for (Index i = 0; i < count; ++i) {
      if (!set(i)) continue;
      x[kept] = x[i];
      if (y != nullptr) y[kept] = y[i];
      ++kept;
    }
    return kept;
  }

 private:
  std::optional<Walk::Rows> rows_;
  std::array<std::uint64_t, wide_block> flags_;  // of either sign: both have eight bytes
};

/// Collects the elements in blocks.
template <class W>
void accumulate_blocks(const Section& array, const adapter::CountedPositions* counted,
                       const ReduceArguments& arguments, Partial& partial) {
  const Walk walk(array, counted, arguments, false);
  constexpr Wide wide = wide_tag<W>();
  const Walk::Rows rows(walk, adapter::ReduceOperand::of(array), wide);
  std::optional<Walk::Rows> other;
  if (arguments.other) other.emplace(walk, *arguments.other, wide);
  Mask mask(walk, arguments);
  const auto accumulator = std::make_unique<Accumulator<W>>(arguments);
  std::array<W, wide_block> x, y;
  Index filled = 0;
  // Long rows are taken where they lie; others are collected.
  const auto take_in_place = [&](const std::vector<Index>& outer, Index from) {
    const W* const elements = rows.template in_place<W>(outer, from);
    const W* const others = other ? other->template in_place<W>(outer, from) : elements;
    if (elements == nullptr || others == nullptr) return false;
    accumulator->take(elements, others, wide_block);
    return true;
  };
  walk.for_each_row([&](const std::vector<Index>& outer) {
    for (Index from = 0; from < walk.row_length();) {
      if (!mask.given() && walk.row_length() - from >= wide_block && take_in_place(outer, from)) {
        from += wide_block;
        continue;
      }
      const Index count = std::min(wide_block - filled, walk.row_length() - from);
      rows.read(outer, from, count, x.data() + filled);
      if (other) other->read(outer, from, count, y.data() + filled);
      mask.read(outer, from, count);
      filled += mask.keep(x.data() + filled, other ? y.data() + filled : nullptr, count);
      from += count;
      if (filled < wide_block) continue;
      accumulator->take(x.data(), y.data(), filled);
      filled = 0;
    }
  });
  if (filled > 0) accumulator->take(x.data(), y.data(), filled);
  accumulator->write(partial);
}

/// Finds the first extreme in the order of the global indices.
template <class W>
void find_extreme(const Section& array, const adapter::CountedPositions* counted,
                  const ReduceArguments& arguments, Partial& partial) {
  const LocalIndexMap map(array);
  static_cast<void>(map.global_count());  // which must fit in a number
  const Walk walk(array, counted, arguments, true);
  const Walk::Rows rows(walk, adapter::ReduceOperand::of(array), wide_tag<W>());
  Mask mask(walk, arguments);
  const bool greatest = arguments.how == Reduce::argmax;
  std::array<W, wide_block> x;
  W found{};
  std::vector<Index> at;
  walk.for_each_row([&](const std::vector<Index>& outer) {
    for (Index from = 0; from < walk.row_length(); from += wide_block) {
      const Index count = std::min(wide_block, walk.row_length() - from);
      mask.read(outer, from, count);
      const W* elements = rows.template in_place<W>(outer, from);
      if (elements == nullptr) {
        rows.read(outer, from, count, x.data());
        elements = x.data();
      }
      if (!mask.given() && partial.count > 0) {
        const W best =
            greatest ? extreme_of<true>(elements, count) : extreme_of<false>(elements, count);
        if (!replaces(greatest, best, found)) {
          partial.count += count;
          continue;
        }
      }
      for (Index i = 0; i < count; ++i) {
        const W& value = elements[i];
        if (!mask.set(i)) continue;
        ++partial.count;
        if (partial.count > 1 && !replaces(greatest, value, found)) continue;
        found = value;
        at.assign(outer.begin(), outer.end());
        if (!walk.loops().empty()) at.push_back(from + i);
      }
    }
  });
  Accumulator<W>::put(partial, found);
  if (partial.count == 0) return;
  std::vector<Index> place(walk.loops().size());
  for (std::size_t k = 0; k < place.size(); ++k) {
    const std::size_t d = walk.loops()[k].dimension;
    place[d] = InteriorIndices(array.dimensions()[d])(walk.position(k, at[k]));
  }
  partial.number = map.natural_of(place);
}

}  // namespace
}  // namespace detail

Partial adapter::reduce_local(const Section& array, const CountedPositions* counted,
                              const ReduceArguments& arguments) {
  detail::require_truth_values(arguments);
  Partial partial;
  detail::Promotion types;
  types.with(array.type());
  if (arguments.other) types.with(arguments.other->type);
  types.write(partial);
  DataType type = arguments.other ? types.type() : array.type();
  if (arguments.number) type = types.with(arguments.number->type()).type();
  const bool place = arguments.how == Reduce::argmin || arguments.how == Reduce::argmax;
  detail::noting(arguments.how, partial, [&] {
    detail::with_wide(detail::wide_for(type, arguments.how), [&](auto tag) {
      using W = typename decltype(tag)::type;
      if (place)
        detail::find_extreme<W>(array, counted, arguments, partial);
      else
        detail::accumulate_blocks<W>(array, counted, arguments, partial);
    });
  });
  return partial;
}

}  // namespace daptor
