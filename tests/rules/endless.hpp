// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <streambuf>
#include <string>

namespace daptor::test {

/// A stream of `prefix`, then `count` copies of `unit`, then `suffix`, made as it is read.
class Endless final : public std::streambuf {
 public:
  Endless(std::string prefix, std::string unit, std::uint64_t count, std::string suffix)
      : prefix_(std::move(prefix)), suffix_(std::move(suffix)), count_(count) {
    while (piece_.size() < 4096 && copies_ < count) {
      piece_ += unit;
      ++copies_;
    }
    set(prefix_);
  }

  std::uint64_t bytes_read() const { return bytes_; }

 private:
  int_type underflow() override {
    if (count_ > 0 && copies_ > 0) {
      const std::uint64_t now = count_ < copies_ ? count_ : copies_;
      count_ -= now;
      piece_.resize(piece_.size() / copies_ * now);
      copies_ = now;
      set(piece_);
    } else if (!suffix_read_) {
      suffix_read_ = true;
      set(suffix_);
    } else {
      return traits_type::eof();
    }
    if (gptr() == egptr()) return underflow();
    return traits_type::to_int_type(*gptr());
  }

  void set(std::string& text) {
    bytes_ += text.size();
    setg(text.data(), text.data(), text.data() + text.size());
  }

  std::string prefix_, piece_, suffix_;
  std::uint64_t count_;
  std::uint64_t copies_ = 0;
  std::uint64_t bytes_ = 0;
  bool suffix_read_ = false;
};

}  // namespace daptor::test
