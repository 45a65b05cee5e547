// SPDX-License-Identifier: BSD-3-Clause
#include "report/text.hpp"

namespace daptor::detail {
namespace {

unsigned char byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

bool continues(std::string_view text, std::size_t i) {
  return i < text.size() && (byte_at(text, i) & 0xc0U) == 0x80U;
}

/// Number of bytes of the UTF-8 character at the front of `text`; 0 if the bytes there do not form
/// a character.
std::size_t character_length(std::string_view text) {
  const unsigned char lead = byte_at(text, 0);
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4 || !continues(text, 1)) return 0;
  if (lead < 0xe0) return 2;
  // The second byte reveals overlong forms, surrogates and numbers beyond the last character.
  const unsigned char second = byte_at(text, 1);
  if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
      (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f) || !continues(text, 2))
    return 0;
  if (lead < 0xf0) return 3;
  return continues(text, 3) ? 4 : 0;
}

/// Whether the character is a control character of one byte, or one of those from 0x80 to 0x9f,
/// which UTF-8 writes with two bytes: terminals obey those too.
bool is_control(std::string_view text, std::size_t length) {
  const unsigned char lead = byte_at(text, 0);
  return lead < 0x20 || lead == 0x7f || (length == 2 && lead == 0xc2 && byte_at(text, 1) < 0xa0);
}

void append_escaped(std::string& out, unsigned char byte) {
  constexpr char digits[] = "0123456789abcdef";
  out += "\\x";
  out += digits[byte >> 4];
  out += digits[byte & 0xfU];
}

/// Number of printable ASCII characters at the front of `text`, of which most texts consist.
std::size_t plain_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && byte_at(text, length) >= 0x20 && byte_at(text, length) < 0x7f)
    ++length;
  return length;
}

std::string escaped(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t plain = plain_length(text);
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const std::size_t length = character_length(text);
    const bool keeps = kept.find(text.front()) != std::string_view::npos;
    if (!keeps && (length == 0 || is_control(text, length))) {
      append_escaped(out, byte_at(text, 0));
      text.remove_prefix(1);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return out;
}

}  // namespace

std::string shorten(std::string_view text, std::size_t limit) {
  constexpr std::string_view mark = "...";
  if (text.size() <= limit) return std::string(text);
  std::size_t cut = limit > mark.size() ? limit - mark.size() : 0;
  while (cut > 0 && continues(text, cut)) --cut;
  return std::string(text.substr(0, cut)) + std::string(mark.substr(0, limit));
}

std::string printable(std::string_view text) {
  return escaped(text, "");
}

std::string printable_lines(std::string_view text) {
  return escaped(text, "\n\t");
}

std::string quotable(std::string_view text) {
  constexpr std::size_t limit = 60;
  // Cut before escaping: the text may be very long, and escaping makes it longer.
  return shorten(printable(text.substr(0, 4 * limit)), limit);
}

}  // namespace daptor::detail
