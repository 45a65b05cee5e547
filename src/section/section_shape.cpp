// SPDX-License-Identifier: BSD-3-Clause
#include "section/section_shape.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "daptor/adapter/extents.hpp"
#include "daptor/error.hpp"
#include "report/rules/judged.hpp"

namespace daptor {
namespace {

Finding about_buffer(const char* rule, Version::Rules rules, int dimension, Terms found,
                     Terms expected, Terms remedy = {}) {
  return detail::judged(rule, rules, dimension, "buffer", std::move(found), std::move(expected),
                        std::move(remedy));
}

bool has_elements(const std::vector<Index>& shape) {
  return std::find(shape.begin(), shape.end(), Index{0}) == shape.end();
}

/// The rule that determines the extent along a dimension.
const char* extent_rule(const Dimension& dimension) {
  const bool empty = dimension.local_extent() == 0;
  switch (dimension.dist_type()) {
    case 'n':
      return "N04";
    case 'c':
      return empty ? "E02" : "C12";
    case 'u':
      return empty ? "E04" : "U06";
    default:
      return empty ? "E02" : "P13";
  }
}

/// What an extent that does not fit probably means; empty: the rule's own remedy.
std::string slip_of_extent(const Dimension& dimension) {
  if (dimension.as<Block>() != nullptr && dimension.local_extent() == 0)
    return "A block whose stop is its start has no indices: stop is one past the last index, both "
           "counted from 0. If the rank has none, pass an empty buffer on it.";
  if (const auto* cyclic = dimension.as<Cyclic>()) {
    const std::string counted = cyclic->block_size == 1
                                    ? "The block size is 1, which it is where none is given: give "
                                      "it if blocks are larger. "
                                    : "";
    return counted +
           "Check the number of processes along the dimension, among whom the blocks are dealt, "
           "and "
           "count the elements of this process's blocks, as ScaLAPACK's NUMROC does.";
  }
  return "";
}

std::string shape_text(const std::vector<Index>& shape) {
  std::string text = "(";
  for (std::size_t d = 0; d < shape.size(); ++d)
    text += (d == 0 ? "" : ", ") + std::to_string(shape[d]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

bool grid_fits(const std::vector<Dimension>& dimensions) {
  std::optional<Index> processes = 1;
  for (const Dimension& dimension : dimensions)
    if (processes) processes = checked_multiply(*processes, dimension.grid().size);
  return processes.has_value();
}

/// Accepts a flat buffer for a section in which at most one extent differs from one (A03).
void unflatten(Version::Rules rules, const Buffer& buffer, Index count, SectionShape& shape) {
  const std::vector<Index>& expected = shape.local_shape;
  const auto divided =
      std::count_if(expected.begin(), expected.end(), [](Index extent) { return extent != 1; });
  const bool counts = buffer.local_count() == count;
  const bool flat = buffer.ndim() == 1 && buffer.contiguous(Order::c);
  const bool unmistakable = divided <= 1 || count == 0;
  const Terms found = "a buffer of shape " + shape_text(buffer.local_shape()) +
                      " for a section of shape " + shape_text(expected);
  const char* const wanted = "a buffer with one dimension for each dimension of the array";
  if (rules == Version::Rules::v0_9 && counts && flat && unmistakable) {
    shape.report.add(about_buffer("A03", rules, -1, found, wanted));
    shape.byte_strides = contiguous_strides(expected, buffer.type().itemsize(), Order::c);
  } else if (buffer.ndim() > expected.size()) {
    shape.report.add(error_finding("T13", -1, "dim_data",
                                   std::to_string(expected.size()) + " dictionaries for " + found,
                                   "one dictionary for each dimension of the array"));
  } else {
    shape.report.add(about_buffer(counts ? "T15" : "T10", rules, -1, found, wanted));
  }
}

void compare_extents(Version::Rules rules, const Buffer& buffer,
                     const std::vector<Dimension>& dimensions, SectionShape& shape) {
  const bool both_empty = !has_elements(shape.local_shape) && buffer.local_count() == 0;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const Index found = buffer.local_shape()[d];
    const Index expected = shape.local_shape[d];
    if (found == expected) continue;
    shape.report.add(about_buffer(both_empty ? "E06" : extent_rule(dimensions[d]), rules,
                                  static_cast<int>(d), "extent " + std::to_string(found),
                                  "extent " + std::to_string(expected),
                                  both_empty ? "" : slip_of_extent(dimensions[d])));
  }
}

}  // namespace

Version::Rules require_rules(Version version) {
  if (const auto rules = version.rules()) return *rules;
  throw Unsupported(
      error_finding(rule_unknown_version, -1, "__version__", version.text(), "0.9.x or 0.10.x"));
}

std::optional<Index> element_count(const std::vector<Index>& local_shape) {
  return adapter::product(local_shape);
}

Report check_dimensions(const std::vector<Dimension>& dimensions, Version version) {
  Report report;
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    report.append(Report(check_dimension(dimensions[d], static_cast<int>(d), version)));
  return report;
}

SectionShape section_shape(Version version, const Buffer& buffer,
                           const std::vector<Dimension>& dimensions) {
  SectionShape shape;
  const Version::Rules rules = version.rules().value_or(Version::Rules::v0_9);
  for (const Dimension& dimension : dimensions)
    shape.local_shape.push_back(dimension.local_extent());
  const auto count = element_count(shape.local_shape);
  if (!count)
    shape.report.add(about_buffer("T10", rules, -1, "a section of more than 2^63 - 1 elements",
                                  "a section of at most 2^63 - 1 elements"));
  if (!grid_fits(dimensions))
    shape.report.add(error_finding("D14", -1, "proc_grid_size",
                                   "a process grid with more than 2^63 - 1 places",
                                   "as many places on the grid as processes in the communicator"));
  if (!shape.report) return shape;
  if (buffer.ndim() == dimensions.size()) {
    shape.byte_strides = buffer.byte_strides();
    compare_extents(rules, buffer, dimensions, shape);
  } else {
    unflatten(rules, buffer, *count, shape);
  }
  return shape;
}

}  // namespace daptor
