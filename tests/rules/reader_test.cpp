// SPDX-License-Identifier: BSD-3-Clause
// daptor/abi_reader.h judges the examples of the rules as Daptor does, where the C struct can state
// what the example says of one rank.

#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "../abi/reader_differs.hpp"
#include "recorded_judge.hpp"
#include "rules/examples.hpp"

namespace daptor::test {
namespace {

using Numbers = std::vector<std::int64_t>;

/// The entries of a sequence or a typed list; `nullopt` unless all are integers of 64 bits.
std::optional<Numbers> numbers_of(const Value& value) {
  Numbers numbers;
  if (const auto* map = value.as<Dictionary>()) {
    const Value* const values = map->find("values");
    return values != nullptr ? numbers_of(*values) : std::nullopt;
  }
  const auto* sequence = value.as<Sequence>();
  if (sequence == nullptr) return std::nullopt;
  for (const Value& item : sequence->items) {
    const auto* integer = item.as<Integer>();
    if (integer == nullptr || !integer->fits) return std::nullopt;
    numbers.push_back(integer->value);
  }
  return numbers;
}

/// A struct with what a description says, valid or not.
class Spelled {
 public:
  /// Returns false if the struct has no place for something.
  bool read(const Value& description) {
    const auto* map = description.as<Dictionary>();
    if (map == nullptr || map->items.size() != 3) return false;
    const Value* const version = map->find("__version__");
    const Value* const buffer = map->find("buffer");
    const Value* const dim_data = map->find("dim_data");
    if (version == nullptr || buffer == nullptr || dim_data == nullptr) return false;
    return read_buffer(*buffer) && read_version(*version) && read_dimensions(*dim_data);
  }
  const daptor_array& array() const { return array_; }

 private:
  bool read_version(const Value& value) {
    const auto* text = value.as<std::string>();
    std::string suffix;
    const auto version = text != nullptr ? Version::parse(*text, &suffix) : std::nullopt;
    if (!version || !suffix.empty()) return false;
    array_.protocol_version[0] = version->major;
    array_.protocol_version[1] = version->minor;
    array_.protocol_version[2] = version->patch;
    return true;
  }

  bool read_buffer(const Value& value) {
    const auto* map = value.as<Dictionary>();
    const Value* const shape = map != nullptr ? map->find("shape") : nullptr;
    const Value* const dtype = map != nullptr ? map->find("dtype") : nullptr;
    const auto* typestr = dtype != nullptr ? dtype->as<std::string>() : nullptr;
    const auto type = typestr != nullptr ? DataType::from_typestr(*typestr) : std::nullopt;
    const auto extents = shape != nullptr ? numbers_of(*shape) : std::nullopt;
    if (!type || !extents) return false;
    daptor_array_init(&array_, type->format().c_str(), static_cast<std::int64_t>(type->itemsize()),
                      static_cast<std::int32_t>(extents->size()), keep(*extents), nullptr, nullptr);
    array_.dimension_size = sizeof(daptor_dimension);
    array_.release = daptor_release_nothing;
    if (const Value* strides = map->find("strides"); strides != nullptr) {
      const auto list = numbers_of(*strides);
      if (!list || list->size() != extents->size()) return false;
      array_.byte_strides = keep(*list);
    }
    return true;
  }

  bool read_dimensions(const Value& value) {
    const auto* sequence = value.as<Sequence>();
    if (sequence == nullptr || sequence->items.size() != static_cast<std::size_t>(array_.ndim))
      return false;
    for (const Value& item : sequence->items) {
      const auto* map = item.as<Dictionary>();
      entries_.emplace_back();
      if (map == nullptr || !read_entry(*map, entries_.back())) return false;
    }
    array_.dimensions = entries_.data();
    return true;
  }

  bool read_entry(const Dictionary& map, daptor_dimension& entry) {
    for (const auto& [key, value] : map.items)
      if (!read_key(key, value, entry)) return false;
    // Keys that the struct states by its distribution, and a dictionary lacks.
    const char type = entry.dist_type;
    if (type == 'c' && map.find("block_size") == nullptr) entry.block_size = 1;
    const std::vector<const char*> needed =
        type == 'b'   ? std::vector<const char*>{"size", "proc_grid_size", "start", "stop"}
        : type == 'c' ? std::vector<const char*>{"size", "proc_grid_size", "start"}
        : type == 'u' ? std::vector<const char*>{"size", "proc_grid_size", "indices"}
                      : std::vector<const char*>{};
    return std::all_of(needed.begin(), needed.end(),
                       [&map = map](const char* key) { return map.find(key) != nullptr; });
  }

  bool read_key(const std::string& key, const Value& value, daptor_dimension& entry) {
    const auto* integer = value.as<Integer>();
    const auto* flag = value.as<bool>();
    const auto number = [&](std::int64_t& field) {
      if (integer != nullptr) field = integer->value;
      return integer != nullptr && integer->fits;
    };
    if (key == "dist_type") {
      const auto* text = value.as<std::string>();
      if (text != nullptr && text->size() == 1) entry.dist_type = text->front();
      return entry.dist_type != '\0';
    }
    if (key == "size") return number(entry.size);
    if (key == "proc_grid_size") return number(entry.proc_grid_size);
    if (key == "proc_grid_rank") return number(entry.proc_grid_rank);
    if (key == "start") return number(entry.start);
    if (key == "stop") return number(entry.stop);
    if (key == "block_size") return number(entry.block_size);
    if (key == "periodic") return set(flag, entry.periodic);
    if (key == "one_to_one") return set(flag, entry.one_to_one);
    if (key == "owned" && integer != nullptr) {
      entry.has_owned = 1;
      return number(entry.owned);
    }
    const auto list = numbers_of(value);
    if (!list) return false;
    if (key == "padding" && list->size() == 2) {
      entry.padded = 1;
      std::copy(list->begin(), list->end(), entry.padding);
      return true;
    }
    if (key == "indices") {
      entry.indices = keep(*list);
      entry.indices_count = static_cast<std::int64_t>(list->size());
    }
    if (key == "owned") {
      entry.has_owned = 2;
      entry.owned_positions = keep(*list);
      entry.owned = static_cast<std::int64_t>(list->size());
    }
    return key == "indices" || key == "owned";
  }

  static bool set(const bool* flag, std::uint8_t& field) {
    field = flag != nullptr && *flag ? 1 : 0;
    return flag != nullptr;
  }

  /// A list that lives as long as this, and is not null.
  const std::int64_t* keep(Numbers numbers) {
    numbers.reserve(1);
    lists_.push_back(std::move(numbers));
    return lists_.back().data();
  }

  daptor_array array_{};
  std::deque<Numbers> lists_;
  std::vector<daptor_dimension> entries_;
};

TEST(RuleExamplesAsStructs, TheReaderOfTheStructJudgesThemToo) {
  int conforming = 0;
  int refused = 0;
  for (const examples::RuleExample& example : examples::all()) {
    const Recorded recorded = read_text(example.description);
    for (const RecordedRank& rank : recorded.ranks) {
      Spelled spelled;
      const auto* const value = std::get_if<Value>(&rank);
      if (value == nullptr || !spelled.read(*value)) continue;
      EXPECT_EQ(reader_differs(spelled.array()), "") << example.description;
      ++(check_abi(spelled.array()) ? conforming : refused);
    }
  }
  EXPECT_GT(conforming, 200);
  EXPECT_GT(refused, 30);
}

}  // namespace
}  // namespace daptor::test
