// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Teuchos_RCP.hpp>
#include <Tpetra_Map_fwd.hpp>
#include <Tpetra_MultiVector_fwd.hpp>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/fields.hpp"
#include "daptor/tpetra/imported.hpp"
#include "daptor/tpetra/scalar.hpp"

/// \file
/// Copies arrays into Tpetra's own memory, onto any Map.
///
/// To copy back, call `copy_from_multivector`. For an array of one column,
/// `daptor::redistribute(export_multivector_readonly(X), a)` does the same, and so does a
/// Redistribution that is made once.
///
/// For two MultiVectors on different Maps there is no function of its own: the following line does
/// what `doImport` with `Tpetra::REPLACE` does, bit by bit.
/// \code
/// redistribute(export_multivector_readonly(X), export_multivector(Y));
/// \endcode

namespace daptor::tpetra {

/// Options that must be the same on all ranks (rule `collective.different` otherwise).
struct CopyOptions {
  bool one_column = false;
  bool read_from_any = false;
  bool convert = false;
};
constexpr auto fields(const CopyOptions&) {
  return field_list(
      field("one_column", &CopyOptions::one_column,
            "make one column even if the first dimension is undistributed"),
      field("read_from_any", &CopyOptions::read_from_any,
            "unstructured indices may be on several ranks, with the same value, and any is read"),
      field("convert", &CopyOptions::convert,
            "element types may differ as NumPy's same_kind casting allows"));
}

namespace detail {
template <class Scalar>
ImportedMultiVector<Scalar> copy_to_map(const DistArray& array,
                                        const Teuchos::RCP<const Tpetra::Map<>>& map,
                                        const CopyOptions& options);
template <class Scalar>
ImportedMultiVector<Scalar> copy_to_map(const DistArray& array, const CopyOptions& options);
template <class Scalar>
void copy_from_map(const Teuchos::RCP<const Tpetra::MultiVector<Scalar>>& x, const DistArray& array,
                   const CopyOptions& options);
/// Throws NotRepresentable, rule `tpetra.scalar`. With a communicator it is collective, as the call
/// of that name.
[[noreturn]] void refuse_scalar(const DataType& type);
[[noreturn]] void refuse_scalar(const DataType& type, const Comm& comm, const char* name);
}  // namespace detail

/// \name Copies
/// Copy any array, whatever its distribution, order, strides and padding, into a new MultiVector in
/// memory that Tpetra owns. If the array has two or more dimensions and the first is undistributed
/// with size k, there are k columns (see CopyOptions::one_column). The remaining dimensions number
/// the rows in row-major order, even if the array is in Fortran order.
///
/// A copy is the same kind of object as an import: `get()` returns the MultiVector, `array()`
/// describes the copy, and `close()` releases both. If the copy has one column,
/// `redistribute(copy.array(), a)` copies it back. The MultiVector may outlive the object.
///
/// @tparam Scalar  element type of the MultiVector
/// @param array    with memory, which is read and not kept
/// @param options  columns, repeated indices and conversion; the same on all ranks
/// @returns the MultiVector, with the description of its memory
/// @throws Malformed if the sections do not form one array; this and all of the following is thrown
///   on all ranks
/// @throws NotRepresentable (`tpetra.scalar`, `tpetra.type` unless `convert`, `tpetra.device`,
///   `tpetra.global-ordinal`, `tpetra.local-ordinal`)
/// @throws InvalidArgument for options that differ between ranks (`collective.different`); like
///   Redistribution, with `redistribute.missing` and `redistribute.overlap` for unstructured
///   indices
/// @throws LibraryFailed; Stale; if Kokkos is not running, Finalized or InvalidArgument
///   (`tpetra.not-initialized`)
/// \{

/// Copies onto an existing Map, with any distribution of its indices, which are row numbers once
/// the index base is subtracted. A Map that Part::overlap made of an array with padding or ghosts
/// stands for the elements of that array, whatever their numbers. Rows that no process of the Map
/// has are left out; rows that several processes have arrive at all of them. Collective over the
/// Map's communicator, on whose processes the array must be (`collective.comm`).
/// @param map  the Map of the result
/// @throws InvalidArgument (`argument`) also if an index of the Map is not a row, and for a null
///   Map; the latter without communication
///
/// Example: six rows on two processes. The Map has 0, 2, 4, 5 on process 0 and 4, 5, 1, 3 on
/// process 1, so rows 4 and 5 arrive at both.
template <class Scalar>
ImportedMultiVector<Scalar> copy_to_multivector(const DistArray& array,
                                                const Teuchos::RCP<const Tpetra::Map<>>& map,
                                                const CopyOptions& options = {}) {
  if constexpr (has_scalar<Scalar>) {
    return detail::copy_to_map<Scalar>(array, map, options);
  } else {
    detail::refuse_scalar(DataType::of<Scalar>());
  }
}

/// Copies onto a new contiguous Map that is as even as possible and counts from 0. Collective over
/// the array's communicator, of MPI.
template <class Scalar>
ImportedMultiVector<Scalar> copy_to_multivector(const DistArray& array,
                                                const CopyOptions& options = {}) {
  if constexpr (has_scalar<Scalar>) {
    return detail::copy_to_map<Scalar>(array, options);
  } else {
    detail::refuse_scalar(DataType::of<Scalar>(), array.comm(), "tpetra::copy_to_multivector");
  }
}
/// \}

/// Collective over the communicator of x's Map, on whose processes the array must be
/// (`collective.comm`). Copies back: writes the columns of `x` to the array, whatever its
/// distribution, and calls `modified()` for it.
/// @param x        a MultiVector or Vector, which is read
/// @param array    with writable memory
/// @param options  see copy_to_multivector; set `read_from_any` if the Map has an index on several
///                 processes, all of which hold the same value
/// @throws InvalidArgument on all ranks; also if the number of columns differs (`argument`), and if
///   no process of the Map has some row (`redistribute.missing`)
/// @throws Error otherwise like copy_to_multivector
template <class Native>
void copy_from_multivector(const Teuchos::RCP<Native>& x, const DistArray& array,
                           const CopyOptions& options = {}) {
  using Scalar = typename Native::scalar_type;
  if constexpr (has_scalar<Scalar>) {
    detail::copy_from_map<Scalar>(Teuchos::RCP<const Tpetra::MultiVector<Scalar>>(x), array,
                                  options);
  } else {
    detail::refuse_scalar(DataType::of<Scalar>());
  }
}

}  // namespace daptor::tpetra
