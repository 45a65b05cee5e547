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
  /// A range is 1, its start and its length; stretches are their number, starts and lengths.
  void write(const Selection& selection) {
    if (selection.is_range()) {
      for (const Index word : {Index{1}, selection.start, selection.count}) write(word);
      return;
    }
    write(static_cast<Index>(selection.stretches->size()));
    for (const Stretch& stretch : *selection.stretches) {
      write(stretch.start);
      write(stretch.count);
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
    std::vector<Stretch> stretches(static_cast<std::size_t>(read()));
    for (Stretch& stretch : stretches) {
      stretch.start = read();
      stretch.count = read();
    }
    return Selection::of(std::move(stretches));
  }

 private:
  std::vector<Index> words_;
  std::size_t next_ = 0;
};

}  // namespace daptor::detail
