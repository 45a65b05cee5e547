#pragma once

#include <cstring>
#include <utility>
#include <vector>

#include "daptor/communicator.hpp"
#include "daptor/error.hpp"
#include "routed.hpp"
#include "transfer/region.hpp"

namespace daptor::detail {

/// Integers and selections as the bytes of a message.
class Words {
 public:
  void write(Index word) { words_.push_back(word); }
  /// A list is its length, less one and negated, and its entries; a range its length and start.
  void write(const Selection& selection) {
    if (selection.is_range()) {
      write(selection.count);
      write(selection.start);
    } else {
      write(-selection.count - 1);
      words_.insert(words_.end(), selection.list->begin(), selection.list->end());
    }
  }
  std::vector<std::byte> bytes() const { return to_bytes(words_.data(), words_.size()); }

 private:
  std::vector<Index> words_;
};

class WordReader {
 public:
  explicit WordReader(const std::vector<std::byte>& bytes) : words_(from_bytes<Index>(bytes)) {}

  bool at_end() const { return next_ == words_.size(); }
  Index read() { return words_.at(next_++); }
  Selection read_selection() {
    const Index count = read();
    if (count >= 0) return {read(), count, nullptr};
    std::vector<Index> entries(static_cast<std::size_t>(-count - 1));
    for (Index& entry : entries) entry = read();
    const auto size = static_cast<Index>(entries.size());
    return {0, size, std::make_shared<const std::vector<Index>>(std::move(entries))};
  }

 private:
  std::vector<Index> words_;
  std::size_t next_ = 0;
};

}  // namespace daptor::detail
