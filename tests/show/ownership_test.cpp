// SPDX-License-Identifier: BSD-3-Clause
#include <cctype>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "daptor/local_index_map.hpp"
#include "daptor/parse.hpp"
#include "for_each_index.hpp"
#include "random_arrays.hpp"
#include "show/scene.hpp"

namespace daptor {
namespace {

using show::Cell;
using show::Line;
using show::Part;
using show::Scene;
using show::Stretch;

using Place = std::vector<Index>;  // global multi-index

std::vector<Section> sections_of(const Recorded& recorded) {
  std::vector<Section> sections;
  for (const RecordedRank& rank : recorded.ranks)
    sections.push_back(parse_or_throw(std::get<Value>(rank)));
  return sections;
}

bool is_owned(const LocalIndexMap& map, const Place& local) {
  for (std::size_t d = 0; d < local.size(); ++d)
    if (!map.dimension(static_cast<int>(d)).is_owned(local[d])) return false;
  return true;
}

bool is_boundary(const Section& section, const Place& local) {
  for (std::size_t d = 0; d < local.size(); ++d) {
    const Dimension& dimension = section.dimensions()[d];
    const Padding width = dimension.boundary_padding();
    const Index owned = local[d] - dimension.communication_padding().lower;
    if (owned < width.lower || owned >= dimension.owned_count() - width.upper) return true;
  }
  return false;
}

struct Expected {
  std::set<int> owners;
  bool boundary = false;
};

std::map<Place, Expected> owners_by_brute_force(const std::vector<Section>& sections) {
  std::map<Place, Expected> owners;
  for (std::size_t rank = 0; rank < sections.size(); ++rank) {
    const LocalIndexMap map(sections[rank]);
    test::for_each_index(sections[rank].local_shape(), [&](const Place& local) {
      if (!is_owned(map, local)) return;
      Expected& expected = owners[map.global_of(local)];
      expected.owners.insert(static_cast<int>(rank));
      expected.boundary = expected.boundary || is_boundary(sections[rank], local);
    });
  }
  return owners;
}

Place place_of(const Scene& scene, Index row, Index column) {
  Place place(static_cast<std::size_t>(scene.any().ndim()));
  for (const show::Cut& cut : scene.cuts())
    place[static_cast<std::size_t>(cut.dimension)] = cut.index;
  if (scene.row_dimension() >= 0)
    place[static_cast<std::size_t>(scene.row_dimension())] = scene.rows().global_of(row);
  if (scene.column_dimension() >= 0)
    place[static_cast<std::size_t>(scene.column_dimension())] = scene.columns().global_of(column);
  return place;
}

template <class Visit>
void for_each_cell(const Scene& scene, Visit&& visit) {
  if (scene.empty()) return;
  for (Index row = 0; row < scene.rows().extent(); ++row)
    for (Index column = 0; column < scene.columns().extent(); ++column)
      visit(row, column, scene.cell(scene.rows().at(row), scene.columns().at(column)));
}

TEST(Ownership, OfEveryCellIsWhatTheRanksSay) {
  test::RandomArrays arrays(1);
  int cells = 0;
  for (int i = 0; i < 600; ++i) {
    const Recorded recorded = arrays.next();
    const std::vector<Section> sections = sections_of(recorded);
    const auto expected = owners_by_brute_force(sections);
    const Scene scene("", recorded.nranks, sections, {});
    for_each_cell(scene, [&](Index row, Index column, const Cell& cell) {
      ++cells;
      const Place place = place_of(scene, row, column);
      SCOPED_TRACE(::testing::PrintToString(place) + " of array " + std::to_string(i));
      const auto found = expected.find(place);
      if (found == expected.end()) {
        EXPECT_EQ(cell.kind, Cell::Kind::nobody);
        return;
      }
      ASSERT_EQ(cell.kind, Cell::Kind::owned);
      EXPECT_EQ(cell.rank, *found->second.owners.begin());
      EXPECT_EQ(cell.shared, found->second.owners.size() > 1);
      EXPECT_EQ(cell.part == Part::boundary, found->second.boundary);
    });
  }
  EXPECT_GT(cells, 5000);
}

TEST(Ownership, OfASectionIsWhatItsRankHolds) {
  test::RandomArrays arrays(2);
  int cells = 0;
  for (int i = 0; i < 2000; ++i) {
    const Recorded recorded = arrays.next(2);
    const std::vector<Section> sections = sections_of(recorded);
    const auto expected = owners_by_brute_force(sections);
    const auto rank = static_cast<int>(arrays.between(0, recorded.nranks - 1));
    const Section& section = sections[static_cast<std::size_t>(rank)];
    const LocalIndexMap map(section);
    show::Options options;
    options.rank = rank;
    const Scene scene("", recorded.nranks, sections, options);
    for_each_cell(scene, [&](Index row, Index column, const Cell& cell) {
      ++cells;
      Place local;
      if (scene.row_dimension() >= 0) local.push_back(row);
      if (scene.column_dimension() >= 0) local.push_back(column);
      SCOPED_TRACE(::testing::PrintToString(local) + " of array " + std::to_string(i));
      EXPECT_EQ(place_of(scene, row, column), map.global_of(local));
      ASSERT_EQ(cell.kind, Cell::Kind::owned);
      if (is_owned(map, local)) {
        EXPECT_EQ(cell.rank, rank);
        EXPECT_EQ(cell.part, is_boundary(section, local) ? Part::boundary : Part::owned);
      } else {
        EXPECT_EQ(cell.part, Part::communication);
        EXPECT_EQ(expected.at(map.global_of(local)).owners.count(cell.rank), 1U);
      }
    });
  }
  EXPECT_GT(cells, 5000);
}

TEST(Ownership, FollowsTheCoordinatesInAnyRankOrder) {
  std::vector<Section> sections = sections_of(test::blocks());
  std::swap(sections[1], sections[4]);
  const Scene scene("", 6, sections, {});
  EXPECT_EQ(scene.cell(scene.rows().at(0), scene.columns().at(4)).rank, 4);
  EXPECT_EQ(scene.cell(scene.rows().at(4), scene.columns().at(4)).rank, 1);
}

TEST(Ownership, OfRanksThatAreNotRecordedIsUnknown) {
  Recorded recorded = test::blocks();
  recorded.ranks.resize(2);
  const Scene scene("", 6, sections_of(recorded), {});
  EXPECT_EQ(scene.cell(scene.rows().at(0), scene.columns().at(4)).rank, 1);
  EXPECT_EQ(scene.cell(scene.rows().at(0), scene.columns().at(7)).kind, Cell::Kind::unrecorded);
  EXPECT_EQ(scene.cell(scene.rows().at(4), scene.columns().at(0)).kind, Cell::Kind::unrecorded);
}

/// Stretches are as long as possible, and cover a line without gap or overlap.
TEST(Ownership, StretchesCoverALine) {
  test::RandomArrays arrays(3);
  for (int i = 0; i < 300; ++i) {
    const Recorded recorded = arrays.next(1);
    for (const bool focused : {false, true}) {
      show::Options options;
      if (focused) options.rank = recorded.nranks - 1;
      const Scene scene("", recorded.nranks, sections_of(recorded), options);
      const Line& line = scene.columns();
      Index next = 0;
      while (next < line.extent()) {
        const Stretch stretch = line.at(next);
        EXPECT_EQ(stretch.positions.start, next);
        for (Index at = next; at < stretch.positions.stop; ++at)
          EXPECT_EQ(line.at(at).positions, stretch.positions);
        ASSERT_GT(stretch.positions.stop, next);
        next = stretch.positions.stop;
      }
      EXPECT_EQ(next, line.extent());
    }
  }
}

/// The numbers between the frames of a picture drawn cell by cell; -1 for a cell without owner.
std::vector<std::vector<int>> numbers_in(const std::string& picture) {
  std::vector<std::vector<int>> rows;
  std::istringstream lines(picture);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t frame = line.find('|');
    if (frame == std::string::npos) continue;
    std::vector<int> row;
    for (std::size_t i = frame; i < line.size(); ++i) {
      if (line[i] == '.') row.push_back(-1);
      if (std::isdigit(static_cast<unsigned char>(line[i])) != 0) row.push_back(line[i] - '0');
    }
    if (!row.empty()) rows.push_back(row);
  }
  return rows;
}

TEST(Ownership, IsReadBackFromTheTerminal) {
  test::RandomArrays arrays(4);
  int pictures = 0;
  for (int i = 0; i < 400; ++i) {
    const Recorded recorded = arrays.next();
    if (recorded.nranks > 10) continue;
    const std::vector<Section> sections = sections_of(recorded);
    const Scene scene("", recorded.nranks, sections, {});
    if (scene.empty()) continue;
    ++pictures;
    show::TerminalOptions form;
    form.unicode = false;
    form.width = 120;
    const std::string picture = test::terminal(recorded, {}, form);
    SCOPED_TRACE(picture);
    const auto rows = numbers_in(picture);
    ASSERT_EQ(rows.size(), static_cast<std::size_t>(scene.rows().extent()));
    for_each_cell(scene, [&](Index row, Index column, const Cell& cell) {
      const auto& numbers = rows[static_cast<std::size_t>(row)];
      ASSERT_EQ(numbers.size(), static_cast<std::size_t>(scene.columns().extent()));
      EXPECT_EQ(numbers[static_cast<std::size_t>(column)], cell.rank);
    });
  }
  EXPECT_GT(pictures, 200);
}

}  // namespace
}  // namespace daptor
