// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Teuchos_RCP.hpp>
#include <Tpetra_CrsGraph.hpp>
#include <Tpetra_CrsMatrix.hpp>

#include "daptor/tpetra/adapter/native.hpp"
#include "daptor/tpetra/adapter/space.hpp"

/// \file
/// For adapters that join Tpetra with another library: matrices on values that they do not own.

namespace daptor::tpetra {

/// A CrsMatrix on values that it does not own. Tpetra's constructors refuse such values, but a
/// derived class can set them.
template <class Scalar>
class ForeignValues final : public Tpetra::CrsMatrix<Scalar> {
 public:
  using Base = Tpetra::CrsMatrix<Scalar>;
  using Values = typename Base::local_matrix_device_type::values_type;
  using Graph = typename Base::crs_graph_type;

  /// Collective over the graph's communicator.
  /// @param graph   a fill-complete graph
  /// @param values  one for each entry of the graph on this process, row after row
  ForeignValues(const Teuchos::RCP<const Graph>& graph, const Values& values)
      : Base(graph, Values()) {
    using Wrapped = std::decay_t<decltype(this->valuesPacked_wdv)>;
    using Dual = typename Base::values_dualv_type;
    static_assert(host_vectors<Scalar>);
    this->valuesPacked_wdv = Wrapped(Dual(values, values));
    this->valuesUnpacked_wdv = this->valuesPacked_wdv;
    this->fillComplete(graph->getDomainMap(), graph->getRangeMap());
  }
};

/// Collective over the Maps' communicator. Makes a fill-complete matrix whose values stay where
/// they are. Throws NotRepresentable (`tpetra.device`) where this Tpetra has its values on a
/// device: refuse that before.
/// @param rows        this process's rows: local column numbers, and values that another object
///                    keeps alive
/// @param row_map     the Map of the rows, also used as range Map
/// @param column_map  gives the global column of each local number
/// @param domain_map  the Map of the vectors to which the matrix is applied
template <class Scalar>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> on_foreign_values(
    const typename Tpetra::CrsMatrix<Scalar>::local_matrix_device_type& rows,
    const Teuchos::RCP<const Tpetra::Map<>>& row_map,
    const Teuchos::RCP<const Tpetra::Map<>>& column_map,
    const Teuchos::RCP<const Tpetra::Map<>>& domain_map) {
  if constexpr (host_vectors<Scalar>) {
    using Graph = typename ForeignValues<Scalar>::Graph;
    const Teuchos::RCP<const Graph> graph =
        Teuchos::rcp(new Graph(rows.graph, row_map, column_map, domain_map, row_map));
    return Teuchos::rcp(new ForeignValues<Scalar>(graph, rows.values));
  } else {
    require_host_vectors("");
    return Teuchos::null;
  }
}

}  // namespace daptor::tpetra
