// SPDX-License-Identifier: BSD-3-Clause
// Judges what follows from one description alone.

#include <algorithm>
#include <utility>
#include <variant>

#include "judge_dimension.hpp"
#include "judge_keys.hpp"
#include "judge_memory.hpp"

namespace daptor::search {
namespace {

class RankJudge {
 public:
  RankJudgement run(const Value& description) {
    const auto* map = description.as<Dictionary>();
    if (map == nullptr) {
      judgement_.add("T02", -1, Level::form);
      return std::move(judgement_);
    }
    for (const char* key : {"__version__", "buffer", "dim_data"})
      if (look_up(*map, key) == nullptr) judgement_.add("T03", -1, Level::form);
    for (const Severity severity : judge_other_keys(*map, {"__version__", "buffer", "dim_data"}))
      judgement_.add("T04", -1, Level::form, severity);
    read_version(look_up(*map, "__version__"));
    if (const Value* value = look_up(*map, "buffer")) memory_ = judge_memory(*value, judgement_);
    if (known_version_ && look_up(*map, "dim_data") != nullptr)
      read_dimensions(*look_up(*map, "dim_data"));
    const bool complete = memory_ && known_version_ && all_pieces_;
    if (complete && sound_clauses()) compare_shapes();
    if (complete && !judgement_.has_error())
      judgement_.section = Judged{v0_10_, memory_->type, pieces_};
    return std::move(judgement_);
  }

 private:
  void read_version(const Value* value) {
    if (value == nullptr) return;
    const auto* text = value->as<std::string>();
    if (text == nullptr) {
      judgement_.add("T05", -1, Level::form);
      return;
    }
    // Handles only the texts that mutations write, because the search is not about the grammar.
    std::size_t at = 0;
    std::vector<std::string> parts;
    for (int part = 0; part < 3; ++part) {
      std::string digits;
      while (at < text->size() && (*text)[at] >= '0' && (*text)[at] <= '9') digits += (*text)[at++];
      if (digits.empty() || (part < 2 && (at >= text->size() || (*text)[at++] != '.'))) {
        judgement_.add("T06", -1, Level::form);
        return;
      }
      digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
      parts.push_back(digits);
    }
    const std::string suffix = text->substr(at);
    if (!suffix.empty() && suffix != "rc1" && suffix != "a1") {
      judgement_.add("T06", -1, Level::form);
      return;
    }
    if (!suffix.empty()) judgement_.add("A24", -1, Level::form, Severity::warning);
    v0_10_ = parts[1] == "10";
    known_version_ = parts[0] == "0" && (parts[1] == "9" || parts[1] == "10");
    if (!known_version_) judgement_.add("T07", -1, Level::form);
  }

  void read_dimensions(const Value& value) {
    const auto* sequence = value.as<Sequence>();
    if (sequence == nullptr) {
      judgement_.add("T11", -1, Level::form);
      all_pieces_ = false;
      return;
    }
    if (!sequence->tuple) judgement_.add("T11", -1, Level::form, Severity::warning);
    for (std::size_t d = 0; d < sequence->items.size(); ++d) {
      const auto piece = read_dimension(sequence->items[d], sequence->items.size(), d);
      if (piece) pieces_.push_back(*piece);
      all_pieces_ = all_pieces_ && piece;
    }
  }

  std::optional<Piece> read_dimension(const Value& value, std::size_t dictionaries, std::size_t d) {
    const DimensionFindings findings{judgement_, static_cast<int>(d)};
    const auto* map = value.as<Dictionary>();
    if (map == nullptr) {
      findings.add("T12", Level::form);
      return std::nullopt;
    }
    if (!map->items.empty() || !v0_10_) return judge_dimension(*map, v0_10_, findings);
    // An empty dictionary is an undistributed dimension, whose size the memory says.
    if (!memory_ || memory_->shape.size() != dictionaries) {
      findings.add("T15", Level::form);
      return std::nullopt;
    }
    Piece piece;
    piece.size = piece.stop = memory_->shape[d];
    return piece;
  }

  bool sound_clauses() const {
    return std::none_of(judgement_.broken.begin(), judgement_.broken.end(), [](const Broken& b) {
      return b.severity == Severity::error && b.level != Level::form;
    });
  }

  void compare_shapes() {
    Wide count = 1, grid = 1;
    bool empty = false;
    for (const Piece& piece : pieces_) {
      empty = empty || piece.extent() == 0;
      if (count <= int64_max) count *= piece.extent();
      if (grid <= int64_max) grid *= piece.processes;
    }
    if (empty) count = 0;
    if (count > int64_max) judgement_.add("T10", -1, Level::shape);
    if (grid > int64_max) judgement_.add("D14", -1, Level::shape);
    if (count > int64_max || grid > int64_max) return;
    if (memory_->shape.size() != pieces_.size()) {
      compare_flat(count);
      return;
    }
    const bool nothing = count == 0 && memory_->count() == 0;
    for (std::size_t d = 0; d < pieces_.size(); ++d) {
      if (pieces_[d].extent() == memory_->shape[d]) continue;
      const DimensionFindings findings{judgement_, static_cast<int>(d)};
      const bool none = pieces_[d].extent() == 0;
      const char type = pieces_[d].type;
      if (nothing) {
        findings.add("E06", Level::shape, Severity::warning);
      } else {
        findings.add(type == 'n'   ? "N04"
                     : type == 'b' ? (none ? "E02" : "P13")
                     : type == 'c' ? (none ? "E02" : "C12")
                                   : (none ? "E04" : "U06"),
                     Level::shape);
      }
    }
  }

  void compare_flat(Wide count) {
    const auto divided = std::count_if(pieces_.begin(), pieces_.end(),
                                       [](const Piece& piece) { return piece.extent() != 1; });
    const bool same_count = memory_->count() == count;
    if (!v0_10_ && memory_->gapless_line && same_count && (divided <= 1 || count == 0)) {
      judgement_.add("A03", -1, Level::shape, Severity::warning);
    } else if (memory_->shape.size() > pieces_.size()) {
      judgement_.add("T13", -1, Level::shape);
    } else {
      judgement_.add(same_count ? "T15" : "T10", -1, Level::shape);
    }
  }

  RankJudgement judgement_;
  bool v0_10_ = false;
  bool known_version_ = false;
  bool all_pieces_ = true;
  std::optional<Memory> memory_;
  std::vector<Piece> pieces_;
};

}  // namespace

bool RankJudgement::has_error() const {
  return std::any_of(broken.begin(), broken.end(),
                     [](const Broken& b) { return b.severity == Severity::error; });
}

RankJudgement judge_rank(const RecordedRank& rank) {
  if (const auto* value = std::get_if<Value>(&rank)) return RankJudge().run(*value);
  RankJudgement failed;
  failed.add("producer", -1, Level::form);
  return failed;
}

Judgement judge(const Recorded& recorded) {
  Judgement judgement;
  for (const RecordedRank& rank : recorded.ranks) judgement.ranks.push_back(judge_rank(rank));
  judge_across(judgement);
  return judgement;
}

}  // namespace daptor::search
