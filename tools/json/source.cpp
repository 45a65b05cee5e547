// SPDX-License-Identifier: BSD-3-Clause
#include "source.hpp"

#include <exception>

#include "recorded.hpp"

namespace daptor::json {
namespace {

constexpr std::size_t piece_size = 1U << 16;
// Enough to see that 64 bits do not hold it, and few enough for a double to hold it: the parser
// refuses a number that is infinite as a double.
constexpr std::size_t integer_digits = 100;
constexpr std::size_t fraction_digits = 20;
constexpr std::size_t exponent_digits = 2;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

Source::Source(std::istream& in, std::size_t text_limit)
    : in_(in), text_limit_(text_limit), piece_(piece_size) {
  fill();
  if (!at_end()) track(current());
}

std::string Source::place() const {
  return "line " + std::to_string(taken_line_) + ", column " + std::to_string(taken_column_);
}

void Source::advance() {
  do {
    step();
  } while (!at_end() && dispensable(current()));
}

void Source::step() {
  taken_line_ = line_;
  taken_column_ = column_;
  if (current() == '\n') {
    ++line_;
    column_ = 0;
  }
  ++column_;
  if (++next_ == filled_) fill();
  if (!at_end()) track(current());
}

void Source::fill() {
  next_ = filled_ = 0;
  std::string reason = "reading failed";
  try {
    in_.read(piece_.data(), static_cast<std::streamsize>(piece_.size()));
    filled_ = static_cast<std::size_t>(in_.gcount());
  } catch (const std::exception& error) {
    reason += std::string(": ") + error.what();
    in_.clear(std::ios::badbit);
  }
  if (in_.bad()) throw Unreadable("json.file", reason + " at " + place(), "a file to the end");
}

/// Tracks the meaning of the current character as far as the limits need it.
void Source::track(char c) {
  switch (state_) {
    case State::escape:
      state_ = State::string;
      break;
    case State::string:
      if (c == '\\') state_ = State::escape;
      if (c == '"') state_ = State::between;
      break;
    default:
      // The parser would take it for the end of the text, and leave the rest unread.
      if (c == '\0')
        throw Unreadable(
            "json.syntax",
            begun() ? "a byte of value 0 after " + place() : "a byte of value 0 at the start",
            "a JSON object with the key ranks");
      if (c == '"') {
        state_ = State::string;
        length_ = 0;
        return;
      }
      if (is_digit(c)) {
        if (state_ == State::between) {
          state_ = State::integer;
          length_ = 0;
        }
      } else if (state_ == State::integer && c == '.') {
        state_ = State::fraction;
        length_ = 0;
        return;
      } else if ((state_ == State::integer || state_ == State::fraction) &&
                 (c == 'e' || c == 'E')) {
        state_ = State::exponent;
        length_ = 0;
        return;
      } else if (state_ != State::exponent || (c != '+' && c != '-')) {
        state_ = State::between;
      } else {
        return;
      }
  }
  ++length_;
  const bool in_string = state_ == State::string || state_ == State::escape;
  if (in_string && length_ > text_limit_)
    throw Unreadable(
        "json.limit",
        "a string of more than " + std::to_string(text_limit_) + " bytes at " + place(),
        "shorter strings");
}

bool Source::dispensable(char c) const {
  if (!is_digit(c)) return false;
  return (state_ == State::integer && length_ > integer_digits) ||
         (state_ == State::fraction && length_ > fraction_digits) ||
         (state_ == State::exponent && length_ > exponent_digits);
}

}  // namespace daptor::json
