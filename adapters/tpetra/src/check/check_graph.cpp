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
#include "daptor/adapter/merged.hpp"
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
    const auto owned =
        static_cast<Index>(domain.getLocalElement(static_cast<Map::global_ordinal_type>(index)));
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
    rows.faults.look_at_columns(begin, end, row,
                                [&](LocalColumn column) { return global_of(columns, column); });
    const LocalColumn diagonal =
        columns.getLocalElement(static_cast<Map::global_ordinal_type>(row));
    if (begin == end)
      rows.faults.empty.note(row);
    else if (std::find(begin, end, diagonal) == end)
      rows.faults.no_diagonal.note(row);
  }
  // Rows that are said to be unsorted may be so.
  if (!graph.isSorted()) rows.faults.unordered = {};
  return rows;
}

/// The Import from the domain to the column Map, or the Export from the row to the range Map. There
/// is none if these Maps are the same.
class Mover {
 public:
  /// Process-local, inside a check.
  /// @param transfer  null if this rank has none
  /// @param usable    whether the Maps are on the processes of the call
  void look(const Transfer* transfer, const Map& source, const Map& target, bool usable,
            TransferUse use, Findings findings, Call& call) {
    if (transfer != nullptr) check_.emplace(*transfer, use, findings);
    findings_.emplace(std::move(findings));
    of_these_maps_ = transfer == nullptr ? same_here(source, target)
                                         : same_here(*transfer->getSourceMap(), source) &&
                                               same_here(*transfer->getTargetMap(), target);
    nowhere_ = call.all(transfer == nullptr);
    comparable_ = call.all(check_ && check_->in_range() && usable);
  }
  /// Collective.
  void exchange(Call& call) {
    if (!comparable_) return;
    const auto sent = call.check([&] { return check_->sent(); });
    received_ = call.comm()->exchange(sent);
  }
  /// Compares what was exchanged. Process-local, inside a check.
  /// @returns whether nothing is wrong on this rank
  bool compare() {
    if (!check_ && !nowhere_)
      tell("none on this rank, where other ranks have one");
    else if (!of_these_maps_)
      tell(check_ ? "made of other Maps" : "none, though the Maps differ on this rank");
    if (comparable_) check_->receive(received_);
    return report().findings().empty();
  }
  /// What this rank has found.
  Report report() const {
    Report report = findings_->report();
    if (check_) report.append(check_->report());
    return report;
  }

 private:
  void tell(const Terms& found) {
    findings_->error("check.graph.transfer", found,
                     "on all ranks an Import from the domain to the column Map and an Export from "
                     "the row to the range Map, unless these Maps are the same",
                     "Pass them to expertStaticFillComplete or replaceDomainMapAndImporter on all "
                     "ranks, or let fillComplete make them.");
  }

  std::optional<TransferCheck> check_;
  std::optional<Findings> findings_;
  bool of_these_maps_ = true;
  Agreed<bool> nowhere_, comparable_;
  std::vector<Message> received_;
};

/// The columns, and those of `more`, that the domain Map does not have on this rank, each once.
std::vector<Map::global_ordinal_type> columns_elsewhere(
    const Graph& graph, const Map& domain, const std::vector<Map::global_ordinal_type>& more = {}) {
  std::vector<Map::global_ordinal_type> columns;
  const auto note = [&](Map::global_ordinal_type column) {
    if (!domain.isNodeGlobalElement(column)) columns.push_back(column);
  };
  if (graph.hasColMap()) {
    const Map& map = *graph.getColMap();
    for (Index c = 0; c < count_of(map); ++c)
      note(static_cast<Map::global_ordinal_type>(global_of(map, c)));
  } else if (graph.isGloballyIndexed()) {
    const Map& rows = *graph.getRowMap();
    typename Graph::global_inds_host_view_type view;
    for (Index r = 0; r < count_of(rows); ++r) {
      graph.getGlobalRowView(static_cast<Map::global_ordinal_type>(global_of(rows, r)), view);
      std::for_each(view.data(), view.data() + view.extent(0), note);
    }
  }
  std::for_each(more.begin(), more.end(), note);
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

/// The rows that the range Map does not have on this rank.
std::vector<Map::global_ordinal_type> rows_elsewhere(const Graph& graph, const Map& range) {
  std::vector<Map::global_ordinal_type> rows;
  const Map& map = *graph.getRowMap();
  for (Index r = 0; r < count_of(map); ++r) {
    const auto row = static_cast<Map::global_ordinal_type>(global_of(map, r));
    if (!range.isNodeGlobalElement(row)) rows.push_back(row);
  }
  return rows;
}

/// Whether Tpetra can be asked for the owners of a Map's indices, in which ranks with Maps of
/// different kinds would wait for each other.
class Askable {
 public:
  /// Process-local, inside a check.
  void say(const Map& map, Call& call) {
    const auto kind = static_cast<std::int64_t>(4 * map.getGlobalNumElements()) +
                      (map.isUniform() ? 2 : 0) + (map.isContiguous() ? 1 : 0);
    least_ = call.least(kind);
    greatest_ = call.greatest(kind);
    usable_ = call.all(on_processes_of(map, call));
  }
  explicit operator bool() const { return usable_ && least_ == greatest_; }

 private:
  Agreed<bool> usable_;
  Agreed<std::int64_t> least_, greatest_;
};

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

/// Collective. Asks which of the indices are on no rank of the Map.
/// @returns whether there are such on any rank
bool tell_unowned(const std::vector<Map::global_ordinal_type>& indices, const Map& map,
                  const Sought& sought, Findings& findings, Call& call) {
  std::vector<int> ranks = call.check([&] { return std::vector<int>(indices.size(), -1); });
  call.library("tpetra", "Tpetra::Map::getRemoteIndexList", [&] {
    return map.getRemoteIndexList(Teuchos::arrayViewFromVector(indices),
                                  Teuchos::arrayViewFromVector(ranks));
  });
  const auto first = std::find(ranks.begin(), ranks.end(), -1);
  const auto owned = call.all(first == ranks.end());
  call.check([&] {
    if (first == ranks.end()) return;
    const auto count = std::count(first, ranks.end(), -1);
    const std::string what = sought.what, where = std::string(sought.where) + " Map";
    findings.error("check.graph.unowned",
                   what + " " +
                       std::to_string(indices[static_cast<std::size_t>(first - ranks.begin())]) +
                       sought.whose + " is in the " + where + " of no rank" +
                       (count == 1 ? "" : " (" + std::to_string(count) + " such on this rank)"),
                   "each " + what + " in the " + where, sought.remedy);
  });
  return !owned;
}

/// A graph that is fill-complete on all ranks.
class FilledCheck {
 public:
  explicit FilledCheck(const GraphObject& object) : object_(object), findings_(about(object)) {}

  /// Process-local, inside a check.
  void look(Call& call) {
    const Graph& graph = object_.graph;
    const auto row = graph.getRowMap(), column = graph.getColMap(), domain = graph.getDomainMap(),
               range = graph.getRangeMap();
    maps_.add(domain, MapDemand::owned, about(object_, "domain Map"), call);
    maps_.add(range, MapDemand::owned, about(object_, "range Map"), call);
    maps_.add(column, MapDemand::unique, about(object_, "column Map"), call);
    maps_.add(row, MapDemand::any, about(object_, "row Map"), call);
    const auto importer = graph.getImporter();
    const auto exporter = graph.getExporter();
    const bool usable = on_processes_of(*domain, call) && on_processes_of(*column, call) &&
                        on_processes_of(*range, call);
    domain_.say(*domain, call);
    range_.say(*range, call);
    importer_.look(importer.get(), *domain, *column, usable, {false, true, true},
                   about(object_, "Import of the columns"), call);
    exporter_.look(exporter.get(), *row, *range, usable, {true, false, true},
                   about(object_, "Export of the rows"), call);
    look_at_column_order(*column, *domain, findings_);
    rows_ = look_at_rows(graph);
    if (!rows_.in_range) tell_column_range(findings_);
    square_ = call.all(same_here(*row, *range) && same_here(*row, *domain));
  }
  /// Collective.
  Report conclude(Call& call) {
    maps_.prove(call);
    importer_.exchange(call);
    exporter_.exchange(call);
    Agreed<bool> columns_move, rows_move;
    call.check([&] {
      columns_move = call.all(importer_.compare());
      rows_move = call.all(exporter_.compare());
    });
    // Tpetra makes wrong lists where indices have no owner; then these are the fault.
    const Graph& graph = object_.graph;
    const bool columns_unowned =
        domain_ && !columns_move &&
        tell_unowned(columns_elsewhere(graph, *graph.getDomainMap()), *graph.getDomainMap(),
                     columns_in_domain, findings_, call);
    const bool rows_unowned = range_ && !rows_move &&
                              tell_unowned(rows_elsewhere(graph, *graph.getRangeMap()),
                                           *graph.getRangeMap(), rows_in_range, findings_, call);
    return adapter::merged(call, [&] {
      Report report = maps_.report(call.comm().rank());
      if (!columns_unowned) report.append(importer_.report());
      if (!rows_unowned) report.append(exporter_.report());
      rows_.faults.tell(square_, findings_);
      if (object_.look_at_values && rows_.in_range) object_.look_at_values(square_, findings_);
      report.append(findings_.report());
      return report;
    });
  }

 private:
  const GraphObject& object_;
  Findings findings_;
  MapChecks maps_;
  Mover importer_, exporter_;
  RowsFound rows_;
  Agreed<bool> square_;
  Askable domain_, range_;
};

/// A graph that is fill-complete on no rank, and the Maps with which it will be filled.
class FillCheck {
 public:
  FillCheck(const GraphObject& object, const detail::FillMaps& fill)
      : object_(object), fill_(fill), findings_(about(object)) {}

  /// Process-local, inside a check.
  void look(Call& call) {
    const auto row = object_.graph.getRowMap();
    maps_.add(fill_.domain, MapDemand::owned, about(object_, "domain Map"), call);
    maps_.add(fill_.range, MapDemand::owned, about(object_, "range Map"), call);
    maps_.add(row, MapDemand::any, about(object_, "row Map"), call);
    Contributions sent = object_.contributions();
    columns_ = columns_elsewhere(object_.graph, *fill_.domain, sent.columns);
    rows_ = rows_elsewhere(object_.graph, *fill_.range);
    sent_rows_ = std::move(sent.rows);
    domain_.say(*fill_.domain, call);
    range_.say(*fill_.range, call);
    row_.say(*row, call);
    if (!local_columns_in_range(object_.graph)) tell_column_range(findings_);
  }
  /// Collective.
  Report conclude(Call& call) {
    maps_.prove(call);
    if (domain_) tell_unowned(columns_, *fill_.domain, columns_in_domain, findings_, call);
    if (range_) tell_unowned(rows_, *fill_.range, rows_in_range, findings_, call);
    if (row_)
      tell_unowned(sent_rows_, *object_.graph.getRowMap(), contributed_rows, findings_, call);
    return adapter::merged(call, [&] {
      Report report = maps_.report(call.comm().rank());
      report.append(findings_.report());
      return report;
    });
  }

 private:
  const GraphObject& object_;
  const detail::FillMaps& fill_;
  Findings findings_;
  MapChecks maps_;
  std::vector<Map::global_ordinal_type> columns_, rows_, sent_rows_;
  Askable domain_, range_, row_;
};

/// A graph that is not fill-complete, at least on some ranks. Collective.
Report unfilled(const GraphObject& object, bool on_all, Call& call) {
  return adapter::merged(call, [&] {
    Findings findings = about(object);
    if (on_all)
      findings.warning("check.graph.not-filled", "not fill-complete", "a fill-complete object",
                       "Call fillComplete, or pass the domain and range Map to this check, which "
                       "then says whether fillComplete can work.");
    else if (!object.filled)
      findings.error("check.graph.filled-on-some",
                     "not fill-complete on this rank, where it is on others",
                     "the same state on all ranks, since products and fillComplete are collective",
                     "Call fillComplete and resumeFill on all ranks of the object.");
    return findings.report();
  });
}

}  // namespace

Report check_filled_or_not(const GraphObject& object, const detail::FillMaps& fill) {
  const Comm comm(communicator(*object.graph.getRowMap()));
  Call call(comm, "tpetra::check");
  Agreed<bool> filled, not_filled, prepared;
  call.check([&] {
    require_trilinos();
    filled = call.all(object.filled);
    not_filled = call.all(!object.filled);
    prepared = call.all(!fill.domain.is_null() && !fill.range.is_null());
  });
  if (!filled && !(not_filled && prepared)) return unfilled(object, not_filled, call);
  if (filled) {
    FilledCheck check(object);
    call.check([&] { check.look(call); });
    return check.conclude(call);
  }
  FillCheck check(object, fill);
  call.check([&] { check.look(call); });
  return check.conclude(call);
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
