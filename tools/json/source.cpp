// SPDX-License-Identifier: BSD-3-Clause
#include "source.hpp"

#include "recorded.hpp"

namespace daptor::json {
namespace {

constexpr std::size_t piece_size = 1U << 16;
// Enough to see that 64 bits do not hold it, and together few enough for a double.
constexpr std::size_t most_digits = 100;
constexpr std::size_t exponent_digits = 2;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

Source::Source(std::istream& in, std::size_t text_limit)
    : in_(in), text_limit_(text_limit), piece_(piece_size) {
  fill();
}

std::string Source::place() const {
  return "line " + std::to_string(line_) + ", column " + std::to_string(column_);
}

void Source::advance() {
  do {
    take();
  } while (!at_end() && dispensable());
}

void Source::take() {
  const char c = current();
  if (taken_ == '\n') {
    ++line_;
    column_ = 0;
  }
  ++column_;
  taken_ = c;
  if (c == '\0')
    throw Unreadable("json.syntax", "a byte of value 0 at " + place(),
                     "a JSON object with the key ranks");
  if (in_string_ && (escaped_ || c != '"')) {
    escaped_ = !escaped_ && c == '\\';
    if (++length_ > text_limit_)
      throw Unreadable(
          "json.limit",
          "a string of more than " + std::to_string(text_limit_) + " bytes at " + place(),
          "shorter strings");
  } else if (is_digit(c)) {
    ++length_;
  } else {
    exponent_ = c == 'e' || c == 'E' || (exponent_ && (c == '+' || c == '-'));
    in_string_ = c == '"' && !in_string_;
    length_ = 0;
  }
  if (++next_ == filled_) fill();
}

void Source::fill() {
  in_.read(piece_.data(), static_cast<std::streamsize>(piece_.size()));
  next_ = 0;
  filled_ = static_cast<std::size_t>(in_.gcount());
  if (in_.bad())
    throw Unreadable("json.file", "reading failed after " + place(), "a file to the end");
}

bool Source::dispensable() const {
  return !in_string_ && is_digit(current()) &&
         length_ >= (exponent_ ? exponent_digits : most_digits);
}

}  // namespace daptor::json
