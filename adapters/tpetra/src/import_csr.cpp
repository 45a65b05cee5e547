// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <Tpetra_CrsMatrix.hpp>

#include "csr_rows.hpp"
#include "csr_scalars.hpp"
#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/rows.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/foreign_values.hpp"
#include "daptor/tpetra/adapter/kokkos.hpp"
#include "daptor/tpetra/adapter/norm.hpp"
#include "daptor/tpetra/adapter/space.hpp"
#include "daptor/tpetra/csr.hpp"
#include "names.hpp"

namespace daptor::tpetra {

/// The arrays of a CrsMatrix on foreign values, kept as long as its column Map.
template <class Scalar>
class CsrRecord final : public NativeView {
 public:
  explicit CsrRecord(const Section& values) : values_(values) {}
  ~CsrRecord() override { unwatch(); }

  void of(const Teuchos::RCP<Tpetra::CrsMatrix<Scalar>>& matrix) {
    matrix_ = matrix.create_weak();
    watch(values_.buffer().state());
  }
  void modified() override {
    if (matrix_.is_valid_ptr() && !matrix_.is_null()) forget_norm(*matrix_);
  }

 private:
  Section values_;
  Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> matrix_;
};

namespace {

using Map = Tpetra::Map<>;
using LocalOrdinal = Map::local_ordinal_type;
using GlobalOrdinal = Map::global_ordinal_type;

template <class Scalar>
using Local = typename Tpetra::CrsMatrix<Scalar>::local_matrix_device_type;

void require_fitting(const CsrArrays& matrix, const DataType& scalar) {
  require_trilinos();
  const DataType& type = matrix.values.type();
  if (type != scalar || !type.native())
    throw NotRepresentable(adapter::reason(
        "csr.type", "values of " + type.name(), "values of " + scalar.name(),
        adapter::remedy_for_type(type, "Ask for a matrix with the element type of the values.")));
  constexpr auto largest_local = static_cast<Index>(std::numeric_limits<LocalOrdinal>::max());
  constexpr auto largest_global = static_cast<Index>(std::numeric_limits<GlobalOrdinal>::max());
  if (matrix.owned_rows().size() >= largest_local)
    throw NotRepresentable(adapter::reason(
        "csr.index-range", std::to_string(matrix.owned_rows().size()) + " rows on one process",
        "a count that fits in Tpetra's local ordinal", "Use more processes."));
  if (matrix.global_rows >= largest_global || matrix.global_columns >= largest_global)
    throw NotRepresentable(adapter::reason("csr.index-range",
                                           std::to_string(matrix.global_rows) + " rows and " +
                                               std::to_string(matrix.global_columns) + " columns",
                                           "sizes that fit in Tpetra's global ordinal",
                                           "Such a matrix cannot be passed to this Tpetra."));
}

void require_shareable(const CsrArrays& matrix, std::size_t alignment) {
  require_host_vectors("Copy it with " + names::copy_csr + ".");
  if (matrix.values.readonly())
    throw NotRepresentable(adapter::reason("csr.readonly", "read-only values",
                                           "writable values, because a CrsMatrix can be written to",
                                           "Copy it with " + names::copy_csr + "."));
  if (adapter::bytes_past(matrix.values.data(), alignment) != 0)
    throw NotRepresentable(adapter::reason("csr.alignment", "misaligned values",
                                           "memory that is aligned for their element type",
                                           "Copy it with " + names::copy_csr + "."));
}

/// Rows with Tpetra's indices; the values are those of the array, or copies.
template <class Scalar>
class Rows {
 public:
  using Value = typename Local<Scalar>::values_type::non_const_value_type;

  Rows(const CsrArrays& matrix, const LocalColumns& columns)
      : Rows(static_cast<std::size_t>(matrix.owned_rows().size()),
             static_cast<std::size_t>(matrix.owned_entries().size()), columns) {
    const ReadLease lease(matrix.offsets);
    const auto host = Kokkos::create_mirror_view(starts_);
    copy_local_offsets(matrix, host.data());
    Kokkos::deep_copy(starts_, host);
  }
  Rows(const adapter::SortedRows<Value>& sorted, const LocalColumns& columns)
      : Rows(sorted.starts.size() - 1, sorted.columns.size(), columns) {
    const auto host = Kokkos::create_mirror_view(starts_);
    for (std::size_t r = 0; r < sorted.starts.size(); ++r)
      host(r) = static_cast<std::size_t>(sorted.starts[r]);
    Kokkos::deep_copy(starts_, host);
  }
  Rows(std::size_t rows, std::size_t entries, const LocalColumns& columns)
      : columns_(columns),
        count_(rows),
        entries_(entries),
        starts_(Kokkos::view_alloc("daptor row starts", Kokkos::WithoutInitializing), count_ + 1),
        indices_(Kokkos::view_alloc("daptor columns", Kokkos::WithoutInitializing), entries_) {
    constexpr auto largest = static_cast<Index>(std::numeric_limits<LocalOrdinal>::max());
    if (columns.count() >= largest)
      throw NotRepresentable(
          adapter::reason("csr.index-range", std::to_string(columns.count()) + " local columns",
                          "a count that fits in Tpetra's local ordinal", "Use more processes."));
  }

  Local<Scalar> on(const CsrArrays& matrix) {
    const ReadLease lease(matrix.columns);
    const auto indices = Kokkos::create_mirror_view(indices_);
    visit_integers(matrix.columns, [&](const auto* from) {
      for (std::size_t e = 0; e < entries_; ++e)
        indices(e) = local(static_cast<Index>(from[e]) - matrix.index_base);
    });
    Kokkos::deep_copy(indices_, indices);
    auto* const data = static_cast<Value*>(entries_ == 0 ? nullptr : matrix.values.mutable_data());
    return made(typename Local<Scalar>::values_type(data, entries_));
  }

  /// A copy in which the owned columns come first in each row.
  Local<Scalar> copied(const CsrArrays& matrix) {
    const ReadLease columns(matrix.columns);
    const ReadLease values(matrix.values);
    return visit_integers(matrix.columns, [&](const auto* global) {
      return copied(
          [&](std::size_t e) { return static_cast<Index>(global[e]) - matrix.index_base; },
          matrix.values.data());
    });
  }
  Local<Scalar> copied(const adapter::SortedRows<Value>& sorted) {
    return copied([&](std::size_t e) { return sorted.columns[e]; }, sorted.values.data());
  }

 private:
  /// @param column  the global column of each entry, counted from 0, increasing within a row
  /// @param from    the values, maybe not aligned
  template <class ColumnOf>
  Local<Scalar> copied(const ColumnOf& column_of, const void* from) {
    const typename Local<Scalar>::values_type copy(
        Kokkos::view_alloc("daptor values", Kokkos::WithoutInitializing), entries_);
    const auto to = Kokkos::create_mirror_view(copy);
    const auto indices = Kokkos::create_mirror_view(indices_);
    const auto starts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), starts_);
    std::size_t next = 0;
    for (std::size_t r = 0; r < count_; ++r)
      for (const bool own : {true, false})
        for (std::size_t e = starts(r); e < starts(r + 1); ++e) {
          const Index column = column_of(e);
          if (columns_.owns(column) != own) continue;
          indices(next) = local(column);
          to(next++) = adapter::value_at<Value>(from, e);
        }
    Kokkos::deep_copy(indices_, indices);
    Kokkos::deep_copy(copy, to);
    return made(copy);
  }

  LocalOrdinal local(Index column) const {
    return static_cast<LocalOrdinal>(columns_.local(column));
  }
  Local<Scalar> made(const typename Local<Scalar>::values_type& values) const {
    return Local<Scalar>("daptor csr", static_cast<LocalOrdinal>(count_),
                         static_cast<LocalOrdinal>(columns_.count()), entries_, values, starts_,
                         indices_);
  }

  const LocalColumns& columns_;
  std::size_t count_, entries_;
  typename Local<Scalar>::row_map_type::non_const_type starts_;
  typename Local<Scalar>::index_type indices_;
};

template <class Scalar>
Local<Scalar> copied_rows(const CsrArrays& matrix, const LocalColumns& columns) {
  if (adapter::columns_increase(matrix)) return Rows<Scalar>(matrix, columns).copied(matrix);
  const auto sorted = adapter::sorted_rows<typename Rows<Scalar>::Value>(matrix);
  return Rows<Scalar>(sorted, columns).copied(sorted);
}

/// What each rank makes by itself.
template <class Scalar>
struct Prepared {
  Prepared(const CsrArrays& matrix, const LocalColumns& local, const Local<Scalar>& local_rows)
      : rows(local_rows),
        columns(local.list<GlobalOrdinal>()),
        row_map(line(matrix, matrix.global_rows, matrix.owned_rows())),
        domain_map(line(matrix, matrix.global_columns, matrix.owned_columns())) {}

  Local<Scalar> rows;
  std::vector<GlobalOrdinal> columns;
  Section row_map, domain_map;  ///< of which the Maps are made

 private:
  static Section line(const CsrArrays& matrix, Index global, IndexRange owned) {
    return describe(DataType::of<double>(), nullptr,
                    {block(global, matrix.offsets.dimension(0).grid(), owned)});
  }
};

/// Collective; called after everything that can fail on a single rank.
template <class Scalar>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> assembled(const CsrArrays& matrix, Call& call,
                                                  const Prepared<Scalar>& prepared,
                                                  std::shared_ptr<CsrRecord<Scalar>> record) {
  const MapOptions contiguous{Numbering::contiguous};
  const auto row_map = import_map(prepared.row_map.on(call.comm()), contiguous);
  const auto domain_map = matrix.global_rows == matrix.global_columns
                              ? row_map
                              : import_map(prepared.domain_map.on(call.comm()), contiguous);
  const auto made = call.library("tpetra", "Tpetra::CrsMatrix", [&] {
    Teuchos::RCP<const Map> column_map = Teuchos::rcp(
        new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                Teuchos::ArrayView<const GlobalOrdinal>(
                    prepared.columns.data(), static_cast<Teuchos_Ordinal>(prepared.columns.size())),
                0, row_map->getComm()));
    if (record)
      Teuchos::set_extra_data(record, "daptor.csr", Teuchos::outArg(column_map),
                              Teuchos::POST_DESTROY);
    if (record) return on_foreign_values<Scalar>(prepared.rows, row_map, column_map, domain_map);
    return Teuchos::rcp(
        new Tpetra::CrsMatrix<Scalar>(prepared.rows, row_map, column_map, domain_map, row_map));
  });
  if (record) call.check([&] { record->of(made); });
  return made;
}

}  // namespace

template <class Scalar>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> import_csr(const CsrArrays& matrix) {
  Call call(matrix.comm(), "tpetra::import_csr");
  require_consistent(matrix);
  std::shared_ptr<CsrRecord<Scalar>> record;
  const auto prepared = call.check([&] {
    require_fitting(matrix, DataType::of<Scalar>());
    adapter::require_increasing_columns(matrix, names::copy_csr);
    require_shareable(matrix, alignof(Scalar));
    const LocalColumns columns(matrix, ColumnOrder::ascending);
    record = std::make_shared<CsrRecord<Scalar>>(matrix.values);
    return Prepared<Scalar>(matrix, columns, Rows<Scalar>(matrix, columns).on(matrix));
  });
  return assembled<Scalar>(matrix, call, prepared, record);
}

template <class Scalar>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> copy_csr(const CsrArrays& matrix) {
  Call call(matrix.comm(), "tpetra::copy_csr");
  require_consistent(matrix);
  const auto prepared = call.check([&] {
    require_fitting(matrix, DataType::of<Scalar>());
    const LocalColumns columns(matrix, ColumnOrder::owned_first);
    return Prepared<Scalar>(matrix, columns, copied_rows<Scalar>(matrix, columns));
  });
  return assembled<Scalar>(matrix, call, prepared, nullptr);
}

// NOLINTBEGIN(bugprone-macro-parentheses): the argument is a type
#define DAPTOR_TPETRA_CSR(SCALAR)                                                        \
  template Teuchos::RCP<Tpetra::CrsMatrix<SCALAR>> import_csr<SCALAR>(const CsrArrays&); \
  template Teuchos::RCP<Tpetra::CrsMatrix<SCALAR>> copy_csr<SCALAR>(const CsrArrays&);
// NOLINTEND(bugprone-macro-parentheses)
DAPTOR_TPETRA_CSR_SCALARS(DAPTOR_TPETRA_CSR)
#undef DAPTOR_TPETRA_CSR

}  // namespace daptor::tpetra
