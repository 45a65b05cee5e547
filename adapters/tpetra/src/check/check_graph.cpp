// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <Tpetra_CrsGraph.hpp>
#include <Tpetra_Export.hpp>
#include <Tpetra_Import.hpp>
#include <Tpetra_Map.hpp>

#include "../export_map.hpp"
#include "daptor/adapter/row_faults.hpp"
#include "daptor/error.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/kokkos.hpp"
#include "graph.hpp"
#include "maps.hpp"
#include "transfer.hpp"

namespace daptor::tpetra {
namespace {

using adapter::Findings;
using Graph = Tpetra::CrsGraph<>;
using LocalColumn = Map::local_ordinal_type;
using Global = Contributions::Global;

Findings about(const GraphObject& object, const std::string& part = "") {
  return findings_about(object.kind, object.name, part);
}

/// Ifpack2, MueLu and others take the first columns for those of the rows of this rank.
void look_at_column_order(const Map& columns, const Map& domain, Findings& findings) {
  const Index count = count_of(columns);
  Index before = -1;
  bool others = false;
  for (Index c = 0; c < count; ++c) {
    const Index index = global_of(columns, c);
    const auto owned = static_cast<Index>(domain.getLocalElement(static_cast<Global>(index)));
    const bool is_owned = owned >= 0 && owned < count_of(domain);
    if (is_owned && (others || owned < before)) {
      findings.warning("check.graph.column-order",
                       "column " + std::to_string(index) +
                           ", which this rank owns, stands behind " +
                           (others ? "columns of other ranks"
                                   : "one that follows it in the domain "
                                     "Map") +
                           " in the column Map",
                       "the columns that a rank owns first, in the order of the domain Map, as "
                       "Ifpack2 and MueLu take them",
                       "Let fillComplete make the column Map, or list the owned columns first.");
      return;
    }
    if (is_owned)
      before = owned;
    else
      others = true;
  }
}

bool in_range_of(Index count, const LocalColumn* begin, const LocalColumn* end) {
  return std::all_of(begin, end, [&](LocalColumn column) { return column >= 0 && column < count; });
}

void tell_column_range(Findings& findings) {
  findings.error("check.graph.range", "a local column that the column Map does not have",
                 "local columns of the column Map",
                 "Correct the local indices, or the column Map that belongs to them.");
}

/// The same of a graph that is not fill-complete, and may have no local columns yet.
bool local_columns_in_range(const Graph& graph) {
  if (!graph.isLocallyIndexed() || !graph.hasColMap()) return true;
  const Index count = count_of(*graph.getColMap()), rows = count_of(*graph.getRowMap());
  typename Graph::local_inds_host_view_type view;
  for (Index r = 0; r < rows; ++r) {
    graph.getLocalRowView(static_cast<LocalColumn>(r), view);
    if (!in_range_of(count, view.data(), view.data() + view.extent(0))) return false;
  }
  return true;
}

struct RowsFound {
  adapter::RowFaults faults;
  bool in_range = true;
};

/// The columns of all rows.
RowsFound look_at_rows(const Graph& graph) {
  RowsFound rows;
  const Map& row_map = *graph.getRowMap();
  const Map& columns = *graph.getColMap();
  const Index row_count = count_of(row_map), column_count = count_of(columns);
  typename Graph::local_inds_host_view_type view;
  for (Index r = 0; r < row_count; ++r) {
    graph.getLocalRowView(static_cast<LocalColumn>(r), view);
    const LocalColumn* const begin = view.data();
    const LocalColumn* const end = begin + view.extent(0);
    rows.in_range = in_range_of(column_count, begin, end);
    if (!rows.in_range) return rows;
    const Index row = global_of(row_map, r);
    rows.faults.look_at_row(begin, end, row, columns.getLocalElement(static_cast<Global>(row)),
                            [&](LocalColumn column) { return global_of(columns, column); });
  }
  // Rows that are said to be unsorted may be so.
  if (!graph.isSorted()) rows.faults.unordered = {};
  return rows;
}

/// The Map's indices that another Map does not have on this rank.
std::vector<Global> indices_elsewhere(const Map& map, const Map& owner) {
  std::vector<Global> indices;
  for (Index i = 0; i < count_of(map); ++i) {
    const auto index = static_cast<Global>(global_of(map, i));
    if (!owner.isNodeGlobalElement(index)) indices.push_back(index);
  }
  return indices;
}

/// The columns, and those of `more`, that the domain Map does not have on this rank, each once.
std::vector<Global> columns_elsewhere(const Graph& graph, const Map& domain,
                                      const std::vector<Global>& more = {}) {
  std::vector<Global> columns;
  const auto note = [&](Global column) {
    if (!domain.isNodeGlobalElement(column)) columns.push_back(column);
  };
  if (graph.hasColMap()) {
    columns = indices_elsewhere(*graph.getColMap(), domain);
  } else if (graph.isGloballyIndexed()) {
    const Map& rows = *graph.getRowMap();
    typename Graph::global_inds_host_view_type view;
    for (Index r = 0; r < count_of(rows); ++r) {
      graph.getGlobalRowView(static_cast<Global>(global_of(rows, r)), view);
      std::for_each(view.data(), view.data() + view.extent(0), note);
    }
  }
  std::for_each(more.begin(), more.end(), note);
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

/// Indices and the Map that should have them, as a finding names them.
struct Sought {
  const char* what;   ///< `column`
  const char* where;  ///< `domain`
  const char* whose = " of this rank";
  const char* remedy =
      "Correct the index, or pass the right domain and range Map to fillComplete: those of the "
      "columns and rows of a matrix that is not square.";
};

constexpr Sought columns_in_domain{"column", "domain"};
constexpr Sought rows_in_range{"row", "range"};
constexpr Sought contributed_rows{
    "row", "row", ", into which this rank has inserted entries,",
    "Correct the index of the row: insertGlobalValues takes any, and fillComplete then looks for "
    "the rank that has it."};

/// `row 15 of this rank is`, `rows 15, 17 and 3 others of this rank are`
std::string named(const std::vector<Global>& indices, const Sought& sought) {
  constexpr std::size_t most = 8;
  std::string text = sought.what + std::string(indices.size() == 1 ? " " : "s ");
  const std::size_t count = std::min(indices.size(), most);
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + std::to_string(indices[i]);
  if (count < indices.size()) text += " and " + std::to_string(indices.size() - count) + " others";
  return text + sought.whose + (indices.size() == 1 ? " is" : " are");
}

/// Whether each of the indices is in a Map on some rank. A fact of an Inspection.
class Owned {
 public:
  explicit Owned(const Sought& sought) : sought_(sought) {}

  /// Tpetra can be asked for the owners of a Map's indices, in which ranks with Maps of different
  /// kinds would wait for each other.
  void gather(const Teuchos::RCP<const Map>& map, std::vector<Global> indices, Call& call) {
    map_ = map;
    indices_ = std::move(indices);
    const auto kind = static_cast<std::int64_t>(4 * map->getGlobalNumElements()) +
                      (map->isUniform() ? 2 : 0) + (map->isContiguous() ? 1 : 0);
    least_ = call.least(kind);
    greatest_ = call.greatest(kind);
    usable_ = call.all(on_processes_of(*map, call));
  }
  static bool settled() { return false; }
  /// @returns whether all are
  bool ask(Call& call) {
    if (!usable_ || least_ != greatest_) return true;
    std::vector<int> ranks = call.check([&] { return std::vector<int>(indices_.size(), -1); });
    call.library("tpetra", "Tpetra::Map::getRemoteIndexList", [&] {
      return map_->getRemoteIndexList(Teuchos::arrayViewFromVector(std::as_const(indices_)),
                                      Teuchos::arrayViewFromVector(ranks));
    });
    const auto owned = call.all([&] {
      for (std::size_t i = 0; i < ranks.size(); ++i)
        if (ranks[i] == -1) unowned_.push_back(indices_[i]);
      return unowned_.empty();
    });
    call.check();
    return owned;
  }
  void tell(Findings& findings) const {
    if (unowned_.empty()) return;
    const std::string where = std::string(sought_.where) + " Map";
    findings.error("check.graph.unowned",
                   named(unowned_, sought_) + " in the " + where + " of no rank",
                   "each " + std::string(sought_.what) + " in the " + where, sought_.remedy);
  }

 private:
  const Sought& sought_;
  Teuchos::RCP<const Map> map_;
  std::vector<Global> indices_, unowned_;
  Agreed<bool> usable_;
  Agreed<std::int64_t> least_, greatest_;
};

/// The Maps of a graph that is, or is going to be, fill-complete.
void add_ends(MapChecks& maps, const GraphObject& object, const Teuchos::RCP<const Map>& domain,
              const Teuchos::RCP<const Map>& range, Call& call) {
  maps.add(domain, MapDemand::owned, about(object, "domain Map"), call);
  maps.add(range, MapDemand::owned, about(object, "range Map"), call);
}

/// A graph that is fill-complete on all ranks, as a fact of an Inspection.
class Filled {
 public:
  explicit Filled(const GraphObject& object)
      : object_(object),
        importer_({false, true, true}, about(object, "Import of the columns")),
        exporter_({true, false, true}, about(object, "Export of the rows")) {}

  void gather(Findings& findings, Call& call) {
    const Graph& graph = object_.graph;
    const auto row = graph.getRowMap(), column = graph.getColMap(), domain = graph.getDomainMap(),
               range = graph.getRangeMap();
    add_ends(maps_, object_, domain, range, call);
    maps_.add(column, MapDemand::unique, about(object_, "column Map"), call);
    maps_.add(row, MapDemand::any, about(object_, "row Map"), call);
    const auto importer = graph.getImporter();
    const auto exporter = graph.getExporter();
    const bool usable = on_processes_of(*domain, call) && on_processes_of(*column, call) &&
                        on_processes_of(*range, call);
    columns_.gather(domain, columns_elsewhere(graph, *domain), call);
    targets_.gather(range, indices_elsewhere(*row, *range), call);
    importer_.gather(importer.get(), *domain, *column, usable, call);
    exporter_.gather(exporter.get(), *row, *range, usable, call);
    look_at_column_order(*column, *domain, findings);
    rows_ = look_at_rows(graph);
    if (!rows_.in_range) tell_column_range(findings);
    square_ = call.all(same_here(*row, *range) && same_here(*row, *domain));
  }
  static bool settled() { return false; }
  void ask(Call& call) {
    maps_.ask(call);
    importer_.ask(call);
    exporter_.ask(call);
    Agreed<bool> columns_move, rows_move;
    call.check([&] {
      columns_move = call.all(importer_.compare());
      rows_move = call.all(exporter_.compare());
    });
    // Tpetra makes wrong lists where indices have no owner; then these are the fault.
    columns_owned_ = columns_move || columns_.ask(call);
    rows_owned_ = rows_move || targets_.ask(call);
  }
  void tell(Findings& findings) {
    maps_.tell(findings);
    columns_.tell(findings);
    targets_.tell(findings);
    if (columns_owned_) importer_.tell(findings);
    if (rows_owned_) exporter_.tell(findings);
    rows_.faults.tell(square_, findings);
    if (object_.look_at_values && rows_.in_range) object_.look_at_values(square_, findings);
  }

 private:
  const GraphObject& object_;
  MapChecks maps_;
  TransferCheck importer_, exporter_;
  RowsFound rows_;
  Agreed<bool> square_;
  Owned columns_{columns_in_domain}, targets_{rows_in_range};
  bool columns_owned_ = true, rows_owned_ = true;
};

}  // namespace

Report check_filled_or_not(const GraphObject& object, const detail::FillMaps& fill) {
  const auto row = object.graph.getRowMap();
  Inspection look(*row, about(object));
  Call& call = look.call();
  Agreed<bool> filled, not_filled, prepared;
  call.check([&] {
    require_trilinos();
    filled = call.all(object.filled);
    not_filled = call.all(!object.filled);
    prepared = call.all(!fill.domain.is_null() && !fill.range.is_null());
  });
  if (filled) {
    Filled graph(object);
    look.gather([&](Findings& findings) { graph.gather(findings, call); });
    return look.conclude(graph);
  }
  Owned contributions(contributed_rows);
  if (!not_filled) {
    look.gather([&](Findings& findings) {
      if (!object.filled)
        findings.error(
            "check.graph.filled-on-some", "not fill-complete on this rank, where it is on others",
            "the same state on all ranks, since products and fillComplete are collective",
            "Call fillComplete and resumeFill on all ranks of the object.");
    });
    return look.conclude();
  }
  if (!prepared) {
    look.gather([&](Findings& findings) {
      contributions.gather(row, object.contributions().rows, call);
      findings.warning("check.graph.not-filled", "not fill-complete", "a fill-complete object",
                       "Call fillComplete, or pass the domain and range Map to this check, which "
                       "then says whether fillComplete can work.");
    });
    return look.conclude(contributions);
  }
  MapChecks maps;
  Owned columns(columns_in_domain), rows(rows_in_range);
  look.gather([&](Findings& findings) {
    Contributions sent = object.contributions();
    add_ends(maps, object, fill.domain, fill.range, call);
    maps.add(row, MapDemand::any, about(object, "row Map"), call);
    columns.gather(fill.domain, columns_elsewhere(object.graph, *fill.domain, sent.columns), call);
    rows.gather(fill.range, indices_elsewhere(*row, *fill.range), call);
    contributions.gather(row, std::move(sent.rows), call);
    if (!local_columns_in_range(object.graph)) tell_column_range(findings);
  });
  return look.conclude(maps, columns, rows, contributions);
}

Report detail::check_graph(const Teuchos::RCP<const Tpetra::CrsGraph<>>& graph,
                           const FillMaps& fill) {
  if (graph.is_null()) throw InvalidArgument("object", "a null RCP", "a CrsGraph");
  const auto contributions = [&] {
    Contributions found;
    Inserted<Graph>::note(*graph, found);
    return found;
  };
  return check_filled_or_not(
      {"CrsGraph", *graph, *graph, graph->isFillComplete(), nullptr, contributions}, fill);
}

}  // namespace daptor::tpetra
