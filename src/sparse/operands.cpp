// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/operands.hpp"

#include <string>

#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/names.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/share_memory.hpp"
#include "daptor/adapter/text.hpp"
#include "section/owned_line.hpp"

namespace daptor::detail {

Strip strip_from(const Section& array, Index local) {
  const Index stride = array.byte_strides().front();
  // Nothing is written through the pointer unless the array has been opened for writing.
  auto* const data = static_cast<std::byte*>(const_cast<void*>(array.data()));
  if (data == nullptr || array.local_count() == 0)
    return {nullptr, stride, array.type().itemsize()};
  return {data + local * stride, stride, array.type().itemsize()};
}

void require_one_dimension(const Operand& operand) {
  if (operand.array.ndim() == 1) return;
  adapter::refuse_argument("sparse.ndim",
                           "a " + std::string(operand.name) + " of " +
                               std::to_string(operand.array.ndim()) + " dimensions",
                           "one dimension",
                           "Describe the elements in one dimension (" + names::flatten + ").");
}

void require_line(const Operand& operand) {
  require_one_dimension(operand);
  const Dimension& dimension = operand.array.dimension(0);
  if (in_blocks(dimension)) return;
  const std::string name = operand.name;
  adapter::refuse_argument(
      "sparse.order",
      "a " + name + " of distribution '" + std::string(1, dimension.dist_type()) + "'",
      "blocks, so that each rank owns consecutive indices",
      "Copy the array: " +
          terms::call("daptor::redistributed(" + name + ", daptor::layout::natural())",
                      name + ".redistributed(daptor.layout.natural())") +
          ".");
}

void require_mask_type(const Section& mask) {
  const Kind kind = mask.type().kind();
  if (kind == Kind::boolean || kind == Kind::signed_integer || kind == Kind::unsigned_integer)
    return;
  adapter::refuse_argument("sparse.mask", "a mask of " + mask.type().name(), "integers or bools",
                           "Write the condition to an array of integers.");
}

void require_same_type(const Operand& operand, const Operand& as) {
  if (operand.array.type() == as.array.type()) return;
  adapter::refuse_argument("sparse.type",
                           "a " + std::string(as.name) + " of " + as.array.type().name() + ", a " +
                               operand.name + " of " + operand.array.type().name(),
                           "the same element type", "Convert one of them: " + names::convert + ".");
}

void require_same_division(const Operand& operand, const Operand& as) {
  const std::string name = operand.name, other = as.name;
  const Index size = operand.array.dimension(0).global_size();
  const Index expected = as.array.dimension(0).global_size();
  if (size != expected)
    adapter::refuse_argument("sparse.division",
                             "a " + name + " of " + std::to_string(size) + " elements for a " +
                                 other + " of " + std::to_string(expected),
                             "the same number of elements");
  const IndexRange mine = owned_line(operand.array), theirs = owned_line(as.array);
  if (mine == theirs || (mine.empty() && theirs.empty())) return;
  adapter::refuse_argument(
      "sparse.division",
      "a " + name + " with the owned indices " + terms::range(mine) + " for a " + other + " with " +
          terms::range(theirs),
      "the same owned indices on each rank",
      "Copy the " + name + " to the division of the " + other + ": " +
          terms::call(
              "copy = daptor::allocate(" + name + ".type(), " + other + ".dimensions()).on(" +
                  other + ".comm()), then daptor::redistribute(" + name + ", copy)",
              "copy = daptor.block(numpy.zeros(" + other + ".owned_shape, " + name + ".dtype), " +
                  other + ".comm), then daptor.redistribute(" + name + ", copy)") +
          ".");
}

void require_written(const Section& destination) {
  require_target(destination, sparse_wording);
}

void refuse_overlap(const Section& destination, const Operand& read) {
  if (!adapter::share_memory(destination, read.array)) return;
  adapter::refuse_argument(
      "sparse.memory", std::string("a destination that overlaps the ") + read.name + " in memory",
      "separate memory for the destination");
}

bool same_elements(const Section& a, const Section& b) {
  return adapter::first_owned(a) == adapter::first_owned(b) && a.owned_count() == b.owned_count() &&
         (a.owned_count() <= 1 || a.byte_strides() == b.byte_strides()) && a.type() == b.type();
}

IndexRange chosen_range(const std::optional<IndexRange>& range, Index global_size) {
  if (!range) return {0, global_size};
  if (range->start < 0 || range->start > global_size || range->stop < 0 ||
      range->stop > global_size)
    adapter::refuse_argument("sparse.range", "the range " + terms::range(*range),
                             "a range within " + terms::range({0, global_size}));
  return {range->start, range->empty() ? range->start : range->stop};
}

IndexRange owned_part(const Section& line, IndexRange range) {
  return intersect(owned_line(line), range);
}

Strip strip_of(const Section& line, IndexRange part) {
  if (part.empty()) return strip_from(line, 0);
  return strip_from(line, line.owned_offset().front() + part.start - owned_line(line).start);
}

void same_range(Call& call, const std::optional<IndexRange>& range) {
  call.same("range", range.has_value());
  if (!range) return;
  call.same("start of range", range->start);
  call.same("stop of range", range->stop);
}

}  // namespace daptor::detail
