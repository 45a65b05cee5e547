// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Teuchos_RCP.hpp>
#include <Tpetra_Map_fwd.hpp>
#include <Tpetra_MultiVector_fwd.hpp>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/tpetra/imported.hpp"
#include "daptor/tpetra/scalar.hpp"

/// \file
/// Arrays copied into Tpetra's own memory, onto any Map.
///
/// The way back is `copy_from_multivector`. For an array of one column that is
/// `daptor::redistribute(export_multivector_readonly(X), a, comm)`, also as a Redistribution that
/// is made once.
///
/// Two MultiVectors on different Maps need no function of their own: the first line does what
/// `doImport` with `Tpetra::REPLACE` does, bit by bit.
/// \code
/// redistribute(export_multivector_readonly(X), export_multivector(Y), comm);
/// \endcode

namespace daptor::tpetra {

/// The same on all ranks (rule `argument` otherwise).
struct CopyOptions {
  /// One column also where the first dimension is undistributed.
  bool one_column = false;
  bool read_from_any = false;  ///< as RedistributionOptions::read_from_any
  bool convert = false;        ///< as RedistributionOptions::convert
};

namespace detail {
template <class Scalar>
ImportedMultiVector<Scalar> copy_to_map(const DistArray& array,
                                        const Teuchos::RCP<const Tpetra::Map<>>& map,
                                        const CopyOptions& options);
template <class Scalar>
ImportedMultiVector<Scalar> copy_to_map(const DistArray& array, const Comm& comm,
                                        const CopyOptions& options);
template <class Scalar>
void copy_from_map(const Teuchos::RCP<const Tpetra::MultiVector<Scalar>>& x, const DistArray& array,
                   const CopyOptions& options);
/// Throws NotRepresentable, rule `tpetra.scalar`. With a communicator: collective, as the call of
/// that name.
[[noreturn]] void refuse_scalar(const DataType& type);
[[noreturn]] void refuse_scalar(const DataType& type, const Comm& comm, const char* call);
}  // namespace detail

/// \name Copies
/// Copy any array, whatever its distribution, order, strides and padding, into a new MultiVector in
/// memory that Tpetra owns. A leading undistributed dimension of k in an array of two or more
/// dimensions gives k columns (see CopyOptions::one_column); the dimensions that remain number the
/// rows, in row-major order, also of an array in Fortran order.
///
/// A copy is the same kind of object as an import: `get()` is the MultiVector, `array()` describes
/// the copy, so that `redistribute(copy.array(), a, comm)` brings it back where the array has one
/// column, and `close()` lets go of both. The MultiVector may outlive the object.
///
/// @tparam Scalar  element type of the MultiVector
/// @param array    this process's section, with memory; it is read and not kept
/// @param options  columns, repeated indices and conversion; the same on all ranks
/// @returns the MultiVector, and the description of its memory
/// @throws Malformed on all ranks, as all of the following, where the sections do not make one
///   array
/// @throws NotRepresentable (`tpetra.scalar`, `tpetra.type` unless `convert`, `tpetra.device`,
///   `tpetra.global-ordinal`, `tpetra.local-ordinal`)
/// @throws InvalidArgument for options that differ, and as Redistribution, with
///   `redistribute.missing` and `redistribute.overlap` for unstructured indices
/// @throws LibraryFailed; Stale; Finalized or InvalidArgument (`tpetra.not-initialized`) where
///   Kokkos is not running
/// \{

/// On a Map that exists, with any distribution of its indices: less its index base they are row
/// numbers. Rows that no process of the Map has are left out, those that several have arrive at all
/// of them. Collective over the Map's communicator, on which the array is described.
/// @param map  the Map of the result
/// @throws InvalidArgument (`argument`) also for a Map with an index that is no row, and for a null
///   Map, the latter without communication
///
/// Example, six rows on two processes, the Map of which has 0, 2, 4, 5 on process 0 and 4, 5, 1, 3
/// on process 1: rows 4 and 5 come to both.
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

/// On a new Map, contiguous and as even as can be, from 0. Collective over `comm`.
/// @param comm  the processes that the array is divided among, over MPI
template <class Scalar>
ImportedMultiVector<Scalar> copy_to_multivector(const DistArray& array, const Comm& comm,
                                                const CopyOptions& options = {}) {
  if constexpr (has_scalar<Scalar>) {
    return detail::copy_to_map<Scalar>(array, comm, options);
  } else {
    detail::refuse_scalar(DataType::of<Scalar>(), comm, "tpetra::copy_to_multivector");
  }
}
/// \}

/// Collective over the communicator of x's Map, on which the array is described. The way back:
/// copies the columns of `x` into the array, whatever its distribution, and calls `modified()` for
/// it.
/// @param x        a MultiVector or Vector, which is read
/// @param array    this process's section, with writable memory
/// @param options  as copy_to_multivector; `read_from_any` where the Map has an index on several
///                 processes, all of which hold the same value
/// @throws InvalidArgument on all ranks, also for another number of columns (`argument`), and for a
///   row that no process of the Map has (`redistribute.missing`)
/// @throws Error otherwise as copy_to_multivector
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
