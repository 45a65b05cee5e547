// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>

#include <mpi.h>

// What imports return is used at once: with its own types, not with promises of them.
#include <Teuchos_RCP.hpp>
#include <Tpetra_Map.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Vector.hpp>

#include "daptor/comm.hpp"
#include "daptor/dimension.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/explain.hpp"
#include "daptor/halo_exchange.hpp"
#include "daptor/numbering.hpp"
#include "daptor/tpetra/copy.hpp"
#include "daptor/tpetra/csr.hpp"
#include "daptor/tpetra/imported.hpp"
#include "daptor/tpetra/scalar.hpp"

/// \file
/// Distributed arrays as Tpetra maps and vectors on the same memory, and back.
///
/// Local ordinals, global ordinals and the node are those that the installation defaults to
/// (`Tpetra::Map<>`). The program starts Kokkos (`Tpetra::ScopeGuard` or `Tpetra::initialize`)
/// before the first call and ends it after the last; Daptor does neither. Every import and every
/// first export of a Map is collective and returns on all ranks or throws the same error on all
/// ranks.
///
/// \code
/// auto X = daptor::tpetra::import_multivector<double>(a, comm);  // a: any DistArray of doubles
/// preconditioner->apply(*X.get(), *Y.get());                     // works in the array's memory
///
/// daptor::DistArray b = daptor::tpetra::export_multivector(Z);   // Z: an RCP of a MultiVector
/// \endcode

namespace daptor::tpetra {

/// The global indices of a Map. Natural: a contiguous Map where each rank's indices are one run and
/// the runs follow each other in rank order, else a Map from a list, of which Tpetra keeps 32 bytes
/// an index (8 where they are one run). Contiguous: always a contiguous Map, without a list.
using daptor::Numbering;

/// Which elements of each section.
enum class Part {
  /// Without communication padding; of a list that knows its owned indices (`owned_then_ghosts`)
  /// these.
  owned,
  /// All of the local section, communication padding and ghosts included; natural numbering only.
  /// Where a periodic dimension has both ends on one process the Map has indices of it several
  /// times there.
  overlap
};

/// The same on all ranks (rule `argument` otherwise).
struct MapOptions {
  Numbering numbering = Numbering::natural;  ///< which global indices the elements have
  Part part = Part::owned;                   ///< which elements of each section are in the Map
  /// Global index of the logical array's first element.
  Index index_base = 0;
};

/// \name Imports
/// All are collective over `comm`, which may be freed afterwards. Local order is row-major order of
/// the section.
///
/// No lease covers a write through a native object: call `modified()` on the array afterwards, on
/// all ranks, if its producer caches values (a PETSc Vec does).
/// @tparam Scalar  the array's element type
/// @param array    this process's section, with memory (but for import_map), which the native
///                 object keeps alive
/// @param comm     the processes that the array is divided among, over MPI
/// @param options  how the elements are numbered, and which of them; the same on all ranks
/// @returns the Map, or a vector on the array's memory; no element is copied
/// @throws Malformed on all ranks, as all of the following, where the sections do not make one
///   array
/// @throws NotRepresentable with a rule `tpetra.…` of docs/errors-tpetra.md
/// @throws InvalidArgument for options, and (`tpetra.not-initialized`) where Kokkos is not running
/// @throws Stale where the producer has other memory than it described; Finalized
/// \{

/// The Map of the array's elements. Index metadata only: does not need or keep the array's memory.
/// Any element type.
Teuchos::RCP<const Tpetra::Map<>> import_map(const DistArray& array, const Comm& comm,
                                             const MapOptions& options = {});

/// The array as one vector on the Map of its elements. Needs each rank's elements as one gapless
/// run of memory in row-major order; a trailing undistributed dimension of b (components of a node)
/// gives global index node * b + component.
template <class Scalar>
ImportedVector<Scalar> import_vector(const DistArray& array, const Comm& comm,
                                     const MapOptions& options = {});
/// The same for reading only; the array may be read-only.
template <class Scalar>
ImportedConstVector<Scalar> import_vector_readonly(const DistArray& array, const Comm& comm,
                                                   const MapOptions& options = {});

/// The array as columns. A leading undistributed dimension of k in an array of two or more
/// dimensions gives k columns, whose stride is the leading dimension (at least the rows of a
/// column; gaps between columns are left alone); any other array gives one column. Rows are
/// numbered by the dimensions that remain. Each column must be one gapless run in row-major order.
template <class Scalar>
ImportedMultiVector<Scalar> import_multivector(const DistArray& array, const Comm& comm,
                                               const MapOptions& options = {});
/// The same for reading only; the array may be read-only.
template <class Scalar>
ImportedConstMultiVector<Scalar> import_multivector_readonly(const DistArray& array,
                                                             const Comm& comm,
                                                             const MapOptions& options = {});
/// \}

/// \name Exports
/// Collective the first time for each Map, over its communicator: is it contiguous in rank order,
/// and if not, is it one-to-one? The second question costs what `prove_one_to_one` does: of a
/// million permuted indices on each of two processes about a quarter of the time that making the
/// Map took, and a tenth of `Map::isOneToOne`. The answers are kept on the Map, and later exports
/// on the same Map are process-local. The first time, an error is thrown on all ranks;
/// later, locally. An empty (null) argument is an InvalidArgument on the rank that passed it,
/// without communication: pass it on no rank or on all.
/// \{

/// The one dimension that a Map describes, as indices relative to its index base: a block where the
/// Map is contiguous in rank order, however it was built, else unstructured, which says
/// `one_to_one` where no index is on two processes. Without copying the Map's list where its index
/// base is 0 and its ordinals are 64-bit. A locally replicated Map on more than one process is
/// unstructured. A Map that Part::overlap made of one dimension with padding or ghosts is that
/// dimension, which knows who owns what.
///
/// @param map  the dimension keeps a reference of it where it does not copy its list
/// @returns this process's part of the dimension
/// @throws NotRepresentable (`tpetra.index-range`; `tpetra.repeated-index` where a process has an
///   index twice, which no list may)
Dimension export_map(const Teuchos::RCP<const Tpetra::Map<>>& map);

/// The same as a dimension of a given size, of which the Map may have any part: it then fits an
/// array whose last indices are not in the Map. A block only where the Map has all of it.
/// @param map          as above
/// @param global_size  size of the dimension, more than the largest index less the index base; the
///                     same on all ranks
/// @throws InvalidArgument (`argument`) for a Map with larger indices; otherwise as above
Dimension export_map(const Teuchos::RCP<const Tpetra::Map<>>& map, Index global_size);

namespace detail {
template <class Scalar>
DistArray export_multivector(const Teuchos::RCP<Tpetra::MultiVector<Scalar>>& x,
                             std::optional<Index> rows);
template <class Scalar>
DistArray export_multivector_readonly(const Teuchos::RCP<const Tpetra::MultiVector<Scalar>>& x,
                                      std::optional<Index> rows);
HaloExchange overlap_exchange(const std::function<DistArray(std::optional<Index> rows)>& exported,
                              const Teuchos::RCP<const Tpetra::Map<>>& overlap,
                              const Teuchos::RCP<const Tpetra::Map<>>& owned);
}  // namespace detail

/// The array in a MultiVector's memory. One column (a Vector too) gives one dimension, that of the
/// Map; k columns give two, the columns first: `{undistributed(k), export_map(map)}`, their stride
/// the leading dimension. On a Map that Part::overlap made of an array with padding or ghosts the
/// rows are the dimensions of that array, so that its halo exchange, redistribution and imports
/// work on it. The description keeps a reference of `x`, never an open view; a lease throws Stale
/// where `x` has other memory by then.
/// @param x     a MultiVector or Vector, not const. Of a non-owning RCP (`rcpFromRef`) the object
///              must outlive the description
/// @param rows  global size of the rows' one dimension, as export_map takes it, on any Map; without
///              it, what the Map has
/// @returns this process's section, on the memory of `x`
/// @throws NotRepresentable for columns without constant stride (`tpetra.stride`) and for memory
///   out of the host's reach (`tpetra.device`)
template <class Native>
DistArray export_multivector(const Teuchos::RCP<Native>& x,
                             std::optional<Index> rows = std::nullopt) {
  static_assert(
      !std::is_const_v<Native>,
      "a const MultiVector is exported for reading: daptor::tpetra::export_multivector_readonly");
  using Scalar = typename Native::scalar_type;
  if constexpr (has_scalar<Scalar>) {
    return detail::export_multivector<Scalar>(Teuchos::RCP<Tpetra::MultiVector<Scalar>>(x), rows);
  } else {
    detail::refuse_scalar(DataType::of<Scalar>());
  }
}

/// The same as a read-only array, also of a MultiVector that is not const.
/// @param x, rows  as export_multivector
template <class Native>
DistArray export_multivector_readonly(const Teuchos::RCP<Native>& x,
                                      std::optional<Index> rows = std::nullopt) {
  using Scalar = typename Native::scalar_type;
  if constexpr (has_scalar<Scalar>) {
    return detail::export_multivector_readonly<Scalar>(
        Teuchos::RCP<const Tpetra::MultiVector<Scalar>>(x), rows);
  } else {
    detail::refuse_scalar(DataType::of<Scalar>());
  }
}
/// \}

/// Collective over the Maps' communicator. Fills the elements of `x` that its overlap Map shares
/// with others from the processes that have them in `owned`, in x's own memory: what a
/// Tpetra::Import from a MultiVector on `owned` to `x` does, without that MultiVector and without
/// passing over the owned elements; `accumulate` is what an Export from `x` with `Tpetra::ADD`
/// does. Equal bit by bit. Of an index that is on a process several times `accumulate` takes each
/// copy, of which an Export finds one.
///
/// `owned` is one-to-one, and each process has the indices in its overlap Map that it owns. An
/// index may be on a process several times, as in a periodic dimension with both ends there, where
/// the overlap Map is one that Part::overlap made of a padded array and `owned` has what that array
/// owns on each process.
/// @param x      a MultiVector or Vector on an overlap Map, not const; a reference of it is kept
/// @param owned  the Map whose indices each process owns
/// @returns the exchange, on the memory of `x`
/// @throws InvalidArgument on all ranks (`halo.owned`), also where the Maps count from different
///   index bases; NotRepresentable (`tpetra.repeated-index`) for an index several times on a
///   process otherwise; as export_multivector and HaloExchange
/// \code
/// auto ghosts = daptor::tpetra::overlap_exchange(x, domain_map);
/// ghosts.update();
/// \endcode
template <class Native>
HaloExchange overlap_exchange(const Teuchos::RCP<Native>& x,
                              const Teuchos::RCP<const Tpetra::Map<>>& owned) {
  return detail::overlap_exchange(
      [&](std::optional<Index> rows) { return export_multivector(x, rows); },
      x.is_null() ? Teuchos::null : x->getMap(), owned);
}

/// The MPI communicator of a Map. Process-local.
/// @returns MPI_COMM_SELF for a serial Map; the communicator belongs to the Map and is not to be
///   freed
MPI_Comm communicator(const Tpetra::Map<>& map);

/// \name Targets
/// What `explain` asks: `tpetra.map`, `tpetra.vector`, `tpetra.multivector` (natural numbering) and
/// `tpetra.overlap-multivector`. What the vectors cannot hold, `copy_to_multivector` copies.
/// \{
const Target& map_target();
const Target& vector_target();
const Target& multivector_target();
const Target& overlap_multivector_target();
/// \}

/// Adds these targets to those that `daptor::explain` asks. The adapter calls it itself when it is
/// loaded; a program that uses nothing else of the adapter calls it, so that the linker keeps the
/// library. Process-local, harmless when repeated. Always true.
bool register_targets();

namespace detail {
template <class Native>
Imported<Native> import_native(const DistArray& array, const Comm& comm, const MapOptions& options);

template <class Native>
Imported<Native> import_if_available(const DistArray& array, const Comm& comm,
                                     const MapOptions& options) {
  using Scalar = typename ScalarOf<Native>::type;
  static_assert(
      !std::is_const_v<Scalar>,
      "memory for reading is imported by import_vector_readonly, import_multivector_readonly");
  if constexpr (has_scalar<Scalar>) {
    return detail::import_native<Native>(array, comm, options);
  } else {
    refuse_scalar(DataType::of<Scalar>(), comm, "tpetra::import_multivector");
  }
}
}  // namespace detail

template <class Scalar>
ImportedVector<Scalar> import_vector(const DistArray& array, const Comm& comm,
                                     const MapOptions& options) {
  return detail::import_if_available<Tpetra::Vector<Scalar>>(array, comm, options);
}

template <class Scalar>
ImportedConstVector<Scalar> import_vector_readonly(const DistArray& array, const Comm& comm,
                                                   const MapOptions& options) {
  return detail::import_if_available<const Tpetra::Vector<Scalar>>(array, comm, options);
}

template <class Scalar>
ImportedMultiVector<Scalar> import_multivector(const DistArray& array, const Comm& comm,
                                               const MapOptions& options) {
  return detail::import_if_available<Tpetra::MultiVector<Scalar>>(array, comm, options);
}

template <class Scalar>
ImportedConstMultiVector<Scalar> import_multivector_readonly(const DistArray& array,
                                                             const Comm& comm,
                                                             const MapOptions& options) {
  return detail::import_if_available<const Tpetra::MultiVector<Scalar>>(array, comm, options);
}

}  // namespace daptor::tpetra
