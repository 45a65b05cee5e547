// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include <Teuchos_RCP.hpp>
#include <Tpetra_CombineMode.hpp>
#include <Tpetra_CrsGraph_fwd.hpp>
#include <Tpetra_CrsMatrix_fwd.hpp>
#include <Tpetra_Export_fwd.hpp>
#include <Tpetra_Import_fwd.hpp>
#include <Tpetra_Map_fwd.hpp>

#include "daptor/fields.hpp"
#include "daptor/report.hpp"
#include "daptor/tpetra/config.hpp"

/// \file
/// What is wrong with objects of Tpetra that Tpetra itself does not look at, unless it was built
/// for debugging: Maps that do not fit each other, Imports that move other elements than the Maps
/// say, rows and values of matrices.
///
/// \code
/// // A is an RCP of a CrsMatrix; called on all ranks.
/// const daptor::Report report = daptor::tpetra::check(A);
/// if (!report) std::cerr << report << '\n';
/// \endcode
///
/// `docs/check-rules.md` lists the rules.

namespace daptor::tpetra {

/// What a Map is used for.
enum class MapUse { any, owned };
constexpr auto words(MapUse) {
  return word_list(
      word("any", MapUse::any, "such as the target of an Import; ranks may share indices"),
      word("owned", MapUse::owned,
           "a domain or range Map, or the Map of vectors whose norms are computed: each index is "
           "on one rank"));
}

namespace detail {
/// The Maps with which a graph is going to be filled; null if it is looked at as it is.
struct FillMaps {
  Teuchos::RCP<const Tpetra::Map<>> domain, range;
};

Report check_map(const Teuchos::RCP<const Tpetra::Map<>>& map, MapUse use);
Report check_transfer(const Teuchos::RCP<const Tpetra::Import<>>& import);
Report check_transfer(const Teuchos::RCP<const Tpetra::Export<>>& exporter,
                      Tpetra::CombineMode mode);
Report check_graph(const Teuchos::RCP<const Tpetra::CrsGraph<>>& graph, const FillMaps& fill);
template <class Scalar>
Report check_matrix(const Teuchos::RCP<const Tpetra::CrsMatrix<Scalar>>& matrix,
                    const FillMaps& fill);

inline Report check_object(const Teuchos::RCP<const Tpetra::Map<>>& map) {
  return check_map(map, MapUse::any);
}
inline Report check_object(const Teuchos::RCP<const Tpetra::Import<>>& import) {
  return check_transfer(import);
}
inline Report check_object(const Teuchos::RCP<const Tpetra::Export<>>& exporter) {
  return check_transfer(exporter, Tpetra::ADD);
}
inline Report check_object(const Teuchos::RCP<const Tpetra::CrsGraph<>>& graph,
                           const FillMaps& fill = {}) {
  return check_graph(graph, fill);
}
template <class Scalar>
Report check_object(const Teuchos::RCP<const Tpetra::CrsMatrix<Scalar>>& matrix,
                    const FillMaps& fill = {}) {
  return check_matrix<Scalar>(matrix, fill);
}
template <class Native>
using ConstRcp = Teuchos::RCP<const std::remove_const_t<Native>>;
}  // namespace detail

/// \name Findings about an object
///
/// Collective over the communicator of the object: that of the Map, of the source Map, or of the
/// row Map. Returns the same report on all ranks: each finding names its rule (`check.…`), the
/// lowest of the ranks at fault, and the object by its class and label. The object stays as it is.
/// A check before fillComplete asks the domain Map for the owners of indices, for which Tpetra
/// keeps a directory with the Map.
///
/// @param object  not null on any rank, of Tpetra's default ordinals and node. If it is null, the
///                rank throws InvalidArgument without communication: pass it on all ranks or on
///                none
/// @returns a report that is true if nothing is wrong; warnings do not count as wrong
/// @throws InvalidArgument (`tpetra.not-initialized`, `tpetra.build`), Finalized, on all ranks
/// \{

/// Looks at an object as it is: a Map for any use, an Import, an Export whose contributions are
/// added, a CrsGraph, or a CrsMatrix of a scalar for which the installed Tpetra has matrices. Of
/// graphs and matrices that are not fill-complete only that is found, and rows with entries that no
/// rank has in its row Map.
template <class Native>
Report check(const Teuchos::RCP<Native>& object) {
  return detail::check_object(detail::ConstRcp<Native>(object));
}

/// Looks at a Map for this use.
inline Report check(const Teuchos::RCP<const Tpetra::Map<>>& map, MapUse use) {
  return detail::check_map(map, use);
}

/// Looks at an Export that is used with this mode. With INSERT and REPLACE it is left open which of
/// several values for one index remains.
inline Report check(const Teuchos::RCP<const Tpetra::Export<>>& exporter,
                    Tpetra::CombineMode mode) {
  return detail::check_transfer(exporter, mode);
}

/// Looks at a CrsGraph or CrsMatrix whose `fillComplete(domain, range)` is the next call, for what
/// makes that fail. One that is fill-complete already is looked at as above.
/// @param domain, range  not null
template <class Native>
Report check(const Teuchos::RCP<Native>& object, const Teuchos::RCP<const Tpetra::Map<>>& domain,
             const Teuchos::RCP<const Tpetra::Map<>>& range) {
  return detail::check_object(detail::ConstRcp<Native>(object), {domain, range});
}
/// \}

}  // namespace daptor::tpetra
