// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <Tpetra_CrsMatrix.hpp>

#include "daptor/adapter/library.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/crs_rows.hpp"
#include "daptor/tpetra/adapter/kokkos.hpp"
#include "daptor/tpetra/adapter/local_count.hpp"
#include "daptor/tpetra/adapter/norm.hpp"
#include "daptor/tpetra/csr.hpp"
#include "export_map.hpp"
#include "names.hpp"

namespace daptor::tpetra {
namespace {

using LocalOrdinal = Map::local_ordinal_type;

template <class Scalar>
void require_complete(const Tpetra::CrsMatrix<Scalar>& matrix) {
  require_trilinos();
  if (!matrix.isFillComplete())
    adapter::refuse_argument("csr.unassembled", "a CrsMatrix that is not fill-complete",
                             "a fill-complete matrix", "Call fillComplete first.");
  if (!matrix.getRowMap()->locallySameAs(*matrix.getRangeMap()))
    throw NotRepresentable(adapter::reason(
        "csr.maps", "a row Map and a range Map that differ", "the same Map for both",
        "Export the matrix onto its range Map (exportAndFillComplete)."));
}

/// Holds a reference to a matrix, never an open view.
template <class Scalar>
class CrsValues final : public Producer {
 public:
  using Matrix = Teuchos::RCP<Tpetra::CrsMatrix<Scalar>>;
  explicit CrsValues(Matrix matrix) : matrix_(std::move(matrix)) {}
  ~CrsValues() override {
    if (!detail::kokkos_running()) detail::keep_forever(std::make_shared<Matrix>(matrix_));
  }

  void* begin_access(Access, void* described) override {
    require_trilinos();
    const void* const now = adapter::translated(
        "tpetra", "Tpetra::CrsMatrix", [&] { return matrix_->getLocalMatrixHost().values.data(); });
    if (now != described)
      throw Stale("a CrsMatrix whose values have moved since it was exported", "Export it again.");
    return described;
  }
  void end_access(Access) noexcept override {}
  void modified() override {
    if (detail::kokkos_running()) forget_norm(*matrix_);
  }

 private:
  Matrix matrix_;
};

/// On one process.
Section line_of(const DataType& type, const void* data, Index count, bool readonly,
                std::shared_ptr<SharedState> state) {
  Buffer buffer(type, {count}, {static_cast<Index>(type.itemsize())}, const_cast<void*>(data),
                readonly, std::move(state));
  return Section(protocol_0_9, std::move(buffer), {block(count, GridPosition{1, 0})});
}

/// Collective. The first number of this rank's elements of a Map that is contiguous in rank order.
MapRecord::Order order_of(const Teuchos::RCP<const Map>& map) {
  return described(
      map, [] {},
      [](const MapRecord& record) {
        if (!record.order->contiguous)
          throw NotRepresentable(adapter::reason(
              "csr.maps", "a Map that is not contiguous in rank order",
              "rows and columns that are numbered contiguously in rank order",
              "Build the matrix on contiguous Maps, or convert it to a PETSc matrix, which "
              "renumbers (" +
                  names::copy_matrix + ")."));
        return *record.order;
      });
}

}  // namespace

template <class Scalar>
CsrArrays export_csr(const Teuchos::RCP<Tpetra::CrsMatrix<Scalar>>& matrix) {
  if (matrix.is_null()) throw InvalidArgument("matrix", "a null RCP", "a CrsMatrix");
  require_complete(*matrix);
  if (matrix->getComm()->getSize() != 1)
    throw NotRepresentable(
        adapter::reason("csr.split", "a CrsMatrix on several processes",
                        "a CrsMatrix on one process, whose local columns are the global ones",
                        "Copy it with " + names::copy_csr + "."));
  if (!matrix->getColMap()->locallySameAs(*matrix->getDomainMap()))
    throw NotRepresentable(adapter::reason("csr.maps", "a column Map that is not the domain Map",
                                           "the domain Map as the column Map",
                                           "Copy it with " + names::copy_csr + "."));
  const auto local = matrix->getLocalMatrixHost();
  // Tpetra reports the storage of a process without rows as not optimized.
  if (local.numRows() > 0 && (!matrix->isStorageOptimized() || !matrix->getCrsGraph()->isSorted()))
    throw NotRepresentable(adapter::reason("csr.storage",
                                           "rows with gaps, or with unsorted columns",
                                           "rows without gaps, with increasing columns",
                                           "Call fillComplete with \"Optimize Storage\"."));
  const auto state = std::make_shared<SharedState>(std::make_unique<CrsValues<Scalar>>(matrix));
  const auto indices = plain_memory(state);
  const auto rows = static_cast<Index>(local.numRows());
  const auto entries = static_cast<Index>(local.values.extent(0));
  using Offset = std::remove_const_t<
      typename std::decay_t<decltype(local.graph.row_map)>::non_const_value_type>;
  const Comm comm(communicator(*matrix->getRowMap()));
  return {
      line_of(DataType::of<Scalar>(), local.values.data(), entries, false, state).on(comm),
      line_of(DataType::of<LocalOrdinal>(), local.graph.entries.data(), entries, true, indices)
          .on(comm),
      line_of(DataType::of<Offset>(), local.graph.row_map.data(), rows + 1, true, indices).on(comm),
      rows,
      static_cast<Index>(matrix->getDomainMap()->getGlobalNumElements()),
      0};
}

template <class Scalar>
CsrArrays copy_csr(const Tpetra::CrsMatrix<Scalar>& matrix) {
  const auto row_map = matrix.getRowMap();
  const Comm comm(communicator(*row_map));
  Call call(comm, "tpetra::copy_csr");
  call.check([&] { require_complete(matrix); });
  const Index first_row = order_of(row_map).start;
  const auto domain_map = matrix.getDomainMap();
  const Index first_column = order_of(domain_map).start;
  const auto local = matrix.getLocalMatrixHost();
  std::vector<Index> numbers;
  const adapter::RowLayout layout = call.check([&] {
    const Index base = static_cast<Index>(domain_map->getIndexBase());
    const Map& columns = *matrix.getColMap();
    for (Index c = 0; c < local_count(columns); ++c)
      numbers.push_back(static_cast<Index>(columns.getGlobalElement(static_cast<LocalOrdinal>(c))) -
                        base);
    return adapter::RowLayout{{first_row, first_row + static_cast<Index>(local.numRows())},
                              {first_column, first_column + local_count(*domain_map)},
                              static_cast<Index>(matrix.getRangeMap()->getGlobalNumElements()),
                              static_cast<Index>(domain_map->getGlobalNumElements())};
  });
  return adapter::copy_rows<Index>(detail::crs_rows<Scalar>(local, layout, numbers), call);
}

// NOLINTBEGIN(bugprone-macro-parentheses): the argument is a type
#define DAPTOR_TPETRA_OF_MATRICES
#define DAPTOR_TPETRA_INSTANTIATE(SCALAR)                                                \
  template CsrArrays export_csr<SCALAR>(const Teuchos::RCP<Tpetra::CrsMatrix<SCALAR>>&); \
  template CsrArrays copy_csr<SCALAR>(const Tpetra::CrsMatrix<SCALAR>&);
// NOLINTEND(bugprone-macro-parentheses)
#include "for_each_scalar.inc"

}  // namespace daptor::tpetra
