// SPDX-License-Identifier: BSD-3-Clause
#include "rules/examples.hpp"

#include <algorithm>

namespace daptor::rule_table {
namespace {

std::string quoted(const std::string& text) {
  return '"' + text + '"';
}

std::string dimension_list(const std::vector<Object>& dimensions) {
  std::string text = "[";
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    text += (d == 0 ? "\n      " : ",\n      ") + dimensions[d].text();
  return text + "]";
}

}  // namespace

Object Object::with(const std::string& key, const std::string& json) const {
  Object copy = *this;
  const auto at = std::find_if(copy.entries_.begin(), copy.entries_.end(),
                               [&](const auto& entry) { return entry.first == key; });
  if (at != copy.entries_.end()) {
    at->second = json;
  } else {
    copy.entries_.emplace_back(key, json);
  }
  return copy;
}

Object Object::without(const std::string& key) const {
  Object copy = *this;
  copy.entries_.erase(std::remove_if(copy.entries_.begin(), copy.entries_.end(),
                                     [&](const auto& entry) { return entry.first == key; }),
                      copy.entries_.end());
  return copy;
}

std::string Object::text() const {
  std::string text = "{";
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto& [key, json] = entries_[i];
    if (i != 0) text += key == "dim_data" ? ",\n     " : ", ";
    text += quoted(key) + ": " + json;
  }
  return text + "}";
}

Object none(int size) {
  return {{"dist_type", "\"n\""}, {"size", std::to_string(size)}};
}

Object block(int size, int grid_size, int grid_rank, int start, int stop) {
  return {{"dist_type", "\"b\""},
          {"size", std::to_string(size)},
          {"proc_grid_size", std::to_string(grid_size)},
          {"proc_grid_rank", std::to_string(grid_rank)},
          {"start", std::to_string(start)},
          {"stop", std::to_string(stop)}};
}

Object cyclic(int size, int grid_size, int grid_rank, int start) {
  return block(size, grid_size, grid_rank, start, 0).with("dist_type", "\"c\"").without("stop");
}

Object unstructured(int size, int grid_size, int grid_rank, const std::string& indices) {
  return cyclic(size, grid_size, grid_rank, 0)
      .with("dist_type", "\"u\"")
      .without("start")
      .with("indices", "{\"dtype\": \"<i8\", \"values\": " + indices + "}");
}

Object section(const std::string& shape, const std::vector<Object>& dimensions) {
  return {{"__version__", "\"0.9.0\""},
          {"buffer", "{\"dtype\": \"<f8\", \"shape\": " + shape + "}"},
          {"dim_data", dimension_list(dimensions)}};
}

std::string file(const std::vector<Object>& ranks) {
  std::string text = "{\"ranks\": [";
  for (std::size_t r = 0; r < ranks.size(); ++r)
    text += (r == 0 ? "\n    " : ",\n    ") + ranks[r].text();
  return text + "]}";
}

Object half(int rank) {
  return block(10, 2, rank, 5 * rank, 5 * rank + 5);
}

std::string halves() {
  return halves(half(0), half(1));
}

std::string halves(const Object& first, const Object& second) {
  return file({section("[5]", {first}), section("[5]", {second})});
}

std::string single(const std::string& shape, const Object& dimension) {
  return file({section(shape, {dimension})});
}

Object padded(int rank) {
  return block(18, 2, rank, 9 * rank, 9 * rank + 9).with("padding", "[1, 1]");
}

std::string padded_pair() {
  return file({section("[10]", {padded(0)}), section("[10]", {padded(1)})});
}

Object padded_0_10(int rank) {
  return block(18, 2, rank, 8 * rank, 8 * rank + 10).with("padding", "[1, 1]");
}

std::string padded_pair_0_10() {
  return as_0_10(file({section("[10]", {padded_0_10(0)}), section("[10]", {padded_0_10(1)})}));
}

std::string as_0_10(std::string description) {
  const std::string from = "\"0.9.0\"";
  const std::string to = "\"0.10.0\"";
  for (auto at = description.find(from); at != std::string::npos;
       at = description.find(from, at + to.size()))
    description.replace(at, from.size(), to);
  return description;
}

}  // namespace daptor::rule_table
