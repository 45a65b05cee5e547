// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <ostream>
#include <sstream>
#include <utility>

#include <nlohmann/json.hpp>

#include "daptor/datatype.hpp"
#include "daptor/parse.hpp"
#include "json/finding.hpp"
#include "recorded.hpp"
#include "typed_indices.hpp"

namespace daptor {
namespace {

std::string quoted(const std::string& text) {
  return json::line(text);
}

/// Writes values as JSON. The callers decide where lines break.
class Writer {
 public:
  explicit Writer(std::ostream& out) : out_(out) {}

  void write(const Value& value, const std::string& key = "") {
    if (const auto* truth = value.as<bool>()) {
      out_ << (*truth ? "true" : "false");
    } else if (const auto* integer = value.as<Integer>()) {
      write_integer(*integer);
    } else if (const auto* text = value.as<std::string>()) {
      out_ << quoted(*text);
    } else if (const auto* sequence = value.as<Sequence>()) {
      write_list(sequence->items, "[", "]", [&](const Value& item) { write(item); });
    } else if (const auto* map = value.as<Dictionary>()) {
      write_list(map->items, "{", "}", [&](const auto& item) {
        out_ << quoted(item.first) << ": ";
        write(item.second, item.first);
      });
    } else if (const RawBuffer* raw = value.buffer()) {
      json::has_list(key) ? write_list_of(*raw) : write_buffer(*raw);
    } else {
      // The value was not kept. Any number with a fraction is read back as the same Foreign.
      out_ << (value.as<Foreign>()->type_name == "float" ? "0.5" : "null");
    }
  }

 private:
  template <class Items, class F>
  void write_list(const Items& items, const char* opening, const char* closing, F&& write_item) {
    out_ << opening;
    bool first = true;
    for (const auto& item : items) {
      if (!first) out_ << ", ";
      first = false;
      write_item(item);
    }
    out_ << closing;
  }

  void write_integer(const Integer& integer) {
    if (integer.fits) {
      out_ << integer.value;
      return;
    }
    // A shortened text does not end in a digit.
    const auto digits_end = integer.text.find_first_not_of("-0123456789");
    const std::string digits = integer.text.substr(0, digits_end);
    out_ << (digits.size() > 18 ? digits : "1" + std::string(30, '0'));
  }

  void write_integers(const std::vector<std::int64_t>& integers) {
    write_list(integers, "[", "]", [&](std::int64_t i) { out_ << i; });
  }

  void write_type(const RawBuffer& raw) {
    const auto type = DataType::from_format(raw.format);
    const bool known = type && raw.itemsize == static_cast<std::int64_t>(type->itemsize());
    out_ << (known ? "{\"dtype\": " + quoted(type->typestr())
                   : "{\"format\": " + quoted(raw.format));
  }

  void write_buffer(const RawBuffer& raw) {
    write_type(raw);
    out_ << ", \"shape\": ";
    write_integers(raw.shape);
    if (raw.has_strides) {
      out_ << ", \"strides\": ";
      write_integers(raw.byte_strides);
    }
    out_ << ", \"readonly\": " << (raw.readonly ? "true" : "false") << '}';
  }

  /// With its elements: integers, or whether each index is owned.
  void write_list_of(const RawBuffer& raw) {
    if (const auto mask = json::read_mask(raw)) {
      write_list(*mask, "[", "]", [&](bool owned) { out_ << (owned ? "true" : "false"); });
      return;
    }
    const auto integers = json::read_integers(raw);
    if (!integers) {
      write_buffer(raw);
      return;
    }
    write_type(raw);
    out_ << ", \"values\": ";
    write_integers(*integers);
    out_ << '}';
  }

  std::ostream& out_;
};

/// A description on several lines, one for each key and each dimension.
void write_description(std::ostream& out, const Dictionary& map) {
  Writer writer(out);
  out << '{';
  bool first = true;
  for (const auto& [key, value] : map.items) {
    out << (first ? "\n      " : ",\n      ") << quoted(key) << ": ";
    first = false;
    const auto* dimensions = key == "dim_data" ? value.as<Sequence>() : nullptr;
    if (dimensions == nullptr || dimensions->items.empty()) {
      writer.write(value, key);
      continue;
    }
    out << '[';
    for (std::size_t d = 0; d < dimensions->items.size(); ++d) {
      out << (d == 0 ? "\n        " : ",\n        ");
      writer.write(dimensions->items[d]);
    }
    out << "\n      ]";
  }
  out << "\n    }";
}

void write_rank(std::ostream& out, const RecordedRank& rank) {
  if (const auto* error = std::get_if<ProducerError>(&rank)) {
    out << "{\"error\": " << quoted(error->text) << '}';
    return;
  }
  const Value& value = std::get<Value>(rank);
  const auto* map = value.as<Dictionary>();
  map != nullptr && !map->items.empty() ? write_description(out, *map) : Writer(out).write(value);
}

}  // namespace

void write_recorded(std::ostream& out, const Recorded& recorded) {
  out << "{\n  \"format\": 1,\n";
  if (!recorded.name.empty()) out << "  \"name\": " << quoted(recorded.name) << ",\n";
  out << "  \"nranks\": " << recorded.nranks << ",\n  \"ranks\": [";
  for (std::size_t r = 0; r < recorded.ranks.size(); ++r) {
    out << (r == 0 ? "\n    " : ",\n    ");
    write_rank(out, recorded.ranks[r]);
  }
  out << "\n  ]\n}\n";
}

Recorded record(std::string name, const std::vector<Section>& arrays) {
  Recorded recorded;
  recorded.name = std::move(name);
  recorded.nranks = static_cast<int>(arrays.size());
  for (const Section& array : arrays) recorded.ranks.emplace_back(to_value(array));
  return recorded;
}

bool Recorded::failed() const {
  return std::any_of(ranks.begin(), ranks.end(), [](const RecordedRank& rank) {
    return std::holds_alternative<ProducerError>(rank);
  });
}

RecordedRank recorded_rank(const Submission& submission) {
  if (submission.failure()) return ProducerError{*submission.failure()};
  if (submission.array() == nullptr) return submission.description();
  try {
    return to_value(*submission.array());
  } catch (const Error& error) {
    return ProducerError{error.finding().found.str()};
  }
}

std::string rank_text(RecordedRank rank) {
  Recorded recorded;
  recorded.nranks = 1;
  recorded.ranks.push_back(std::move(rank));
  std::ostringstream text;
  write_recorded(text, recorded);
  return text.str();
}

Recorded join_ranks(std::string name, const std::vector<std::string>& texts) {
  Recorded all;
  all.name = std::move(name);
  all.nranks = static_cast<int>(texts.size());
  for (const std::string& rank : texts) {
    std::istringstream text(rank);
    all.ranks.push_back(std::move(read_recorded(text).ranks.front()));
  }
  return all;
}

}  // namespace daptor
