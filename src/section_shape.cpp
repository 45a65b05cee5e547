#include "section_shape.hpp"

#include <algorithm>
#include <string>

namespace daptor {
namespace {

Finding make(const char* rule, Severity severity, int dimension, std::string found,
             std::string expected) {
  Finding finding;
  finding.rule = rule;
  finding.severity = severity;
  finding.dimension = dimension;
  finding.key = "buffer";
  finding.found = std::move(found);
  finding.expected = std::move(expected);
  return finding;
}

const char* extent_rule(const Dimension& dimension) {
  switch (dimension.dist_type()) {
    case 'n':
      return "N04";
    case 'c':
      return "C12";
    case 'u':
      return dimension.local_extent() == 0 ? "E04" : "U06";
    default:
      return dimension.local_extent() == 0 ? "E02" : "P13";
  }
}

std::string shape_text(const std::vector<Index>& shape) {
  std::string text = "(";
  for (std::size_t d = 0; d < shape.size(); ++d)
    text += (d == 0 ? "" : ", ") + std::to_string(shape[d]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

/// Elements of the section and the grid's processes, both within 64 bits; a finding otherwise.
bool sizes_fit(const std::vector<Dimension>& dimensions, const std::vector<Index>& expected,
               Report& report) {
  const bool empty = std::find(expected.begin(), expected.end(), Index{0}) != expected.end();
  std::optional<Index> count = 1;
  std::optional<Index> processes = 1;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (count && !empty) count = checked_multiply(*count, expected[d]);
    if (processes) processes = checked_multiply(*processes, dimensions[d].grid().size);
  }
  if (!count)
    report.add(make("T10", Severity::error, -1, "a section of more than 2^63 - 1 elements",
                    "a section whose elements 64 bits can count"));
  if (!processes) {
    Finding finding = make("D14", Severity::error, -1, "a process grid beyond 64 bits",
                           "as many processes as the communicator has");
    finding.key = "proc_grid_size";
    report.add(std::move(finding));
  }
  return count && processes;
}

/// A flat buffer stands for a section in which at most one extent differs from one (A03).
void unflatten(Version version, const Buffer& buffer, SectionShape& shape) {
  const std::vector<Index>& expected = shape.local_shape;
  const bool empty = std::find(expected.begin(), expected.end(), Index{0}) != expected.end();
  const auto divided =
      std::count_if(expected.begin(), expected.end(), [](Index extent) { return extent != 1; });
  Index count = empty ? 0 : 1;
  for (const Index extent : expected) count *= empty ? 1 : extent;
  const bool fits = buffer.ndim() == 1 && buffer.local_count() == count &&
                    buffer.contiguous(Order::c) && (divided <= 1 || empty);
  const std::string found = "a buffer of shape " + shape_text(buffer.local_shape()) +
                            " for a section " + shape_text(expected);
  const Rules rules = version.rules().value_or(Rules::v0_9);
  if (!fits || rules == Rules::v0_10) {
    const bool counts = buffer.local_count() == count;
    shape.report.add(make(counts ? "T15" : "T10", Severity::error, -1, found,
                          "a buffer with one dimension for each dimension of the array"));
    return;
  }
  shape.report.add(make("A03", Severity::warning, -1, found,
                        "a buffer with one dimension for each dimension of the array"));
  shape.byte_strides = contiguous_strides(expected, buffer.type().itemsize(), Order::c);
}

}  // namespace

SectionShape section_shape(Version version, const Buffer& buffer,
                           const std::vector<Dimension>& dimensions) {
  SectionShape shape;
  for (const Dimension& dimension : dimensions)
    shape.local_shape.push_back(dimension.local_extent());
  if (!sizes_fit(dimensions, shape.local_shape, shape.report)) return shape;
  if (buffer.ndim() != dimensions.size()) {
    unflatten(version, buffer, shape);
    return shape;
  }
  shape.byte_strides = buffer.byte_strides();
  const auto zero = [](const std::vector<Index>& extents) {
    return std::find(extents.begin(), extents.end(), Index{0}) != extents.end();
  };
  const bool both_empty = zero(shape.local_shape) && zero(buffer.local_shape());
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (buffer.local_shape()[d] == shape.local_shape[d]) continue;
    shape.report.add(make(both_empty ? "E06" : extent_rule(dimensions[d]),
                          both_empty ? Severity::warning : Severity::error, static_cast<int>(d),
                          "extent " + std::to_string(buffer.local_shape()[d]),
                          "extent " + std::to_string(shape.local_shape[d])));
  }
  return shape;
}

}  // namespace daptor
