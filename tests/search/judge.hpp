// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daptor/report.hpp"
#include "json/recorded.hpp"
#include "piece.hpp"

/// \file
/// A judge of descriptions that shares nothing with the library except the tree of values that it
/// reads. It was written from the checklist, and works by brute force, with lists of every index
/// and every owner.

namespace daptor::search {

/// Which clauses can be judged only if others hold. Within one dimension of one rank:
enum class Level {
  form,      ///< keys and types: each breach is found
  ground,    ///< size and position on the grid: each is found if the form is right
  clause,    ///< at least one of the broken clauses is found
  deep,      ///< the same, if no `clause` is broken
  shape,     ///< dimensions and buffer together, if everything else is right
  uncertain  ///< may be found
};

struct Broken {
  std::string rule;
  int dimension = -1;
  Severity severity = Severity::error;
  Level level = Level::form;
};

/// What a rank describes, if it is right by itself.
struct Judged {
  bool v0_10 = false;
  std::string type;
  std::vector<Piece> pieces;
};

struct RankJudgement {
  std::vector<Broken> broken;
  std::optional<Judged> section;

  void add(std::string rule, int dimension, Level level, Severity severity = Severity::error) {
    broken.push_back({std::move(rule), dimension, severity, level});
  }
  bool has_error() const;
};

struct Judgement {
  std::vector<RankJudgement> ranks;
  std::vector<Broken> metadata;  ///< across ranks
  std::vector<Broken> lists;     ///< across ranks and within each rank, at level `full` only

  Verdict verdict(bool full) const;
};

RankJudgement judge_rank(const RecordedRank& rank);
Judgement judge(const Recorded& recorded);

/// Judges across ranks whose own sections are right. Called by `judge`.
void judge_across(Judgement& judgement);

}  // namespace daptor::search
