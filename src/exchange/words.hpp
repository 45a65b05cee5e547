// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "daptor/adapter/routed.hpp"
#include "daptor/comm.hpp"
#include "daptor/error.hpp"
#include "exchange/region.hpp"

namespace daptor::detail {

/// Encodes integers and selections as the bytes of a message.
class Words {
 public:
  void write(Index word) { words_.push_back(word); }
  /// A range is sent as 0, its start and its length. Spans are sent as their number, followed
  /// by the start and the length of each. Single indices are sent as a negative count, followed by
  /// the indices themselves.
  void write(const Selection& selection) {
    if (selection.is_range()) {
      for (const Index word : {Index{0}, selection.start, selection.count}) write(word);
      return;
    }
    const IndexSpans& spans = *selection.spans;
    const auto number = static_cast<Index>(spans.size());
    const bool single = spans.single();
    write(single ? -number : number);
    words_.resize(words_.size() + spans.size() * (single ? 1 : 2));
    auto out = words_.end() - static_cast<std::ptrdiff_t>(spans.size() * (single ? 1 : 2));
    spans.for_each([&](IndexSpan span) {
      *out++ = span.start;
      if (!single) *out++ = span.count;
    });
  }
  std::vector<std::byte> bytes() const { return adapter::to_bytes(words_.data(), words_.size()); }

 private:
  std::vector<Index> words_;
};

/// Decodes a message of Words, whose bytes must outlive the reader.
class WordReader {
 public:
  explicit WordReader(const std::vector<std::byte>& bytes) : bytes_(bytes) {}

  bool at_end() const { return next_ == bytes_.size(); }
  Index read() {
    Index word = 0;
    if (next_ + sizeof word > bytes_.size()) throw std::out_of_range("a message that is too short");
    std::memcpy(&word, bytes_.data() + next_, sizeof word);
    next_ += sizeof word;
    return word;
  }
  Selection read_selection() {
    const Index number = read();
    if (number == 0) {
      const Index start = read();
      return {start, read(), nullptr};
    }
    IndexSpans spans;
    const Index span_count = number < 0 ? -number : number;
    spans.reserve(static_cast<std::size_t>(span_count));
    for (Index i = 0; i < span_count; ++i) {
      const Index start = read();
      spans.add({start, number < 0 ? 1 : read()});
    }
    return Selection::of(std::move(spans));
  }

 private:
  const std::vector<std::byte>& bytes_;
  std::size_t next_ = 0;
};

}  // namespace daptor::detail
