// SPDX-License-Identifier: BSD-3-Clause
// Judges what the ranks say together, by comparing every rank with every other.

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "judge.hpp"

namespace daptor::search {
namespace {

using Seat = std::vector<std::int64_t>;

class AcrossJudge {
 public:
  explicit AcrossJudge(Judgement& judgement) : judgement_(judgement) {
    for (const RankJudgement& rank : judgement.ranks)
      if (rank.section) sections_.push_back(&*rank.section);
  }

  void run() {
    compare_keys();
    count_processes();
    const bool comparable = sections_.size() == judgement_.ranks.size() && agree_ && fits_;
    if (!comparable || !take_seats()) return;
    for (std::size_t d = 0; d < first().pieces.size(); ++d) {
      compare_lines(d);
      const bool same = judge_same_part(d);
      if (first().pieces[d].type == 'c') judge_origin(d, same ? Level::form : Level::uncertain);
      if (first().pieces[d].type == 'u') judge_lists(d);
    }
  }

 private:
  const Judged& first() const { return *sections_.front(); }
  std::size_t ndim() const { return first().pieces.size(); }

  void add(const char* rule, std::size_t d, Severity severity = Severity::error,
           Level level = Level::form) {
    judgement_.metadata.push_back({rule, static_cast<int>(d), severity, level});
  }
  void add_list(const char* rule, std::size_t d, Severity severity = Severity::error,
                Level level = Level::form) {
    judgement_.lists.push_back({rule, static_cast<int>(d), severity, level});
  }

  /// A rule that holds if all ranks have the same value; at least a difference from the first rank
  /// is found. Ranks without a `key` do not count.
  void same(const char* rule, int d, const std::function<std::optional<Wide>(const Judged&)>& key) {
    std::set<Wide> values;
    for (const Judged* section : sections_)
      if (const auto value = key(*section)) values.insert(*value);
    if (values.size() < 2) return;
    agree_ = false;
    const Level level = key(first()) ? Level::form : Level::uncertain;
    judgement_.metadata.push_back({rule, d, Severity::error, level});
  }

  void compare_keys() {
    if (sections_.empty()) return;
    same("T08", -1, [](const Judged& s) { return Wide{s.v0_10 ? 10 : 9}; });
    same("T14", -1, [](const Judged& s) { return static_cast<Wide>(s.pieces.size()); });
    std::map<std::string, int> types;
    for (const Judged* section : sections_)
      types.emplace(section->type, static_cast<int>(types.size()));
    same("T16", -1, [&](const Judged& s) { return Wide{types[s.type]}; });
    for (std::size_t d = 0; d < ndim(); ++d) compare_dimension(d);
  }

  void compare_dimension(std::size_t d) {
    using Key = std::function<std::optional<Wide>(const Judged&, const Piece&)>;
    const auto compare = [&](const char* rule, const Key& key) {
      same(rule, static_cast<int>(d), [&](const Judged& s) -> std::optional<Wide> {
        if (s.pieces.size() != ndim()) return std::nullopt;
        return key(s, s.pieces[d]);
      });
    };
    const auto only = [](bool present, Wide value) {
      return present ? std::optional<Wide>(value) : std::nullopt;
    };
    compare("D05", [](const Judged&, const Piece& p) { return Wide{p.type}; });
    compare("D10", [](const Judged&, const Piece& p) { return Wide{p.size}; });
    compare("D15", [&](const Judged&, const Piece& p) { return only(p.type != 'n', p.processes); });
    compare("D25", [](const Judged&, const Piece& p) { return Wide{p.periodic}; });
    compare("P06", [&](const Judged& s, const Piece& p) {
      return only(!s.v0_10 && (p.type == 'n' || p.type == 'b'), p.padding_key);
    });
    compare("C06",
            [&](const Judged&, const Piece& p) { return only(p.type == 'c', p.block_size); });
    compare("U10",
            [&](const Judged&, const Piece& p) { return only(p.type == 'u', p.one_to_one); });
  }

  void count_processes() {
    for (const Judged* section : sections_) {
      Wide processes = 1;
      for (const Piece& piece : section->pieces) processes *= piece.processes;
      if (processes == static_cast<Wide>(judgement_.ranks.size())) continue;
      fits_ = false;
      judgement_.metadata.push_back({"D14", -1, Severity::error, Level::form});
    }
  }

  /// Returns whether each rank has coordinates of its own.
  bool take_seats() {
    bool row_major = true;
    for (std::size_t r = 0; r < sections_.size(); ++r) {
      Seat seat;
      Wide number = 0;
      for (const Piece& piece : sections_[r]->pieces) {
        seat.push_back(piece.rank);
        number = number * piece.processes + piece.rank;
      }
      row_major = row_major && number == static_cast<Wide>(r);
      seats_[seat] = sections_[r];
    }
    if (seats_.size() != sections_.size()) {
      judgement_.metadata.push_back({"D19", -1, Severity::error, Level::form});
      return false;
    }
    if (!row_major) judgement_.metadata.push_back({"D20", -1, Severity::warning, Level::form});
    return true;
  }

  /// Compares every process with the next one along d, around the end if the dimension is periodic.
  void compare_lines(std::size_t d) {
    for (const auto& [seat, section] : seats_) {
      const Piece& below = section->pieces[d];
      Seat next = seat;
      next[d] = (seat[d] + 1) % below.processes;
      const bool around = next[d] == 0;
      if (around && !below.periodic) continue;
      compare_pair(d, below, seats_.at(next)->pieces[d], around);
    }
  }

  void compare_pair(std::size_t d, const Piece& below, const Piece& above, bool around) {
    const Severity wide = first().v0_10 ? Severity::error : Severity::warning;
    const Severity unequal = first().v0_10 ? Severity::error : Severity::note;
    if (below.type == 'b' && !around && below.stop != above.start) add("B09", d);
    if (below.upper > above.owned_count() || above.lower > below.owned_count()) add("P15", d, wide);
    if (below.upper != above.lower && below.owned_count() > 0 && above.owned_count() > 0)
      add("P16", d, unequal);
  }

  /// Processes with the same grid rank must have the same part of the dimension.
  bool judge_same_part(std::size_t d) {
    bool same = true;
    for (const auto& [seat, section] : seats_)
      for (const auto& [other_seat, other] : seats_) {
        if (seat[d] != other_seat[d]) continue;
        const Piece &a = section->pieces[d], &b = other->pieces[d];
        const bool same_range = a.start == b.start && a.stop == b.stop;
        if (a.type == 'u' ? a.indices.size() != b.indices.size() : !same_range) {
          add(a.type == 'u' ? "U12" : "D22", d);
          same = false;
        }
        if (!first().v0_10 &&
            (a.lower != b.lower || a.upper != b.upper || a.lower_boundary != b.lower_boundary ||
             a.upper_boundary != b.upper_boundary))
          add("A21", d, Severity::warning);
      }
    return same;
  }

  /// There must be one origin from which the deal gives every process what it says it has.
  void judge_origin(std::size_t d, Level level) {
    const Piece& any = first().pieces[d];
    for (std::int64_t origin = 0; origin < any.processes; ++origin) {
      const bool all = std::all_of(seats_.begin(), seats_.end(), [&](const auto& seat) {
        const Piece& piece = seat.second->pieces[d];
        const std::int64_t position = (piece.rank + any.processes - origin) % any.processes;
        const Wide due = std::min(Wide{position} * any.block_size, Wide{any.size});
        return due == piece.start;
      });
      if (all) return;
    }
    add("C11", d, Severity::error, level);
  }

  void judge_lists(std::size_t d) {
    bool repeated = false, unlike = false;
    for (const auto& [seat, section] : seats_) {
      const auto& list = section->pieces[d].indices;
      if (std::set<std::int64_t>(list.begin(), list.end()).size() != list.size()) repeated = true;
      for (const auto& [other_seat, other] : seats_)
        unlike = unlike || (seat[d] == other_seat[d] && other->pieces[d].indices != list);
    }
    if (repeated) add_list("U04", d);
    if (unlike) add_list("U12", d);
    // It is not specified which of several different lists is counted.
    const Level level = repeated || unlike ? Level::uncertain : Level::form;
    for (const auto& [seat, section] : seats_) judge_line(d, seat, level);
  }

  /// Judges the lists of all processes along d through this position.
  void judge_line(std::size_t d, Seat seat, Level level) {
    const Piece& any = first().pieces[d];
    std::map<std::int64_t, int> owners;
    for (seat[d] = 0; seat[d] < any.processes; ++seat[d])
      for (const std::int64_t index : seats_.at(seat)->pieces[d].indices) ++owners[index];
    const bool shared = std::any_of(owners.begin(), owners.end(),
                                    [](const auto& owner) { return owner.second > 1; });
    if (shared && any.one_to_one) add_list("U09", d, Severity::error, level);
    if (static_cast<Wide>(owners.size()) != any.size) add_list("U11", d, Severity::warning, level);
  }

  Judgement& judgement_;
  std::vector<const Judged*> sections_;
  std::map<Seat, const Judged*> seats_;
  bool agree_ = true;
  bool fits_ = true;
};

Verdict kind_of(const std::string& rule) {
  if (rule == "producer") return Verdict::producer_failed;
  if (rule == "T07" || rule == "D04" || rule == "A26") return Verdict::unsupported;
  return Verdict::malformed;
}

}  // namespace

void judge_across(Judgement& judgement) {
  AcrossJudge(judgement).run();
}

Verdict Judgement::verdict(bool full) const {
  Verdict verdict = Verdict::conforms;
  const auto count = [&](const std::vector<Broken>& all) {
    for (const Broken& broken : all)
      if (broken.severity == Severity::error) verdict = std::max(verdict, kind_of(broken.rule));
  };
  for (const RankJudgement& rank : ranks) count(rank.broken);
  count(metadata);
  if (full) count(lists);
  return verdict;
}

}  // namespace daptor::search
