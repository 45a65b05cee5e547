// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Vector.hpp>

#include "copy_matrix_limits.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/rows.hpp"
#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/tpetra/adapter/crs_rows.hpp"
#include "daptor/tpetra/adapter/kokkos.hpp"
#include "local_count.hpp"
#include "local_rows_mat.hpp"
#include "map_facts.hpp"
#include "names.hpp"

namespace daptor::solvers {

/// How PETSc numbers the elements of a Map: rank after rank, in local order.
struct RankOrder {
  Index first = 0;  ///< number of the first element on this process
  Index count = 0;  ///< number of elements on this process
  /// Whether, on every rank, these are the Map's own numbers minus the smallest of all.
  bool native = false;
  IndexRange range() const { return {first, first + count}; }
};

/// Whether the elements on this process are `first`, `first` + 1, …, counted from the Map's
/// smallest index.
inline bool is_run_from(const Tpetra::Map<>& map, Index first) {
  const Index count = local_count(map);
  if (count == 0) return true;
  const Index base = static_cast<Index>(map.getMinAllGlobalIndex());
  if (static_cast<Index>(map.getMinGlobalIndex()) - base != first) return false;
  if (map.isContiguous()) return true;
  using LocalOrdinal = Tpetra::Map<>::local_ordinal_type;
  for (Index i = 0; i < count; ++i)
    if (static_cast<Index>(map.getGlobalElement(static_cast<LocalOrdinal>(i))) - base != first + i)
      return false;
  return true;
}

/// Collective. The numbering of a Map.
inline RankOrder rank_order(const Tpetra::Map<>& map, const Comm& comm) {
  RankOrder order;
  order.count = local_count(map);
  order.first = comm->exclusive_sum(order.count);
  std::int64_t native = is_run_from(map, order.first) ? 1 : 0;
  comm->allreduce(&native, 1, Reduction::min);
  order.native = native != 0;
  return order;
}

/// Requires numbers that a value of the matrix represents exactly, because they are sent as values
/// of a vector.
template <class Scalar>
void require_exact(Index largest) {
  constexpr int digits = std::numeric_limits<decltype(PetscRealPart(Scalar()))>::digits;
  if (largest >> digits == 0) return;
  throw NotRepresentable(
      adapter::reason("matrix.index-range", std::to_string(largest) + " columns",
                      "column numbers that a value of the matrix represents exactly",
                      "Build the matrix on a domain Map that is contiguous in rank order."));
}

/// A vector with the local elements `first`, `first` + 1, …
template <class Scalar>
void number_elements(Tpetra::Vector<Scalar>& vector, Index first) {
  Index number = first;
  for (Scalar& value : vector.getDataNonConst()) value = static_cast<PetscReal>(number++);
}

/// Collective in Tpetra. The number of each local column, given those of the domain's elements.
template <class Scalar>
std::vector<PetscInt> told_column_numbers(const Tpetra::CrsMatrix<Scalar>& matrix,
                                          const Tpetra::Vector<Scalar>& owned) {
  Tpetra::Vector<Scalar> local(matrix.getColMap());
  const auto importer = matrix.getGraph()->getImporter();
  if (!importer.is_null()) local.doImport(owned, *importer, Tpetra::INSERT);
  const auto data = importer.is_null() ? owned.getData() : local.getData();
  std::vector<PetscInt> numbers;
  numbers.reserve(static_cast<std::size_t>(data.size()));
  for (const Scalar& number : data)
    numbers.push_back(petsc::detail::petsc_int(static_cast<Index>(PetscRealPart(number))));
  return numbers;
}

/// Collective. PETSc's number of each local column, obtained from the owners.
template <class Scalar>
std::vector<PetscInt> asked_column_numbers(const Tpetra::CrsMatrix<Scalar>& matrix,
                                           const RankOrder& columns, Call& call) {
  const auto domain = matrix.getDomainMap();
  call.check([&] { require_exact<Scalar>(static_cast<Index>(domain->getGlobalNumElements())); });
  return call.library("tpetra", "Tpetra::Vector::doImport", Patience{}, [&] {
    Tpetra::Vector<Scalar> owned(domain);
    number_elements(owned, columns.first);
    return told_column_numbers(matrix, owned);
  });
}

/// The number of local columns, counted from the first, that are the owned ones in their order.
template <class Scalar>
Index same_columns(const Tpetra::CrsMatrix<Scalar>& matrix, Index owned_columns) {
  const auto importer = matrix.getGraph()->getImporter();
  return importer.is_null() ? owned_columns : static_cast<Index>(importer->getNumSameIDs());
}

/// Process-local. The same if the domain Map's own numbers are PETSc's.
template <class Scalar>
std::vector<PetscInt> known_column_numbers(const Tpetra::CrsMatrix<Scalar>& matrix,
                                           const RankOrder& columns) {
  using LocalOrdinal = Tpetra::Map<>::local_ordinal_type;
  const auto& map = *matrix.getColMap();
  const Index count = local_count(map);
  const Index same = same_columns(matrix, columns.count);
  std::vector<PetscInt> numbers(static_cast<std::size_t>(count));
  for (Index c = 0; c < same; ++c)
    numbers[static_cast<std::size_t>(c)] = static_cast<PetscInt>(columns.first + c);
  const Index base = static_cast<Index>(matrix.getDomainMap()->getMinAllGlobalIndex());
  for (Index c = same; c < count; ++c)
    numbers[static_cast<std::size_t>(c)] = petsc::detail::petsc_int(
        static_cast<Index>(map.getGlobalElement(static_cast<LocalOrdinal>(c))) - base);
  return numbers;
}

/// Collective. PETSc's number (rank after rank) of each local column of a fill-complete matrix,
/// whose columns are numbered as `columns` says. If the domain Map is contiguous in rank order,
/// ranks communicate only to agree on success.
template <class Scalar>
std::vector<PetscInt> column_numbers(const Tpetra::CrsMatrix<Scalar>& matrix,
                                     const RankOrder& columns, Call& call) {
  if (!columns.native) return asked_column_numbers(matrix, columns, call);
  return call.check([&] { return known_column_numbers(matrix, columns); });
}

template <class Scalar>
std::vector<PetscInt> column_numbers(const Tpetra::CrsMatrix<Scalar>& matrix, Call& call) {
  return column_numbers(matrix, rank_order(*matrix.getDomainMap(), call.comm()), call);
}

/// How the rows and columns of a matrix are divided in PETSc's numbering.
struct PetscOrder {
  RankOrder rows, columns;
  adapter::RowLayout layout;
};

/// Process-local. Requires a matrix on a row and range Map that PETSc can have, too.
template <class Scalar>
void require_like_petsc(const Tpetra::CrsMatrix<Scalar>& matrix) {
  static_cast<void>(petsc::detail::require_session());
  tpetra::require_trilinos();
  if (!matrix.isFillComplete())
    adapter::refuse_argument("matrix.unassembled", "a CrsMatrix that is not fill-complete",
                             "a fill-complete matrix", "Call fillComplete first.");
  if (matrix.getRowMap() != matrix.getRangeMap() &&
      !same_here(*matrix.getRowMap(), *matrix.getRangeMap()))
    throw NotRepresentable(
        adapter::reason("matrix.maps", "a row Map and a range Map that differ",
                        "the same Map for both, as in PETSc",
                        "Export it to a matrix on the range Map (exportAndFillComplete)."));
  require_petsc_ints(static_cast<Index>(matrix.getRangeMap()->getGlobalNumElements()),
                     static_cast<Index>(matrix.getDomainMap()->getGlobalNumElements()),
                     static_cast<Index>(matrix.getLocalMatrixHost().values.extent(0)));
}

/// Collective. Requires one-to-one Maps, because a row or column of PETSc is on one rank only.
inline RankOrder one_to_one_order(const Tpetra::Map<>& map, Call& call) {
  const RankOrder order = rank_order(map, call.comm());
  if (order.native || one_to_one(map, call)) return order;
  throw NotRepresentable(adapter::reason(
      "matrix.maps", "a Map with an index on several ranks",
      "one-to-one row and domain Maps, like PETSc's layouts",
      "Export the matrix to a Map made by " + names::one_to_one + " (exportAndFillComplete)."));
}

/// Collective. The order of a matrix that is required to be like PETSc's, on one-to-one Maps.
template <class Scalar>
PetscOrder petsc_order(const Tpetra::CrsMatrix<Scalar>& matrix, Call& call) {
  const auto row_map = matrix.getRowMap(), domain_map = matrix.getDomainMap();
  PetscOrder order;
  order.rows = one_to_one_order(*row_map, call);
  order.columns = domain_map == row_map ? order.rows : one_to_one_order(*domain_map, call);
  order.layout = {order.rows.range(), order.columns.range(),
                  static_cast<Index>(matrix.getRangeMap()->getGlobalNumElements()),
                  static_cast<Index>(domain_map->getGlobalNumElements())};
  return order;
}

/// The rows of a fill-complete matrix, with PETSc's number of each local column.
/// @param first_row  PETSc's number of the first row. If it is given, each row gets an entry on the
///                   diagonal
template <class Scalar>
LocalRows local_rows(const Tpetra::CrsMatrix<Scalar>& matrix,
                     const std::vector<PetscInt>& column_numbers,
                     std::optional<Index> first_row = std::nullopt) {
  const auto local = matrix.getLocalMatrixHost();
  const auto count = static_cast<std::size_t>(local.numRows());
  // Without owned columns, so that all have global numbers.
  const auto given = tpetra::detail::crs_rows<PetscScalar>(
      local, {{0, static_cast<Index>(count)}, {}, 0, 0}, column_numbers);
  const std::size_t room = given.entries() + (first_row ? count : 0);
  static_cast<void>(petsc::detail::petsc_int(static_cast<Index>(room)));
  LocalRows rows;
  rows.starts.resize(count + 1);
  rows.columns.resize(room);
  rows.values.resize(room);
  adapter::RowWriter writer(rows.starts.data(), rows.columns.data(), rows.values.data());
  for (std::size_t r = 0; r < count; ++r) {
    PetscScalar diagonal = 0;
    const auto own =
        first_row ? petsc::detail::petsc_int(*first_row + static_cast<Index>(r)) : PetscInt{-1};
    given.row(
        r, [](auto, const auto&) {},
        [&](PetscInt column, const PetscScalar& value) {
          writer.add(column, value);
          if (column == own) diagonal += value;
        });
    if (first_row) {
      writer.add(own, 0);
      rows.zero_diagonal = rows.zero_diagonal || diagonal == PetscScalar(0);
    }
    writer.end_row();
  }
  return rows;
}

/// The same for a square matrix. Throws InvalidArgument unless its row, domain and range Maps have
/// the same local elements.
template <class Scalar>
LocalRows square_rows(const Tpetra::CrsMatrix<Scalar>& matrix,
                      const std::vector<PetscInt>& column_numbers,
                      std::optional<Index> first_row = std::nullopt) {
  if (!matrix.getRowMap()->locallySameAs(*matrix.getDomainMap()))
    throw InvalidArgument("matrix",
                          "a coarse matrix whose rows and columns are divided differently",
                          "a square matrix with the same Map for its rows and its vectors");
  return local_rows(matrix, column_numbers, first_row);
}

}  // namespace daptor::solvers
