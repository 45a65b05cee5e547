// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/flatten.hpp"

#include <optional>
#include <string>
#include <utility>

#include "daptor/detail/layout.hpp"
#include "daptor/error.hpp"
#include "section/names.hpp"

namespace daptor {
namespace {

[[noreturn]] void refuse(const char* rule, int dimension, const char* found, const char* expected,
                         const Terms& remedy) {
  throw NotRepresentable(error_finding(rule, dimension, "", found, expected, remedy));
}

bool block_or_undistributed(const Dimension& dimension) {
  return dimension.as<Block>() != nullptr || dimension.as<Undistributed>() != nullptr;
}

int slowest(const Section& array, Order order) {
  return order == Order::c ? 0 : array.ndim() - 1;
}

/// The first dimension that keeps the global elements from being stored in this order, or -1.
int misplaced(const Section& array, Order order) {
  for (int d = 0; d < array.ndim(); ++d) {
    const Dimension& dimension = array.dimension(d);
    if (!block_or_undistributed(dimension)) return d;
    if (d != slowest(array, order) && dimension.grid().size > 1) return d;
  }
  return -1;
}

Order flat_order(const Section& array) {
  int dimension = -1;
  bool in_order = false;
  for (const Order order : {Order::c, Order::fortran}) {
    if (!detail::gapless(array.local_shape(), array.byte_strides(), array.type().itemsize(), order))
      continue;
    in_order = true;
    const int bad = misplaced(array, order);
    if (bad < 0) return order;
    if (dimension < 0) dimension = bad;
  }
  if (!in_order)
    refuse("flatten.order", -1, "a section with gaps, or in neither C nor Fortran order",
           "a contiguous section in C or Fortran order",
           "Use a view of the section with its strides.");
  refuse("flatten.distribution", dimension,
         "a division that scatters a process's elements over the flat array",
         "no divided dimension except the slowest varying one, in blocks", names::keep_dimensions);
}

/// The number of elements of the whole array; `nullopt` if 64 bits do not hold it.
std::optional<Index> global_count(const Section& array) {
  std::optional<Index> count = 1;
  for (const Index extent : array.global_shape())
    if (count) count = checked_multiply(*count, extent);
  return count;
}

Dimension flat_dimension(const Dimension& slow, Index global_size, Index rest) {
  if (const auto* block_form = slow.as<Block>())
    return block(global_size, block_form->grid,
                 IndexRange{block_form->owned.start * rest, block_form->owned.stop * rest});
  return undistributed(global_size);
}

}  // namespace

Section flatten(const Section& array) {
  if (!array.described()) return array;
  for (int d = 0; d < array.ndim(); ++d)
    if (array.dimension(d).communication_padding() != Padding{})
      refuse("flatten.order", d, "communication padding", "owned elements only",
             "Flatten an array without communication padding.");
  const bool one_run =
      detail::gapless(array.local_shape(), array.byte_strides(), array.type().itemsize(), Order::c);
  if (array.ndim() == 1 && one_run) return array;

  const Order order = flat_order(array);
  const auto global_size = global_count(array);
  if (!global_size)
    refuse("flatten.order", -1, "more than 2^63 - 1 elements", "at most 2^63 - 1 elements", "");
  Index rest = 1;
  for (int d = 0; d < array.ndim(); ++d)
    if (d != slowest(array, order)) rest *= array.dimension(d).global_size();

  std::vector<Dimension> dimensions;
  dimensions.push_back(array.ndim() == 0 ? undistributed(1)
                                         : flat_dimension(array.dimension(slowest(array, order)),
                                                          *global_size, rest));
  const Buffer& buffer = array.buffer();
  Buffer flat(buffer.type(), {buffer.local_count()}, {static_cast<Index>(buffer.type().itemsize())},
              const_cast<void*>(buffer.data()), buffer.readonly(), buffer.state(), buffer.space());
  return Section(array.version(), std::move(flat), std::move(dimensions));
}

Section unflatten(const Section& flat, const Section& like) {
  for (const Section* part : {&flat, &like})
    if (!part->described()) return *part;
  if (flat.ndim() != 1 || !flat.buffer().contiguous(Order::c))
    throw InvalidArgument("flat", std::to_string(flat.ndim()) + " dimensions, or gaps",
                          "one contiguous dimension, as flatten() returns it");
  if (flat.type() != like.type() || flat.local_count() != like.local_count())
    throw InvalidArgument(
        "flat", std::to_string(flat.local_count()) + " of " + flat.type().name(),
        std::to_string(like.local_count()) + " of " + like.type().name() + ", as `like` has");
  const Index total = flat.dimension(0).global_size();
  if (const auto wanted = global_count(like); total != wanted)
    throw InvalidArgument(
        "flat", std::to_string(total) + " elements on all processes",
        (wanted ? std::to_string(*wanted) : "more than 2^63 - 1") + ", as `like` has");
  if (like.local_count() != like.owned_count() ||
      !(like.buffer().contiguous(Order::c) || like.buffer().contiguous(Order::fortran)))
    throw InvalidArgument("like", "communication padding or gaps",
                          "an array whose section consists of its owned elements, without gaps");
  const Buffer& buffer = flat.buffer();
  // The read-only flag stays with the pointer, so read-only memory stays read-only.
  Buffer shaped =
      like.buffer()
          .with_memory(const_cast<void*>(buffer.data()), buffer.readonly(), buffer.state())
          .in_space(buffer.space());
  return Section(like.version(), std::move(shaped), like.dimensions());
}

}  // namespace daptor
