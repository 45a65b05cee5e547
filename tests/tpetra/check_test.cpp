// SPDX-License-Identifier: BSD-3-Clause
// What check() finds about objects of Tpetra: one planted defect for each rule, on each rank in
// turn. What it must not find is in check_right_test.cpp.

#include <limits>

#include <Teuchos_DefaultMpiComm.hpp>

#include "../support/given_texts.hpp"
#include "checked.hpp"

namespace daptor::test {
namespace {

using tpetra::check;
using tpetra::MapUse;

/// The lowest of two ranks; none if these are all, since a finding of all ranks names none.
std::optional<int> lowest_of(int one, int other) {
  if (world_size() == 2) return std::nullopt;
  return std::min(one, other);
}

int next_to(int rank) {
  return (rank + 1) % world_size();
}

bool names(const Finding& finding, const std::string& text) {
  return finding.found.str().find(text) != std::string::npos;
}

TEST(TpetraCheckMap, CountThatIsNotTheSum) {
  if (world_size() == 1) return;
  on_each_rank([](int culprit) {
    const bool here = world_rank() == culprit;
    const auto map = map_of(owned_indices(),
                            static_cast<Tpetra::global_size_t>(each * ranks() + (here ? 2 : 0)));
    const Finding finding = expect_report("check.map.count", check(map), culprit);
    EXPECT_TRUE(names(finding, std::to_string(each * ranks() + 2))) << finding;
  });
}

TEST(TpetraCheckMap, AnotherIndexBase) {
  if (world_size() == 1) return;
  for (int culprit = 1; culprit < world_size(); ++culprit) {
    const auto map = map_of(owned_indices(), sum_up, world_rank() == culprit ? -1 : 0);
    const Finding finding = expect_report("check.map.base", check(map), culprit);
    EXPECT_TRUE(names(finding, "index base -1, where rank 0 has 0")) << finding;
  }
}

TEST(TpetraCheckMap, SharedIndex) {
  if (world_size() == 1) return;
  on_each_rank([](int culprit) {
    std::vector<Global> indices = owned_indices();
    if (world_rank() == culprit) indices.push_back(each * next_to(culprit) + 3);
    const auto map = map_of(indices);
    expect_nothing(check(map));  // such as the target of an Import
    const Finding finding = expect_report("check.map.shared", check(map, MapUse::owned),
                                          lowest_of(culprit, next_to(culprit)));
    EXPECT_TRUE(names(finding, "index " + std::to_string(each * next_to(culprit) + 3)));
  });
}

TEST(TpetraCheckMap, SharedIndexBelowZero) {
  if (world_size() == 1) return;
  std::vector<Global> indices = owned_indices();
  for (Global& index : indices) index -= 100;
  if (world_rank() == world_size() - 1) indices.push_back(-100);
  const Finding finding =
      expect_report("check.map.shared", check(map_of(indices, sum_up, -100), MapUse::owned),
                    lowest_of(0, world_size() - 1));
  EXPECT_TRUE(names(finding, "index 0 ")) << finding;
  EXPECT_TRUE(names(finding, "counted from -100")) << finding;
}

TEST(TpetraCheckMap, IsNamedAsTheProgramDoes) {
  std::vector<Global> indices = owned_indices();
  indices.push_back(indices[1]);
  const auto map = Teuchos::rcp_const_cast<Map>(map_of(indices));
  for (const std::string& label : given_texts()) {
    map->setObjectLabel(label);
    const Report report = check(map);
    ASSERT_FALSE(report.findings().empty());
    expect_given(report.findings().front(), "Map '" + label + "'");
  }
}

TEST(TpetraCheckMap, RepeatedIndex) {
  on_each_rank([](int culprit) {
    std::vector<Global> indices = owned_indices();
    if (world_rank() == culprit) indices.push_back(indices[1]);
    const auto map = map_of(indices);
    expect_report("check.map.repeated", check(map), culprit, Severity::warning);
    expect_report("check.map.repeated", check(map, MapUse::owned), culprit);
  });
}

/// An Import of the neighbours whose lists are given, so that they may be wrong. Collective.
/// @param shift  added to what a rank sends first, on `culprit`
Teuchos::RCP<const Tpetra::Import<>> import_of_neighbours(int culprit, Local shift) {
  const auto source = five_each(), target = map_of(with_neighbours());
  std::vector<int> remote_ranks, export_ranks;
  std::vector<Local> exported;
  const int here = world_rank();
  if (here > 0) remote_ranks.push_back(here - 1);
  if (here + 1 < world_size()) remote_ranks.push_back(here + 1);
  if (here > 0) exported.push_back(0), export_ranks.push_back(here - 1);
  if (here + 1 < world_size()) exported.push_back(4), export_ranks.push_back(here + 1);
  if (here == culprit) exported.front() += shift;
  const Teuchos::ArrayView<int> remote = Teuchos::arrayViewFromVector(remote_ranks);
  const Teuchos::ArrayView<const Local> locals =
      Teuchos::arrayViewFromVector(static_cast<const std::vector<Local>&>(exported));
  const Teuchos::ArrayView<const int> to =
      Teuchos::arrayViewFromVector(static_cast<const std::vector<int>&>(export_ranks));
  return Teuchos::rcp(new Tpetra::Import<>(source, target, remote, locals, to));
}

TEST(TpetraCheckTransfer, AnotherElementIsSent) {
  if (world_size() == 1) return;
  expect_nothing(check(import_of_neighbours(-1, 0)));
  on_each_rank([](int culprit) {
    const auto import = import_of_neighbours(culprit, culprit == 0 ? -2 : 2);
    const int receiver = culprit > 0 ? culprit - 1 : 1;
    const Finding finding = expect_report("check.transfer.lists", check(import), receiver);
    EXPECT_TRUE(names(finding, "rank " + std::to_string(culprit) + " sends index ")) << finding;
  });
}

TEST(TpetraCheckTransfer, PlaceBeyondTheSourceMap) {
  if (world_size() == 1) return;
  on_each_rank([](int culprit) {
    expect_report("check.transfer.lists", check(import_of_neighbours(culprit, 90)), culprit);
  });
}

TEST(TpetraCheckTransfer, TargetThatNoRankHas) {
  on_each_rank([](int culprit) {
    std::vector<Global> indices = owned_indices();
    if (world_rank() == culprit) indices.push_back(each * ranks() + 7);
    const auto import = Teuchos::rcp(new Tpetra::Import<>(five_each(), map_of(indices)));
    const Finding finding =
        expect_report("check.transfer.incomplete", check(import), culprit, Severity::warning);
    EXPECT_TRUE(names(finding, "index " + std::to_string(each * ranks() + 7))) << finding;
    const auto exporter = Teuchos::rcp(new Tpetra::Export<>(map_of(indices), five_each()));
    expect_report("check.transfer.incomplete", check(exporter), culprit, Severity::warning);
  });
}

TEST(TpetraCheckTransfer, SeveralSourcesOfOneTarget) {
  if (world_size() == 1) return;
  on_each_rank([](int owner) {
    std::vector<Global> indices = owned_indices();
    if (world_rank() == next_to(owner)) indices.push_back(each * owner + 2);
    const auto exporter = Teuchos::rcp(new Tpetra::Export<>(map_of(indices), five_each()));
    expect_nothing(check(exporter));  // the values are added
    for (const auto mode : {Tpetra::INSERT, Tpetra::REPLACE}) {
      const Finding finding = expect_report("check.transfer.twice", check(exporter, mode), owner);
      EXPECT_TRUE(names(finding, "index " + std::to_string(each * owner + 2))) << finding;
    }
    expect_nothing(check(exporter, Tpetra::ADD));
  });
}

TEST(TpetraCheckMatrix, FilledOnSomeRanks) {
  if (world_size() == 1) return;
  on_each_rank([](int culprit) {
    const auto matrix = laplacian();
    if (world_rank() == culprit) matrix->resumeFill();
    const Finding finding = expect_report("check.graph.filled-on-some", check(matrix), culprit);
    EXPECT_EQ(finding.key, "CrsMatrix");
    expect_report("check.graph.filled-on-some", check(matrix->getCrsGraph()), culprit);
  });
}

TEST(TpetraCheckMatrix, NotFilled) {
  expect_report("check.graph.not-filled", check(unfilled_laplacian()), std::nullopt,
                Severity::warning);
}

TEST(TpetraCheckMatrix, ColumnThatNoRankOwnsBeforeFillComplete) {
  on_each_rank([](int culprit) {
    const auto matrix = unfilled_laplacian();
    const Global outside = each * ranks() + 3;
    if (world_rank() == culprit)
      matrix->insertGlobalValues(each * rank(), Teuchos::tuple(outside), Teuchos::tuple(1.0));
    const auto rows = matrix->getRowMap();
    const Finding finding =
        expect_report("check.graph.unowned", check(matrix, rows, rows), culprit);
    EXPECT_TRUE(names(finding, "column " + std::to_string(outside))) << finding;
    EXPECT_FALSE(matrix->isFillComplete());
    // Tpetra refuses it on one rank, and goes on in silence on several.
    if (world_size() == 1) {
      EXPECT_THROW(matrix->fillComplete(), std::runtime_error);
      return;
    }
    matrix->fillComplete();
    expect_report("check.graph.unowned", check(matrix), culprit);
  });
}

TEST(TpetraCheckMatrix, RowThatNoRankHasInTheRangeBeforeFillComplete) {
  on_each_rank([](int culprit) {
    const auto matrix = unfilled_laplacian();
    std::vector<Global> indices = owned_indices();
    if (world_rank() == culprit) indices.pop_back();
    const Finding finding = expect_report(
        "check.graph.unowned", check(matrix, matrix->getRowMap(), map_of(indices)), culprit);
    EXPECT_TRUE(names(finding, "row " + std::to_string(each * culprit + 4))) << finding;
  });
}

TEST(TpetraCheckMatrix, RowThatNoRankHasBeforeFillComplete) {
  on_each_rank([](int culprit) {
    const auto matrix = unfilled_laplacian();
    const auto graph = Teuchos::rcp(new Graph(five_each(), 4));
    const auto rows = matrix->getRowMap();
    const Global outside = each * ranks() + 3;
    // One that another rank has is right.
    const Global other = each * next_to(culprit) + 1;
    if (world_rank() == culprit)
      for (const Global row : {other, outside, outside + 2}) {
        matrix->insertGlobalValues(row, Teuchos::tuple(row == other ? other : Global{0}),
                                   Teuchos::tuple(1.0));
        graph->insertGlobalIndices(row, Teuchos::tuple(Global{0}));
      }
    const std::string unowned =
        "rows " + std::to_string(outside) + ", " + std::to_string(outside + 2) + ", into which";
    for (const Report& report : {check(matrix, rows, rows), check(graph, rows, rows)}) {
      const Finding finding = expect_report("check.graph.unowned", report, culprit);
      EXPECT_TRUE(names(finding, unowned)) << finding;
    }
    // Without the domain and range Map, too.
    const Report report = check(matrix);
    EXPECT_TRUE(report.has("check.graph.not-filled")) << report;
    ASSERT_TRUE(report.has("check.graph.unowned")) << report;
    EXPECT_THROW(matrix->fillComplete(rows, rows), std::runtime_error);
  });
}

TEST(TpetraCheckMatrix, ColumnInARowOfAnotherRankBeforeFillComplete) {
  if (world_size() == 1) return;
  on_each_rank([](int culprit) {
    const auto matrix = unfilled_laplacian();
    const auto rows = matrix->getRowMap();
    const Global outside = each * ranks() + 3;
    if (world_rank() == culprit)
      matrix->insertGlobalValues(each * next_to(culprit), Teuchos::tuple(outside),
                                 Teuchos::tuple(1.0));
    const Finding finding =
        expect_report("check.graph.unowned", check(matrix, rows, rows), culprit);
    EXPECT_TRUE(names(finding, "column " + std::to_string(outside))) << finding;
  });
}

TEST(TpetraCheckGraph, ColumnBeyondTheColumnMapBeforeFillComplete) {
  on_each_rank([](int culprit) {
    const auto map = five_each();
    const auto graph = Teuchos::rcp(new Graph(map, map, 4));
    const int column = world_rank() == culprit ? static_cast<int>(each) : 0;
    graph->insertLocalIndices(0, Teuchos::tuple(column));
    expect_report("check.graph.range", check(graph, map, map), culprit);
  });
}

TEST(TpetraCheckMatrix, SharedIndexOfADomainMap) {
  if (world_size() == 1) return;
  on_each_rank([](int culprit) {
    std::vector<Global> indices = owned_indices();
    if (world_rank() == culprit) indices.push_back(each * next_to(culprit) + 2);
    const auto matrix = unfilled_laplacian();
    const auto domain = map_of(indices);
    const Finding before =
        expect_report("check.map.shared", check(matrix, domain, matrix->getRowMap()),
                      lowest_of(culprit, next_to(culprit)));
    EXPECT_EQ(before.key, "CrsMatrix, domain Map");
    matrix->fillComplete(domain, matrix->getRowMap());
    EXPECT_TRUE(check(matrix).has("check.map.shared"));
  });
}

/// The domain Map of another communicator, on which a rank is alone.
TEST(TpetraCheckMatrix, MapOnAnotherCommunicator) {
  if (world_size() == 1) return;
  on_each_rank([](int culprit) {
    const auto matrix = unfilled_laplacian();
    MapRcp domain = matrix->getRowMap();
    if (world_rank() == culprit)
      domain = Teuchos::rcp(new Map(3, 0, Teuchos::rcp(new Teuchos::MpiComm<int>(MPI_COMM_SELF))));
    const Finding finding = expect_report("check.map.communicator",
                                          check(matrix, domain, matrix->getRowMap()), culprit);
    EXPECT_EQ(finding.key, "CrsMatrix, domain Map");
  });
}

using LocalRows = std::vector<std::vector<Local>>;

/// The local columns of a diagonal matrix.
LocalRows diagonal_rows() {
  return {{0}, {1}, {2}, {3}, {4}};
}

/// A graph of these local columns, as a program makes it that has them already.
Teuchos::RCP<Graph> graph_of(const MapRcp& column_map, const LocalRows& rows) {
  const auto graph = Teuchos::rcp(new Graph(five_each(), column_map, 3));
  std::vector<std::size_t> starts{0};
  std::vector<Local> columns;
  for (const auto& row : rows) {
    columns.insert(columns.end(), row.begin(), row.end());
    starts.push_back(columns.size());
  }
  graph->setAllIndices(Teuchos::arcp(Teuchos::rcp(new std::vector<std::size_t>(starts))),
                       Teuchos::arcp(Teuchos::rcp(new std::vector<Local>(columns))));
  graph->expertStaticFillComplete(five_each(), five_each());
  return graph;
}

TEST(TpetraCheckGraph, ColumnTwice) {
  on_each_rank([](int culprit) {
    LocalRows rows = diagonal_rows();
    if (world_rank() == culprit) rows[2] = {2, 2}, rows[4] = {3, 4, 4};
    const Finding finding =
        expect_report("check.mat.column-twice", check(graph_of(five_each(), rows)), culprit);
    EXPECT_EQ(finding.key, "CrsGraph");
    const std::string at = std::to_string(each * culprit + 2);
    EXPECT_TRUE(names(finding, "row " + at + " has two entries in column " + at)) << finding;
    EXPECT_TRUE(names(finding, "(2 such rows on this rank)")) << finding;
  });
}

TEST(TpetraCheckGraph, ColumnBeyondTheColumnMap) {
  on_each_rank([](int culprit) {
    LocalRows rows = diagonal_rows();
    if (world_rank() == culprit) rows[3] = {3, 90};
    expect_report("check.graph.range", check(graph_of(five_each(), rows)), culprit);
  });
}

TEST(TpetraCheckGraph, ColumnOrder) {
  on_each_rank([](int culprit) {
    LocalRows rows = diagonal_rows();
    if (world_rank() == culprit) rows[2] = {3, 2};
    expect_report("check.mat.column-order", check(graph_of(five_each(), rows)), culprit,
                  Severity::warning);
  });
}

TEST(TpetraCheckGraph, ColumnsOfOtherRanksFirst) {
  if (world_size() == 1) return;
  on_each_rank([](int culprit) {
    std::vector<Global> columns = owned_indices();
    LocalRows rows = diagonal_rows();
    if (world_rank() == culprit) {
      columns.insert(columns.begin(), each * next_to(culprit));
      for (auto& row : rows) ++row.front();
    }
    const Finding finding =
        expect_report("check.graph.column-order", check(graph_of(map_of(columns), rows)), culprit,
                      Severity::warning);
    EXPECT_TRUE(names(finding, "column " + std::to_string(each * culprit) + ",")) << finding;
  });
}

TEST(TpetraCheckGraph, OwnedColumnsInAnotherOrder) {
  on_each_rank([](int culprit) {
    std::vector<Global> columns = owned_indices();
    LocalRows rows = diagonal_rows();
    if (world_rank() == culprit) std::swap(columns[1], columns[2]), std::swap(rows[1], rows[2]);
    expect_report("check.graph.column-order", check(graph_of(map_of(columns), rows)), culprit,
                  Severity::warning);
  });
}

TEST(TpetraCheckGraph, RepeatedIndexOfTheColumnMap) {
  if (world_size() == 1) return;
  on_each_rank([](int culprit) {
    std::vector<Global> columns = owned_indices();
    const Global other = each * next_to(world_rank());
    columns.push_back(other);
    if (world_rank() == culprit) columns.push_back(other);
    const Finding finding = expect_report(
        "check.map.repeated", check(graph_of(map_of(columns), diagonal_rows())), culprit);
    EXPECT_EQ(finding.key, "CrsGraph, column Map");
  });
}

TEST(TpetraCheckGraph, ColumnThatNoRankOwns) {
  on_each_rank([](int culprit) {
    std::vector<Global> columns = owned_indices();
    if (world_rank() == culprit) columns.push_back(each * ranks() + 1);
    const Finding finding = expect_report(
        "check.graph.unowned", check(graph_of(map_of(columns), diagonal_rows())), culprit);
    EXPECT_TRUE(names(finding, "column " + std::to_string(each * ranks() + 1))) << finding;
  });
}

TEST(TpetraCheckMatrix, ImportOfOtherMaps) {
  on_each_rank([](int culprit) {
    const auto matrix = laplacian();
    // Of the columns of another matrix, which has one neighbour less on one rank.
    std::vector<Global> columns = with_neighbours();
    if (world_rank() == culprit) columns.pop_back();
    const auto domain = matrix->getDomainMap();
    Teuchos::RCP<const Tpetra::Import<>> import =
        Teuchos::rcp(new Tpetra::Import<>(domain, map_of(columns)));
    matrix->replaceDomainMapAndImporter(domain, import);
    expect_report("check.graph.transfer", check(matrix), culprit);
  });
}

TEST(TpetraCheckMatrix, ImportOnSomeRanks) {
  if (world_size() == 1) return;
  on_each_rank([](int culprit) {
    const auto matrix = laplacian();
    auto import = matrix->getGraph()->getImporter();
    if (world_rank() == culprit) import = Teuchos::null;
    matrix->replaceDomainMapAndImporter(matrix->getDomainMap(), import);
    const Finding finding = expect_report("check.graph.transfer", check(matrix), culprit);
    EXPECT_TRUE(names(finding, "none on this rank")) << finding;
  });
}

TEST(TpetraCheckMatrix, Values) {
  on_each_rank([](int culprit) {
    const Global at = each * culprit + 2;
    const auto with = [&](double value) {
      return laplacian([=](Global row, Global column) -> std::optional<double> {
        if (row == at && column == at) return value;
        return row == column ? 2.0 : -1.0;
      });
    };
    const std::string place = std::to_string(at);
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
      const Finding finding = expect_report("check.mat.not-finite", check(with(bad)), culprit);
      EXPECT_TRUE(names(finding, "row " + place + ", column " + place)) << finding;
    }
    const Finding zero =
        expect_report("check.mat.zero-diagonal", check(with(0)), culprit, Severity::warning);
    EXPECT_TRUE(names(zero, "the diagonal of row " + place)) << zero;
  });
}

TEST(TpetraCheckMatrix, RowsWithout) {
  on_each_rank([](int culprit) {
    const Global at = each * culprit + 2;
    const auto value = [](Global row, Global column) -> std::optional<double> {
      return row == column ? 2.0 : -1.0;
    };
    const auto no_diagonal = laplacian([&](Global row, Global column) {
      return row == at && column == at ? std::nullopt : value(row, column);
    });
    expect_report("check.mat.no-diagonal", check(no_diagonal), culprit, Severity::warning);
    const auto no_row = laplacian(
        [&](Global row, Global column) { return row == at ? std::nullopt : value(row, column); });
    expect_report("check.mat.empty-row", check(no_row), culprit, Severity::warning);
  });
}

TEST(TpetraCheck, NamesTheObject) {
  const auto matrix = unfilled_laplacian();
  matrix->setObjectLabel("stiffness");
  const Report report = check(matrix);
  ASSERT_EQ(report.findings().size(), 1u);
  EXPECT_EQ(report.findings().front().found, "CrsMatrix 'stiffness': not fill-complete");
}

TEST(TpetraCheck, NullIsRefused) {
  const auto refused = [](const auto& null) {
    expect_refused<InvalidArgument>("argument", [&] { check(null); });
  };
  refused(MapRcp());
  refused(Teuchos::RCP<Tpetra::Import<>>());
  refused(Teuchos::RCP<const Tpetra::Export<>>());
  refused(Teuchos::RCP<Graph>());
  refused(Teuchos::RCP<const Matrix>());
}

TEST(TpetraCheck, RanksThatAskSomethingElse) {
  if (world_size() == 1) return;
  const auto map = five_each();
  expect_different("use", [&] { check(map, world_rank() == 0 ? MapUse::any : MapUse::owned); });
  // The other ranks pass another matrix, of the same communicator, that is not filled.
  const auto filled = laplacian(), not_filled = unfilled_laplacian();
  expect_report("check.graph.filled-on-some", check(world_rank() == 0 ? filled : not_filled),
                world_size() == 2 ? 1 : std::optional<int>());
}

/// In the middle of what is asked if something is wrong, too.
TEST(TpetraCheck, FaultsAreAgreed) {
  std::vector<Global> indices = owned_indices(), columns = with_neighbours();
  std::reverse(indices.begin(), indices.end());
  columns.push_back(each * ranks() + 1);
  const auto map = map_of(indices), wide = map_of(columns);
  const auto import = Teuchos::rcp(new Tpetra::Import<>(map, map_of(with_neighbours())));
  const auto graph = graph_of(wide, diagonal_rows());
  const auto unfilled = unfilled_laplacian();
  Faults().expect_agreed([&] { check(map, MapUse::owned); });
  Faults().expect_agreed([&] { check(import); });
  Faults().expect_agreed([&] { check(graph); });
  Faults().expect_agreed([&] { check(unfilled, map, map); });
}

}  // namespace
}  // namespace daptor::test
