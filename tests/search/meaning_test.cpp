// SPDX-License-Identifier: BSD-3-Clause
// What a legal array means: compares index maps with tables of every index and its owner, and the
// array with the same array in the other version.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "daptor/error.hpp"
#include "daptor/global_index_map.hpp"
#include "daptor/validate.hpp"
#include "fibers.hpp"
#include "judge.hpp"
#include "meaning.hpp"
#include "seeds.hpp"

namespace daptor::search {
namespace {

constexpr std::int64_t tables_up_to = 1000;

bool small(const Judgement& judgement) {
  for (const RankJudgement& rank : judgement.ranks)
    for (const Piece& piece : rank.section->pieces)
      if (piece.size > tables_up_to) return false;
  return true;
}

/// The index `offset` places after the first owned one, by the owner's count; nullopt past the ends
/// of a dimension that is not periodic.
std::optional<Index> beside(const Piece& piece, bool periodic, Index offset) {
  const Index global = piece.start + offset;
  if (periodic && piece.size > 0) return ((global % piece.size) + piece.size) % piece.size;
  if (global < 0 || global >= piece.size) return std::nullopt;
  return global;
}

void expect_local_map(const LocalDimensionMap& map, const Piece& piece) {
  const auto owned = piece.owned();
  const auto count = static_cast<Index>(owned.size());
  ASSERT_EQ(map.owned_count(), count);
  ASSERT_EQ(map.owned_offset(), piece.lower);
  ASSERT_EQ(map.local_extent(), count + piece.lower + piece.upper);
  for (Index k = 0; k < count; ++k) {
    const Index global = owned[static_cast<std::size_t>(k)];
    EXPECT_EQ(map.global_of(piece.lower + k), global);
    EXPECT_EQ(map.local_of(global), piece.lower + k);
  }
  for (Index local = 0; local < map.local_extent(); ++local) {
    EXPECT_EQ(map.is_owned(local), local >= piece.lower && local < piece.lower + count);
    if (map.is_owned(local)) continue;
    const auto global = beside(piece, piece.periodic, local - piece.lower);
    if (global) {
      EXPECT_EQ(map.global_of(local), *global);
    }
  }
  const std::set<Index> mine(owned.begin(), owned.end());
  for (Index global = -1; global <= piece.size; ++global)
    EXPECT_EQ(map.owns(global), mine.count(global) != 0) << global;
  std::vector<Index> by_runs;
  map.for_each_run([&](IndexRun run) {
    for (Index i = 0; i < run.count; ++i) {
      by_runs.push_back(run.global_start + i);
      EXPECT_EQ(map.global_of(run.local_start + i), run.global_start + i);
    }
  });
  EXPECT_EQ(by_runs, owned);
}

TEST(Meaning, LocalIndexMaps) {
  for_seeds(4000, legal, [](const Recorded& recorded) {
    const Judgement judgement = judge(recorded);
    if (!small(judgement)) return;
    const auto arrays = arrays_of(recorded);
    for (std::size_t r = 0; r < arrays.size(); ++r) {
      const auto& pieces = judgement.ranks[r].section->pieces;
      const LocalIndexMap map(*arrays[r]);
      for (std::size_t d = 0; d < pieces.size(); ++d)
        expect_local_map(map.dimension(static_cast<int>(d)), pieces[d]);
    }
  });
}

/// Every element of the array is owned once, and the numbers that maps give to elements are the
/// row-major ones.
TEST(Meaning, OwnedElementsTileTheArray) {
  for_seeds(3000, legal, [](const Recorded& recorded) {
    const Judgement judgement = judge(recorded);
    Index elements = 1;
    for (const Piece& piece : judgement.ranks[0].section->pieces) {
      if (piece.type == 'u' || piece.size > tables_up_to) return;
      elements *= piece.size;
    }
    if (elements > 5000) return;
    std::vector<Index> owners(static_cast<std::size_t>(elements));
    for (const auto& array : arrays_of(recorded))
      for (const Index natural : LocalIndexMap(*array).owned_natural()) {
        ASSERT_TRUE(0 <= natural && natural < elements);
        ++owners[static_cast<std::size_t>(natural)];
      }
    EXPECT_EQ(std::count(owners.begin(), owners.end(), 1), elements);
  });
}

/// Who owns each index, found by going through all ranks.
struct Owners {
  std::map<std::vector<Index>, int> rank_of_seat;
  std::vector<std::map<Index, OwnerAlong>> along;          ///< by dimension; lowest grid rank
  std::vector<std::map<Index, std::vector<Index>>> owned;  ///< by dimension and grid rank

  explicit Owners(const Judgement& judgement) {
    for (std::size_t r = 0; r < judgement.ranks.size(); ++r) {
      const auto& pieces = judgement.ranks[r].section->pieces;
      along.resize(pieces.size());
      owned.resize(pieces.size());
      std::vector<Index> seat;
      for (std::size_t d = 0; d < pieces.size(); ++d) {
        seat.push_back(pieces[d].rank);
        owned[d][pieces[d].rank] = pieces[d].owned();
      }
      rank_of_seat[seat] = static_cast<int>(r);
    }
    for (std::size_t d = 0; d < owned.size(); ++d)
      for (const auto& [rank, list] : owned[d])
        for (std::size_t i = 0; i < list.size(); ++i)
          along[d].insert({list[i], OwnerAlong{rank, static_cast<Index>(i)}});
  }
};

void expect_owners_along(const GlobalIndexMap& map, int d, const Piece& piece,
                         const Owners& owners) {
  const auto& along = owners.along[static_cast<std::size_t>(d)];
  std::vector<Index> asked = {-1, piece.size, INT64_MAX, INT64_MIN};
  for (const auto& [global, owner] : along) asked.push_back(global);
  for (Index global = 0; global < piece.size; ++global) asked.push_back(global);
  std::vector<std::optional<OwnerAlong>> found;
  if (piece.type == 'u') {
    found = map.owners_of_unstructured(d, asked);
  } else {
    for (const Index global : asked) found.push_back(map.dimension(d).owner_of(global));
    for (const auto& [rank, list] : owners.owned[static_cast<std::size_t>(d)])
      EXPECT_EQ(map.dimension(d).owned_count(rank), static_cast<Index>(list.size()));
  }
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto expected = along.find(asked[i]);
    EXPECT_EQ(found[i].has_value(), expected != along.end()) << asked[i];
    if (found[i] && expected != along.end()) {
      EXPECT_EQ(*found[i], expected->second) << "index " << asked[i] << " in dimension " << d;
    }
  }
}

void expect_neighbours(const GlobalIndexMap& map, const std::vector<Piece>& pieces,
                       const Owners& owners) {
  std::vector<Index> seat;
  for (const Piece& piece : pieces) seat.push_back(piece.rank);
  EXPECT_EQ(map.coordinates(), seat);
  for (std::size_t d = 0; d < pieces.size(); ++d)
    for (const int direction : {-1, +1}) {
      std::vector<Index> beside = seat;
      beside[d] += direction;
      if (pieces[d].periodic) beside[d] = (beside[d] + pieces[d].processes) % pieces[d].processes;
      const auto neighbour = owners.rank_of_seat.find(beside);
      const auto found = map.neighbour(static_cast<int>(d), direction);
      EXPECT_EQ(found.has_value(), neighbour != owners.rank_of_seat.end());
      if (found && neighbour != owners.rank_of_seat.end()) {
        EXPECT_EQ(*found, neighbour->second);
      }
    }
}

void expect_ranks_of_all_seats(const GlobalIndexMap& map, const Owners& owners) {
  std::vector<std::vector<Index>> seats;
  std::vector<int> ranks;
  for (const auto& [seat, rank] : owners.rank_of_seat) {
    seats.push_back(seat);
    ranks.push_back(rank);
    if (map.row_major()) {
      EXPECT_EQ(map.rank_at(seat), rank);
    }
  }
  EXPECT_EQ(map.ranks_at(seats), ranks);
}

TEST(Meaning, GlobalIndexMaps) {
  for_seeds(3000, legal, [](const Recorded& recorded) {
    const Judgement judgement = judge(recorded);
    if (!small(judgement)) return;
    const Owners owners(judgement);
    const auto arrays = arrays_of(recorded);
    const auto errors = test::run_on_fibers(recorded.nranks, [&](const Comm& comm) {
      const auto rank = static_cast<std::size_t>(comm.rank());
      const auto& pieces = judgement.ranks[rank].section->pieces;
      const GlobalIndexMap map(arrays[rank]->on(comm));
      for (std::size_t d = 0; d < pieces.size(); ++d)
        expect_owners_along(map, static_cast<int>(d), pieces[d], owners);
      expect_neighbours(map, pieces, owners);
      expect_ranks_of_all_seats(map, owners);
      Index before = 0;
      for (std::size_t r = 0; r < rank; ++r) before += arrays[r]->owned_count();
      EXPECT_EQ(map.contiguous_offset(), before);
    });
    for (const auto& error : errors)
      if (error) std::rethrow_exception(error);
  });
}

/// The array of every rank in that version; empty if one of them cannot be expressed in it.
std::vector<Section> converted(const std::vector<std::optional<Section>>& arrays, Version version) {
  std::vector<Section> all;
  for (const auto& array : arrays) {
    try {
      all.push_back(convert(*array, version));
    } catch (const NotRepresentable& error) {
      EXPECT_TRUE(error.rule() == "V09" || error.rule() == "V18") << error.what();
      return {};
    }
  }
  return all;
}

TEST(Meaning, TheOtherVersionSaysTheSame) {
  for_seeds(6000, legal, [](const Recorded& recorded) {
    const auto arrays = arrays_of(recorded);
    const Version version = arrays[0]->version();
    const bool to_0_10 = version.minor == 9;
    const auto others = converted(arrays, to_0_10 ? protocol_0_10 : protocol_0_9);
    if (others.empty()) return;
    const Recorded written = record("", others);
    for (std::size_t r = 0; r < arrays.size(); ++r) {
      EXPECT_TRUE(same_meaning(*arrays[r], others[r])) << *arrays[r] << "\n" << others[r];
      const Section back = convert(others[r], version);
      EXPECT_TRUE(same_meaning(*arrays[r], back)) << *arrays[r] << "\n" << back;
    }
    const Reports reports = validate_everywhere(written);
    EXPECT_EQ(disagreement(judge(written), reports), "");
    const Reports before = validate_everywhere(recorded);
    for (const Finding& finding : reports.metadata.front().findings()) {
      // 0.10.x is stricter about widths on both sides of an edge, and about adjacent ranges.
      const bool stricter = finding.rule == "P15" || finding.rule == "P16";
      EXPECT_TRUE(finding.severity != Severity::error ||
                  (to_0_10 && stricter && before.metadata.front().has(finding.rule)))
          << finding << "\n"
          << as_json(written);
    }
  });
}

}  // namespace
}  // namespace daptor::search
