// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/report.hpp"
#include "report/text.hpp"

namespace daptor::detail {

/// A buffer of fixed size into which findings are written, so that a receiver has room for them
/// beforehand. Texts longer than a sixteenth of the buffer are cut, and lose terms that do not fit,
/// so that at least one finding always fits, with a suggestion of up to two options. Most packets
/// fit into the head, which says how much of the buffer is used; the rest is neither sent nor
/// touched then.
template <std::size_t Capacity>
class Packet {
 public:
  static constexpr std::size_t head_size = std::min<std::size_t>(Capacity, 2048);

  /// The rest of the buffer has values only where something was written.
  Packet() { std::fill_n(bytes_.data(), head_size, '\0'); }

  void* data() { return bytes_.data(); }
  void* rest() { return bytes_.data() + head_size; }
  /// Ends the writing: puts into the head how much was written.
  void seal() {
    const auto used = static_cast<std::int64_t>(position_);
    std::memcpy(bytes_.data(), &used, sizeof used);
  }
  /// Bytes after the head that were written before `seal`.
  std::size_t rest_size() const {
    std::int64_t used = 0;
    std::memcpy(&used, bytes_.data(), sizeof used);
    return static_cast<std::size_t>(used) > head_size ? static_cast<std::size_t>(used) - head_size
                                                      : 0;
  }

  bool write(std::int64_t value) {
    if (position_ + sizeof(value) > Capacity) return false;
    std::memcpy(bytes_.data() + position_, &value, sizeof(value));
    position_ += sizeof(value);
    return true;
  }
  bool write(const std::string& text) {
    if (text.size() > limit) return write(shorten(text, limit));
    if (position_ + sizeof(std::int64_t) + text.size() > Capacity) return false;
    write(static_cast<std::int64_t>(text.size()));
    std::memcpy(bytes_.data() + position_, text.data(), text.size());
    position_ += text.size();
    return true;
  }
  /// Terms in a part that is cut off are left out, and so are those of a text that has very many.
  bool write(const Terms& text) {
    const std::size_t start = position_;
    const bool cut = text.str().size() > limit;
    if (!write(std::int64_t{0}) || !write(text.str())) {
      position_ = start;
      return false;
    }
    std::int64_t count = 0;
    const std::size_t terms = position_;
    for (const Terms::Term& term : text.terms()) {
      const std::size_t before = position_;
      const bool kept = !cut || term.end + cut_mark <= limit;
      if (kept && write(term) && position_ - terms <= limit) {
        ++count;
      } else {
        position_ = before;
        break;
      }
    }
    std::memcpy(bytes_.data() + start, &count, sizeof count);
    return true;
  }
  /// Returns false, and writes nothing, if the finding does not fit.
  bool write(const Finding& finding) {
    const std::size_t start = position_;
    const auto ranks = std::min<std::size_t>(finding.ranks.size(), 8);
    bool fits = write(finding.rule) && write(static_cast<std::int64_t>(finding.severity)) &&
                write(finding.rank_count) && write(static_cast<std::int64_t>(ranks));
    for (std::size_t i = 0; fits && i < ranks; ++i) fits = write(std::int64_t{finding.ranks[i]});
    fits = fits && write(std::int64_t{finding.dimension}) && write(finding.key) &&
           write(finding.found) && write(finding.expected) && write(finding.remedy) &&
           write(finding.copy);
    if (!fits) position_ = start;
    return fits;
  }

  std::int64_t read_integer() {
    std::int64_t value = 0;
    std::memcpy(&value, bytes_.data() + position_, sizeof(value));
    position_ += sizeof(value);
    return value;
  }
  std::string read_text() {
    const auto count = static_cast<std::size_t>(read_integer());
    std::string text(bytes_.data() + position_, count);
    position_ += count;
    return text;
  }
  Terms read_terms() {
    const std::int64_t count = read_integer();
    std::string text = read_text();
    std::vector<Terms::Term> terms;
    for (std::int64_t i = 0; i < count; ++i) terms.push_back(read_term());
    return {std::move(text), std::move(terms)};
  }
  Finding read_finding() {
    Finding finding;
    finding.rule = read_text();
    finding.severity = static_cast<Severity>(read_integer());
    finding.rank_count = read_integer();
    const std::int64_t ranks = read_integer();
    for (std::int64_t i = 0; i < ranks; ++i)
      finding.ranks.push_back(static_cast<int>(read_integer()));
    finding.dimension = static_cast<int>(read_integer());
    finding.key = read_text();
    finding.found = read_terms();
    finding.expected = read_terms();
    finding.remedy = read_terms();
    finding.copy = read_suggestion();
    return finding;
  }

  std::size_t position() const { return position_; }
  void seek(std::size_t position) { position_ = position; }
  /// To the first value.
  void rewind() { position_ = first; }

 private:
  /// Bytes of a text, or of its terms.
  static constexpr std::size_t limit = Capacity / 16;
  static constexpr std::size_t cut_mark = 3;

  bool write(const Terms::Term& term) {
    bool fits = write(static_cast<std::int64_t>(term.kind)) &&
                write(static_cast<std::int64_t>(term.begin)) &&
                write(static_cast<std::int64_t>(term.end)) && write(std::int64_t{term.dimension}) &&
                write(static_cast<std::int64_t>(term.numbers.size()));
    for (const Index number : term.numbers) fits = fits && write(std::int64_t{number});
    fits = fits && write(std::int64_t{term.words ? 1 : 0});
    if (term.words)
      for (const auto& word : *term.words)
        fits = fits && write(std::int64_t{word ? 1 : 0}) && (!word || write(*word));
    return fits;
  }
  Terms::Term read_term() {
    Terms::Term term;
    term.kind = static_cast<Terms::Kind>(read_integer());
    term.begin = static_cast<std::size_t>(read_integer());
    term.end = static_cast<std::size_t>(read_integer());
    term.dimension = static_cast<int>(read_integer());
    for (std::int64_t left = read_integer(); left > 0; --left)
      term.numbers.push_back(read_integer());
    if (read_integer() == 0) return term;
    Terms::Words words;
    for (auto& word : words)
      if (read_integer() != 0) word = read_text();
    term.words = std::make_shared<const Terms::Words>(std::move(words));
    return term;
  }

  bool write(const Suggestion& suggestion) {
    bool fits = write(suggestion.function) && write(suggestion.text) &&
                write(static_cast<std::int64_t>(suggestion.options.size()));
    for (const auto& [name, value] : suggestion.options) fits = fits && write(name) && write(value);
    return fits;
  }
  Suggestion read_suggestion() {
    Suggestion suggestion;
    suggestion.function = read_text();
    suggestion.text = read_terms();
    const std::int64_t options = read_integer();
    for (std::int64_t i = 0; i < options; ++i) {
      std::string name = read_text();
      suggestion.options.emplace_back(std::move(name), read_text());
    }
    return suggestion;
  }

  static constexpr std::size_t first = sizeof(std::int64_t);

  std::array<char, Capacity> bytes_;
  std::size_t position_ = first;
};

}  // namespace daptor::detail
