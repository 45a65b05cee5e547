// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <vector>

#include "daptor/adapter/reduce.hpp"
#include "daptor/local_index_map.hpp"
#include "reduce/accumulator.hpp"
#include "reduce/arithmetic.hpp"
#include "reduce/wide.hpp"

namespace daptor {

using adapter::Partial;
using adapter::Reduce;
using adapter::ReduceArguments;

namespace detail {
namespace {

template <class W>
W value_of(const Partial& partial) {
  return with_wide(static_cast<Wide>(partial.wide), [&](auto tag) {
    typename decltype(tag)::type value;
    std::memcpy(&value, partial.value, sizeof value);
    return widened<W>(value);
  });
}

/// Whether one element comes before another, whose row-major numbers are given.
bool comes_before(const LocalIndexMap& map, Index a, Index b, bool column_major) {
  if (!column_major) return a < b;
  const std::vector<Index> first = map.global_of_natural(a), second = map.global_of_natural(b);
  return std::lexicographical_compare(first.rbegin(), first.rend(), second.rbegin(), second.rend());
}

/// Whether the upper ranks' extreme replaces that of the lower ones.
template <class W>
bool upper_replaces(const ReduceArguments& arguments, const LocalIndexMap& map,
                    const Partial& lower, const Partial& upper) {
  const W below = value_of<W>(lower), above = value_of<W>(upper);
  if (below == above || (is_nan(below) && is_nan(above)))
    return comes_before(map, upper.number, lower.number, arguments.column_major);
  return replaces(arguments.how == Reduce::argmax, above, below);
}

template <class W>
void take_from(const Partial& from, const W& value, Partial& both) {
  both.number = from.number;
  Accumulator<W>::put(both, value);
}

template <class W>
void join_values(const ReduceArguments& arguments, const LocalIndexMap& map, const Partial& lower,
                 const Partial& upper, Partial& both) {
  const W below = value_of<W>(lower), above = value_of<W>(upper);
  if (lower.count == 0) return take_from<W>(upper, above, both);
  if (upper.count == 0) return take_from<W>(lower, below, both);
  switch (arguments.how) {
    case Reduce::min:
    case Reduce::max:
      return Accumulator<W>::put(
          both, replaces(arguments.how == Reduce::max, above, below) ? above : below);
    case Reduce::largest:
      return Accumulator<W>::put(both, replaces(true, above, below) ? above : below);
    case Reduce::argmin:
    case Reduce::argmax:
      return upper_replaces<W>(arguments, map, lower, upper) ? take_from<W>(upper, above, both)
                                                             : take_from<W>(lower, below, both);
    default:
      Accumulator<W>::put(both, sum(below, above));
  }
}

/// The wide type that holds the values of both.
Wide common(const Partial& lower, const Partial& upper, const Promotion& types) {
  if (lower.wide == upper.wide) return static_cast<Wide>(lower.wide);
  return wide_of(types.type());
}

Partial joined_partials(const ReduceArguments& arguments, const LocalIndexMap& map,
                        const Partial& lower, const Partial& upper) {
  Partial both = lower;
  Promotion types(lower);
  types.with(Promotion(upper)).write(both);
  const Wide wide = common(lower, upper, types);
  noting(arguments.how, both, [&] {
    with_wide(wide, [&](auto tag) {
      join_values<typename decltype(tag)::type>(arguments, map, lower, upper, both);
    });
  });
  both.overflow |= lower.overflow | upper.overflow;
  both.invalid |= lower.invalid | upper.invalid;
  both.count = lower.count + upper.count;
  both.matches = lower.matches + upper.matches;
  return both;
}

}  // namespace
}  // namespace detail

Partial adapter::combine_partials(const Comm& comm, const Section& array,
                                  const ReduceArguments& arguments, const Partial& mine) {
  const LocalIndexMap map(array);
  const int rank = comm.rank(), ranks = comm.size();
  Partial all = mine;
  for (std::int64_t step = 1; step < ranks; step *= 2) {
    if (rank % (2 * step) != 0) {
      comm->sendrecv(static_cast<int>(rank - step), &all, sizeof all, -1, nullptr, 0);
      break;
    }
    if (rank + step >= ranks) continue;
    Partial theirs;
    comm->sendrecv(-1, nullptr, 0, static_cast<int>(rank + step), &theirs, sizeof theirs);
    all = detail::joined_partials(arguments, map, all, theirs);
  }
  comm->broadcast(&all, sizeof all, 0);
  return all;
}

namespace {

/// NumPy's type for sums of elements of this type.
DataType type_of_sum(const DataType& type) {
  switch (type.kind()) {
    case Kind::boolean:
    case Kind::signed_integer:
      return {Kind::signed_integer, 8};
    case Kind::unsigned_integer:
      return {Kind::unsigned_integer, 8};
    default:
      return {type.kind(), type.itemsize()};
  }
}

DataType type_of_mean(const DataType& type) {
  const bool fraction = type.kind() == Kind::floating || type.kind() == Kind::complex;
  return fraction ? type_of_sum(type) : DataType(Kind::floating, 8);
}

DataType type_of_size(const DataType& type) {
  const DataType mean = type_of_mean(type);
  return {Kind::floating, mean.kind() == Kind::complex ? mean.itemsize() / 2 : mean.itemsize()};
}

DataType type_of(const DataType& type, Reduce how, const Partial& all) {
  switch (how) {
    case Reduce::sum:
      return type_of_sum(type);
    case Reduce::mean:
      return type_of_mean(type);
    case Reduce::dot:
    case Reduce::vdot:
      return detail::Promotion(all).type();
    case Reduce::square:
    case Reduce::absolute:
    case Reduce::largest:
    case Reduce::deviation:
      return type_of_size(type);
    default:
      return {type.kind(), type.itemsize()};
  }
}

template <class W>
Scalar::Value as_value(Reduce how, const W& value, Index count, const DataType& type) {
  if constexpr (std::is_same_v<W, std::uint64_t>)
    if (type.kind() == Kind::signed_integer) return static_cast<std::int64_t>(value);
  if constexpr (!std::is_integral_v<W>)
    if (how == Reduce::mean) return value / static_cast<typename detail::Real<W>::type>(count);
  return value;
}

}  // namespace

adapter::Reduced adapter::reduced(const Section& array, const ReduceArguments& arguments,
                                  const Partial& all) {
  Reduced result;
  result.count = all.count;
  result.matches = all.matches;
  result.overflow = all.overflow != 0;
  result.invalid = all.invalid != 0;
  const DataType type = type_of(array.type(), arguments.how, all);
  result.number = detail::with_wide(static_cast<detail::Wide>(all.wide), [&](auto tag) {
    using W = typename decltype(tag)::type;
    return Scalar(type, as_value(arguments.how, detail::value_of<W>(all), all.count, type));
  });
  const bool place = arguments.how == Reduce::argmin || arguments.how == Reduce::argmax;
  if (place && all.count > 0) result.place = LocalIndexMap(array).global_of_natural(all.number);
  return result;
}

}  // namespace daptor
