// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "daptor/parse.hpp"

/// \file
/// Untrusted descriptions for tests: a few that conform, and small changes of them.

namespace daptor::test {

inline Dictionary with(Dictionary map, const std::string& key, Value value) {
  map.set(key, std::move(value));
  return map;
}

inline Dictionary without(const Dictionary& map, const std::string& key) {
  Dictionary rest;
  for (const auto& item : map.items)
    if (item.first != key) rest.items.push_back(item);
  return rest;
}

inline Value tuple(std::vector<Value> items) {
  return Sequence{std::move(items), true};
}
inline Value list(std::vector<Value> items) {
  return Sequence{std::move(items), false};
}
inline Value widths(Index lower, Index upper) {
  return tuple({lower, upper});
}

/// Doubles in C order, without memory.
inline RawBuffer doubles(std::vector<Index> shape) {
  RawBuffer raw;
  raw.format = "d";
  raw.itemsize = 8;
  raw.shape = std::move(shape);
  return raw;
}

template <class T>
RawBuffer buffer_on(std::vector<T>& memory) {
  RawBuffer raw;
  raw.format = DataType::of<T>().format();
  raw.itemsize = sizeof(T);
  raw.shape = {static_cast<Index>(memory.size())};
  raw.data = memory.data();
  return raw;
}

/// \name Dimension dictionaries
/// \{
inline Dictionary none(Index size) {
  return {{{"dist_type", "n"}, {"size", size}}};
}
inline Dictionary common(const char* type, Index size, Index grid_size, Index grid_rank) {
  return {{{"dist_type", type},
           {"size", size},
           {"proc_grid_size", grid_size},
           {"proc_grid_rank", grid_rank}}};
}
inline Dictionary blocked(Index size, Index grid_size, Index grid_rank, Index start, Index stop) {
  return with(with(common("b", size, grid_size, grid_rank), "start", start), "stop", stop);
}
inline Dictionary dealt(Index size, Index grid_size, Index grid_rank, Index start) {
  return with(common("c", size, grid_size, grid_rank), "start", start);
}
inline Dictionary listed(Index size, Index grid_size, Index grid_rank, Value indices) {
  return with(common("u", size, grid_size, grid_rank), "indices", std::move(indices));
}
/// \}

inline Dictionary description(Value version, Value buffer, std::vector<Value> dimensions) {
  return {{{"__version__", std::move(version)},
           {"buffer", std::move(buffer)},
           {"dim_data", tuple(std::move(dimensions))}}};
}

/// Rule ids in order: `!` before errors, `~` before notes; "" if nothing was found.
inline std::string rules_of(const Report& report) {
  std::string text;
  for (const Finding& finding : report.findings()) {
    if (!text.empty()) text += ' ';
    if (finding.severity == Severity::error) text += '!';
    if (finding.severity == Severity::note) text += '~';
    text += finding.rule;
  }
  return text;
}

}  // namespace daptor::test
