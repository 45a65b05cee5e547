// SPDX-License-Identifier: BSD-3-Clause
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>

#include <Tpetra_CrsMatrix.hpp>

#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/split_rows.hpp"
#include "daptor/call.hpp"
#include "daptor/tpetra/adapter/crs_rows.hpp"
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

using detail::ColumnOrder;
using detail::LocalColumns;

template <class Scalar>
using Crs = Tpetra::CrsMatrix<Scalar>;
template <class Scalar>
using Parts = detail::CrsParts<Scalar>;
template <class Scalar>
using Value = typename Parts<Scalar>::Local::values_type::non_const_value_type;

void require_fitting(const DataType& type, const adapter::RowLayout& layout,
                     const DataType& scalar) {
  require_trilinos();
  if (type != scalar || !type.native())
    throw NotRepresentable(adapter::reason(
        "csr.type", "values of " + type.name(), "values of " + scalar.name(),
        adapter::remedy_for_type(type, "Ask for a matrix with the element type of the values.")));
  constexpr auto largest =
      static_cast<Index>(std::numeric_limits<Tpetra::Map<>::global_ordinal_type>::max());
  detail::require_local_ordinal(layout.rows.size(), " rows on one process");
  if (layout.global_rows >= largest || layout.global_columns >= largest)
    throw NotRepresentable(adapter::reason("csr.index-range",
                                           std::to_string(layout.global_rows) + " rows and " +
                                               std::to_string(layout.global_columns) + " columns",
                                           "sizes that fit in Tpetra's global ordinal",
                                           "Such a matrix cannot be passed to this Tpetra."));
}

/// Collective. A copy of rows that are proven, as far as they are before they are read.
/// @param values  all of them
template <class Scalar, class Matrix>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> copied(const Matrix& matrix,
                                               std::initializer_list<const Section*> values,
                                               Call& call) {
  auto parts = call.check([&] {
    for (const Section* const each : values)
      require_fitting(each->type(), adapter::layout_of(matrix), DataType::of<Scalar>());
    return adapter::with_rows<Value<Scalar>>(matrix, [&](const auto& rows) {
      const LocalColumns columns(rows, ColumnOrder::owned_first);
      return Parts<Scalar>(rows.layout(), columns, detail::copied_rows<Crs<Scalar>>(rows, columns),
                           call);
    });
  });
  return detail::make_crs(parts, call);
}

}  // namespace

template <class Scalar>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> import_csr(const CsrArrays& matrix) {
  Call call(matrix.comm(), "tpetra::import_csr");
  require_consistent(matrix);
  std::shared_ptr<CsrRecord<Scalar>> record;
  auto parts = call.check([&] {
    require_fitting(matrix.values.type(), adapter::layout_of(matrix), DataType::of<Scalar>());
    require_host_vectors("Copy it with " + names::copy_csr + ".");
    adapter::require_shareable(matrix.values, alignof(Scalar), names::copy_csr);
    record = std::make_shared<CsrRecord<Scalar>>(matrix.values);
    return adapter::with_rows<Value<Scalar>>(matrix, [&](const auto& rows) {
      const LocalColumns columns(rows, ColumnOrder::ascending);
      const auto refuse_unsorted = [&] {
        adapter::require_increasing_columns(matrix, names::copy_csr);
      };
      return Parts<Scalar>(rows.layout(), columns,
                           detail::rows_on_values<Crs<Scalar>>(
                               rows, columns, matrix.values.mutable_data(), refuse_unsorted),
                           call);
    });
  });
  const auto made = detail::make_crs(parts, call, record, "daptor.csr");
  call.check([&] { record->of(made); });
  return made;
}

template <class Scalar>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> copy_csr(const CsrArrays& matrix) {
  Call call(matrix.comm(), "tpetra::copy_csr");
  require_consistent(matrix);
  return copied<Scalar>(matrix, {&matrix.values}, call);
}

template <class Scalar>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> copy_csr(const SplitRows& rows) {
  Call call(rows.comm, "tpetra::copy_csr");
  adapter::prove_layout(rows, call);
  return copied<Scalar>(rows, {&rows.own.values, &rows.other.values}, call);
}

// NOLINTBEGIN(bugprone-macro-parentheses): the argument is a type
#define DAPTOR_TPETRA_OF_MATRICES
#define DAPTOR_TPETRA_INSTANTIATE(SCALAR)                                                \
  template Teuchos::RCP<Tpetra::CrsMatrix<SCALAR>> import_csr<SCALAR>(const CsrArrays&); \
  template Teuchos::RCP<Tpetra::CrsMatrix<SCALAR>> copy_csr<SCALAR>(const CsrArrays&);   \
  template Teuchos::RCP<Tpetra::CrsMatrix<SCALAR>> copy_csr<SCALAR>(const SplitRows&);
// NOLINTEND(bugprone-macro-parentheses)
#include "for_each_scalar.inc"

}  // namespace daptor::tpetra
