// SPDX-License-Identifier: BSD-3-Clause
#include "builder.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "daptor/datatype.hpp"
#include "typed_indices.hpp"

namespace daptor::json {
namespace {

constexpr std::size_t most_notes = 20;

/// The JSON library's text about a syntax error, without the library's name and the position.
std::string reason(const std::string& message) {
  const auto dash = message.find(" - ");
  return dash == std::string::npos ? message : message.substr(dash + 3);
}

}  // namespace

bool Builder::number_integer(std::int64_t value) {
  const bool compact = !open_.empty() && open_.back().is_typed_list && open_.back().items.empty();
  if (!compact) return add(Value(value));
  count_integers(1);
  open_.back().integers.push_back(value);
  return true;
}

bool Builder::number_unsigned(std::uint64_t value) {
  if (value <= static_cast<std::uint64_t>(INT64_MAX))
    return number_integer(static_cast<std::int64_t>(value));
  return add(Integer{0, false, std::to_string(value)});
}

bool Builder::number_float(double, const std::string& text) {
  const bool whole = text.find_first_of(".eE") == std::string::npos;
  if (whole) return add(Integer{0, false, text});
  return add(Foreign{"float"});
}

bool Builder::key(std::string& key) {
  open_.back().key = std::move(key);
  return true;
}

bool Builder::add(Value value) {
  count_values(1);
  if (open_.empty()) {
    root_ = std::move(value);
  } else if (Frame& frame = open_.back(); frame.is_map) {
    frame.map.items.emplace_back(std::move(frame.key), std::move(value));
  } else {
    expand(frame);
    frame.items.push_back(std::move(value));
  }
  return true;
}

/// Converts a typed list back to Values if it turns out to hold other values than integers.
void Builder::expand(Frame& frame) {
  if (frame.integers.empty()) return;
  count_values(frame.integers.size());
  integers_ -= frame.integers.size();
  frame.items.reserve(frame.integers.size());
  for (const std::int64_t value : frame.integers) frame.items.emplace_back(value);
  frame.integers = {};
}

bool Builder::open(bool is_map) {
  if (open_.size() >= static_cast<std::size_t>(limits_.depth))
    throw Unreadable("json.limit",
                     "more than " + std::to_string(limits_.depth) +
                         " arrays and objects inside each other at " + source_.place(),
                     "a recorded array, which needs seven");
  Frame frame;
  frame.is_map = is_map;
  frame.is_typed_list = !is_map && at_typed_list();
  open_.push_back(std::move(frame));
  return true;
}

void Builder::count_values(std::size_t more) {
  values_ += more;
  if (values_ > limits_.values)
    throw Unreadable(
        "json.limit",
        "more than " + std::to_string(limits_.values) + " values by " + source_.place(),
        "long index lists in the form {\"dtype\": ..., \"values\": [...]}");
}

void Builder::count_integers(std::size_t more) {
  integers_ += more;
  if (integers_ > limits_.indices)
    throw Unreadable(
        "json.limit",
        "more than " + std::to_string(limits_.indices) + " indices by " + source_.place(),
        "fewer indices in one file");
}

const std::string& Builder::current_key() const {
  static const std::string none;
  return open_.empty() || !open_.back().is_map ? none : open_.back().key;
}

/// Whether the next value is the one in `"indices": {"values": ...}`, or in that of `owned`.
bool Builder::at_typed_list() const {
  if (open_.size() < 2 || current_key() != "values") return false;
  const Frame& outer = open_[open_.size() - 2];
  return outer.is_map && has_list(outer.key);
}

bool Builder::end_array() {
  Frame frame = std::move(open_.back());
  open_.pop_back();
  if (frame.is_typed_list && frame.items.empty())
    return add(integer_buffer(std::move(frame.integers)));
  const std::string& key = current_key();
  const bool tuple = key == "dim_data" || key == "padding";
  return add(Sequence{std::move(frame.items), tuple});
}

bool Builder::end_object() {
  Dictionary map = std::move(open_.back().map);
  drop_duplicates(map);
  open_.pop_back();
  if (has_list(current_key())) return add(compact_indices(std::move(map)));
  return add(std::move(map));
}

void Builder::drop_duplicates(Dictionary& map) {
  std::set<std::string_view> seen;
  std::vector<std::size_t> superseded;
  for (std::size_t i = map.items.size(); i-- > 0;)
    if (!seen.insert(map.items[i].first).second) superseded.push_back(i);
  if (superseded.empty()) return;
  decltype(map.items) kept;
  for (std::size_t i = 0; i < map.items.size(); ++i) {
    if (!superseded.empty() && superseded.back() == i) {
      note_duplicate(map.items[i].first);
      superseded.pop_back();
    } else {
      kept.push_back(std::move(map.items[i]));
    }
  }
  map.items = std::move(kept);
}

void Builder::note_duplicate(const std::string& key) {
  if (notes_.findings().size() >= most_notes) return;
  Finding finding;
  finding.rule = "json.duplicate-key";
  finding.severity = Severity::note;
  const bool under_a_rank = open_.size() > 2 && open_[0].is_map && open_[0].key == "ranks";
  if (under_a_rank) {
    finding.ranks = {static_cast<int>(open_[1].items.size())};
    finding.rank_count = 1;
  }
  finding.key = key;
  finding.found = "the key twice in the object that ends at " + source_.place();
  finding.expected = "each key once; the last counts";
  notes_.add(std::move(finding));
}

/// Turns a typed list into a buffer. Any other object keeps its values, and its lists become
/// sequences again, for the parser to judge.
Value Builder::compact_indices(Dictionary map) {
  if (auto raw = typed_indices(map)) return *std::move(raw);
  for (auto& [key, value] : map.items) {
    const RawBuffer* raw = value.buffer();
    if (raw == nullptr) continue;
    Frame frame;
    frame.integers = *read_integers(*raw);
    expand(frame);
    value = Sequence{std::move(frame.items), false};
  }
  return map;
}

bool Builder::parse_error(std::size_t, const std::string&,
                          const nlohmann::detail::exception& error) {
  throw Unreadable(
      "json.syntax",
      !source_.begun() ? "an empty file" : source_.place() + ": " + reason(error.what()),
      "a JSON object with the key ranks");
}

}  // namespace daptor::json
