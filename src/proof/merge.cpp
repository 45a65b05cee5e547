// SPDX-License-Identifier: BSD-3-Clause
#include "proof/merge.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "ranks/lowest_rank.hpp"
#include "ranks/share_packet.hpp"
#include "report/rules/sections.hpp"

namespace daptor::proof {
namespace {

constexpr std::int64_t no_place = std::numeric_limits<std::int64_t>::max();
/// Up to this many ranks are listed by one reduction each.
constexpr std::int64_t few_ranks = 8;
/// Maximum number of entries in a merged report: a description can break only a few rules in each
/// dimension.
constexpr std::size_t report_limit = 512;

/// Position of a rule in the checklist: by section, then by number. Rule ids that are not in the
/// checklist come first.
std::int64_t checklist_position(std::string_view rule) {
  constexpr std::string_view sections = rule_table::sections;
  const std::size_t section = rule.empty() ? std::string_view::npos : sections.find(rule[0]);
  std::int64_t number = 0;
  for (std::size_t i = 1; i < rule.size(); ++i) {
    if (rule[i] < '0' || rule[i] > '9') return 0;
    number = std::min<std::int64_t>(10 * number + (rule[i] - '0'), 999);
  }
  if (section == std::string_view::npos || rule.size() < 2) return 0;
  return static_cast<std::int64_t>(section + 1) * 1000 + number;
}

/// A finding and its position in the merged report. Findings of several ranks at one position form
/// one entry.
struct Placed {
  std::int64_t place;
  const Finding* finding;
};

/// A number that distinguishes the keys of one rule of the checklist, and also rules outside the
/// checklist. It need not distinguish arbitrary words: two words may have the same number.
std::int64_t word_number(const Finding& finding) {
  std::uint32_t number = 0;
  const auto add = [&](std::string_view word) {
    for (const char c : word) number = 31 * number + static_cast<unsigned char>(c);
  };
  if (checklist_position(finding.rule) == 0) add(finding.rule);
  add(finding.key);
  return number % 0xffff;
}

/// The position, made of rule, dimension, severity and key, and of the finding's number among those
/// findings of a rank that agree in these four.
std::int64_t place_of(const Finding& finding, std::int64_t occurrence) {
  const std::int64_t dimension = std::clamp(finding.dimension + 1, 0, 0xffff);
  std::int64_t place = checklist_position(finding.rule);
  place = (place << 16) | dimension;
  place = (place << 2) | (2 - static_cast<std::int64_t>(finding.severity));
  place = (place << 16) | word_number(finding);
  return (place << 8) | std::min<std::int64_t>(occurrence, 0xff);
}

std::vector<Placed> in_order(const Report& report) {
  std::vector<Placed> placed;
  for (const Finding& finding : report.findings())
    placed.push_back({place_of(finding, 0), &finding});
  const auto lower = [](const Placed& a, const Placed& b) { return a.place < b.place; };
  std::stable_sort(placed.begin(), placed.end(), lower);
  // Findings of one rank at the same position are distinguished by their order.
  for (std::size_t i = 1, occurrence = 0; i < placed.size(); ++i) {
    const bool same = place_of(*placed[i - 1].finding, 0) == place_of(*placed[i].finding, 0);
    occurrence = same ? occurrence + 1 : 0;
    placed[i].place = place_of(*placed[i].finding, static_cast<std::int64_t>(occurrence));
  }
  return placed;
}

/// Collective. The lowest ranks that have the entry, found by one reduction for each entry of
/// `ranks`.
void ask_lowest(const Comm& comm, bool mine, std::vector<int>& ranks) {
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto named = ranks.begin() + static_cast<std::ptrdiff_t>(i);
    const bool told = std::find(ranks.begin(), named, comm.rank()) != named;
    ranks[i] = static_cast<int>(detail::lowest_rank(comm, mine && !told));
  }
}

/// Collective. Finds the lowest ranks for long lists, along a binomial tree: in each step half of
/// the ranks that are left send what they know to the rank `distance` below, which puts it behind
/// its own. Rank 0 tells all ranks the result. `theirs` has room for as many ranks.
void gather_lowest(const Comm& comm, bool mine, std::vector<int>& ranks, std::vector<int>& theirs) {
  constexpr int none = -1;
  std::fill(ranks.begin(), ranks.end(), none);
  if (mine) ranks.front() = comm.rank();
  const std::size_t bytes = ranks.size() * sizeof(int);
  for (int distance = 1; distance < comm.size(); distance *= 2) {
    if (comm.rank() % (2 * distance) != 0) {
      comm->sendrecv(comm.rank() - distance, ranks.data(), bytes, none, nullptr, 0);
      break;
    }
    if (comm.rank() + distance >= comm.size()) continue;
    comm->sendrecv(none, nullptr, 0, comm.rank() + distance, theirs.data(), bytes);
    const auto end = std::find(ranks.begin(), ranks.end(), none);
    std::copy_n(theirs.begin(), ranks.end() - end, end);
  }
  comm->broadcast(ranks.data(), bytes, 0);
}

/// Sets the ranks of a finding that does not name its ranks; a finding that every rank has made is
/// about the array as a whole.
void name_ranks(Finding& finding, std::int64_t count, const std::vector<int>& ranks, int size) {
  if (!finding.ranks.empty()) return;
  finding.rank_count = count;
  if (count < size || size == 1) finding.ranks = ranks;
}

/// Merges the entries of all ranks one by one. What a rank does with an entry may fail; the check
/// that finds the next entry tells all ranks.
class Merging {
 public:
  Merging(int listed, Call& call)
      : call_(call), comm_(call.comm()), listed_(std::clamp(listed, 1, comm_.size())) {}

  Report run(const std::function<Report()>& local) {
    std::int64_t place = next_place([&] { begin(local()); });
    for (std::size_t entry = 0; place != no_place && entry < report_limit; ++entry) {
      const bool mine = next_ != mine_.end() && next_->place == place;
      std::int64_t count = mine ? 1 : 0;
      comm_->allreduce(&count, 1, Reduction::sum);
      find_lowest(mine, count);
      detail::share(packet_, comm_, ranks_.front());
      place = next_place([&] {
        take(count);
        if (mine) ++next_;
      });
    }
    return std::move(merged_);
  }

 private:
  /// Collective. The place of the next entry, once all ranks have done their work. Each rank puts
  /// its next finding in the packet, which the lowest of those that have the entry sends.
  template <class F>
  std::int64_t next_place(const F& work) {
    Agreed<std::int64_t> place;
    call_.check([&] {
      work();
      packet_.rewind();
      if (next_ != mine_.end()) packet_.write(*next_->finding);
      place = call_.least(next_ != mine_.end() ? next_->place : no_place);
    });
    return place;
  }

  /// Allocates, because nothing may fail between communications.
  void begin(Report local) {
    report_ = std::move(local);
    ranks_.resize(static_cast<std::size_t>(listed_));
    theirs_.resize(ranks_.size());
    mine_ = in_order(report_);
    next_ = mine_.begin();
  }

  /// Takes the finding that was sent, of `count` ranks.
  void take(std::int64_t count) {
    packet_.rewind();
    Finding finding = packet_.read_finding();
    name_ranks(finding, count, ranks_, comm_.size());
    merged_.add(std::move(finding));
  }

  /// Collective. The lowest of the `count` ranks that have the entry.
  void find_lowest(bool mine, std::int64_t count) {
    ranks_.resize(static_cast<std::size_t>(std::min<std::int64_t>(count, listed_)));
    if (static_cast<std::int64_t>(ranks_.size()) <= few_ranks) {
      ask_lowest(comm_, mine, ranks_);
    } else {
      theirs_.resize(ranks_.size());
      gather_lowest(comm_, mine, ranks_, theirs_);
    }
  }

  Call& call_;
  const Comm& comm_;
  int listed_;
  Report report_;  // of this rank
  std::vector<Placed> mine_;
  std::vector<Placed>::const_iterator next_;
  detail::Packet<11008> packet_;
  std::vector<int> ranks_;
  std::vector<int> theirs_;  // of another rank
  Report merged_;
};

}  // namespace

Report merge(const std::function<Report()>& local, int listed, Call& call) {
  return Merging(listed, call).run(local);
}

Report merge_recorded(const std::vector<Report>& reports, int listed) {
  std::map<std::int64_t, Finding> entries;
  for (std::size_t rank = 0; rank < reports.size(); ++rank) {
    for (const Placed& placed : in_order(reports[rank])) {
      Finding& entry = entries.emplace(placed.place, *placed.finding).first->second;
      if (!placed.finding->ranks.empty()) continue;  // it already names its ranks
      ++entry.rank_count;
      if (entry.rank_count <= std::max(listed, 1)) entry.ranks.push_back(static_cast<int>(rank));
    }
  }
  Report merged;
  for (auto& [place, finding] : entries) {
    if (merged.findings().size() == report_limit) break;
    merged.add(std::move(finding));
  }
  return merged;
}

}  // namespace daptor::proof
