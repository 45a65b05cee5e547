// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fft/box.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "box_reasons.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/text.hpp"

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
  adapter::require_none(detail::box_reasons(a));
  return detail::box_of(a);
}

}  // namespace daptor::fft
