// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/datatype.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "daptor/error.hpp"

namespace daptor {
namespace {

struct Letter {
  char letter;
  Kind kind;
  std::size_t native_size;
  std::size_t standard_size;  // 0 if the letter exists in native mode only
};

// Letters of Python's struct module with their native and standard sizes.
constexpr Letter letters[] = {
    {'?', Kind::boolean, sizeof(bool), 1},
    {'b', Kind::signed_integer, 1, 1},
    {'B', Kind::unsigned_integer, 1, 1},
    {'h', Kind::signed_integer, sizeof(short), 2},
    {'H', Kind::unsigned_integer, sizeof(short), 2},
    {'i', Kind::signed_integer, sizeof(int), 4},
    {'I', Kind::unsigned_integer, sizeof(int), 4},
    {'l', Kind::signed_integer, sizeof(long), 4},
    {'L', Kind::unsigned_integer, sizeof(long), 4},
    {'q', Kind::signed_integer, sizeof(long long), 8},
    {'Q', Kind::unsigned_integer, sizeof(long long), 8},
    {'n', Kind::signed_integer, sizeof(std::ptrdiff_t), 0},
    {'N', Kind::unsigned_integer, sizeof(std::size_t), 0},
    {'e', Kind::floating, 2, 2},
    {'f', Kind::floating, sizeof(float), 4},
    {'d', Kind::floating, sizeof(double), 8},
    {'g', Kind::floating, sizeof(long double), sizeof(long double)},
};

struct KindName {
  char typestr_letter;
  const char* name;
};

// In the order of the enumerators of Kind.
constexpr KindName kind_names[] = {
    {'b', "bool"}, {'i', "int"}, {'u', "uint"}, {'f', "float"}, {'c', "complex"}};

const KindName& name_of(Kind kind) {
  return kind_names[static_cast<std::size_t>(kind)];
}

const Letter* find_letter(char letter) {
  for (const Letter& entry : letters)
    if (entry.letter == letter) return &entry;
  return nullptr;
}

bool valid_size(Kind kind, std::size_t itemsize) {
  switch (kind) {
    case Kind::boolean:
      return itemsize == 1;
    case Kind::signed_integer:
    case Kind::unsigned_integer:
      return itemsize == 1 || itemsize == 2 || itemsize == 4 || itemsize == 8;
    case Kind::floating:
      return itemsize == 2 || itemsize == 4 || itemsize == 8 || itemsize == sizeof(long double);
    case Kind::complex:
      return itemsize == 2 * sizeof(float) || itemsize == 2 * sizeof(double) ||
             itemsize == 2 * sizeof(long double);
  }
  return false;
}

}  // namespace

DataType::DataType(Kind kind, std::size_t itemsize, ByteOrder order)
    : kind_(kind), itemsize_(itemsize), order_(order) {
  if (!valid_size(kind, itemsize))
    throw InvalidArgument("itemsize", std::to_string(itemsize),
                          "the size in bytes of an element type of this kind");
}

std::optional<DataType> DataType::from_format(std::string_view format) {
  ByteOrder order = native_byte_order();
  bool standard = false;
  if (!format.empty() &&
      std::string_view("@=<>!^").find(format.front()) != std::string_view::npos) {
    const char prefix = format.front();
    standard = prefix != '@' && prefix != '^';
    if (prefix == '<') order = ByteOrder::little;
    if (prefix == '>' || prefix == '!') order = ByteOrder::big;
    format.remove_prefix(1);
  }
  const bool complex = !format.empty() && format.front() == 'Z';
  if (complex) format.remove_prefix(1);
  if (format.size() != 1) return std::nullopt;
  const Letter* letter = find_letter(format.front());
  if (letter == nullptr) return std::nullopt;
  const std::size_t size = standard ? letter->standard_size : letter->native_size;
  if (size == 0) return std::nullopt;
  if (!complex) return DataType(letter->kind, size, order);
  if (letter->kind != Kind::floating || !valid_size(Kind::complex, 2 * size)) return std::nullopt;
  return DataType(Kind::complex, 2 * size, order);
}

std::optional<DataType> DataType::from_typestr(std::string_view typestr) {
  if (typestr.size() < 3) return std::nullopt;
  ByteOrder order = native_byte_order();
  if (typestr[0] == '<') {
    order = ByteOrder::little;
  } else if (typestr[0] == '>') {
    order = ByteOrder::big;
  } else if (typestr[0] != '|' && typestr[0] != '=') {
    return std::nullopt;
  }
  std::size_t itemsize = 0;
  const char* const end = typestr.data() + typestr.size();
  const auto [next, error] = std::from_chars(typestr.data() + 2, end, itemsize);
  if (error != std::errc() || next != end) return std::nullopt;
  const auto* const named =
      std::find_if(std::begin(kind_names), std::end(kind_names),
                   [&](const KindName& entry) { return entry.typestr_letter == typestr[1]; });
  if (named == std::end(kind_names)) return std::nullopt;
  const auto kind = static_cast<Kind>(named - std::begin(kind_names));
  if (!valid_size(kind, itemsize) || (typestr[0] == '|' && itemsize != 1)) return std::nullopt;
  return DataType(kind, itemsize, order);
}

std::string DataType::format() const {
  // In native byte order, letters have their native sizes; after a character for the byte order
  // they have the standard sizes.
  const bool swapped = !native();
  const bool complex = kind_ == Kind::complex;
  const Kind kind = complex ? Kind::floating : kind_;
  const std::size_t size = complex ? itemsize_ / 2 : itemsize_;
  const auto* const letter =
      std::find_if(std::begin(letters), std::end(letters), [&](const Letter& entry) {
        return entry.kind == kind && (swapped ? entry.standard_size : entry.native_size) == size;
      });
  std::string text;
  if (swapped) text += order_ == ByteOrder::little ? '<' : '>';
  if (complex) text += 'Z';
  return text + letter->letter;
}

std::string DataType::typestr() const {
  std::string text(1, itemsize_ == 1 ? '|' : (order_ == ByteOrder::little ? '<' : '>'));
  return text + name_of(kind_).typestr_letter + std::to_string(itemsize_);
}

std::string DataType::name() const {
  std::string text = name_of(kind_).name;
  if (kind_ == Kind::boolean) return text;
  text += std::to_string(8 * itemsize_);
  if (!native()) text += order_ == ByteOrder::little ? " (little-endian)" : " (big-endian)";
  return text;
}

std::ostream& operator<<(std::ostream& out, const DataType& type) {
  return out << type.name();
}

}  // namespace daptor
