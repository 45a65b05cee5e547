// SPDX-License-Identifier: BSD-3-Clause
#include "export_map.hpp"

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <Tpetra_Map.hpp>

#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/shared_index.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/kokkos.hpp"
#include "names.hpp"

namespace daptor::tpetra {
namespace {

using GlobalOrdinal = detail::GlobalOrdinal;

// These call functions that Trilinos has renamed, under the name that this installation has.
template <class M>
auto local_count(const M& map, int) -> decltype(map.getLocalNumElements()) {
  return map.getLocalNumElements();
}
template <class M>
auto local_count(const M& map, long) -> decltype(map.getNodeNumElements()) {
  return map.getNodeNumElements();
}
template <class M>
auto local_list(const M& map, int) -> decltype(map.getLocalElementList()) {
  return map.getLocalElementList();
}
template <class M>
auto local_list(const M& map, long) -> decltype(map.getNodeElementList()) {
  return map.getNodeElementList();
}

/// Refers to a list that the Map owns, and keeps the Map alive.
struct KeptMap {
  Teuchos::RCP<const Map> map;
  explicit KeptMap(Teuchos::RCP<const Map> kept) : map(std::move(kept)) {}
  KeptMap(const KeptMap&) = delete;
  KeptMap& operator=(const KeptMap&) = delete;
  ~KeptMap() {
    if (!detail::kokkos_running())
      detail::keep_forever(std::make_shared<Teuchos::RCP<const Map>>(map));
  }
};

/// The first global index minus the base, if the local indices are consecutive.
std::optional<Index> first_of_run(const Map& map) {
  const auto count = count_of(map);
  if (count == 0) return 0;
  if (!map.isContiguous()) {
    const auto list = local_list(map, 0);
    for (Teuchos::Ordinal i = 1; i < list.size(); ++i)
      if (list[i] != list[i - 1] + 1) return std::nullopt;
  }
  return static_cast<Index>(map.getMinGlobalIndex()) - static_cast<Index>(map.getIndexBase());
}

/// The Map's own list if that has 64-bit indices that count from 0, otherwise a copy.
IndexList index_list(const Teuchos::RCP<const Map>& map) {
  const auto list = local_list(*map, 0);
  const auto base = static_cast<Index>(map->getIndexBase());
  if constexpr (sizeof(GlobalOrdinal) == sizeof(Index) && std::is_signed_v<GlobalOrdinal>) {
    // `long` and `long long` have the same size and sign: the same integers under two names.
    if (base == 0)
      return {std::make_shared<const KeptMap>(map),
              reinterpret_cast<const Index*>(list.getRawPtr()), static_cast<Index>(list.size())};
  }
  std::vector<Index> indices;
  indices.reserve(static_cast<std::size_t>(list.size()));
  for (const GlobalOrdinal global : list) indices.push_back(static_cast<Index>(global) - base);
  return IndexList(std::move(indices));
}

void require_below(Index global_size, const Map& map) {
  if (index_stop(map) > global_size)
    throw InvalidArgument("global_size",
                          "a Map with indices up to " + std::to_string(index_stop(map) - 1) +
                              " after its index base is subtracted",
                          "indices below " + std::to_string(global_size));
}

Dimension listed(const Teuchos::RCP<const Map>& map, Index global_size, bool one_to_one) {
  const auto comm = map->getComm();
  return unstructured(global_size, {comm->getSize(), comm->getRank()}, index_list(map), one_to_one);
}

/// Whether padding reaches around a periodic dimension to indices of this process, or to the same
/// index from both sides.
bool repeats(const MapRecord::PaddedRows& rows) {
  bool wraps = false;
  for (const Dimension& dimension : rows.dimensions) {
    if (dimension.local_extent() == 0) return false;
    wraps = wraps || (dimension.as<Unstructured>() == nullptr &&
                      dimension.local_extent() > dimension.global_size());
  }
  return wraps;
}

Finding repeated_finding(Terms found) {
  return adapter::reason(
      "tpetra.repeated-index", std::move(found), "a list with each index at most once on a process",
      "List each index at most once in the Map. A MultiVector on a Map that was made with " +
          names::overlap +
          " of a padded array is described as that array: export it without the argument 'rows'.");
}

/// Properties that only the lists of all ranks together determine.
struct Lists {
  bool one_to_one = false;
  std::optional<Finding> repeated;
};

/// Collective. Compares the lists of all ranks.
Lists compare_lists(const Teuchos::RCP<const Map>& map, Call& call) {
  const auto against =
      adapter::shared_index(call, [&] { return listed(map, index_stop(*map), false); });
  if (!against) return {true, std::nullopt};
  if (against->rule != "U04") return {};
  Finding finding = repeated_finding(against->found);
  finding.ranks = against->ranks;
  finding.rank_count = against->rank_count;
  return {false, std::move(finding)};
}

}  // namespace

Index count_of(const Map& map) {
  return static_cast<Index>(local_count(map, 0));
}

Index index_stop(const Map& map) {
  if (map.getGlobalNumElements() == 0) return 0;
  const auto base = static_cast<Index>(map.getIndexBase());
  const auto last = checked_add(static_cast<Index>(map.getMaxAllGlobalIndex()), -base);
  const auto stop = last ? checked_add(*last, 1) : std::nullopt;
  if (!stop)
    throw NotRepresentable(
        adapter::reason("tpetra.index-range", "indices beyond 64 bits",
                        "indices that fit in 64 bits after the index base is subtracted",
                        "Give the Map a different index base."));
  return *stop;
}

MapRecord& inspect(const Teuchos::RCP<const Map>& map, Call& call,
                   const std::function<void()>& check) {
  std::optional<Index> first;
  MapRecord& record = call.check([&]() -> std::reference_wrapper<MapRecord> {
    check();
    first = first_of_run(*map);
    return record_of(map);
  });
  const Index count = count_of(*map);
  MapRecord::Order order;
  order.start = call.comm()->exclusive_sum(count);
  const auto contiguous = call.all(first && (count == 0 || *first == order.start));
  const auto once = call.all(!record.padded_rows || !repeats(*record.padded_rows));
  call.check();
  order.contiguous = contiguous;
  if (record.padded_rows) {
    if (!once)
      order.repeated = repeated_finding(
          "communication padding that reaches around a periodic dimension, so that indices repeat "
          "on "
          "a process");
  } else if (!order.contiguous && !record.one_to_one) {
    Lists lists = compare_lists(map, call);
    record.one_to_one = lists.one_to_one;
    order.repeated = std::move(lists.repeated);
  }
  record.order = std::move(order);
  return record;
}

MapRecord& inspected(const Teuchos::RCP<const Map>& map) {
  return described(map, require_trilinos, [](MapRecord& record) { return std::ref(record); });
}

Dimension dimension_of(const Teuchos::RCP<const Map>& map, const MapRecord& record,
                       std::optional<Index> global_size) {
  const MapRecord::Order& order = *record.order;
  // A padded dimension describes more than the list of its indices. Without ghosts, contiguous
  // numbers are a block, which the dimension's natural indices may not be.
  const bool own_indices = record.padded_rows &&
                           record.padded_rows->numbering == Numbering::contiguous &&
                           order.contiguous;
  if (record.padded_rows && !own_indices && !global_size &&
      record.padded_rows->dimensions.size() == 1)
    return record.padded_rows->dimensions.front();
  if (order.repeated) throw NotRepresentable(*order.repeated);
  const auto comm = map->getComm();
  const GridPosition grid{comm->getSize(), comm->getRank()};
  const auto count = static_cast<Index>(map->getGlobalNumElements());
  if (global_size) require_below(*global_size, *map);
  if (!order.contiguous || global_size.value_or(count) != count)
    return listed(map, global_size ? *global_size : index_stop(*map),
                  record.one_to_one || order.contiguous);
  return block(count, grid, IndexRange{order.start, order.start + count_of(*map)});
}

Dimension export_map(const Teuchos::RCP<const Tpetra::Map<>>& map) {
  return described(map, require_trilinos, [&](const MapRecord& record) {
    return dimension_of(map, record, std::nullopt);
  });
}

Dimension export_map(const Teuchos::RCP<const Tpetra::Map<>>& map, Index global_size) {
  return described(map, require_trilinos,
                   [&](const MapRecord& record) { return dimension_of(map, record, global_size); });
}

}  // namespace daptor::tpetra
