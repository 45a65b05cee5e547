// SPDX-License-Identifier: BSD-3-Clause
#include "reduce/walk.hpp"

#include <cstdlib>
#include <numeric>
#include <utility>

#include "daptor/adapter/memory.hpp"

namespace daptor {

using adapter::ElementLine;
using adapter::ReduceOperand;

ReadLease adapter::open_operand(const Section& array) {
  require_host("view.device", array);
  return ReadLease(array);
}

adapter::ReduceOperand adapter::ReduceOperand::of(const Section& array) {
  ReduceOperand operand{array.type(), static_cast<const std::byte*>(array.data()), {}};
  const auto& dimensions = array.dimensions();
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    ElementLine line{array.byte_strides()[d], {}};
    const OwnedPart owned = dimensions[d].owned_part();
    const Index lower = dimensions[d].boundary_padding().lower;
    if (owned.apart()) {
      for (Index i = 0; i < owned.count(); ++i)
        line.offsets.push_back(owned.position(i) * line.stride);
    } else if (operand.first != nullptr && array.local_count() > 0) {
      operand.first += (owned.first() + lower) * line.stride;
    }
    operand.lines.push_back(std::move(line));
  }
  return operand;
}

adapter::ReduceOperand adapter::ReduceOperand::of(const DataType& type, const void* first,
                                                  const std::vector<Index>& byte_strides) {
  ReduceOperand operand{type, static_cast<const std::byte*>(first), {}};
  for (const Index stride : byte_strides) operand.lines.push_back({stride, {}});
  return operand;
}

namespace detail {
namespace {

/// The positions in increasing order of their indices, if they are not so already.
std::optional<std::vector<Index>> in_index_order(const Dimension& dimension, Index count,
                                                 std::optional<std::vector<Index>> numbers) {
  if (dimension.as<Unstructured>() == nullptr) return numbers;
  const InteriorIndices indices(dimension);
  std::vector<std::pair<Index, Index>> places;
  for (Index i = 0; i < count; ++i) {
    const Index number = numbers ? (*numbers)[static_cast<std::size_t>(i)] : i;
    places.emplace_back(indices(number), number);
  }
  if (std::is_sorted(places.begin(), places.end())) return numbers;
  std::sort(places.begin(), places.end());
  std::vector<Index> sorted;
  for (const auto& place : places) sorted.push_back(place.second);
  return sorted;
}

}  // namespace

Walk::Walk(const Section& array, const adapter::CountedPositions* counted,
           const adapter::ReduceArguments& arguments, bool ordered) {
  const auto& shape = array.interior_shape();
  for (std::size_t d = 0; d < shape.size(); ++d) {
    Loop loop{d, shape[d], {}};
    if (counted != nullptr && (*counted)[d]) {
      loop.numbers = (*counted)[d];
      loop.count = static_cast<Index>(loop.numbers->size());
    }
    if (ordered)
      loop.numbers = in_index_order(array.dimensions()[d], loop.count, std::move(loop.numbers));
    loops_.push_back(std::move(loop));
  }
  if (ordered) {
    if (arguments.column_major) std::reverse(loops_.begin(), loops_.end());
    return;
  }
  std::stable_sort(loops_.begin(), loops_.end(), [&](const Loop& a, const Loop& b) {
    return std::abs(array.byte_strides()[a.dimension]) >
           std::abs(array.byte_strides()[b.dimension]);
  });
  merge(ReduceOperand::of(array), arguments);
}

/// Whether an inner loop continues where it ends as the outer one goes on, for an operand.
bool Walk::continues(const Loop& outer, const Loop& inner, const ReduceOperand& operand) {
  const ElementLine& far = operand.lines[outer.dimension];
  const ElementLine& near = operand.lines[inner.dimension];
  return far.offsets.empty() && near.offsets.empty() && far.stride == inner.count * near.stride;
}

/// Makes one loop of those that go through memory without a gap between them.
void Walk::merge(const ReduceOperand& array, const adapter::ReduceArguments& arguments) {
  for (std::size_t k = loops_.size(); k-- > 1;) {
    Loop& outer = loops_[k - 1];
    const Loop& inner = loops_[k];
    if (outer.numbers || inner.numbers || !continues(outer, inner, array) ||
        (arguments.other && !continues(outer, inner, *arguments.other)) ||
        (arguments.where && !continues(outer, inner, *arguments.where)))
      continue;
    outer = {inner.dimension, outer.count * inner.count, {}};
    loops_.erase(loops_.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

Walk::Rows::Rows(const Walk& walk, const ReduceOperand& operand, Wide wide)
    : first_(operand.first), load_(load_of(operand.type, wide)) {
  for (const Loop& loop : walk.loops_) {
    const ElementLine& given = operand.lines[loop.dimension];
    if (!loop.numbers) {
      lines_.push_back(given);
      continue;
    }
    ElementLine picked{given.stride, {}};
    for (const Index number : *loop.numbers)
      picked.offsets.push_back(given.offsets.empty()
                                   ? number * given.stride
                                   : given.offsets[static_cast<std::size_t>(number)]);
    lines_.push_back(std::move(picked));
  }
  plain_ = type_of_wide(wide) == operand.type && !lines_.empty() && lines_.back().offsets.empty() &&
           lines_.back().stride == static_cast<Index>(operand.type.itemsize());
}

const std::byte* Walk::Rows::row(const std::vector<Index>& outer) const {
  const std::byte* at = first_;
  for (std::size_t d = 0; d < outer.size(); ++d)
    at += lines_[d].offsets.empty() ? outer[d] * lines_[d].stride
                                    : lines_[d].offsets[static_cast<std::size_t>(outer[d])];
  return at;
}

void Walk::Rows::read(const std::vector<Index>& outer, Index from, Index count, void* to) const {
  const std::byte* const row = this->row(outer);
  if (lines_.empty()) {
    load_(row, 0, nullptr, count, to);
  } else if (lines_.back().offsets.empty()) {
    load_(row + from * lines_.back().stride, lines_.back().stride, nullptr, count, to);
  } else {
    load_(row, 0, lines_.back().offsets.data() + from, count, to);
  }
}

}  // namespace detail
}  // namespace daptor
