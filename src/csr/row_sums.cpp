// SPDX-License-Identifier: BSD-3-Clause
#include "csr/row_sums.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "csr/proof.hpp"
#include "daptor/adapter/communicator.hpp"
#include "exchange/element_types.hpp"

namespace daptor::detail {
namespace {

/// The entries of a process with local columns: first those in place, then the gathered ones.
/// `Local` is an integer that can count entries and columns.
template <class Local>
struct Pattern {
  std::vector<Local> starts, columns;
  /// Rows that have no gathered columns, and the others, as ranges of local rows.
  std::vector<IndexRange> inner, outer;
};

template <class Local>
std::vector<Local> local_columns(const CsrArrays& matrix, const NeededColumns& needed) {
  const auto count = static_cast<std::size_t>(matrix.owned_entries().size());
  const std::vector<Index>& gathered = needed.gathered;
  std::vector<Local> local(count);
  visit_integers(matrix.columns, [&](const auto* columns) {
    for (std::size_t e = 0; e < count; ++e) {
      const Index column = from_base(columns[e], matrix.index_base);
      local[e] =
          static_cast<Local>(needed.in_place.contains(column)
                                 ? column - needed.in_place.start
                                 : needed.in_place.size() +
                                       (std::lower_bound(gathered.begin(), gathered.end(), column) -
                                        gathered.begin()));
    }
  });
  return local;
}

template <class Local>
Pattern<Local> pattern_of(const CsrArrays& matrix, const LocalRows& rows,
                          const NeededColumns& needed) {
  Pattern<Local> pattern;
  pattern.starts.assign(rows.starts.begin(), rows.starts.end());
  pattern.columns = local_columns<Local>(matrix, needed);
  const auto in_place = [&](Local column) {
    return static_cast<Index>(column) < needed.in_place.size();
  };
  for (Index r = 0; r < rows.rows.size(); ++r) {
    const auto row = static_cast<std::size_t>(r);
    const bool inner = std::all_of(pattern.columns.begin() + rows.starts[row],
                                   pattern.columns.begin() + rows.starts[row + 1], in_place);
    auto& ranges = inner ? pattern.inner : pattern.outer;
    if (ranges.empty() || ranges.back().stop != r) ranges.push_back({r, r});
    ++ranges.back().stop;
  }
  return pattern;
}

template <class T, class Local>
class RowSumsOf final : public RowSums {
 public:
  RowSumsOf(Pattern<Local> pattern, Index in_place, const SharedRow& shared)
      : pattern_(std::move(pattern)), in_place_(static_cast<Local>(in_place)), shared_(shared) {}

  void inner(const ProductMemory& operands) const override {
    const auto* const x = static_cast<const T*>(operands.in_place);
    add_rows(pattern_.inner, operands, [x](Local column) { return x[column]; });
  }

  void outer(const ProductMemory& operands) const override {
    add_rows(pattern_.outer, operands, any_column(operands));
  }

  /// Example: a row begins on rank 0 and continues on ranks 1 to 3. In the first round, rank 2
  /// sends its part to rank 1, and rank 3 to rank 2; the receivers add it to theirs. In the second
  /// round, rank 1 gets the part of rank 3, and has the sum of all three. At the end it sends that
  /// to rank 0, which adds it to its own part.
  void carry(const ProductMemory& operands, const Comm& comm) const override {
    if (shared_.longest == 0) return;
    const Local leading = pattern_.starts.front();
    T part = add_entries(0, leading, static_cast<const T*>(operands.values), any_column(operands));
    for (Index distance = 1; distance < shared_.longest; distance *= 2) {
      const bool receives = shared_.joined > distance;
      const bool sends = shared_.joined > 0 && shared_.before >= distance;
      const T other = exchanged(sends, receives, part, distance, comm);
      if (receives) part = sum(part, other);
    }
    const bool sends = shared_.joined > 0 && shared_.before == 0;
    const T rest = exchanged(sends, shared_.continues, part, 1, comm);
    if (!shared_.continues) return;
    T& last = static_cast<T*>(operands.sums)[pattern_.starts.size() - 2];
    last = sum(last, rest);
  }

 private:
  auto any_column(const ProductMemory& operands) const {
    return
        [x = static_cast<const T*>(operands.in_place),
         gathered = static_cast<const T*>(operands.gathered), in_place = in_place_](Local column) {
          return column < in_place ? x[column] : gathered[column - in_place];
        };
  }

  template <class X>
  T add_entries(Local begin, Local end, const T* values, const X& x) const {
    const Local* const columns = pattern_.columns.data();
    T total = T(0);
    for (Local e = begin; e < end; ++e) total = sum(total, product(values[e], x(columns[e])));
    return total;
  }

  template <class X>
  void add_rows(const std::vector<IndexRange>& ranges, const ProductMemory& operands,
                const X& x) const {
    const auto* const values = static_cast<const T*>(operands.values);
    auto* const sums = static_cast<T*>(operands.sums);
    const Local* const starts = pattern_.starts.data();
    for (const IndexRange& range : ranges)
      for (Index r = range.start; r < range.stop; ++r)
        sums[r] = add_entries(starts[r], starts[r + 1], values, x);
  }

  /// Sends `part` to the rank `distance` below and returns what the rank as far above sends.
  T exchanged(bool sends, bool receives, const T& part, Index distance, const Comm& comm) const {
    T other = T(0);
    const int step = static_cast<int>(distance);
    comm->sendrecv(sends ? comm.rank() - step : -1, &part, sizeof part,
                   receives ? comm.rank() + step : -1, &other, sizeof other);
    return other;
  }

  Pattern<Local> pattern_;
  Local in_place_;
  SharedRow shared_;
};

template <class Local>
std::unique_ptr<RowSums> row_sums_with(const CsrArrays& matrix, const LocalRows& rows,
                                       const NeededColumns& needed) {
  Pattern<Local> pattern = pattern_of<Local>(matrix, rows, needed);
  std::unique_ptr<RowSums> made;
  with_type(
      matrix.values.type(),
      [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (!std::is_same_v<T, bool>)
          made = std::make_unique<RowSumsOf<T, Local>>(std::move(pattern), needed.in_place.size(),
                                                       rows.shared);
        return true;
      },
      false);
  return made;
}

}  // namespace

NeededColumns needed_columns(const CsrArrays& matrix, IndexRange in_place) {
  NeededColumns needed{in_place, {}};
  visit_integers(matrix.columns, [&](const auto* columns) {
    for (Index e = 0; e < matrix.owned_entries().size(); ++e) {
      const Index column = from_base(columns[e], matrix.index_base);
      if (!in_place.contains(column)) needed.gathered.push_back(column);
    }
  });
  std::vector<Index>& gathered = needed.gathered;
  std::sort(gathered.begin(), gathered.end());
  gathered.erase(std::unique(gathered.begin(), gathered.end()), gathered.end());
  gathered.shrink_to_fit();
  return needed;
}

bool has_row_sums(const DataType& type) {
  return with_type(
      type, [](auto tag) { return !std::is_same_v<typename decltype(tag)::type, bool>; }, false);
}

std::unique_ptr<RowSums> make_row_sums(const CsrArrays& matrix, const LocalRows& rows,
                                       const NeededColumns& needed) {
  const Index most = std::max(matrix.owned_entries().size(),
                              needed.in_place.size() + static_cast<Index>(needed.gathered.size()));
  if (most <= std::numeric_limits<std::int32_t>::max())
    return row_sums_with<std::int32_t>(matrix, rows, needed);
  return row_sums_with<std::int64_t>(matrix, rows, needed);
}

}  // namespace daptor::detail
