// SPDX-License-Identifier: BSD-3-Clause
#include "compare.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "daptor/validate.hpp"
#include "fibers.hpp"

namespace daptor::search {
namespace {

/// What two findings about the same thing have in common.
using Place = std::tuple<std::string, int, Severity>;

Place place_of(const Finding& finding) {
  return {finding.rule, finding.dimension, finding.severity};
}
Place place_of(const Broken& broken) {
  return {broken.rule, broken.dimension, broken.severity};
}

std::set<Place> places(const Report& report) {
  std::set<Place> all;
  for (const Finding& finding : report.findings()) all.insert(place_of(finding));
  return all;
}

std::string text_of(const Place& place) {
  std::ostringstream out;
  out << std::get<0>(place) << ' ' << std::get<2>(place) << " in dimension " << std::get<1>(place);
  return out.str();
}

class Comparison {
 public:
  std::string run(const Judgement& judgement, const Reports& reports) {
    for (std::size_t r = 0; r < judgement.ranks.size(); ++r) {
      where_ = "rank " + std::to_string(r) + ": ";
      compare_rank(judgement.ranks[r].broken, places(reports.local[r]));
    }
    where_ = "level metadata: ";
    compare_all(judgement, judgement.metadata, reports, reports.metadata);
    where_ = "level full: ";
    std::vector<Broken> across = judgement.metadata;
    across.insert(across.end(), judgement.lists.begin(), judgement.lists.end());
    compare_all(judgement, across, reports, reports.full);
    expect_verdict("level metadata", judgement.verdict(false), reports.metadata.front().verdict());
    expect_verdict("level full", judgement.verdict(true), reports.full.front().verdict());
    return differences_;
  }

 private:
  void complain(const std::string& what) { differences_ += where_ + what + "\n"; }

  void expect_verdict(const std::string& where, Verdict judged, Verdict said) {
    std::ostringstream out;
    out << "judged " << judged << ", the library says " << said;
    where_ = where + ": ";
    if (judged != said) complain(out.str());
  }

  void expect_found(const Broken& broken, const std::set<Place>& found) {
    if (found.count(place_of(broken)) == 0) complain("not found: " + text_of(place_of(broken)));
  }

  void compare_rank(const std::vector<Broken>& broken, const std::set<Place>& found) {
    std::set<Place> possible;
    std::map<int, std::vector<Broken>> by_dimension;
    for (const Broken& each : broken) {
      possible.insert(place_of(each));
      // Rules about dimensions and buffer together are judged only if everything else is right.
      if (each.level != Level::shape) by_dimension[each.dimension].push_back(each);
    }
    for (const Place& place : found)
      if (possible.count(place) == 0) complain("not broken: " + text_of(place));
    bool sound = true;
    for (const auto& [dimension, clauses] : by_dimension)
      sound = compare_clauses(clauses, found) && sound;
    if (!sound) return;
    std::vector<Broken> shapes;
    std::copy_if(broken.begin(), broken.end(), std::back_inserter(shapes),
                 [](const Broken& each) { return each.level == Level::shape; });
    for (const Broken& each : shapes) expect_found(each, found);
  }

  /// Compares the clauses of one dimension, or of the keys at the top level and the buffer. Returns
  /// whether none of them is an error.
  bool compare_clauses(const std::vector<Broken>& clauses, const std::set<Place>& found) {
    Level lowest = Level::uncertain;
    for (const Broken& each : clauses)
      if (each.severity == Severity::error) lowest = std::min(lowest, each.level);
    bool any = false;
    for (const Broken& each : clauses) {
      const bool error = each.severity == Severity::error;
      if (each.level == Level::form || each.level < lowest) expect_found(each, found);
      if (each.level == Level::ground && each.level == lowest && error) expect_found(each, found);
      if (each.level == lowest && error) any = any || found.count(place_of(each)) != 0;
    }
    if (lowest != Level::uncertain && !any) complain("none of the broken clauses was found");
    return lowest == Level::uncertain;
  }

  void compare_all(const Judgement& judgement, const std::vector<Broken>& across,
                   const Reports& reports, const std::vector<Report>& said) {
    for (const Report& report : said)
      if (report.findings() != said.front().findings()) complain("ranks have different reports");
    const std::set<Place> found = places(said.front());
    std::set<Place> possible;
    for (const Broken& broken : across) {
      possible.insert(place_of(broken));
      if (broken.level != Level::uncertain) expect_found(broken, found);
    }
    for (std::size_t r = 0; r < judgement.ranks.size(); ++r) {
      const auto local = places(reports.local[r]);
      possible.insert(local.begin(), local.end());
      for (const Place& place : local)
        if (found.count(place) == 0) complain("lost: " + text_of(place));
    }
    for (const Place& place : found)
      if (possible.count(place) == 0) complain("nobody's: " + text_of(place));
    for (const Place& place : possible) compare_ranks(place, across, reports, said.front());
  }

  /// A finding that follows from one rank's own description names the ranks that have it.
  void compare_ranks(const Place& place, const std::vector<Broken>& across, const Reports& reports,
                     const Report& said) {
    for (const Broken& broken : across)
      if (place_of(broken) == place) return;
    std::vector<int> ranks;
    for (std::size_t r = 0; r < reports.local.size(); ++r)
      if (places(reports.local[r]).count(place) != 0) ranks.push_back(static_cast<int>(r));
    std::set<int> named;
    std::int64_t count = 0;
    bool everybody = false;
    for (const Finding& finding : said.findings()) {
      if (place_of(finding) != place) continue;
      named.insert(finding.ranks.begin(), finding.ranks.end());
      everybody = everybody || finding.ranks.empty();
      count = std::max(count, finding.rank_count);
    }
    if (everybody && ranks.size() < reports.local.size())
      complain("not every rank is at fault: " + text_of(place));
    for (const int rank : named)
      if (std::find(ranks.begin(), ranks.end(), rank) == ranks.end())
        complain("rank " + std::to_string(rank) + " is not at fault: " + text_of(place));
    if (!everybody && !ranks.empty() && named.count(ranks.front()) == 0)
      complain("the lowest rank at fault is not named: " + text_of(place));
    if (count > static_cast<std::int64_t>(ranks.size()))
      complain("more ranks counted than are at fault: " + text_of(place));
  }

  std::string where_;
  std::string differences_;
};

}  // namespace

Reports validate_everywhere(const Recorded& recorded) {
  Reports reports;
  const std::size_t size = recorded.ranks.size();
  reports.full.resize(size);
  reports.metadata.resize(size);
  for (const RecordedRank& rank : recorded.ranks)
    reports.local.push_back(validate_local(submission(rank), {daptor::Level::metadata, {}}));
  const auto errors = test::run_on_fibers(static_cast<int>(size), [&](const Comm& comm) {
    const auto rank = static_cast<std::size_t>(comm.rank());
    const Submission mine = submission(recorded.ranks[rank]);
    reports.full[rank] = validate(mine, comm, {daptor::Level::full, {}});
    reports.metadata[rank] = validate(mine, comm, {daptor::Level::metadata, {}});
  });
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  return reports;
}

std::string disagreement(const Judgement& judgement, const Reports& reports) {
  return Comparison().run(judgement, reports);
}

std::string as_json(const Recorded& recorded) {
  std::ostringstream out;
  write_recorded(out, recorded);
  return out.str();
}

}  // namespace daptor::search
