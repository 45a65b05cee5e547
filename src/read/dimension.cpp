// SPDX-License-Identifier: BSD-3-Clause
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "read/section.hpp"

namespace daptor::parsing {
namespace {

/// Rule ids of an integer key: one for a missing key, one for a value that is no integer.
struct KeyRule {
  const char* key;
  const char* absent;
  const char* type;
};

constexpr KeyRule size_rule{"size", "D06", "D07"};
constexpr KeyRule grid_size_rule{"proc_grid_size", "D12", "D13"};
constexpr KeyRule grid_rank_rule{"proc_grid_rank", "D16", "D17"};
constexpr KeyRule block_start_rule{"start", "B01", "B01"};
constexpr KeyRule block_stop_rule{"stop", "B03", "B03"};
constexpr KeyRule cyclic_start_rule{"start", "C01", "C01"};
constexpr KeyRule block_size_rule{"block_size", "C05", "C05"};
constexpr ListRules indices_rules{"indices", "U02", "U03", "U04", "A10"};

/// What to do about a distribution that is named by a word, in place of its letter; empty for a
/// word that is none.
std::string letter_for(const std::string& word) {
  struct Word {
    std::string_view word;
    const char* letter;
  };
  constexpr Word words[] = {{"block", "'b'"},
                            {"blocked", "'b'"},
                            {"cyclic", "'c'"},
                            {"blockcyclic", "'c', and its block_size"},
                            {"unstructured", "'u'"},
                            {"irregular", "'u'"},
                            {"none", "'n'"},
                            {"undistributed", "'n'"},
                            {"n", "'n'"},
                            {"b", "'b'"},
                            {"c", "'c'"},
                            {"u", "'u'"}};
  std::string letters;
  for (const char c : word)
    if (c != '-' && c != '_' && c != ' ')
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const Word& known : words)
    if (letters == known.word) return std::string("Write ") + known.letter + '.';
  return {};
}

std::set<std::string_view> keys_of(char type) {
  std::set<std::string_view> keys = {"dist_type",      "size",     "proc_grid_size",
                                     "proc_grid_rank", "periodic", "padding"};
  if (type == 'b') keys.insert({"start", "stop"});
  if (type == 'c') keys.insert({"start", "block_size"});
  if (type == 'u') keys.insert({"indices", "one_to_one", "owned"});
  return keys;
}

struct ParsedPadding {
  Padding widths;
  bool present = false;
};

/// Reads one dictionary. Every reader adds a finding and returns `nullopt` if a value is wrong.
class DimensionReader {
 public:
  DimensionReader(const Dictionary& map, Version::Rules rules, std::optional<Index> local_extent,
                  Findings findings)
      : map_(map), rules_(rules), local_extent_(local_extent), findings_(findings) {}

  std::optional<Dimension> read() {
    if (map_.items.empty() && rules_ == Version::Rules::v0_10) return read_empty_dictionary();
    const auto type = read_type();
    const auto size = read_integer(size_rule);
    const auto periodic = read_flag("periodic", "D23");
    if (!type) return std::nullopt;
    std::optional<Dimension::Distribution> distribution;
    switch (*type) {
      case 'n':
        distribution = read_undistributed(size, periodic.value_or(false));
        break;
      case 'b':
        distribution = read_block(size, periodic.value_or(false));
        break;
      case 'c':
        distribution = read_cyclic(size);
        break;
      default:
        distribution = read_unstructured();
    }
    note_other_keys(*type);
    if (!distribution || !size || !periodic) return std::nullopt;
    return Dimension(*size, *std::move(distribution), *periodic);
  }

 private:
  std::optional<Dimension> read_empty_dictionary() {
    if (local_extent_) return Dimension(*local_extent_, Undistributed{});
    findings_.add("T15", "",
                  "an empty dictionary, but no extent of the buffer along this dimension",
                  "a buffer with one dimension for each dimension of the array");
    return std::nullopt;
  }

  std::optional<char> read_type() {
    const Value* value = map_.find("dist_type");
    if (value == nullptr) {
      findings_.add("D01", "dist_type", "no such key", "'n', 'b', 'c' or 'u'");
      return std::nullopt;
    }
    const auto* text = value->as<std::string>();
    if (text == nullptr) {
      findings_.add("D02", "dist_type", value->text(), "a string");
      return std::nullopt;
    }
    constexpr std::string_view types = "nbcu";
    if (text->size() != 1 || types.find(text->front()) == std::string_view::npos) {
      findings_.add(rule_unknown_distribution, "dist_type", value->text(), "'n', 'b', 'c' or 'u'",
                    letter_for(*text));
      return std::nullopt;
    }
    if (text->front() == 'n' && rules_ == Version::Rules::v0_10)
      findings_.add("V01", "dist_type", "dist_type 'n' in version 0.10",
                    "an empty dictionary, or 'b' with one process");
    return text->front();
  }

  std::optional<Index> read_integer(const KeyRule& rule) {
    const Value* value = map_.find(rule.key);
    if (value == nullptr) {
      findings_.add(rule.absent, rule.key, "no such key", "an integer");
      return std::nullopt;
    }
    const auto* integer = value->as<Integer>();
    if (integer == nullptr || !integer->fits) {
      findings_.add(rule.type, rule.key, value->text(), "an integer that fits in 64 bits");
      return std::nullopt;
    }
    return integer->value;
  }

  /// False if the key is absent, `nullopt` with a finding if its value is no bool.
  std::optional<bool> read_flag(const char* key, const char* rule) {
    const Value* value = map_.find(key);
    if (value == nullptr) return false;
    if (const auto* flag = value->as<bool>()) return *flag;
    findings_.add(rule, key, value->text(), "True or False");
    return std::nullopt;
  }

  std::optional<GridPosition> read_grid() {
    const auto size = read_integer(grid_size_rule);
    const auto rank = read_integer(grid_rank_rule);
    if (!size || !rank) return std::nullopt;
    return GridPosition{*size, *rank};
  }

  std::optional<ParsedPadding> read_padding() {
    const Value* value = map_.find("padding");
    if (value == nullptr) return ParsedPadding{};
    const auto* sequence = value->as<Sequence>();
    if (sequence == nullptr || sequence->items.size() != 2) {
      findings_.add("P02", "padding", value->text(), "a tuple of two integers");
      return std::nullopt;
    }
    if (!sequence->tuple) findings_.add("A08", "padding", "a list", "a tuple of two integers");
    const auto* lower = sequence->items[0].as<Integer>();
    const auto* upper = sequence->items[1].as<Integer>();
    if (lower == nullptr || upper == nullptr || !lower->fits || !upper->fits || lower->value < 0 ||
        upper->value < 0) {
      findings_.add("P03", "padding", value->text(), "two integers of zero or more");
      return std::nullopt;
    }
    return ParsedPadding{{lower->value, upper->value}, true};
  }

  std::optional<Dimension::Distribution> read_undistributed(std::optional<Index> size,
                                                            bool periodic) {
    check_grid_of_undistributed();
    const auto padding = read_padding();
    if (!padding || !size) return std::nullopt;
    Undistributed result;
    result.padded = padding->present;
    (periodic && rules_ == Version::Rules::v0_9 ? result.communication : result.boundary) =
        padding->widths;
    warn_of_periodic_boundary(result.boundary, periodic);
    return result;
  }

  void warn_of_periodic_boundary(Padding boundary, bool periodic) {
    if (periodic && boundary != Padding{})
      findings_.add("V09", "padding", "padding on an external edge of a periodic dimension",
                    "no padding there: 0.10.x reads it as boundary padding, inside size");
  }

  void check_grid_of_undistributed() {
    const Value* size = map_.find("proc_grid_size");
    const Value* rank = map_.find("proc_grid_rank");
    const auto is = [](const Value* value, Index wanted) {
      if (value == nullptr) return true;
      const auto* integer = value->as<Integer>();
      return integer != nullptr && integer->fits && integer->value == wanted;
    };
    if (!is(size, 1)) findings_.add("D26", "proc_grid_size", size->text(), "1, or no such key");
    if (!is(rank, 0)) findings_.add("D26", "proc_grid_rank", rank->text(), "0, or no such key");
  }

  std::optional<Dimension::Distribution> read_block(std::optional<Index> size, bool periodic) {
    const auto grid = read_grid();
    const auto start = read_integer(block_start_rule);
    const auto stop = read_integer(block_stop_rule);
    const auto padding = read_padding();
    if (!grid || !start || !stop || !padding || !size) return std::nullopt;
    Block block;
    block.grid = *grid;
    block.owned = {*start, *stop};
    block.padded = padding->present;
    // Without a valid position on the grid there are no edges; `check_dimension` reports the
    // position.
    if (grid->rank < 0 || grid->rank >= grid->size) return block;
    place_padding(block, padding->widths, periodic);
    if (rules_ == Version::Rules::v0_10 && !normalize_0_10(block, *size, periodic))
      return std::nullopt;
    return block;
  }

  void place_padding(Block& block, Padding widths, bool periodic) const {
    const bool wraps = periodic && rules_ == Version::Rules::v0_9;
    const bool lower_external = block.grid.first() && !wraps;
    const bool upper_external = block.grid.last() && !wraps;
    (lower_external ? block.boundary : block.communication).lower = widths.lower;
    (upper_external ? block.boundary : block.communication).upper = widths.upper;
  }

  /// Under 0.10.x start and stop include the communication padding; the normal form excludes it.
  bool normalize_0_10(Block& block, Index size, bool periodic) {
    warn_of_periodic_boundary(block.boundary, periodic);
    const auto [start, stop] = block.owned;
    if (start == stop) {
      drop_padding_of_empty(block);
      return true;
    }
    if (start < 0 || stop < start || stop > size) return true;  // judged with the other clauses
    const auto padding = checked_add(block.communication.lower, block.communication.upper);
    if (!padding || *padding > stop - start) {
      findings_.add("V05", "padding",
                    "communication padding wider than start " + std::to_string(start) + ", stop " +
                        std::to_string(stop),
                    "a range that includes the padding");
      return false;
    }
    block.owned.start += block.communication.lower;
    block.owned.stop -= block.communication.upper;
    return true;
  }

  /// Under 0.10.x the padding lies between start and stop, so an empty section has no room for it.
  void drop_padding_of_empty(Block& block) {
    if (block.communication != Padding{} || block.boundary != Padding{})
      findings_.add("A12", "padding", "padding on an empty section", "padding (0, 0)");
    block.boundary = block.communication = {};
  }

  std::optional<Dimension::Distribution> read_cyclic(std::optional<Index> size) {
    const auto grid = read_grid();
    const auto start = read_integer(cyclic_start_rule);
    std::optional<Index> block_size = 1;
    if (map_.find("block_size") != nullptr) block_size = read_integer(block_size_rule);
    reject_padding();
    if (!grid || !start || !block_size || !size) return std::nullopt;
    return Cyclic{*grid, *start, *block_size};
  }

  void reject_padding() {
    const Value* value = map_.find("padding");
    if (value == nullptr) return;
    const auto padding = read_padding();
    if (!padding) return;
    constexpr const char* expected = "no padding in a dimension of this distribution";
    if (padding->widths == Padding{})
      findings_.add_mild("P18", "padding", value->text(), expected);
    else
      findings_.add("P18", "padding", value->text(), expected);
  }

  std::optional<Dimension::Distribution> read_unstructured() {
    const auto grid = read_grid();
    const auto one_to_one = read_flag("one_to_one", "U07");
    const Value* list = map_.find("indices");
    if (list == nullptr) findings_.add("U01", "indices", "no such key", "a buffer of integers");
    auto indices = list != nullptr ? parse_list(*list, indices_rules, findings_) : std::nullopt;
    reject_padding();
    std::optional<OwnedPart> owned;
    if (const Value* part = map_.find("owned")) {
      owned = parse_owned(*part, indices ? indices->size() : 0, findings_);
      if (!owned) return std::nullopt;
    }
    if (!grid || !one_to_one || !indices) return std::nullopt;
    return Unstructured{*grid, *std::move(indices), *one_to_one, std::move(owned)};
  }

  void note_other_keys(char type) {
    std::set<std::string_view> known = keys_of(type);
    if (type == 'c' && map_.find("stop") != nullptr) {
      findings_.add("C14", "stop", "a key without meaning for this distribution",
                    "the keys of this distribution");
      known.insert("stop");
    }
    findings_.add_other_keys("D27", map_, known, "the keys of this distribution");
    const Value* periodic = map_.find("periodic");
    const auto* flag = periodic != nullptr ? periodic->as<bool>() : nullptr;
    if ((type == 'c' || type == 'u') && flag != nullptr && *flag)
      findings_.add("C15", "periodic", "True",
                    "False, or no such key: the dimension has no padding");
  }

  const Dictionary& map_;
  Version::Rules rules_;
  std::optional<Index> local_extent_;
  Findings findings_;
};

}  // namespace

std::optional<Dimension> parse_dimension(const Value& value, int number, Version::Rules rules,
                                         std::optional<Index> local_extent, Report& report) {
  Findings findings(report, number, rules);
  const auto* map = value.as<Dictionary>();
  if (map == nullptr) {
    findings.add("T12", "dim_data", value.text(), "a dictionary");
    return std::nullopt;
  }
  return DimensionReader(*map, rules, local_extent, findings).read();
}

}  // namespace daptor::parsing
