// SPDX-License-Identifier: BSD-3-Clause
#include "text.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "objects.hpp"

namespace daptor::fortran {

namespace {

/// The first index of each dimension; null if the call has not found any object.
std::optional<std::vector<Index>>& counted_from() {
  thread_local std::optional<std::vector<Index>> first;
  return first;
}

Rendering rendering() {
  const auto& first = counted_from();
  return {Language::fortran, first ? *first : std::vector<Index>()};
}

}  // namespace

void detail::begin_messages() noexcept {
  counted_from().reset();
}

void messages_count_from(const std::vector<Index>& first) {
  auto& all = counted_from();
  if (!all) all = first;
  all->resize(std::max(all->size(), first.size()), 1);
  for (std::size_t d = 0; d < all->size(); ++d)
    if ((*all)[d] != (d < first.size() ? first[d] : 1)) (*all)[d] = 1;
}

std::string in_fortran(const Finding& finding) {
  return to_string(finding, rendering());
}

std::string in_fortran(const Report& report) {
  return to_string(report, rendering());
}

}  // namespace daptor::fortran
