// SPDX-License-Identifier: BSD-3-Clause
#include "judge_memory.hpp"

#include <algorithm>

#include "element_types.hpp"
#include "reading.hpp"
#include "section/element_format.hpp"

namespace daptor::search {
namespace {

/// Whether the text is an element type that Daptor cannot hold, that is, a type but none of
/// element_types.hpp. The library is asked whether a text is a type at all; core.one_process tests
/// its answer.
bool is_other_type(const std::string& text, bool numpy) {
  return numpy ? type_of_typestr(text).empty() && detail::is_typestr(text)
               : type_of_format(text).empty() && detail::is_buffer_format(text);
}

/// A product of any length, cut off when it exceeds 64 bits.
Wide product_of(const std::vector<std::int64_t>& factors, Wide product) {
  for (const auto factor : factors)
    if (product <= int64_max) product *= std::max<std::int64_t>(factor, 1);
  return product;
}

class MemoryJudge {
 public:
  explicit MemoryJudge(RankJudgement& judgement) : judgement_(judgement) {}

  std::optional<Memory> run(const Value& value) {
    if (const RawBuffer* raw = value.buffer()) {
      const std::string type = type_of_format(raw->format);
      if (is_other_type(raw->format, false)) {
        break_buffer("A26");
        return std::nullopt;
      }
      if (type.empty() || raw->itemsize != bytes_of(type)) {
        break_buffer("T09");
        return std::nullopt;
      }
      return check_form(type, raw->shape, raw->has_strides, raw->byte_strides);
    }
    if (const auto* map = value.as<Dictionary>()) return read_described(*map);
    break_buffer("T09");
    return std::nullopt;
  }

 private:
  /// At least one of several findings about the buffer is made.
  void break_buffer(const char* rule) { judgement_.add(rule, -1, Level::clause); }

  static bool integers(const Value* value, std::vector<std::int64_t>& numbers) {
    const auto* sequence = value != nullptr ? value->as<Sequence>() : nullptr;
    if (sequence == nullptr) return false;
    for (const Value& item : sequence->items) {
      const auto number = whole(&item);
      if (!number) return false;
      numbers.push_back(*number);
    }
    return true;
  }

  std::optional<Memory> read_described(const Dictionary& map) {
    const Value* dtype = look_up(map, "dtype");
    const Value* format = look_up(map, "format");
    const Value* spelled = dtype != nullptr ? dtype : format;
    const auto* text = spelled != nullptr ? spelled->as<std::string>() : nullptr;
    std::string type;
    if (text != nullptr && is_other_type(*text, dtype != nullptr)) {
      break_buffer("A26");
      return std::nullopt;
    }
    if (text != nullptr) type = dtype != nullptr ? type_of_typestr(*text) : type_of_format(*text);
    std::vector<std::int64_t> shape, strides;
    bool right = !type.empty() && integers(look_up(map, "shape"), shape);
    const Value* given = look_up(map, "strides");
    const auto* nothing = given != nullptr ? given->as<Foreign>() : nullptr;
    if (nothing != nullptr && (nothing->type_name == "null" || nothing->type_name == "NoneType"))
      given = nullptr;
    if (given != nullptr) right = integers(given, strides) && right;
    const Value* readonly = look_up(map, "readonly");
    if (readonly != nullptr && readonly->as<bool>() == nullptr) right = false;
    if (!right) {
      break_buffer("T09");
      return std::nullopt;
    }
    return check_form(type, shape, given != nullptr, strides);
  }

  std::optional<Memory> check_form(const std::string& type, const std::vector<std::int64_t>& shape,
                                   bool has_strides, const std::vector<std::int64_t>& strides) {
    const std::int64_t itemsize = bytes_of(type);
    Memory memory{type, shape, false};
    bool right = true;
    const auto broken = [&](const char* rule) {
      break_buffer(rule);
      right = false;
    };
    if (has_strides && strides.size() != shape.size()) broken("T09");
    if (std::any_of(shape.begin(), shape.end(), [](auto n) { return n < 0; })) broken("T09");
    const bool empty = std::count(shape.begin(), shape.end(), 0) > 0;
    if (!empty && product_of(shape, itemsize) > int64_max) broken("T10");
    if (right && !empty && has_strides && reach(shape, strides, itemsize) > int64_max)
      broken("T09");
    if (!right) return std::nullopt;
    memory.gapless_line =
        shape.size() == 1 && (!has_strides || shape[0] <= 1 || strides[0] == itemsize);
    return memory;
  }

  RankJudgement& judgement_;
};

}  // namespace

Wide reach(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides,
           std::int64_t itemsize) {
  Wide lowest = 0, highest = itemsize;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const Wide way = (Wide{shape[d]} - 1) * strides[d];
    (way < 0 ? lowest : highest) += way;
    if (highest - lowest > int64_max) return highest - lowest;
  }
  return highest - lowest;
}

std::optional<Memory> judge_memory(const Value& buffer, RankJudgement& judgement) {
  return MemoryJudge(judgement).run(buffer);
}

}  // namespace daptor::search
