// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_vector.h>

#ifndef DEAL_II_WITH_TRILINOS
#error "daptor/dealii/trilinos.hpp: this deal.II was configured without Trilinos."
#endif

#include <Epetra_CrsMatrix.h>
#include <Epetra_Map.h>
#include <Epetra_MultiVector.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "daptor/adapter/reason.hpp"
#include "daptor/buffer.hpp"
#include "daptor/call.hpp"
#include "daptor/csr_rows.hpp"
#include "daptor/dealii/vector.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/error.hpp"

/// \file
/// TrilinosWrappers' vectors and matrices, which are Epetra's. Programs link daptor::core.

namespace daptor::dealii {

namespace detail {

using EpetraVector = ::dealii::TrilinosWrappers::MPI::Vector;

/// Refers to a vector, whose memory `reinit` replaces.
class EpetraProducer final : public Producer {
 public:
  explicit EpetraProducer(const EpetraVector& vector)
      : vector_(vector), count_(vector.trilinos_vector().MyLength()) {}
  void* begin_access(Access /*access*/, void* described) override {
    const Epetra_MultiVector& now = vector_.trilinos_vector();
    if (now.MyLength() != count_)
      throw Stale("a vector of deal.II that was reinitialized since it was described",
                  "Describe it again.");
    return described == nullptr ? nullptr : now.Values();
  }

 private:
  const EpetraVector& vector_;
  int count_;
};

inline std::vector<Index> indices_of(const Epetra_BlockMap& map) {
  std::vector<Index> list(static_cast<std::size_t>(map.NumMyElements()));
  for (int i = 0; i < map.NumMyElements(); ++i) list[static_cast<std::size_t>(i)] = map.GID64(i);
  return list;
}

/// The indices of a vector with ghosts, of which deal.II knows the owned ones.
inline Dimension ghosted_dimension(const EpetraVector& vector, GridPosition grid) {
  const auto size = static_cast<Index>(vector.size());
  std::vector<Index> all = indices_of(vector.trilinos_vector().Map());
  const ::dealii::IndexSet owned = vector.locally_owned_elements();
  std::vector<Index> positions;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (owned.is_element(static_cast<::dealii::types::global_dof_index>(all[i])))
      positions.push_back(static_cast<Index>(i));
  return unstructured(size, grid, IndexList(std::move(all)), OwnedPart::at(std::move(positions)));
}

inline Dimension dimension_of(const EpetraVector& vector) {
  const Epetra_BlockMap& map = vector.trilinos_vector().Map();
  const GridPosition grid = position(vector.get_mpi_communicator());
  const auto size = static_cast<Index>(vector.size());
  if (vector.has_ghost_elements()) return ghosted_dimension(vector, grid);
  if (!map.LinearMap()) return unstructured(size, grid, IndexList(indices_of(map)), true);
  const Index first = map.MinMyGID64();
  return block(size, grid, IndexRange{first, first + map.NumMyElements()});
}

inline DistArray describe(const EpetraVector& vector, bool readonly) {
  Call call(vector.get_mpi_communicator(), "dealii::describe");
  return call
      .check([&] {
        const Epetra_MultiVector& native = vector.trilinos_vector();
        auto producer = std::make_unique<EpetraProducer>(vector);
        Buffer buffer(DataType::of<double>(), {native.MyLength()}, {sizeof(double)},
                      native.Values(), readonly,
                      std::make_shared<SharedState>(std::move(producer)));
        return Section(protocol_0_9, std::move(buffer), {dimension_of(vector)});
      })
      .on(call.comm());
}

}  // namespace detail

/// \name TrilinosWrappers::MPI::Vector
/// The vector as an array of doubles of one dimension, on its memory and its communicator: a block
/// if its Map is contiguous in rank order, otherwise the list of the Map. deal.II orders the
/// elements of a vector with ghosts by their index, so that ghosts may be before and between what a
/// process owns (OwnedPart). Collective: one small all-reduce. Nothing is copied.
///
/// The vector must live as long as the array and what is made of it. If it has other memory by then
/// (`reinit`, `swap`), leases and imports throw Stale.
/// @param vector  a const one gives a read-only array
/// \{
inline DistArray describe(::dealii::TrilinosWrappers::MPI::Vector& vector) {
  return detail::describe(vector, false);
}
inline DistArray describe(const ::dealii::TrilinosWrappers::MPI::Vector& vector) {
  return detail::describe(vector, true);
}
/// \}

namespace detail {

template <>
struct Describer<EpetraVector> {
  template <class Vector>
  static DistArray describe(Vector& vector) {
    return dealii::describe(vector);
  }
};

template <>
struct Applied<EpetraVector> {
  static MPI_Comm comm(const EpetraVector& v) { return v.get_mpi_communicator(); }
  static Index count(const EpetraVector& v) { return v.trilinos_vector().MyLength(); }
  static const void* memory(const EpetraVector& v) { return v.begin(); }
  static const void* layout(const EpetraVector& v) { return v.trilinos_vector().Map().DataPtr(); }
  static std::shared_ptr<const void> hold(const EpetraVector& v) {
    return std::make_shared<Epetra_BlockMap>(v.trilinos_vector().Map());
  }
  /// deal.II does not write to vectors with ghosts, which may be before what a process owns.
  static const char* obstacle(const EpetraVector& v) {
    return v.has_ghost_elements() ? "a vector of TrilinosWrappers with ghosts" : nullptr;
  }
  static void before_write(EpetraVector& /*v*/) {}
  struct Reading {
    explicit Reading(const EpetraVector& v) : data(v.begin()) {}
    const double* data;
  };
  struct Writing {
    explicit Writing(EpetraVector& v) : data(v.begin()) {}
    double* data;
  };
};

/// Elements that another object keeps, as a container.
template <class T>
struct Elements {
  T* first = nullptr;
  std::size_t count = 0;
  T* data() const { return first; }
  std::size_t size() const { return count; }
  T& operator[](std::size_t i) const { return first[i]; }
};

/// This process's rows.
struct Rows {
  Elements<const double> values;
  std::shared_ptr<std::vector<Index>> columns;
  std::vector<Index> lengths;
};

inline Rows rows_of(const Epetra_CrsMatrix& matrix) {
  if (!matrix.Filled() || !matrix.StorageOptimized())
    throw NotRepresentable(adapter::reason(
        "dealii.matrix.storage", "a matrix of Epetra whose rows are apart in memory",
        "a matrix after its assembly", "Call compress() first."));
  if (!matrix.RowMap().LinearMap() || !matrix.DomainMap().LinearMap())
    throw NotRepresentable(adapter::reason(
        "dealii.matrix.rows", "a matrix of Epetra whose rows or columns are not contiguous",
        "rows in the order of the ranks", "Renumber the degrees of freedom."));
  Rows rows;
  const auto count = static_cast<std::size_t>(matrix.NumMyNonzeros());
  if (matrix.NumMyRows() > 0) rows.values = {matrix[0], count};
  rows.columns = std::make_shared<std::vector<Index>>();
  rows.columns->reserve(count);
  for (int row = 0; row < matrix.NumMyRows(); ++row) {
    int length = 0, *columns = nullptr;
    matrix.Graph().ExtractMyRowView(row, length, columns);
    rows.lengths.push_back(length);
    for (int e = 0; e < length; ++e) rows.columns->push_back(matrix.GCID64(columns[e]));
  }
  return rows;
}

}  // namespace detail

/// Collective over the communicator of the matrix. Describes the rows of an assembled matrix: the
/// values where they are, read-only; columns and offsets on new memory (8 bytes each). Within a row
/// Epetra's columns are in no order; `copy_csr` of PETSc and Tpetra sorts them.
///
/// \code
/// auto A = daptor::petsc::copy_csr(daptor::dealii::describe(matrix));  // a PETSc Mat
/// \endcode
/// @param matrix  must live as long as the arrays
/// @returns arrays that are proven
/// @throws NotRepresentable on all ranks: `dealii.matrix.storage` (not assembled),
///   `dealii.matrix.rows` (rows or columns are not contiguous in rank order)
inline CsrArrays describe(const ::dealii::TrilinosWrappers::SparseMatrix& matrix) {
  Call call(matrix.get_mpi_communicator(), "dealii::describe");
  const detail::Rows rows = call.check([&] { return detail::rows_of(matrix.trilinos_matrix()); });
  return csr_from_rows(rows.values, *rows.columns, rows.lengths, static_cast<Index>(matrix.n()),
                       call.comm(), 0, rows.columns);
}

}  // namespace daptor::dealii
