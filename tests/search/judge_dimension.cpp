// SPDX-License-Identifier: BSD-3-Clause
#include "judge_dimension.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "judge_indices.hpp"
#include "judge_keys.hpp"
#include "judge_piece.hpp"

namespace daptor::search {
namespace {

class DimensionJudge {
 public:
  DimensionJudge(bool v0_10, const DimensionFindings& findings)
      : v0_10_(v0_10), findings_(findings), clauses_(v0_10, findings) {}

  std::optional<Piece> run(const Dictionary& map) {
    bool right = true;
    Piece piece;
    const auto size = number(map, "size", "D06", "D07");
    piece.periodic = flag(map, "periodic", "D23", right);
    const Value* type = look_up(map, "dist_type");
    const auto* letter = type != nullptr ? type->as<std::string>() : nullptr;
    if (type == nullptr) findings_.add("D01", Level::form);
    if (type != nullptr && letter == nullptr) findings_.add("D02", Level::form);
    const bool known =
        letter != nullptr && (*letter == "n" || *letter == "b" || *letter == "c" || *letter == "u");
    if (letter != nullptr && !known) findings_.add("D04", Level::form);
    right = right && size && known;
    if (known) {
      piece.type = letter->front();
      piece.size = size.value_or(0);
      right = read_keys(map, piece, size.has_value()) && right;
      note_keys(map, piece);
    }
    if (!right) return std::nullopt;
    clauses_.judge_clauses(piece);
    return piece;
  }

 private:
  std::optional<std::int64_t> number(const Dictionary& map, const char* key, const char* absent,
                                     const char* wrong) {
    const Value* value = look_up(map, key);
    const auto found = whole(value);
    if (!found) findings_.add(value == nullptr ? absent : wrong, Level::form);
    return found;
  }

  bool flag(const Dictionary& map, const char* key, const char* rule, bool& right) {
    const Value* value = look_up(map, key);
    if (value == nullptr) return false;
    if (const auto* truth = value->as<bool>()) return *truth;
    findings_.add(rule, Level::form);
    right = false;
    return false;
  }

  /// Lower and upper width; nullopt if they are not two widths.
  std::optional<std::pair<std::int64_t, std::int64_t>> padding(const Dictionary& map) {
    const Value* value = look_up(map, "padding");
    if (value == nullptr) return std::pair<std::int64_t, std::int64_t>{0, 0};
    const auto* sequence = value->as<Sequence>();
    if (sequence == nullptr || sequence->items.size() != 2) {
      findings_.add("P02", Level::form);
      return std::nullopt;
    }
    if (!sequence->tuple) findings_.add("A08", Level::form, Severity::warning);
    const auto lower = whole(&sequence->items[0]), upper = whole(&sequence->items[1]);
    if (!lower || !upper || *lower < 0 || *upper < 0) {
      findings_.add("P03", Level::form);
      return std::nullopt;
    }
    return std::pair{*lower, *upper};
  }

  bool read_grid(const Dictionary& map, Piece& piece) {
    const auto processes = number(map, "proc_grid_size", "D12", "D13");
    const auto rank = number(map, "proc_grid_rank", "D16", "D17");
    piece.processes = processes.value_or(1);
    piece.rank = rank.value_or(0);
    return processes && rank;
  }

  bool read_keys(const Dictionary& map, Piece& piece, bool sized) {
    piece.padding_key = look_up(map, "padding") != nullptr;
    const auto widths = padding(map);
    bool right = widths.has_value();
    if (piece.type == 'c' || piece.type == 'u') return read_unpadded(map, piece, widths);
    if (piece.type == 'n') {
      if (v0_10_) findings_.add("V01", Level::form, Severity::warning);
      for (const auto& [key, only] :
           {std::pair{"proc_grid_size", 1}, std::pair{"proc_grid_rank", 0}})
        if (look_up(map, key) != nullptr && whole(look_up(map, key)) != only)
          findings_.add("D26", Level::form, Severity::warning);
      piece.stop = piece.size;
      if (right && sized) clauses_.place_padding(piece, *widths);
      return right;
    }
    right = read_grid(map, piece) && right;
    const auto start = number(map, "start", "B01", "B01");
    const auto stop = number(map, "stop", "B03", "B03");
    piece.start = start.value_or(0);
    piece.stop = stop.value_or(0);
    right = right && start && stop;
    if (right && sized) clauses_.place_padding(piece, *widths);
    return right;
  }

  bool read_unpadded(const Dictionary& map, Piece& piece,
                     const std::optional<std::pair<std::int64_t, std::int64_t>>& widths) {
    bool right = read_grid(map, piece);
    if (widths && piece.padding_key) {
      const bool zero = widths->first == 0 && widths->second == 0;
      findings_.add("P18", Level::form, zero ? Severity::warning : Severity::error);
    }
    if (piece.type == 'u') {
      piece.one_to_one = flag(map, "one_to_one", "U07", right);
      return judge_indices(look_up(map, "indices"), findings_, piece.indices) && right;
    }
    const auto start = number(map, "start", "C01", "C01");
    piece.start = start.value_or(0);
    if (look_up(map, "block_size") == nullptr) return right && start;
    const auto block_size = number(map, "block_size", "C05", "C05");
    piece.block_size = block_size.value_or(1);
    return right && start && block_size;
  }

  void note_keys(const Dictionary& map, const Piece& piece) {
    std::set<std::string> known = {"dist_type",      "size",     "proc_grid_size",
                                   "proc_grid_rank", "periodic", "padding"};
    if (piece.type == 'b') known.insert({"start", "stop"});
    if (piece.type == 'c') known.insert({"start", "block_size"});
    if (piece.type == 'u') known.insert({"indices", "one_to_one", "owned"});
    if (piece.type == 'c' && look_up(map, "stop") != nullptr) {
      findings_.add("C14", Level::form, Severity::note);
      known.insert("stop");
    }
    for (const Severity severity : judge_other_keys(map, known))
      findings_.add("D27", Level::form, severity);
    if (piece.periodic && (piece.type == 'c' || piece.type == 'u'))
      findings_.add("C15", Level::form, Severity::note);
  }

  bool v0_10_;
  DimensionFindings findings_;
  PieceJudge clauses_;
};

}  // namespace

std::optional<Piece> judge_dimension(const Dictionary& map, bool v0_10,
                                     const DimensionFindings& findings) {
  return DimensionJudge(v0_10, findings).run(map);
}

}  // namespace daptor::search
