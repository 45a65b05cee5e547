// SPDX-License-Identifier: BSD-3-Clause
// Judges what follows from one description alone.

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "array/element_format.hpp"
#include "judge.hpp"

namespace daptor::search {
namespace {

constexpr Severity warning = Severity::warning;
constexpr Severity note = Severity::note;
constexpr Wide most = std::numeric_limits<std::int64_t>::max();

const Value* look_up(const Dictionary& map, const std::string& key) {
  const Value* found = nullptr;
  for (const auto& [name, value] : map.items)
    if (name == key) found = &value;
  return found;
}

std::optional<std::int64_t> whole(const Value* value) {
  const auto* integer = value != nullptr ? value->as<Integer>() : nullptr;
  if (integer == nullptr || !integer->fits) return std::nullopt;
  return integer->value;
}

/// Kind, size and byte order of an element, as in "f8<"; empty if it is not an element type.
std::string type_of_format(std::string format) {
  static const std::map<char, std::pair<char, int>> letters = {
      {'?', {'b', 1}}, {'b', {'i', 1}}, {'B', {'u', 1}}, {'h', {'i', 2}}, {'H', {'u', 2}},
      {'i', {'i', 4}}, {'I', {'u', 4}}, {'l', {'i', 8}}, {'L', {'u', 8}}, {'q', {'i', 8}},
      {'Q', {'u', 8}}, {'n', {'i', 8}}, {'N', {'u', 8}}, {'e', {'f', 2}}, {'f', {'f', 4}},
      {'d', {'f', 8}}, {'g', {'f', 16}}};
  char order = '<';
  bool standard = false;
  if (!format.empty() && std::string("@=<>!^").find(format[0]) != std::string::npos) {
    if (format[0] == '>' || format[0] == '!') order = '>';
    standard = format[0] != '@' && format[0] != '^';
    format.erase(0, 1);
  }
  const bool complex = !format.empty() && format[0] == 'Z';
  if (complex) format.erase(0, 1);
  if (format.size() != 1 || letters.count(format[0]) == 0) return "";
  auto [kind, bytes] = letters.at(format[0]);
  if (standard && (format[0] == 'l' || format[0] == 'L')) bytes = 4;
  if (standard && (format[0] == 'n' || format[0] == 'N')) return "";
  if (complex && (kind != 'f' || bytes == 2)) return "";
  if (complex) return "c" + std::to_string(2 * bytes) + order;
  return kind + std::to_string(bytes) + (bytes == 1 ? '<' : order);
}

std::string type_of_typestr(const std::string& text) {
  static const std::set<std::string> known = {"b1", "i1", "i2", "i4", "i8",  "u1", "u2",  "u4",
                                              "u8", "f2", "f4", "f8", "f16", "c8", "c16", "c32"};
  if (text.size() < 3 || std::string("<>|=").find(text[0]) == std::string::npos) return "";
  std::string form = text.substr(1);
  // Sizes may be written with leading zeros.
  while (form.size() > 2 && form[1] == '0') form.erase(1, 1);
  if (known.count(form) == 0) return "";
  const bool one_byte = form.substr(1) == "1";
  if (text[0] == '|' && !one_byte) return "";
  return form + (text[0] == '>' && !one_byte ? '>' : '<');
}

/// Whether the text is an element type that Daptor cannot hold, that is, a type but none of the
/// above. The library is asked whether a text is a type at all; core.one_process tests its answer.
bool is_other_type(const std::string& text, bool numpy) {
  return numpy ? type_of_typestr(text).empty() && detail::is_typestr(text)
               : type_of_format(text).empty() && detail::is_buffer_format(text);
}

std::int64_t bytes_of(const std::string& type) {
  return std::stoll(type.substr(1));
}

struct Memory {
  std::string type;
  std::vector<std::int64_t> shape;
  bool gapless_line = false;  // the buffer is one dimension without gaps

  Wide count() const {
    for (const auto extent : shape)
      if (extent == 0) return 0;
    Wide product = 1;
    for (const auto extent : shape)
      if (product <= most) product *= extent;
    return product;
  }
};

/// A product of any length, cut off when it exceeds 64 bits.
Wide product_of(const std::vector<std::int64_t>& factors, Wide product) {
  for (const auto factor : factors)
    if (product <= most) product *= std::max<std::int64_t>(factor, 1);
  return product;
}

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
    for (const auto& [key, value] : map->items)
      if (key != "__version__" && key != "buffer" && key != "dim_data")
        judgement_.add("T04", -1, Level::form, note);
    read_version(look_up(*map, "__version__"));
    if (const Value* value = look_up(*map, "buffer")) read_buffer(*value);
    if (known_version_ && look_up(*map, "dim_data") != nullptr)
      read_dimensions(*look_up(*map, "dim_data"));
    const bool complete = memory_ && known_version_ && all_pieces_;
    if (complete && sound_clauses()) compare_shapes();
    if (complete && !judgement_.has_error())
      judgement_.section = Section{v0_10_, memory_->type, pieces_};
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
    if (!suffix.empty()) judgement_.add("A24", -1, Level::form, warning);
    v0_10_ = parts[1] == "10";
    known_version_ = parts[0] == "0" && (parts[1] == "9" || parts[1] == "10");
    if (!known_version_) judgement_.add("T07", -1, Level::form);
  }

  /// At least one of several findings about the buffer is made.
  void break_buffer(const char* rule) { judgement_.add(rule, -1, Level::clause); }

  void read_buffer(const Value& value) {
    if (const RawBuffer* raw = value.buffer()) {
      const std::string type = type_of_format(raw->format);
      if (is_other_type(raw->format, false)) {
        break_buffer("A26");
        return;
      }
      if (type.empty() || raw->itemsize != bytes_of(type)) {
        break_buffer("T09");
        return;
      }
      check_form(type, raw->shape, raw->has_strides, raw->byte_strides);
    } else if (const auto* map = value.as<Dictionary>()) {
      read_described(*map);
    } else {
      break_buffer("T09");
    }
  }

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

  void read_described(const Dictionary& map) {
    const Value* dtype = look_up(map, "dtype");
    const Value* format = look_up(map, "format");
    const Value* spelled = dtype != nullptr ? dtype : format;
    const auto* text = spelled != nullptr ? spelled->as<std::string>() : nullptr;
    std::string type;
    if (text != nullptr && is_other_type(*text, dtype != nullptr)) {
      break_buffer("A26");
      return;
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
      return;
    }
    check_form(type, shape, given != nullptr, strides);
  }

  void check_form(const std::string& type, const std::vector<std::int64_t>& shape, bool has_strides,
                  const std::vector<std::int64_t>& strides) {
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
    if (!empty && product_of(shape, itemsize) > most) broken("T10");
    if (right && !empty && has_strides && reach(shape, strides, itemsize) > most) broken("T09");
    if (!right) return;
    memory.gapless_line =
        shape.size() == 1 && (!has_strides || shape[0] <= 1 || strides[0] == itemsize);
    memory_ = std::move(memory);
  }

  /// Bytes from the lowest to the end of the highest element; neither side of the first may exceed
  /// 64 bits.
  static Wide reach(const std::vector<std::int64_t>& shape,
                    const std::vector<std::int64_t>& strides, std::int64_t itemsize) {
    Wide lowest = 0, highest = itemsize;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const Wide way = (Wide{shape[d]} - 1) * strides[d];
      (way < 0 ? lowest : highest) += way;
      if (highest - lowest > most) return highest - lowest;
    }
    return highest - lowest;
  }

  void read_dimensions(const Value& value) {
    const auto* sequence = value.as<Sequence>();
    if (sequence == nullptr) {
      judgement_.add("T11", -1, Level::form);
      all_pieces_ = false;
      return;
    }
    if (!sequence->tuple) judgement_.add("T11", -1, Level::form, warning);
    for (std::size_t d = 0; d < sequence->items.size(); ++d) {
      dimension_ = static_cast<int>(d);
      const auto* map = sequence->items[d].as<Dictionary>();
      if (map == nullptr) {
        add("T12", Level::form);
        all_pieces_ = false;
      } else if (map->items.empty() && v0_10_) {
        read_alias(sequence->items.size(), d);
      } else {
        read_dimension(*map);
      }
    }
  }

  void read_alias(std::size_t dictionaries, std::size_t d) {
    Piece piece;
    if (memory_ && memory_->shape.size() == dictionaries) {
      piece.size = piece.stop = memory_->shape[d];
      pieces_.push_back(piece);
    } else {
      add("T15", Level::form);
      all_pieces_ = false;
    }
  }

  void add(const char* rule, Level level, Severity severity = Severity::error) {
    judgement_.add(rule, dimension_, level, severity);
  }

  std::optional<std::int64_t> number(const Dictionary& map, const char* key, const char* absent,
                                     const char* wrong) {
    const Value* value = look_up(map, key);
    const auto found = whole(value);
    if (!found) add(value == nullptr ? absent : wrong, Level::form);
    return found;
  }

  bool flag(const Dictionary& map, const char* key, const char* rule, bool& right) {
    const Value* value = look_up(map, key);
    if (value == nullptr) return false;
    if (const auto* truth = value->as<bool>()) return *truth;
    add(rule, Level::form);
    right = false;
    return false;
  }

  /// Lower and upper width; nullopt if they are not two widths.
  std::optional<std::pair<std::int64_t, std::int64_t>> padding(const Dictionary& map) {
    const Value* value = look_up(map, "padding");
    if (value == nullptr) return std::pair<std::int64_t, std::int64_t>{0, 0};
    const auto* sequence = value->as<Sequence>();
    if (sequence == nullptr || sequence->items.size() != 2) {
      add("P02", Level::form);
      return std::nullopt;
    }
    if (!sequence->tuple) add("A08", Level::form, warning);
    const auto lower = whole(&sequence->items[0]), upper = whole(&sequence->items[1]);
    if (!lower || !upper || *lower < 0 || *upper < 0) {
      add("P03", Level::form);
      return std::nullopt;
    }
    return std::pair{*lower, *upper};
  }

  void read_dimension(const Dictionary& map) {
    bool right = true;
    Piece piece;
    const auto size = number(map, "size", "D06", "D07");
    piece.periodic = flag(map, "periodic", "D23", right);
    const Value* type = look_up(map, "dist_type");
    const auto* letter = type != nullptr ? type->as<std::string>() : nullptr;
    if (type == nullptr) add("D01", Level::form);
    if (type != nullptr && letter == nullptr) add("D02", Level::form);
    const bool known =
        letter != nullptr && (*letter == "n" || *letter == "b" || *letter == "c" || *letter == "u");
    if (letter != nullptr && !known) add("D04", Level::form);
    right = right && size && known;
    if (known) {
      piece.type = letter->front();
      piece.size = size.value_or(0);
      right = read_keys(map, piece, size.has_value()) && right;
      note_keys(map, piece);
    }
    if (right) judge_clauses(piece);
    all_pieces_ = all_pieces_ && right;
    if (right) pieces_.push_back(piece);
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
      if (v0_10_) add("V01", Level::form, warning);
      for (const auto& [key, only] :
           {std::pair{"proc_grid_size", 1}, std::pair{"proc_grid_rank", 0}})
        if (look_up(map, key) != nullptr && whole(look_up(map, key)) != only)
          add("D26", Level::form, warning);
      piece.stop = piece.size;
      if (right && sized) place_padding(piece, *widths);
      return right;
    }
    right = read_grid(map, piece) && right;
    const auto start = number(map, "start", "B01", "B01");
    const auto stop = number(map, "stop", "B03", "B03");
    piece.start = start.value_or(0);
    piece.stop = stop.value_or(0);
    right = right && start && stop;
    if (right && sized) place_padding(piece, *widths);
    return right;
  }

  bool read_unpadded(const Dictionary& map, Piece& piece,
                     const std::optional<std::pair<std::int64_t, std::int64_t>>& widths) {
    bool right = read_grid(map, piece);
    if (widths && piece.padding_key) {
      const bool zero = widths->first == 0 && widths->second == 0;
      add("P18", Level::form, zero ? warning : Severity::error);
    }
    if (piece.type == 'u') {
      piece.one_to_one = flag(map, "one_to_one", "U07", right);
      return read_indices(look_up(map, "indices"), piece) && right;
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
    if (piece.type == 'u') known.insert({"indices", "one_to_one"});
    for (const auto& [key, value] : map.items)
      if (known.count(key) == 0)
        add(piece.type == 'c' && key == "stop" ? "C14" : "D27", Level::form, note);
    if (piece.periodic && (piece.type == 'c' || piece.type == 'u')) add("C15", Level::form, note);
  }

  bool read_indices(const Value* value, Piece& piece) {
    if (value == nullptr) {
      add("U01", Level::form);
      return false;
    }
    const char* rule = nullptr;
    if (const auto* sequence = value->as<Sequence>()) {
      add("A10", Level::form, warning);
      rule = read_list(*sequence, "", piece);
    } else if (const RawBuffer* raw = value->buffer()) {
      rule = read_index_buffer(*raw, piece);
    } else {
      const auto* map = value->as<Dictionary>();
      const Value* dtype = map != nullptr ? look_up(*map, "dtype") : nullptr;
      const Value* values = map != nullptr ? look_up(*map, "values") : nullptr;
      const auto* text = dtype != nullptr ? dtype->as<std::string>() : nullptr;
      const std::string type = text != nullptr ? type_of_typestr(*text) : "";
      const auto* list = values != nullptr ? values->as<Sequence>() : nullptr;
      const bool typed = list != nullptr && !type.empty() && (type[0] == 'i' || type[0] == 'u');
      rule = typed ? read_list(*list, type, piece) : "U02";
    }
    if (rule != nullptr) add(rule, Level::form);
    return rule == nullptr;
  }

  /// The first rule that is broken, or null.
  static const char* read_list(const Sequence& sequence, const std::string& type, Piece& piece) {
    for (const Value& item : sequence.items) {
      if (item.as<Sequence>() != nullptr) return "U03";
      const auto index = whole(&item);
      if (!index || !fits(type, *index)) return "U02";
      piece.indices.push_back(*index);
    }
    return nullptr;
  }

  static bool fits(const std::string& type, Wide index) {
    if (type.empty()) return true;
    const auto bits = 8 * bytes_of(type);
    const Wide one = 1;
    if (type[0] == 'u') return index >= 0 && index < (one << bits);
    return index >= -(one << (bits - 1)) && index < (one << (bits - 1));
  }

  static const char* read_index_buffer(const RawBuffer& raw, Piece& piece) {
    const std::string type = type_of_format(raw.format);
    if (type.empty() || (type[0] != 'i' && type[0] != 'u')) return "U02";
    if (raw.shape.size() != 1) return "U03";
    const std::int64_t count = raw.shape[0];
    const std::int64_t size = bytes_of(type);
    if (raw.itemsize != size || count < 0 || (raw.has_strides && raw.byte_strides.size() != 1))
      return "U02";
    const std::int64_t stride = raw.has_strides ? raw.byte_strides[0] : size;
    if (Wide{count} * size > most || (count > 0 && reach({count}, {stride}, size) > most))
      return "U02";
    if ((raw.data == nullptr && count > 0) || raw.space.device_type != 1) return "U02";
    if (count > 1 && stride == 0) return "U04";
    for (std::int64_t i = 0; i < count; ++i) {
      const auto* bytes = static_cast<const unsigned char*>(raw.data) + i * stride;
      Wide index = 0;
      for (std::int64_t k = 0; k < size; ++k)
        index = index * 256 + bytes[type.back() == '>' ? k : size - 1 - k];
      const Wide one = 1;
      if (type[0] == 'i' && index >= (one << (8 * size - 1))) index -= one << (8 * size);
      if (index > most) return "U02";
      piece.indices.push_back(static_cast<std::int64_t>(index));
    }
    return nullptr;
  }

  /// Boundary padding is on the external edges of dimensions that are not periodic; under 0.10.x it
  /// is on all external edges.
  void place_padding(Piece& piece, std::pair<std::int64_t, std::int64_t> widths) {
    if (piece.rank < 0 || piece.rank >= piece.processes) return;
    const bool wraps = piece.periodic && !v0_10_;
    const bool lower_external = piece.rank == 0 && !wraps;
    const bool upper_external = piece.rank == piece.processes - 1 && !wraps;
    (lower_external ? piece.lower_boundary : piece.lower) = widths.first;
    (upper_external ? piece.upper_boundary : piece.upper) = widths.second;
    if (v0_10_ && piece.periodic && (piece.lower_boundary != 0 || piece.upper_boundary != 0))
      add("V09", Level::ground, warning);
    if (v0_10_ && piece.type == 'b') take_padding_off(piece);
  }

  /// Under 0.10.x start and stop include the communication padding.
  void take_padding_off(Piece& piece) {
    if (piece.start == piece.stop) {
      if (piece.lower + Wide{piece.upper} + piece.lower_boundary + piece.upper_boundary != 0)
        add("A12", Level::ground, warning);
      piece.lower = piece.upper = piece.lower_boundary = piece.upper_boundary = 0;
      return;
    }
    if (piece.start < 0 || piece.stop < piece.start || piece.stop > piece.size) return;
    if (Wide{piece.lower} + piece.upper > Wide{piece.stop} - piece.start) {
      add("V05", Level::clause);
      return;
    }
    piece.start += piece.lower;
    piece.stop -= piece.upper;
  }

  void judge_clauses(Piece& piece) {
    if (piece.size < 0) add("D08", Level::ground);
    if (piece.type != 'n') {
      if (piece.processes < 1) {
        add("D13", Level::ground);
      } else if (piece.rank < 0 || piece.rank >= piece.processes) {
        add("D18", Level::ground);
      }
    }
    if (piece.type == 'b') judge_block(piece);
    if (piece.type == 'c') judge_deal(piece);
    if (piece.type == 'u' && piece.size == 0 && !piece.indices.empty()) add("E05", Level::clause);
    if (piece.type == 'n' || piece.type == 'b') judge_widths(piece);
    if (piece.type == 'c' && piece.start > piece.size) piece.start = piece.size;
  }

  void judge_block(const Piece& piece) {
    if (piece.start < 0) add("B02", Level::clause);
    if (piece.stop > piece.size) add("B08", Level::clause);
    if (piece.start == piece.size && piece.stop != piece.start) add("E03", Level::clause);
    if (piece.stop < piece.start && piece.start != piece.size) add("B04", Level::clause);
    if (piece.start == piece.stop && piece.start < piece.size && !v0_10_)
      add("B06", Level::clause, warning);
    if (piece.rank == 0 && piece.start != 0) add("B10", Level::deep);
    if (Wide{piece.rank} == Wide{piece.processes} - 1 && piece.stop != piece.size)
      add("B11", Level::deep);
  }

  void judge_widths(Piece& piece) {
    const Wide boundary = Wide{piece.lower_boundary} + piece.upper_boundary;
    const Wide communication = Wide{piece.lower} + piece.upper;
    const bool empty = piece.type == 'n' ? piece.size == 0 : piece.start == piece.size;
    if (empty) {
      if (boundary + communication != 0) add("A12", Level::deep, warning);
      piece.lower = piece.upper = piece.lower_boundary = piece.upper_boundary = 0;
      return;
    }
    const Wide owned = Wide{piece.stop} - piece.start;
    if (communication + owned > most) add("P13", Level::deep);
    if (boundary > owned) add("P17", Level::deep, warning);
  }

  void judge_deal(const Piece& piece) {
    if (piece.block_size < 1) add("C05", Level::clause);
    if (piece.start < 0) add("C02", Level::clause);
    if (piece.block_size < 1 || piece.start < 0) return;
    const Wide plain = Wide{piece.rank} * piece.block_size;
    if (piece.start > piece.size)
      add("C03", Level::clause, plain == piece.start ? warning : Severity::error);
    if (piece.start >= piece.size) return;
    if (piece.start % piece.block_size != 0) {
      add("C09", Level::clause);
    } else if (piece.start / piece.block_size >= piece.processes) {
      add("C11", Level::clause);
    } else if (plain != piece.start) {
      add("C10", Level::clause, warning);
    }
  }

  bool sound_clauses() const {
    return std::none_of(judgement_.broken.begin(), judgement_.broken.end(), [](const Broken& b) {
      return b.severity == Severity::error && b.level != Level::form;
    });
  }

  void compare_shapes() {
    dimension_ = -1;
    Wide count = 1, grid = 1;
    bool empty = false;
    for (const Piece& piece : pieces_) {
      empty = empty || piece.extent() == 0;
      if (count <= most) count *= piece.extent();
      if (grid <= most) grid *= piece.processes;
    }
    if (empty) count = 0;
    if (count > most) add("T10", Level::shape);
    if (grid > most) add("D14", Level::shape);
    if (count > most || grid > most) return;
    if (memory_->shape.size() != pieces_.size()) {
      compare_flat(count);
      return;
    }
    const bool nothing = count == 0 && memory_->count() == 0;
    for (std::size_t d = 0; d < pieces_.size(); ++d) {
      if (pieces_[d].extent() == memory_->shape[d]) continue;
      dimension_ = static_cast<int>(d);
      const bool none = pieces_[d].extent() == 0;
      const char type = pieces_[d].type;
      if (nothing) {
        add("E06", Level::shape, warning);
      } else {
        add(type == 'n'   ? "N04"
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
      add("A03", Level::shape, warning);
    } else if (memory_->shape.size() > pieces_.size()) {
      add("T13", Level::shape);
    } else {
      add(same_count ? "T15" : "T10", Level::shape);
    }
  }

  RankJudgement judgement_;
  bool v0_10_ = false;
  bool known_version_ = false;
  bool all_pieces_ = true;
  int dimension_ = -1;
  std::optional<Memory> memory_;
  std::vector<Piece> pieces_;
};

}  // namespace

bool RankJudgement::has_error() const {
  return std::any_of(broken.begin(), broken.end(),
                     [](const Broken& b) { return b.severity == Severity::error; });
}

std::int64_t Piece::owned_count() const {
  if (type == 'u') return static_cast<std::int64_t>(indices.size());
  if (type != 'c') return stop - start;
  if (start >= size) return 0;
  if (size <= 4096) return static_cast<std::int64_t>(owned().size());
  // Whole rounds from the first block on, and the rest of the last round.
  const Wide round = Wide{block_size} * processes;
  const Wide left = Wide{size} - start;
  const Wide rest = left % round;
  return static_cast<std::int64_t>(left / round * block_size + std::min(rest, Wide{block_size}));
}

std::vector<std::int64_t> Piece::owned() const {
  if (type == 'u') return indices;
  std::vector<std::int64_t> all;
  if (type == 'c') {
    for (Wide block = start; block < size; block += Wide{block_size} * processes)
      for (Wide i = block; i < block + block_size && i < size; ++i)
        all.push_back(static_cast<std::int64_t>(i));
  } else {
    for (std::int64_t i = start; i < stop; ++i) all.push_back(i);
  }
  return all;
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
