// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <iterator>
#include <string>
#include <vector>

namespace daptor::json {

/// The characters of a JSON text, read from the stream in chunks and given out one by one. Refuses
/// a string beyond the limit before it is stored, and drops digits of a number that neither a
/// 64-bit integer nor a message needs.
class Source {
 public:
  Source(std::istream& in, std::size_t text_limit);

  bool at_end() const { return next_ == filled_; }
  char current() const { return piece_[next_]; }
  void advance();

  /// False until a character was taken.
  bool begun() const { return taken_column_ != 0; }
  /// The position of the character that was taken last, as "line 3, column 14", counted from 1.
  std::string place() const;

 private:
  /// The context of the current character, which decides what a digit means.
  enum class State { between, string, escape, integer, fraction, exponent };

  void step();
  void fill();
  void track(char c);
  bool dispensable(char c) const;

  std::istream& in_;
  std::size_t text_limit_;
  std::vector<char> piece_;
  std::size_t next_ = 0;
  std::size_t filled_ = 0;
  std::uint64_t line_ = 1;
  std::uint64_t column_ = 1;
  std::uint64_t taken_line_ = 1;
  std::uint64_t taken_column_ = 0;
  State state_ = State::between;
  std::size_t length_ = 0;  ///< characters of the string, or digits of this part of the number
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
