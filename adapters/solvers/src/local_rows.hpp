#pragma once

#include <algorithm>
#include <vector>

#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Vector.hpp>

#include "coarse_pc.hpp"
#include "daptor/error.hpp"
#include "local_count.hpp"
#include "petsc/src/call.hpp"
#include "together.hpp"

namespace daptor::solvers {

/// Collective over `comm`. PETSc's number (rank after rank) of each local column of a square
/// matrix. The numbers travel as values of a vector, which hold them exactly.
template <class Scalar>
std::vector<PetscInt> column_numbers(const Tpetra::CrsMatrix<Scalar>& matrix,
                                     const MpiCommunicator& comm) {
  const auto domain = matrix.getDomainMap();
  const Index count = local_count(*domain);
  const Index first = comm.exclusive_sum(count);
  return together(comm, "tpetra", "Tpetra::Vector::doImport", [&] {
    Tpetra::Vector<Scalar> owned(domain);
    Tpetra::Vector<Scalar> local(matrix.getColMap());
    {
      const auto data = owned.getDataNonConst();
      for (Index i = 0; i < count; ++i)
        data[static_cast<Teuchos_Ordinal>(i)] = static_cast<PetscReal>(first + i);
    }
    const auto importer = matrix.getGraph()->getImporter();
    if (!importer.is_null()) local.doImport(owned, *importer, Tpetra::INSERT);
    const auto data = importer.is_null() ? owned.getData() : local.getData();
    std::vector<PetscInt> numbers;
    for (const Scalar& number : data)
      numbers.push_back(petsc::detail::petsc_int(static_cast<Index>(PetscRealPart(number))));
    return numbers;
  });
}

/// The rows of a square matrix whose row, domain and range Map have the same local elements.
template <class Scalar>
LocalRows local_rows(const Tpetra::CrsMatrix<Scalar>& matrix,
                     const std::vector<PetscInt>& column_numbers) {
  if (!matrix.getRowMap()->locallySameAs(*matrix.getDomainMap()))
    throw InvalidArgument("matrix", "a coarse matrix whose rows and columns are divided otherwise",
                          "a square matrix with one Map for its rows and its vectors");
  const auto local = matrix.getLocalMatrixHost();
  LocalRows rows;
  rows.starts.push_back(0);
  std::vector<std::pair<PetscInt, PetscScalar>> row;
  for (decltype(local.numRows()) r = 0; r < local.numRows(); ++r) {
    row.clear();
    for (auto e = local.graph.row_map(static_cast<std::size_t>(r));
         e < local.graph.row_map(static_cast<std::size_t>(r) + 1); ++e)
      row.emplace_back(column_numbers.at(static_cast<std::size_t>(local.graph.entries(e))),
                       local.values(e));
    std::sort(row.begin(), row.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [column, value] : row) {
      rows.columns.push_back(column);
      rows.values.push_back(value);
    }
    rows.starts.push_back(petsc::detail::petsc_int(static_cast<Index>(rows.columns.size())));
  }
  return rows;
}

}  // namespace daptor::solvers
