// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fft/box.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>

#include "coverage.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/order.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/text.hpp"
#include "forms.hpp"

namespace daptor::fft {

std::vector<Index> Box::extents() const {
  std::vector<Index> extents(shape.size());
  for (std::size_t d = 0; d < extents.size(); ++d) extents[d] = upper[d] - lower[d];
  return extents;
}

Index Box::count() const {
  return adapter::product(extents()).value_or(0);
}

std::vector<Index> Box::high() const {
  std::vector<Index> high = upper;
  for (std::size_t d = 0; d < high.size(); ++d) high[d] = upper[d] - 1;
  return high;
}

std::vector<int> Box::order() const {
  const int ndim = this->ndim();
  std::vector<int> order(shape.size());
  std::iota(order.rbegin(), order.rend(), 0);
  if (strides.empty()) return order;
  const auto stride = [&](int d) { return std::abs(strides[static_cast<std::size_t>(d)]); };
  const auto has_place = [&](int d) {
    return upper[static_cast<std::size_t>(d)] - lower[static_cast<std::size_t>(d)] > 1;
  };
  std::vector<int> placed;
  for (const int d : order)
    if (has_place(d)) placed.push_back(d);
  std::stable_sort(placed.begin(), placed.end(),
                   [&](int a, int b) { return stride(a) < stride(b); });
  auto next = placed.begin();
  for (int i = 0; i < ndim; ++i)
    if (has_place(ndim - 1 - i)) order[static_cast<std::size_t>(i)] = *next++;
  return order;
}

bool Box::packed() const {
  if (strides.empty() || empty()) return true;
  Index expected = 1;
  const std::vector<Index> extents = this->extents();
  for (const int dimension : order()) {
    const auto d = static_cast<std::size_t>(dimension);
    if (extents[d] == 1) continue;
    if (strides[d] != expected) return false;
    expected *= extents[d];
  }
  return true;
}

bool operator==(const Box& a, const Box& b) {
  return a.shape == b.shape && a.lower == b.lower && a.upper == b.upper && a.strides == b.strides;
}

std::ostream& operator<<(std::ostream& out, const Box& box) {
  out << adapter::tuple_text(box.lower) << " to " << adapter::tuple_text(box.upper) << " of "
      << adapter::shape_text(box.shape);
  if (!box.strides.empty()) out << ", strides " << adapter::tuple_text(box.strides);
  return out;
}

Box box(const Section& a) {
  a.defect().raise();
  adapter::require_none(adapter::reasons(detail::box_form(), a));
  Box box;
  box.shape = a.global_shape();
  const auto item = static_cast<Index>(a.type().itemsize());
  for (int d = 0; d < a.ndim(); ++d) {
    const IndexRange owned = *adapter::owned_range(a.dimension(d));
    box.lower.push_back(owned.start);
    box.upper.push_back(owned.stop);
    box.strides.push_back(a.byte_strides()[static_cast<std::size_t>(d)] / item);
  }
  return box;
}

void detail::require_strides(const Box& box) {
  if (box.strides.empty() || box.strides.size() == box.shape.size()) return;
  adapter::refuse_argument(
      "fft.strides", std::to_string(box.strides.size()) + " strides",
      "none, or one for each of " + std::to_string(box.shape.size()) + " dimensions",
      "Leave them out for packed boxes in row-major order.");
}

}  // namespace daptor::fft
