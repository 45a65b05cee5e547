// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <iterator>
#include <string>
#include <vector>

namespace daptor::json {

/// The characters of a JSON text, which a parser takes one by one from the stream. A string beyond
/// the limit is refused before it is stored, and a byte of value 0 because the parser would take it
/// for the end of the text. Digits of long numbers are left out, since the parser refuses a number
/// that is infinite as a double.
class Source {
 public:
  Source(std::istream& in, std::size_t text_limit);

  bool at_end() const { return next_ == filled_; }
  char current() const { return piece_[next_]; }
  void advance();

  /// False until a character was taken.
  bool begun() const { return column_ != 0; }
  /// The position of the character that was taken last, as "line 3, column 14", counted from 1.
  std::string place() const;

 private:
  void take();
  void fill();
  bool dispensable() const;

  std::istream& in_;
  std::size_t text_limit_;
  std::vector<char> piece_;
  std::size_t next_ = 0;
  std::size_t filled_ = 0;
  char taken_ = ' ';  ///< the last character taken
  std::uint64_t line_ = 1;
  std::uint64_t column_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;    ///< the next character stands after a backslash
  bool exponent_ = false;   ///< the next digit belongs to an exponent
  std::size_t length_ = 0;  ///< bytes of the string, or digits in a row, so far
};

/// Lets a parser read a Source as if it were a sequence.
class SourceIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  SourceIterator() = default;
  explicit SourceIterator(Source& source) : source_(&source) {}

  char operator*() const { return source_->current(); }
  SourceIterator& operator++() {
    source_->advance();
    return *this;
  }
  /// Only comparisons with the end are meaningful.
  friend bool operator==(const SourceIterator& a, const SourceIterator& b) {
    return a.finished() == b.finished();
  }
  friend bool operator!=(const SourceIterator& a, const SourceIterator& b) { return !(a == b); }

 private:
  bool finished() const { return source_ == nullptr || source_->at_end(); }

  Source* source_ = nullptr;
};

}  // namespace daptor::json
