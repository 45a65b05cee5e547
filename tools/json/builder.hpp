// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "daptor/value.hpp"
#include "recorded.hpp"
#include "source.hpp"

namespace daptor::json {

/// Takes the parser's events and builds a tree of Values, within limits.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(const Source& source, const ReadLimits& limits) : source_(source), limits_(limits) {}

  Value take_root() { return std::move(root_); }
  Report take_notes() { return std::move(notes_); }

  bool null() override { return add(Foreign{"null"}); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(std::int64_t value) override;
  bool number_unsigned(std::uint64_t value) override;
  bool number_float(double value, const std::string& text) override;
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(nlohmann::json::binary_t&) override { return add(Foreign{"binary"}); }
  bool start_object(std::size_t) override { return open(true); }
  bool key(std::string& key) override;
  bool end_object() override;
  bool start_array(std::size_t) override { return open(false); }
  bool end_array() override;
  /// Throws Unreadable.
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override;

 private:
  /// An object or array that is not complete yet.
  struct Frame {
    bool is_map = false;
    /// The list in `"indices": {"values": [...]}`.
    bool is_typed_list = false;
    std::string key;  ///< of the object: the one whose value comes next
    Dictionary map;
    std::vector<Value> items;
    /// The elements of a typed list so far, if all are 64-bit integers; `items` is empty then.
    std::vector<std::int64_t> integers;
  };

  bool add(Value value);
  bool open(bool is_map);
  void count_values(std::size_t more);
  void count_integers(std::size_t more);
  void expand(Frame& frame);
  bool at_typed_list() const;
  void drop_duplicates(Dictionary& map);
  void note_duplicate(const std::string& key);
  /// The key of the next value, or of the value that was just completed, in its object.
  const std::string& current_key() const;
  Value compact_indices(Dictionary map);

  const Source& source_;
  ReadLimits limits_;
  std::vector<Frame> open_;
  Value root_;
  Report notes_;
  std::size_t values_ = 0;
  std::size_t integers_ = 0;
};

}  // namespace daptor::json
