// SPDX-License-Identifier: BSD-3-Clause
#include "mutate.hpp"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "describe.hpp"

namespace daptor::search {
namespace {

Integer beyond(const std::string& digits) {
  return Integer{0, false, digits};
}

/// A number that breaks a rule: next to the old number, at the limits, or past them.
Value odd_integer(Random& random, Index old) {
  static const std::vector<Index> limits = {-1,
                                            0,
                                            1,
                                            2,
                                            3,
                                            7,
                                            100,
                                            (Index{1} << 31) - 1,
                                            Index{1} << 31,
                                            Index{1} << 32,
                                            Index{1} << 62,
                                            INT64_MAX - 1,
                                            INT64_MAX,
                                            INT64_MIN,
                                            -(Index{1} << 62)};
  const auto wrapping = [](Index a, Index b) {
    return static_cast<Index>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  };
  switch (random.below(8)) {
    case 0:
      return beyond(random.pick(
          std::vector<std::string>{"9223372036854775808", "18446744073709551616",
                                   "1606938044258990275541962092341162602522202993782792835301376",
                                   "-9223372036854775809"}));
    case 1:
    case 2:
    case 3:
      return wrapping(old, random.chance(50) ? 1 : -1);
    case 4:
      return wrapping(old, old);
    case 5:
      return wrapping(0, wrapping(~old, 1));
    default:
      return random.pick(limits);
  }
}

Value odd_value(Random& random, const Value* old) {
  const auto* integer = old != nullptr ? old->as<Integer>() : nullptr;
  if (integer != nullptr && random.chance(75)) return odd_integer(random, integer->value);
  if (old != nullptr && old->as<bool>() != nullptr && random.chance(60)) return !*old->as<bool>();
  switch (random.below(11)) {
    case 0:
      return random.chance(50);
    case 1:
      return "text";
    case 2:
      return "";
    case 3:
      return Foreign{"float"};
    case 4:
      return Foreign{"null"};
    case 5:
      return Dictionary{};
    case 6:
      return Sequence{{}, true};
    case 7:
      return Sequence{{Value(1), Value(1)}, random.chance(50)};
    case 8:
      return index_buffer(random, {1, 0});
    default:
      return odd_integer(random, 0);
  }
}

void remove(Dictionary& map, const std::string& key) {
  auto& items = map.items;
  items.erase(std::remove_if(items.begin(), items.end(),
                             [&](const auto& item) { return item.first == key; }),
              items.end());
}

Value odd_widths(Random& random, const Value* old) {
  Sequence widths;
  const auto* sequence = old != nullptr ? old->as<Sequence>() : nullptr;
  if (sequence != nullptr) widths = *sequence;
  widths.tuple = !random.chance(10);
  if (widths.items.size() < 2 || random.chance(10))
    widths.items.assign(static_cast<std::size_t>(random.below(4)), Value(1));
  if (!widths.items.empty()) {
    Value& width =
        widths
            .items[static_cast<std::size_t>(random.below(static_cast<Index>(widths.items.size())))];
    const auto* integer = width.as<Integer>();
    width = random.chance(70) ? odd_integer(random, integer != nullptr ? integer->value : 0)
                              : odd_value(random, nullptr);
  }
  return widths;
}

/// Another list, or a buffer that is wrong in one respect.
Value odd_indices(Random& random, const Value* old) {
  std::vector<Index> list;
  const Index count = random.below(5);
  for (Index i = 0; i < count; ++i) list.push_back(random.between(-1, 6));
  const Value made = index_buffer(random, list);
  const RawBuffer* before = old != nullptr ? old->buffer() : nullptr;
  RawBuffer raw = before != nullptr && random.chance(70) ? *before : *made.buffer();
  switch (random.below(9)) {
    case 0:
      raw.format = random.pick(std::vector<std::string>{"d", "?", "xyz", "", "Zd", "2q"});
      break;
    case 1:
      raw.shape = random.chance(50) ? std::vector<Index>{} : std::vector<Index>{raw.shape[0], 1};
      break;
    case 2:
      raw.itemsize += random.between(-1, 1);
      break;
    case 3:
      raw.shape[0] = random.chance(50) ? -1 : std::max(Index{0}, raw.shape[0] - 1);
      break;
    case 4:
      raw.data = nullptr;
      break;
    case 5:
      raw.space.device_type = 2;
      break;
    case 6:
      raw.has_strides = true;
      raw.byte_strides = random.chance(50) ? std::vector<Index>{0} : std::vector<Index>{};
      break;
    case 7: {
      Sequence sequence;
      for (const Index index : list) sequence.items.emplace_back(index);
      if (random.chance(50)) sequence.items.push_back(odd_value(random, nullptr));
      return sequence;
    }
    default:
      break;
  }
  return raw;
}

std::string mutate_dimension(Random& random, Dictionary& map) {
  static const std::vector<std::string> keys = {
      "dist_type", "size",    "size",    "proc_grid_size", "proc_grid_rank", "start",
      "start",     "stop",    "stop",    "block_size",     "padding",        "padding",
      "periodic",  "indices", "indices", "one_to_one",     "another"};
  std::string key = random.pick(keys);
  if (!map.items.empty() && random.chance(70)) key = random.pick(map.items).first;
  const Value* found = map.find(key);
  const Value* old = found;
  if (random.chance(10)) {
    remove(map, key);
    return "removes '" + key + "'";
  }
  Value value;
  if (key == "padding" && random.chance(80)) {
    value = odd_widths(random, old);
  } else if (key == "indices" && random.chance(85)) {
    value = odd_indices(random, old);
  } else if (key == "dist_type" && random.chance(85)) {
    value = random.pick(std::vector<std::string>{"n", "b", "c", "u", "x", "", "bb", "N"});
  } else {
    value = odd_value(random, old);
  }
  const std::string text = value.text();
  map.set(key, std::move(value));
  return "sets '" + key + "' to " + text;
}

std::string mutate_dimensions(Random& random, Value& dim_data) {
  const auto* old = dim_data.as<Sequence>();
  if (old == nullptr || random.chance(3)) {
    dim_data = odd_value(random, nullptr);
    return "another dim_data";
  }
  Sequence dimensions = *old;
  std::vector<Value>& items = dimensions.items;
  std::string what;
  const auto d = items.empty()
                     ? std::size_t{0}
                     : static_cast<std::size_t>(random.below(static_cast<Index>(items.size())));
  if (items.empty() || random.chance(2)) {
    Dictionary extra;
    extra.set("dist_type", "n");
    extra.set("size", 1);
    items.emplace_back(extra);
    what = "one dimension more";
  } else if (random.chance(2)) {
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(d));
    what = "one dimension less";
  } else if (random.chance(2)) {
    std::swap(items.front(), items.back());
    what = "dimensions in another order";
  } else if (random.chance(2) || items[d].as<Dictionary>() == nullptr) {
    items[d] = odd_value(random, nullptr);
    what = "no dictionary";
  } else {
    Dictionary map = *items[d].as<Dictionary>();
    what = "dimension " + std::to_string(d) + ": " + mutate_dimension(random, map);
    items[d] = std::move(map);
  }
  dim_data = std::move(dimensions);
  return what;
}

std::string mutate_shape(Random& random, std::vector<Index>& shape) {
  if (shape.empty() || random.chance(15)) {
    shape.push_back(random.below(3));
  } else if (random.chance(15)) {
    shape.pop_back();
  } else {
    Index& extent = random.chance(50) ? shape.front() : shape.back();
    const Value odd = odd_integer(random, extent);
    extent = odd.as<Integer>()->fits ? odd.as<Integer>()->value : -1;
  }
  return "another shape";
}

std::string mutate_raw_buffer(Random& random, RawBuffer& raw) {
  switch (random.below(6)) {
    case 0:
      raw.format = random.pick(
          std::vector<std::string>{"f", "d", ">d", "q", "<l", "x", "", "dd", "Zd", "Ze", "<n"});
      return "another format";
    case 1:
      raw.itemsize = random.pick(std::vector<Index>{0, 1, 4, 8, -8, 16, INT64_MAX});
      return "another itemsize";
    case 2:
      raw.has_strides = true;
      raw.byte_strides.assign(
          raw.shape.size() + (random.chance(20) ? 1 : 0),
          random.pick(std::vector<Index>{0, 8, -8, INT64_MAX, INT64_MIN, Index{1} << 62}));
      return "other strides";
    case 3:
      raw.readonly = !raw.readonly;
      return "another flag";
    default:
      return mutate_shape(random, raw.shape);
  }
}

std::string mutate_buffer(Random& random, Value& buffer) {
  const RawBuffer* raw = buffer.buffer();
  if (raw != nullptr && !random.chance(3)) {
    RawBuffer other = *raw;
    const std::string what = mutate_raw_buffer(random, other);
    buffer = Value(std::move(other));
    return what;
  }
  if (const auto* map = buffer.as<Dictionary>(); map != nullptr && !random.chance(3)) {
    static const std::vector<std::string> keys = {"dtype", "format", "shape", "strides",
                                                  "readonly"};
    Dictionary other = *map;
    const std::string key = random.pick(keys);
    if (random.chance(20)) {
      remove(other, key);
    } else if (key == "dtype" && random.chance(70)) {
      other.set(key, random.pick(std::vector<std::string>{"<f4", "<f8", ">f8", "|f8", "<i8", "f",
                                                          "<f3", "|b1", "<c8"}));
    } else {
      other.set(key, odd_value(random, other.find(key)));
    }
    buffer = std::move(other);
    return "another '" + key + "' of the buffer";
  }
  buffer = odd_value(random, nullptr);
  return "another buffer";
}

std::string mutate_description(Random& random, Value& description) {
  const auto* old = description.as<Dictionary>();
  if (old == nullptr || random.chance(1)) {
    description = odd_value(random, nullptr);
    return "another description";
  }
  Dictionary map = *old;
  std::string what;
  const Index where = random.below(100);
  const std::string key = where < 6 ? "__version__" : where < 25 ? "buffer" : "dim_data";
  const Value* found = map.find(key);
  if (random.chance(1)) {
    remove(map, key);
    what = "no '" + key + "'";
  } else if (random.chance(1)) {
    map.set("another", 1);
    what = "another key";
  } else if (key == "__version__" && random.chance(80)) {
    what = "another version";
    map.set(key, random.pick(std::vector<std::string>{"0.9.0", "0.10.0", "0.9.1", "1.0.0", "0.9",
                                                      "0.11.0", "0.9.0a1", "0.9.0x", "0.9.0.1",
                                                      "99999999999.9.0", "0.010.0"}));
  } else if (found != nullptr) {
    Value value = *found;
    what = key == "buffer"     ? mutate_buffer(random, value)
           : key == "dim_data" ? mutate_dimensions(random, value)
                               : "another version";
    if (key == "__version__") value = odd_value(random, nullptr);
    map.set(key, std::move(value));
  }
  description = std::move(map);
  return what;
}

std::string mutate_ranks(Random& random, Recorded& recorded) {
  auto& ranks = recorded.ranks;
  const auto a = static_cast<std::size_t>(random.below(static_cast<Index>(ranks.size())));
  const auto b = static_cast<std::size_t>(random.below(static_cast<Index>(ranks.size())));
  switch (random.below(3)) {
    case 0:
      ranks[a] = ProducerError{"raised"};
      return "rank " + std::to_string(a) + " failed";
    case 1:
      ranks[a] = ranks[b];
      return "rank " + std::to_string(a) + " says what rank " + std::to_string(b) + " says";
    default:
      std::swap(ranks[a], ranks[b]);
      return "ranks " + std::to_string(a) + " and " + std::to_string(b) + " exchanged";
  }
}

}  // namespace

std::string mutate(Random& random, Recorded& recorded) {
  if (random.chance(4)) return mutate_ranks(random, recorded);
  const bool all = random.chance(25);
  const auto victim =
      static_cast<std::size_t>(random.below(static_cast<Index>(recorded.ranks.size())));
  // Makes the same choices on all ranks.
  const Random choices = random;
  std::string what;
  for (std::size_t r = 0; r < recorded.ranks.size(); ++r) {
    auto* description = std::get_if<Value>(&recorded.ranks[r]);
    if ((!all && r != victim) || description == nullptr) continue;
    random = choices;
    what = (all ? "all ranks: " : "rank " + std::to_string(r) + ": ") +
           mutate_description(random, *description);
  }
  return what;
}

}  // namespace daptor::search
