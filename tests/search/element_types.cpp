// SPDX-License-Identifier: BSD-3-Clause
#include "element_types.hpp"

#include <map>
#include <set>
#include <utility>

namespace daptor::search {

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

std::int64_t bytes_of(const std::string& type) {
  return std::stoll(type.substr(1));
}

}  // namespace daptor::search
