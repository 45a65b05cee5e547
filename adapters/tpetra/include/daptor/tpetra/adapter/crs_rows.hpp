// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <Teuchos_OrdinalTraits.hpp>
#include <Tpetra_CrsMatrix.hpp>

#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/rows.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/foreign_values.hpp"

/// \file
/// For this adapter and for adapters that join Tpetra with another library: the rows of a
/// fill-complete CrsMatrix, opened as `daptor/adapter/rows.hpp` says, and CrsMatrices made of rows.

namespace daptor::tpetra::detail {

/// The rows of a CrsMatrix. Other columns have the numbers that they are given here.
/// @tparam Of  the type of the values, to which those of Kokkos are converted
template <class Of, class Local, class Number>
class CrsRows {
 public:
  using Value = Of;
  static constexpr bool owned_first = false;

  /// @param local    what getLocalMatrixHost has returned, which outlives this object
  /// @param numbers  the global number of each local column, counted from 0; outlives this object
  /// @param same     number of local columns, counted from the first, that are known to be the
  /// owned
  ///                 ones in their order
  CrsRows(const Local& local, const adapter::RowLayout& layout, const std::vector<Number>& numbers,
          Index same = 0)
      : starts_(local.graph.row_map.data()),
        columns_(local.graph.entries.data()),
        values_(local.values.data()),
        layout_(layout),
        numbers_(numbers.data()),
        first_(static_cast<Number>(layout.columns.start)),
        count_(static_cast<Number>(layout.columns.size())),
        same_(static_cast<Ordinal>(same)) {}

  const adapter::RowLayout& layout() const { return layout_; }
  std::size_t entries() const {
    return layout_.rows.empty() ? 0 : static_cast<std::size_t>(starts_[layout_.row_count()]);
  }
  std::size_t length(std::size_t r) const {
    return static_cast<std::size_t>(starts_[r + 1] - starts_[r]);
  }
  std::size_t own_entries() const {
    std::size_t own = 0;
    for (std::size_t e = 0; e < entries(); ++e)
      if (own_column(columns_[e]) >= 0) ++own;
    return own;
  }
  template <class Own, class Other>
  [[gnu::always_inline]] void row(std::size_t r, Own&& own, Other&& other) const {
    const auto stop = starts_[r + 1];
    for (auto e = starts_[r]; e < stop; ++e) {
      const Number column = own_column(columns_[e]);
      if (column >= 0)
        own(column, static_cast<Value>(values_[e]));
      else
        other(numbers_[static_cast<std::size_t>(columns_[e])], static_cast<Value>(values_[e]));
    }
  }
  Index global(Number number) const { return number; }

 private:
  using Ordinal = typename Local::ordinal_type;

  /// The column in the owned block, or -1.
  Number own_column(Ordinal local) const {
    if (local < same_) return static_cast<Number>(local);
    const Number number = numbers_[static_cast<std::size_t>(local)];
    return number >= first_ && number - first_ < count_ ? number - first_ : -1;
  }

  const typename Local::row_map_type::const_value_type* starts_;
  const Ordinal* columns_;
  const typename Local::value_type* values_;
  adapter::RowLayout layout_;
  const Number* numbers_;
  Number first_, count_;
  Ordinal same_;
};

template <class Of, class Local, class Number>
CrsRows<Of, Local, Number> crs_rows(const Local& local, const adapter::RowLayout& layout,
                                    const std::vector<Number>& numbers, Index same = 0) {
  return {local, layout, numbers, same};
}

/// Throws NotRepresentable (`csr.index-range`). `of` follows the number.
inline void require_local_ordinal(Index count, const char* of) {
  using Ordinal = Tpetra::Map<>::local_ordinal_type;
  if (count < static_cast<Index>(std::numeric_limits<Ordinal>::max())) return;
  throw NotRepresentable(adapter::reason("csr.index-range", std::to_string(count) + of,
                                         "a count that fits in Tpetra's local ordinal",
                                         "Use more processes."));
}

/// Where the owned columns are among the local ones.
enum class ColumnOrder {
  ascending,   ///< in the order of the global numbers
  owned_first  ///< before all others, which are in increasing order
};

/// Local numbers for the columns of rows. Process-local. Throws NotRepresentable
/// (`csr.index-range`).
class LocalColumns {
 public:
  template <class Rows>
  LocalColumns(const Rows& rows, ColumnOrder order) : owned_(rows.layout().columns) {
    for (std::size_t r = 0; r < rows.layout().row_count(); ++r)
      rows.row(
          r, [](auto, const auto&) {},
          [&](auto number, const auto&) { others_.push_back(rows.global(number)); });
    std::sort(others_.begin(), others_.end());
    others_.erase(std::unique(others_.begin(), others_.end()), others_.end());
    const auto below = std::lower_bound(others_.begin(), others_.end(), owned_.start);
    if (order == ColumnOrder::ascending) before_ = below - others_.begin();
    require_local_ordinal(count(), " local columns");
  }

  Index count() const { return owned_.size() + static_cast<Index>(others_.size()); }
  /// The local number of an owned column, counted from the first of them.
  Index own(Index column) const { return before_ + column; }
  /// The local number of another column, given its global one.
  Index other(Index column) const {
    const Index o = std::lower_bound(others_.begin(), others_.end(), column) - others_.begin();
    return o < before_ ? o : o + owned_.size();
  }
  /// The global number of each local column.
  template <class Global>
  std::vector<Global> list() const {
    std::vector<Global> all;
    all.reserve(static_cast<std::size_t>(count()));
    const auto append = [&](Index column) { all.push_back(static_cast<Global>(column)); };
    std::for_each(others_.begin(), others_.begin() + before_, append);
    for (Index c = owned_.start; c < owned_.stop; ++c) append(c);
    std::for_each(others_.begin() + before_, others_.end(), append);
    return all;
  }

 private:
  IndexRange owned_;
  std::vector<Index> others_;
  Index before_ = 0;  ///< number of others before the owned columns
};

/// Memory for the starts and the local columns of new rows, written on the host.
template <class Local>
struct NewRows {
  using Values = typename Local::values_type;
  using Value = typename Values::non_const_value_type;
  using Ordinal = typename Local::ordinal_type;
  using Starts = typename Local::row_map_type::non_const_type;
  using Columns = typename Local::index_type;

  NewRows(const adapter::RowLayout& layout, Index local_columns, std::size_t entries)
      : rows(static_cast<Ordinal>(layout.row_count())),
        column_count(static_cast<Ordinal>(local_columns)),
        all_starts(uninitialized("daptor row starts"), layout.row_count() + 1),
        all_columns(uninitialized("daptor columns"), entries),
        starts(Kokkos::create_mirror_view(all_starts)),
        columns(Kokkos::create_mirror_view(all_columns)) {}

  static auto uninitialized(const char* name) {
    return Kokkos::view_alloc(std::string(name), Kokkos::WithoutInitializing);
  }
  /// The rows with the first of these values, after starts and columns have been written.
  Local with(const Values& values) const {
    Kokkos::deep_copy(all_starts, starts);
    Kokkos::deep_copy(all_columns, columns);
    const std::size_t entries = starts(static_cast<std::size_t>(rows));
    const std::pair<std::size_t, std::size_t> used(0, entries);
    return Local("daptor rows", rows, column_count, entries, Kokkos::subview(values, used),
                 all_starts, Kokkos::subview(all_columns, used));
  }

  Ordinal rows, column_count;
  Starts all_starts;
  Columns all_columns;
  decltype(Kokkos::create_mirror_view(std::declval<Starts>())) starts;
  decltype(Kokkos::create_mirror_view(std::declval<Columns>())) columns;
};

/// Process-local. Rows of a CrsMatrix with the entries where they are: the values, which are in
/// memory as `rows` gives them, are not copied.
/// @param columns   local numbers, like LocalColumns
/// @param values    one for each entry, on the host; kept alive by another object
/// @param unsorted  called if the local columns of a row do not increase; throws
template <class Matrix, class Rows, class Columns, class Unsorted>
auto rows_on_values(const Rows& rows, const Columns& columns, void* values,
                    const Unsorted& unsorted) {
  using New = NewRows<typename Matrix::local_matrix_device_type>;
  const std::size_t entries = rows.entries();
  const New made(rows.layout(), columns.count(), entries);
  auto* const starts = made.starts.data();
  auto* const list = made.columns.data();
  std::size_t next = 0;
  starts[0] = 0;
  bool increasing = true;
  for (std::size_t r = 0, count = rows.layout().row_count(); r < count; ++r) {
    Index previous = -1;
    const auto add = [&](Index local) {
      increasing &= local > previous;
      previous = local;
      list[next++] = static_cast<typename New::Ordinal>(local);
    };
    rows.row(
        r, [&](auto local, const auto&) { add(columns.own(local)); },
        [&](auto number, const auto&) { add(columns.other(number)); });
    starts[r + 1] = next;
  }
  if (!increasing) unsorted();
  auto* const data = static_cast<typename New::Value*>(entries == 0 ? nullptr : values);
  return made.with(typename New::Values(data, entries));
}

/// Process-local. A copy of rows for a CrsMatrix, in which the owned columns come first, as many
/// packages expect. Local columns increase within a row, and entries in one column are added.
/// @param columns  local numbers, in which the owned columns come first
template <class Matrix, class Rows, class Columns>
auto copied_rows(const Rows& rows, const Columns& columns) {
  using New = NewRows<typename Matrix::local_matrix_device_type>;
  using Ordinal = typename New::Ordinal;
  const New made(rows.layout(), columns.count(), rows.entries());
  const typename New::Values values(New::uninitialized("daptor values"), rows.entries());
  const auto host = Kokkos::create_mirror_view(values);
  adapter::RowWriter writer(made.starts.data(), made.columns.data(), host.data());
  const auto own = [&](auto local, const auto& value) {
    writer.add(static_cast<Ordinal>(columns.own(local)), value);
  };
  const auto other = [&](auto number, const auto& value) {
    writer.add(static_cast<Ordinal>(columns.other(number)), value);
  };
  const auto none = [](auto, const auto&) {};
  for (std::size_t r = 0; r < rows.layout().row_count(); ++r) {
    if constexpr (Rows::owned_first) {
      rows.row(r, own, other);
    } else {
      rows.row(r, own, none);
      rows.row(r, none, other);
    }
    writer.end_row();
  }
  Kokkos::deep_copy(values, host);
  return made.with(values);
}

/// What each rank makes by itself for a CrsMatrix, whose Maps are contiguous in rank order.
template <class Scalar>
struct CrsParts {
  using Matrix = Tpetra::CrsMatrix<Scalar>;
  using Local = typename Matrix::local_matrix_device_type;
  using Global = Tpetra::Map<>::global_ordinal_type;

  /// Before the next check of `call`.
  /// @param columns  the local numbers in `local`, like LocalColumns
  template <class Columns>
  CrsParts(const adapter::RowLayout& layout, const Columns& columns, Local local, Call& call)
      : rows(std::move(local)),
        column_list(columns.template list<Global>()),
        alike(call.all(layout.rows == layout.columns)) {
    const auto line = [&](Index global, IndexRange owned) {
      return describe(DataType::of<double>(), nullptr,
                      {block(global, {call.comm().size(), call.comm().rank()}, owned)});
    };
    row_map = line(layout.global_rows, layout.rows);
    domain_map = line(layout.global_columns, layout.columns);
  }

  Local rows;
  std::vector<Global> column_list;
  Section row_map, domain_map;  ///< of which the Maps are made
  Agreed<bool> alike;           ///< rows and columns are divided alike
};

/// Collective; after everything that can fail on a single rank. Makes the CrsMatrix.
/// @param parts  whose list of columns is freed
/// @param kept   keeps values alive that are not those of the matrix, and is kept by its column
///               Map under `key`
template <class Scalar, class Kept = std::nullptr_t>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> make_crs(CrsParts<Scalar>& parts, Call& call,
                                                 const Kept& kept = {}, const char* key = nullptr) {
  using Map = Tpetra::Map<>;
  const auto map_of = [&](const Section& line) {
    return import_map(line.on(call.comm()), {Numbering::contiguous});
  };
  const auto row_map = map_of(parts.row_map);
  const auto domain_map = parts.alike ? row_map : map_of(parts.domain_map);
  return call.library("tpetra", "Tpetra::CrsMatrix", Patience{}, [&] {
    auto list = std::move(parts.column_list);
    Teuchos::RCP<const Map> column_map =
        Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                             Teuchos::ArrayView<const Map::global_ordinal_type>(
                                 list.data(), static_cast<Teuchos_Ordinal>(list.size())),
                             0, row_map->getComm()));
    list = {};
    if constexpr (std::is_same_v<Kept, std::nullptr_t>) {
      return Teuchos::rcp(
          new Tpetra::CrsMatrix<Scalar>(parts.rows, row_map, column_map, domain_map, row_map));
    } else {
      Teuchos::set_extra_data(kept, key, Teuchos::outArg(column_map), Teuchos::POST_DESTROY);
      return on_foreign_values<Scalar>(parts.rows, row_map, column_map, domain_map);
    }
  });
}

/// Takes values over those of a CrsMatrix (`adapter::write_values`).
/// @tparam Local  what getLocalMatrixHost returns
template <class Local, class Columns>
class CrsValues {
 public:
  /// @param columns  local numbers, like LocalColumns
  CrsValues(const Local& local, const Columns& columns, adapter::RefuseEntries refuse)
      : starts_(local.graph.row_map.data()),
        columns_(columns),
        row_(local.graph.entries.data(), local.values.data(), refuse) {}

  void open(std::size_t r) { row_.open(starts_[r], starts_[r + 1]); }
  template <class Column, class Value>
  void own(Column local, const Value& value) {
    row_.write(static_cast<Ordinal>(columns_.own(local)), value);
  }
  template <class Number, class Value>
  void other(Number number, const Value& value) {
    row_.write(static_cast<Ordinal>(columns_.other(number)), value);
  }
  void close() { row_.close(); }

 private:
  using Ordinal = typename Local::ordinal_type;

  const typename Local::row_map_type::const_value_type* starts_;
  const Columns& columns_;
  adapter::RowValues<adapter::Numbers::columns, Ordinal,
                     typename Local::values_type::non_const_value_type>
      row_;
};

}  // namespace daptor::tpetra::detail
