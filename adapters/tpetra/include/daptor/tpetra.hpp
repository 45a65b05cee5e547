// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>

#include <mpi.h>

// Complete types, because callers use what imports return at once.
#include <Teuchos_RCP.hpp>
#include <Tpetra_Map.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Vector.hpp>

#include "daptor/comm.hpp"
#include "daptor/dimension.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/explain.hpp"
#include "daptor/fields.hpp"
#include "daptor/halo_exchange.hpp"
#include "daptor/numbering.hpp"
#include "daptor/tpetra/copy.hpp"
#include "daptor/tpetra/csr.hpp"
#include "daptor/tpetra/imported.hpp"
#include "daptor/tpetra/scalar.hpp"

/// \file
/// Distributed arrays as Tpetra maps and vectors on the same memory, and back.
///
/// Local ordinals, global ordinals and the node are the defaults of the installation
/// (`Tpetra::Map<>`). The program starts Kokkos (`Tpetra::ScopeGuard` or `Tpetra::initialize`)
/// before the first call and ends it after the last; Daptor does neither. Every import, and the
/// first export of every Map, is collective and returns on all ranks or throws the same error on
/// all ranks.
///
/// \code
/// auto X = daptor::tpetra::import_multivector<double>(a);  // a: any DistArray of doubles
/// preconditioner->apply(*X.get(), *Y.get());               // works in the array's memory
///
/// daptor::DistArray b = daptor::tpetra::export_multivector(Z);  // Z: an RCP of a MultiVector
/// \endcode

namespace daptor::tpetra {

/// The global indices of a Map. Natural numbering gives a contiguous Map if each rank's indices are
/// one run and the runs follow each other in rank order, otherwise a Map from a list, of which
/// Tpetra keeps 32 bytes per index (8 if they are one run). Contiguous numbering gives a contiguous
/// Map, without a list, unless Part::overlap adds padding or ghosts: these have the numbers of
/// their owners. The rows of a MultiVector without columns are numbered contiguously, unless they
/// are lists, or padded with Part::overlap.
using daptor::Numbering;

/// Which elements of each section are in the Map.
enum class Part { owned, overlap };
constexpr auto words(Part) {
  return word_list(
      word("owned", Part::owned,
           "all elements except communication padding; of a list that says which indices are owned "
           "(owned_then_ghosts), the owned ones"),
      word("overlap", Part::overlap,
           "the whole local section, including communication padding and ghosts, whatever the "
           "numbering: an element has the same index on all ranks, so the Map is not one-to-one; "
           "if a periodic dimension has both ends on one rank, the Map has some of its indices "
           "several times there"));
}

/// Options that must be the same on all ranks (rule `collective.different` otherwise).
struct MapOptions {
  Numbering numbering = Numbering::natural;
  Part part = Part::owned;
  Index index_base = 0;
};
constexpr auto fields(const MapOptions&) {
  return field_list(
      field("numbering", &MapOptions::numbering, "which global indices the elements have"),
      field("part", &MapOptions::part, "which elements of each section are in the Map"),
      field("index_base", &MapOptions::index_base,
            "global index of the logical array's first element"));
}

/// \name Imports
/// All are collective over the array's communicator, which may be freed afterwards. The local order
/// is the row-major order of the section.
///
/// No lease covers a write through a native object. If the array's producer caches values, as a
/// PETSc Vec does, call `modified()` on the array afterwards, on all ranks.
/// @tparam Scalar  the array's element type
/// @param array    over MPI, with memory (import_map needs none), which the native object keeps
///                 alive
/// @param options  which elements to use, and how they are numbered; the same on all ranks
/// @returns the Map, or a vector on the array's memory; no element is copied
/// @throws Malformed if the sections do not form one array; this and all of the following is thrown
///   on all ranks
/// @throws NotRepresentable with a rule `tpetra.…` of docs/errors-tpetra.md
/// @throws InvalidArgument for wrong options, and (`tpetra.not-initialized`) if Kokkos is not
///   running
/// @throws Stale if the producer's memory is no longer what was described; Finalized
/// \{

/// Makes the Map of the array's elements, which is index metadata only: the array may have any
/// element type, and its memory is neither needed nor kept.
Teuchos::RCP<const Tpetra::Map<>> import_map(const DistArray& array,
                                             const MapOptions& options = {});

/// Makes one vector of the array, on the Map of its elements. Each rank's elements must be one run
/// of memory without gaps, in row-major order. If the last dimension is undistributed with size b
/// (components of a node), the global index is node * b + component.
template <class Scalar>
ImportedVector<Scalar> import_vector(const DistArray& array, const MapOptions& options = {});
/// The same for reading only; the array may be read-only.
template <class Scalar>
ImportedConstVector<Scalar> import_vector_readonly(const DistArray& array,
                                                   const MapOptions& options = {});

/// Makes columns of the array. If the array has two or more dimensions and the first is
/// undistributed with size k, there are k columns, whose stride is the leading dimension (at least
/// the number of rows; gaps between columns are not touched). Any other array gives one column. The
/// remaining dimensions number the rows. Each column must be one run without gaps, in row-major
/// order.
template <class Scalar>
ImportedMultiVector<Scalar> import_multivector(const DistArray& array,
                                               const MapOptions& options = {});
/// The same for reading only; the array may be read-only.
template <class Scalar>
ImportedConstMultiVector<Scalar> import_multivector_readonly(const DistArray& array,
                                                             const MapOptions& options = {});
/// \}

/// \name Exports
/// Collective, over the communicator of the Map, the first time that a Map is exported. The ranks
/// then find out whether the Map is contiguous in rank order and, if not, whether it is one-to-one.
/// The second question costs what `prove_one_to_one` costs: for a million permuted indices on each
/// of two processes, about a quarter of the time that making the Map took, and a tenth of
/// `Map::isOneToOne`. The answers are kept with the Map, and later exports on the same Map are
/// process-local. The first time, an error is thrown on all ranks; later, it is thrown locally. A
/// null argument is an InvalidArgument on the rank that passed it, without communication, so pass
/// it on all ranks or on none.
/// \{

/// The one dimension that a Map describes, by indices relative to its index base. If the Map is
/// contiguous in rank order, however it was built, the dimension is a block. Otherwise it is
/// unstructured, and states `one_to_one` if no index is on two processes. The Map's list is not
/// copied if its index base is 0 and its ordinals have 64 bits. A locally replicated Map on more
/// than one process is unstructured. If Part::overlap made the Map of one dimension with padding or
/// ghosts, the result is that dimension, which says who owns which index; its indices are natural,
/// whatever the numbering of the Map. (With a size, below, the indices are those of the Map; and a
/// Map of contiguous numbers without ghosts is a block.)
///
/// @param map  the Map, to which the dimension holds a reference unless it copies the list
/// @returns this process's part of the dimension
/// @throws NotRepresentable (`tpetra.index-range`; `tpetra.repeated-index` if a process has an
///   index twice, which a list may not have)
Dimension export_map(const Teuchos::RCP<const Tpetra::Map<>>& map);

/// The same as a dimension of a given size, of which the Map may have any part, so that it fits an
/// array whose last indices are not in the Map. The dimension is a block only if the Map has all of
/// it.
/// @param map          see above
/// @param global_size  size of the dimension, which exceeds the largest index less the index base;
///                     the same on all ranks
/// @throws InvalidArgument (`argument`) if the Map has larger indices; otherwise the errors above
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

/// The array in a MultiVector's memory, on the communicator of the Map. One column (also of a
/// Vector) gives one dimension, that of the Map. k columns give two, the columns first:
/// `{undistributed(k), export_map(map)}`, and the stride of the columns is the leading dimension.
/// If Part::overlap made the Map of an array with padding or ghosts, the rows have the dimensions
/// of that array, so that its halo exchange, redistribution and imports work on it. The description
/// holds a reference to `x`, never an open view. A lease throws Stale if `x` has other memory by
/// then. With vectors on a device the array is on the side that has the newest values, and a lease
/// throws Stale once the other side is newer.
/// @param x     a MultiVector or Vector that is not const. If the RCP does not own it
///              (`rcpFromRef`), the object must outlive the description
/// @param rows  global size of the rows, described as one dimension as by export_map, on any Map;
///              without it, the dimensions of the Map
/// @returns the array on the memory of `x`
/// @throws NotRepresentable for columns without constant stride (`tpetra.stride`)
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

/// The same as a read-only array; the MultiVector may be const.
/// @param x, rows  see export_multivector
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

/// Collective over the Maps' communicator. Makes an exchange that fills, in x's own memory, the
/// elements of `x` that its overlap Map shares with other processes, with the values of the
/// processes that have them in `owned`. The result is that of a Tpetra::Import from a MultiVector
/// on `owned` to `x`, without that MultiVector and without touching the owned elements. The result
/// of `accumulate` is that of an Export from `x` with `Tpetra::ADD`. Both are equal bit by bit. If
/// an index is on a process several times, `accumulate` uses each copy, while an Export finds only
/// one of them.
///
/// `owned` must be one-to-one, and the overlap Map on each process must have the indices that the
/// process owns. An index may be several times on a process, as in a periodic dimension with both
/// ends there, if Part::overlap made the overlap Map of a padded array and `owned` has on each
/// process what that array owns there, in the same numbering.
/// @param x      a MultiVector or Vector on an overlap Map, not const, to which the exchange holds
///               a reference
/// @param owned  the Map whose indices each process owns
/// @returns the exchange, on the memory of `x`
/// @throws InvalidArgument on all ranks (`halo.owned`), also if the Maps have different index
///   bases; NotRepresentable (`tpetra.repeated-index`) if an index is several times on a process in
///   any other case; otherwise like export_multivector and HaloExchange
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
/// @returns MPI_COMM_SELF for a serial Map. The communicator belongs to the Map: do not free it
MPI_Comm communicator(const Tpetra::Map<>& map);

/// \name Targets
/// What `explain` asks: `tpetra.map`, `tpetra.vector`, `tpetra.multivector` (natural numbering) and
/// `tpetra.overlap-multivector`. For arrays that the vectors cannot hold, `copy_to_multivector`
/// makes copies.
/// \{
const Target& map_target();
const Target& vector_target();
const Target& multivector_target();
const Target& overlap_multivector_target();
/// \}

/// Adds these targets to those that `daptor::explain` asks. The adapter calls this itself when it
/// is loaded. A program that uses no other function of the adapter must call it, so that the linker
/// keeps the library. Process-local; it may be called repeatedly. Always returns true.
bool register_targets();

namespace detail {
template <class Native>
Imported<Native> import_native(const DistArray& array, const MapOptions& options);

template <class Native>
Imported<Native> import_if_available(const DistArray& array, const MapOptions& options) {
  using Scalar = typename ScalarOf<Native>::type;
  static_assert(
      !std::is_const_v<Scalar>,
      "memory for reading is imported by import_vector_readonly, import_multivector_readonly");
  if constexpr (has_scalar<Scalar>) {
    return detail::import_native<Native>(array, options);
  } else {
    refuse_scalar(DataType::of<Scalar>(), array.comm(), "tpetra::import_multivector");
  }
}
}  // namespace detail

template <class Scalar>
ImportedVector<Scalar> import_vector(const DistArray& array, const MapOptions& options) {
  return detail::import_if_available<Tpetra::Vector<Scalar>>(array, options);
}

template <class Scalar>
ImportedConstVector<Scalar> import_vector_readonly(const DistArray& array,
                                                   const MapOptions& options) {
  return detail::import_if_available<const Tpetra::Vector<Scalar>>(array, options);
}

template <class Scalar>
ImportedMultiVector<Scalar> import_multivector(const DistArray& array, const MapOptions& options) {
  return detail::import_if_available<Tpetra::MultiVector<Scalar>>(array, options);
}

template <class Scalar>
ImportedConstMultiVector<Scalar> import_multivector_readonly(const DistArray& array,
                                                             const MapOptions& options) {
  return detail::import_if_available<const Tpetra::MultiVector<Scalar>>(array, options);
}

}  // namespace daptor::tpetra
