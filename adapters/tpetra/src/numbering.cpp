// SPDX-License-Identifier: BSD-3-Clause
#include "numbering.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include <Tpetra_Map.hpp>

#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "daptor/global_index_map.hpp"
#include "daptor/one_to_one.hpp"
#include "names.hpp"

namespace daptor::tpetra {

std::vector<Dimension> row_dimensions(const Section& array, int first) {
  return {array.dimensions().begin() + first, array.dimensions().end()};
}

namespace {

using LocalOrdinal = Tpetra::Map<>::local_ordinal_type;
using GlobalOrdinal = detail::GlobalOrdinal;

constexpr Index largest_local = std::numeric_limits<LocalOrdinal>::max();
constexpr Index largest_global = sizeof(GlobalOrdinal) < sizeof(Index)
                                     ? static_cast<Index>(std::numeric_limits<GlobalOrdinal>::max())
                                     : std::numeric_limits<Index>::max();

Finding global_ordinal_finding(const Terms& found) {
  return adapter::reason("tpetra.global-ordinal", found,
                         "global indices up to " + std::to_string(largest_global),
                         "Use a Tpetra whose global ordinal is wider.");
}

bool is_list(const Dimension& dimension) {
  return dimension.as<Unstructured>() != nullptr;
}

/// Whether one process has the whole dimension, in order.
bool whole(const Dimension& dimension) {
  if (is_list(dimension)) return false;
  return dimension.grid().size == 1 || dimension.global_size() <= 1;
}

/// The first dimension in which natural indices differ; `first` if there is none.
int leading_dimension(const Section& array, int first) {
  for (int d = first; d < array.ndim(); ++d) {
    const Dimension& dimension = array.dimension(d);
    if (dimension.global_size() > 1 || is_list(dimension)) return d;
  }
  return first;
}

std::optional<Index> natural_stride(const Section& array, int d) {
  std::optional<Index> stride = 1;
  for (++d; d < array.ndim(); ++d)
    if (stride) stride = checked_multiply(*stride, array.dimension(d).global_size());
  return stride;
}

std::optional<IndexRange> run_along(const Dimension& dimension) {
  if (const auto* list = dimension.as<Unstructured>()) {
    const IndexList indices = owned_indices(*list);
    if (indices.empty()) return IndexRange{};
    for (Index i = 1; i < indices.size(); ++i)
      if (indices[i] <= indices[i - 1] || indices[i] - 1 != indices[i - 1]) return std::nullopt;
    return IndexRange{indices[0], indices[0] + indices.size()};
  }
  if (const auto* block = dimension.as<Block>()) return block->owned;
  if (dimension.as<Undistributed>() != nullptr) return IndexRange{0, dimension.global_size()};
  const LocalDimensionMap map(dimension);
  const Index runs = map.run_count();
  if (runs == 0) return IndexRange{};
  if (runs > 1) return std::nullopt;
  const IndexRun run = map.run(0);
  return IndexRange{run.global_start, run.global_start + run.count};
}

void add_list_reasons(const Section& array, int first, Index base, std::vector<Finding>& findings) {
  for (int d = first; d < array.ndim(); ++d) {
    const auto* list = array.dimension(d).as<Unstructured>();
    if (list == nullptr || list->indices.empty()) continue;
    const auto [low, high] = std::minmax_element(list->indices.begin(), list->indices.end());
    const Index size = array.dimension(d).global_size();
    if (*low < 0)
      findings.push_back(
          adapter::reason("tpetra.negative-index", d, "index " + std::to_string(*low),
                          "indices of zero or more, because -1 is Tpetra's invalid index",
                          "Number the elements from 0, or import with " + names::contiguous + "."));
    if (d > first && *high >= size)
      findings.push_back(
          adapter::reason("tpetra.index-range", d, "index " + std::to_string(*high),
                          "indices below the size, " + std::to_string(size) +
                              ", in all dimensions but the slowest: otherwise two elements would "
                              "have the same number",
                          "Increase the size, or import with " + names::contiguous + "."));
    if (d > first) continue;
    const auto stride = natural_stride(array, d);
    const auto beyond = checked_add(*high, 1);
    const auto stop = stride && beyond ? checked_multiply(*beyond, *stride) : std::nullopt;
    if (!stop || *stop > largest_global - base)
      findings.push_back(global_ordinal_finding("index " + std::to_string(*high)));
  }
}

/// Adds the reasons why numbers that follow from the sizes alone do not fit in a global ordinal.
void add_index_space_reasons(const Section& array, int first, const MapOptions& options,
                             std::vector<Finding>& findings) {
  // The range of contiguous numbers of listed elements depends on the lengths of the lists, not on
  // the sizes.
  if (options.numbering == Numbering::contiguous && has_lists(array, first)) return;
  const std::optional<Index> count =
      adapter::global_count(array.dimensions(), static_cast<std::size_t>(first));
  if (!count)
    findings.push_back(global_ordinal_finding("more than 2^63 - 1 elements"));
  else if (*count > largest_global - options.index_base)
    findings.push_back(global_ordinal_finding(std::to_string(*count) +
                                              " elements from index base " +
                                              std::to_string(options.index_base)));
}

/// The lowest index that is twice in the list.
std::optional<Index> repeated_in(const IndexList& list) {
  std::vector<Index> numbers(list.begin(), list.end());
  if (!std::is_sorted(numbers.begin(), numbers.end())) std::sort(numbers.begin(), numbers.end());
  const auto twice = std::adjacent_find(numbers.begin(), numbers.end());
  return twice == numbers.end() ? std::nullopt : std::optional<Index>(*twice);
}

void add_padding_reasons(const Section& array, int first, std::vector<Finding>& findings) {
  for (int d = first; d < array.ndim(); ++d) {
    const LocalDimensionMap map(array.dimension(d));
    if (map.local_extent() == map.owned_count()) continue;
    try {
      map.global_of(0);
      map.global_of(map.local_extent() - 1);
    } catch (const Malformed& error) {
      findings.push_back(error.finding());
      findings.back().dimension = d;
    }
  }
}

}  // namespace

Index row_count(const Section& array, int first, Part part) {
  const auto& extents = part == Part::owned ? array.owned_shape() : array.local_shape();
  return adapter::product(extents, static_cast<std::size_t>(first))
      .value_or(std::numeric_limits<Index>::max());
}

void add_numbering_reasons(const Section& array, int first, const MapOptions& options,
                           std::vector<Finding>& findings) {
  const Index rows = row_count(array, first, options.part);
  if (rows > largest_local)
    findings.push_back(
        adapter::reason("tpetra.local-ordinal", std::to_string(rows) + " elements on one process",
                        "at most " + std::to_string(largest_local) + " elements on each process",
                        "Use more processes."));
  add_index_space_reasons(array, first, options, findings);
  if (options.numbering == Numbering::natural)
    add_list_reasons(array, first, options.index_base, findings);
  if (options.part == Part::overlap) add_padding_reasons(array, first, findings);
}

bool without_ghosts(const Section& array, int first) {
  return row_count(array, first, Part::overlap) == row_count(array, first, Part::owned);
}

bool may_be_runs(const Section& array, int first) {
  for (int d = leading_dimension(array, first) + 1; d < array.ndim(); ++d)
    if (!whole(array.dimension(d))) return false;
  return true;
}

std::optional<IndexRange> natural_run(const Section& array, int first) {
  if (first + 1 == array.ndim()) return run_along(array.dimension(first));
  if (!may_be_runs(array, first)) return std::nullopt;
  if (row_count(array, first, Part::owned) == 0) return IndexRange{};
  if (first == array.ndim()) return IndexRange{0, 1};
  const int d = leading_dimension(array, first);
  const auto stride = natural_stride(array, d);
  const auto run = run_along(array.dimension(d));
  if (!stride || !run) return std::nullopt;
  const auto start = checked_multiply(run->start, *stride);
  const auto stop = checked_multiply(run->stop, *stride);
  if (!start || !stop) return std::nullopt;
  return IndexRange{*start, *stop};
}

bool in_rank_order(const Section& array, int first, const Comm& comm) {
  if (first == array.ndim()) return true;
  const Dimension& dimension = array.dimension(leading_dimension(array, first));
  const GridPosition grid = dimension.grid();
  // Blocks follow each other on the grid, and here all processes are along this dimension.
  return (dimension.as<Block>() != nullptr || dimension.as<Undistributed>() != nullptr) &&
         grid.size == comm.size() && grid.rank == comm.rank();
}

bool has_lists(const Section& array, int first) {
  return std::any_of(array.dimensions().begin() + first, array.dimensions().end(), is_list);
}

std::optional<Finding> repeated_index(const Section& array, int first, Part part) {
  const auto rows = array.dimensions().begin() + first;
  const bool periodic = std::any_of(rows, array.dimensions().end(), [](const Dimension& dimension) {
    return dimension.periodic();
  });
  if (part == Part::overlap && periodic) return std::nullopt;
  for (int d = first; d < array.ndim(); ++d) {
    const auto* list = array.dimension(d).as<Unstructured>();
    if (list == nullptr) continue;
    const auto index = repeated_in(part == Part::owned ? owned_indices(*list) : list->indices);
    if (!index) continue;
    Finding finding = adapter::reason(
        "U04", d, "index " + std::to_string(*index) + " twice in the list of one process",
        "each index at most once on a process");
    finding.key = "indices";
    return finding;
  }
  return std::nullopt;
}

double bytes_per_index(const Section& array, int first, Part part) {
  const bool padded = row_count(array, first, part) != row_count(array, first, Part::owned);
  // Measured: 8 bytes for the list and 24 for its hash table.
  return !padded && (nothing_to_number(array, first) || natural_run(array, first)) ? 0 : 32;
}

bool known_one_to_one(const Section& array, int first) {
  return std::none_of(array.dimensions().begin() + first, array.dimensions().end(),
                      leaves_open_who_owns);
}

std::vector<Index> natural_rows(const Section& array, int first, Part part) {
  const LocalIndexMap map(row_dimensions(array, first));
  return part == Part::owned ? map.owned_natural() : map.local_natural();
}

std::vector<Index> contiguous_rows(const Section& array, int first, Call& call) {
  if (first == 0)
    return GlobalIndexMap(array, call.proof(0), call).local_contiguous(Order::c, call);
  const DistArray rows = call.check([&] {
    const auto tail = [&](const std::vector<Index>& all) {
      return std::vector<Index>(all.begin() + first, all.end());
    };
    Buffer buffer(array.type(), tail(array.local_shape()), tail(array.byte_strides()), nullptr);
    return Section(array.version(), std::move(buffer), row_dimensions(array, first))
        .on(call.comm());
  });
  return GlobalIndexMap(rows).local_contiguous();
}

OrdinalList::OrdinalList(std::vector<Index> indices, Index index_base)
    : storage_(std::move(indices)) {
  static_assert(sizeof(GlobalOrdinal) <= sizeof(Index));
  // The ordinals replace the indices in place: `long` and `long long` are two types of the same
  // size, and a second list of 8 bytes per index would be one too many.
  auto* const bytes = reinterpret_cast<char*>(storage_.data());
  for (std::size_t i = 0; i < storage_.size(); ++i) {
    Index index = 0;
    std::memcpy(&index, bytes + i * sizeof(Index), sizeof(Index));
    index += index_base;
    const auto ordinal = static_cast<GlobalOrdinal>(index);
    std::memcpy(bytes + i * sizeof(GlobalOrdinal), &ordinal, sizeof(GlobalOrdinal));
  }
  ordinals_ = std::launder(reinterpret_cast<const GlobalOrdinal*>(bytes));
}

}  // namespace daptor::tpetra
