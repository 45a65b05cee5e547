// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Descriptions in Daptor's JSON format, written as the examples of the rules need them.

namespace daptor::rule_table {

/// A JSON object whose values are JSON text, keys in order.
class Object {
 public:
  Object(std::initializer_list<std::pair<std::string, std::string>> entries) : entries_(entries) {}

  /// A copy in which `key` has the value `json`: in its old place, or appended if it is new.
  Object with(const std::string& key, const std::string& json) const;
  Object with(const std::string& key, int value) const { return with(key, std::to_string(value)); }
  Object without(const std::string& key) const;
  std::string text() const;

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
};

/// \name Dimension dictionaries
/// \{
Object none(int size);
Object block(int size, int grid_size, int grid_rank, int start, int stop);
Object cyclic(int size, int grid_size, int grid_rank, int start);
/// `indices` is a JSON list, written as a buffer of 64-bit integers.
Object unstructured(int size, int grid_size, int grid_rank, const std::string& indices);
/// \}

/// One rank: a buffer of doubles of this shape (a JSON list) and its dimension dictionaries.
Object section(const std::string& shape, const std::vector<Object>& dimensions);
/// A whole file.
std::string file(const std::vector<Object>& ranks);

/// \name Ten elements on two processes, five on each
/// \{
Object half(int rank);
std::string halves();
/// The same with these dictionaries instead.
std::string halves(const Object& first, const Object& second);
/// \}

/// One process with a one-dimensional section.
std::string single(const std::string& shape, const Object& dimension);

/// Eighteen elements on two processes with padding (1, 1): the specification's second example, in
/// the words of 0.9.0. The section has ten elements.
Object padded(int rank);
std::string padded_pair();
/// The same array in the words of 0.10.0.
Object padded_0_10(int rank);
std::string padded_pair_0_10();

/// The same text with every `"0.9.0"` replaced by `"0.10.0"`.
std::string as_0_10(std::string description);

}  // namespace daptor::rule_table
