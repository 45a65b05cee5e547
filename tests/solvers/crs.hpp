// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include <Teuchos_OrdinalTraits.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Map.hpp>

#include "support.hpp"

namespace daptor::test {

using Crs = solvers::CrsMatrix;
using CrsMap = Tpetra::Map<>;
using Global = CrsMap::global_ordinal_type;

/// How the rows of a Map are numbered.
enum class Ids { contiguous, from_one, backwards, dealt };

/// The global index of the i-th element of a rank whose elements begin at `first`, of `total`
/// elements.
inline Global id_of(Ids ids, PetscInt first, PetscInt i, PetscInt total) {
  switch (ids) {
    case Ids::contiguous:
      return first + i;
    case Ids::from_one:
      return first + i + 1;
    case Ids::backwards:
      return total - 1 - (first + i);
    case Ids::dealt:
      break;
  }
  // A permutation of the even numbers up to 2 * total, with gaps between them.
  return 2 * ((Global{first} + i) * 7919 % (total == 0 ? 1 : total));
}

inline PetscInt start(const Counts& counts, int rank) {
  PetscInt sum = 0;
  for (int r = 0; r < rank; ++r) sum += counts[static_cast<std::size_t>(r)];
  return sum;
}

/// A Map with `counts` elements, one count for each rank.
inline Teuchos::RCP<const CrsMap> crs_map(const Counts& counts, Ids ids) {
  const PetscInt total = sum(counts);
  std::vector<Global> list;
  for (PetscInt i = 0; i < mine(counts); ++i)
    list.push_back(id_of(ids, start(counts, world_rank()), i, total));
  return Teuchos::rcp(new CrsMap(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                                 Teuchos::ArrayView<const Global>(list.data(), list.size()),
                                 ids == Ids::from_one ? 1 : 0, Tpetra::getDefaultComm()));
}

/// The matrix with the entries of `scattered_matrix`, on Maps that may number them differently.
inline Teuchos::RCP<Crs> crs_matrix(const Counts& rows, const Counts& columns, Ids row_ids,
                                    Ids column_ids) {
  const auto row_map = crs_map(rows, row_ids);
  const auto domain_map =
      rows == columns && row_ids == column_ids ? row_map : crs_map(columns, column_ids);
  const PetscInt total = sum(columns);
  const auto matrix = Teuchos::rcp(new Crs(row_map, static_cast<std::size_t>(total)));
  for (PetscInt i = 0; i < mine(rows); ++i) {
    const PetscInt row = start(rows, world_rank()) + i;
    for (int rank = 0; rank < world_size(); ++rank)
      for (PetscInt j = 0; j < columns[static_cast<std::size_t>(rank)]; ++j) {
        const PetscInt column = start(columns, rank) + j;
        if (!has_entry(row, column)) continue;
        const Global id = id_of(column_ids, start(columns, rank), j, total);
        const double value = scattered(row, column);
        matrix->insertGlobalValues(row_map->getGlobalElement(static_cast<int>(i)), 1, &value, &id);
      }
  }
  matrix->fillComplete(domain_map, row_map);
  return matrix;
}

inline void scale(Crs& matrix, double factor) {
  matrix.resumeFill();
  matrix.scale(factor);
  matrix.fillComplete(matrix.getDomainMap(), matrix.getRangeMap());
}

}  // namespace daptor::test
