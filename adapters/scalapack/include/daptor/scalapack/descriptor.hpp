// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "daptor/builders.hpp"
#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/fields.hpp"
#include "daptor/scalapack/matrix.hpp"

/// \file
/// Matrices that somebody else described to ScaLAPACK, as arrays on the same memory.

namespace daptor::scalapack {

/// The part of a matrix that routines of ScaLAPACK are given by IA, JA, M and N: counted from 1.
struct Submatrix {
  Index first_row = 1;
  Index first_column = 1;
  Index rows = 0;
  Index columns = 0;
};
constexpr auto fields(const Submatrix&) {
  return field_list(field("first_row", &Submatrix::first_row, "IA"),
                    field("first_column", &Submatrix::first_column, "JA"),
                    field("rows", &Submatrix::rows, "M"),
                    field("columns", &Submatrix::columns, "N"));
}

namespace detail {
DistArray export_memory(const int* desc, const DataType& type, const daptor::detail::Memory& memory,
                        const std::optional<Submatrix>& part, const Comm& comm,
                        std::shared_ptr<const void> owner);
/// The processes of a context, row by row of the grid. Throws InvalidArgument.
MPI_Comm processes_of(const int* desc);

template <class T>
DataType element_type() {
  static_assert(is_element<std::remove_const_t<T>>, "not an element type of ScaLAPACK");
  return DataType::of<std::remove_const_t<T>>();
}
}  // namespace detail

/// \name Exports
/// Collective over `comm`, which has the processes of the descriptor's context, in any order. The
/// matrix as an array on `comm` and on the same memory: column-major, both dimensions block-cyclic
/// with the descriptor's blocks and first process; element (i, j) of this process's part is at
/// `data[i + j * LLD_]`. The caller keeps the memory alive, or `owner` does.
///
/// Every entry is judged on all processes and compared between them, which `descinit` does not do:
/// it judges what one process has, prints, and goes on with other values than it was given. Costs
/// one all-reduce and the proof that the sections make one array, which later imports do not
/// repeat.
/// @param desc   nine integers of a dense matrix, on every process of the grid
/// @param data   this process's part; may be null where that has no elements. Const elements make
///               the array read-only. A container with a size (std::vector, std::span) must hold
///               all that LLD_ reaches
/// @param comm   the processes of the grid; without it, those of the context row by row of the
///               grid, and then a context that is none is thrown on that process alone
/// @param owner  is kept until nothing refers to the memory any more
/// @throws Malformed on all ranks, with all that is wrong with the descriptor of the lowest rank at
///   fault: rules `scalapack.desc.…`, `key` the entry
/// @throws InvalidArgument on all ranks where an entry other than LLD_ differs between ranks
///   (`collective.different`, `key` the entry)
/// @throws Unsupported on all ranks for a descriptor that is not of a dense matrix
///   (`scalapack.desc.type`)
/// \{
// NOLINTBEGIN(performance-unnecessary-value-param): clang-tidy 14 does not see that the owner is
// moved from where other arguments depend on the type
template <class T>
DistArray export_matrix(const int* desc, T* data, const Comm& comm,
                        std::shared_ptr<const void> owner = nullptr) {
  return detail::export_memory(desc, detail::element_type<T>(),
                               daptor::detail::memory_of(data, std::nullopt), std::nullopt, comm,
                               std::move(owner));
}
template <class T>
DistArray export_matrix(const int* desc, T* data, std::shared_ptr<const void> owner = nullptr) {
  return export_matrix(desc, data, Comm(detail::processes_of(desc)), std::move(owner));
}
template <class Container, daptor::detail::RequireLength<Container> = 0>
DistArray export_matrix(const int* desc, Container&& memory, const Comm& comm,
                        std::shared_ptr<const void> owner = nullptr) {
  static_assert(daptor::detail::keeps_memory<Container>,
                "export_matrix: the container is a temporary, and its memory would be gone");
  using Element = daptor::detail::ElementOf<std::remove_reference_t<Container>>;
  return detail::export_memory(
      desc, detail::element_type<Element>(),
      daptor::detail::memory_of(memory.data(), static_cast<Index>(memory.size())), std::nullopt,
      comm, std::move(owner));
}
/// A part of the matrix. Its first row begins a block, or is in a grid of one row of processes, or
/// all of its rows are within one block; and so for its columns. Throws NotRepresentable on all
/// ranks (`scalapack.submatrix.blocks`) for other parts, and InvalidArgument for one that is not
/// within the matrix (`scalapack.submatrix.range`) or that differs between ranks
/// (`collective.different`).
template <class T>
DistArray export_submatrix(const int* desc, T* data, const Submatrix& part, const Comm& comm,
                           std::shared_ptr<const void> owner = nullptr) {
  return detail::export_memory(desc, detail::element_type<T>(),
                               daptor::detail::memory_of(data, std::nullopt), part, comm,
                               std::move(owner));
}
// NOLINTEND(performance-unnecessary-value-param)
/// \}

}  // namespace daptor::scalapack
