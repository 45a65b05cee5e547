// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "daptor/report.hpp"
#include "json/recorded.hpp"

/// \file
/// A judge of descriptions that shares nothing with the library but the tree of values it reads:
/// written from the checklist, by brute force, with lists of every index and every owner.

namespace daptor::search {

/// Wide enough for every sum and product of two 64-bit numbers.
__extension__ using Wide = __int128;

/// Which clauses can be looked at only where others are kept. Within one dimension of one rank:
enum class Level {
  form,      ///< keys and types: each is found
  ground,    ///< size and place on the grid: each is found where the form is right
  clause,    ///< one of those that are broken is found at the least
  deep,      ///< the same, where no `clause` is broken
  shape,     ///< dimensions and buffer together, where nothing else is wrong
  uncertain  ///< may be found
};

struct Broken {
  std::string rule;
  int dimension = -1;
  Severity severity = Severity::error;
  Level level = Level::form;
};

/// A dimension that is right by itself, in normal form.
struct Piece {
  char type = 'n';
  std::int64_t size = 0, processes = 1, rank = 0;
  bool periodic = false, one_to_one = false, padding_key = false;
  std::int64_t block_size = 1;
  std::int64_t start = 0, stop = 0;   ///< owned; 'c': the first one
  std::int64_t lower = 0, upper = 0;  ///< communication padding
  std::int64_t lower_boundary = 0, upper_boundary = 0;
  std::vector<std::int64_t> indices;

  std::int64_t owned_count() const;
  Wide extent() const { return Wide{owned_count()} + lower + upper; }
  /// Every owned global index in local order. For small sizes.
  std::vector<std::int64_t> owned() const;
};

/// What a rank says, where it is right by itself.
struct Section {
  bool v0_10 = false;
  std::string type;
  std::vector<Piece> pieces;
};

struct RankJudgement {
  std::vector<Broken> broken;
  std::optional<Section> section;

  void add(std::string rule, int dimension, Level level, Severity severity = Severity::error) {
    broken.push_back({std::move(rule), dimension, severity, level});
  }
  bool has_error() const;
};

struct Judgement {
  std::vector<RankJudgement> ranks;
  std::vector<Broken> metadata;  ///< across ranks
  std::vector<Broken> lists;     ///< across ranks and each rank's own, at level `full` only

  Verdict verdict(bool full) const;
};

RankJudgement judge_rank(const RecordedRank& rank);
Judgement judge(const Recorded& recorded);

/// Across ranks whose own sections are right. By `judge`.
void judge_across(Judgement& judgement);

}  // namespace daptor::search
