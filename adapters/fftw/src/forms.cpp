// SPDX-License-Identifier: BSD-3-Clause
#include "forms.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include "daptor/builders.hpp"

namespace daptor::fft::detail {
namespace {

double largest_block(Index size, Index processes) {
  const Index length = (size + processes - 1) / processes;
  return static_cast<double>(length);
}

/// The divisors of a number, the least first.
std::vector<Index> divisors_of(Index number) {
  std::vector<Index> lower, upper;
  for (Index divisor = 1; divisor <= number / divisor; ++divisor) {
    if (number % divisor != 0) continue;
    lower.push_back(divisor);
    if (divisor != number / divisor) upper.push_back(number / divisor);
  }
  lower.insert(lower.end(), upper.rbegin(), upper.rend());
  return lower;
}

/// Tries every way to write a number of processes as a product over the dimensions that may be
/// divided.
class GridSearch {
 public:
  GridSearch(const std::vector<bool>& whole, const std::vector<Index>& shape, Index processes)
      : whole_(whole),
        shape_(shape),
        processes_(processes),
        divisors_(divisors_of(processes)),
        grid_(shape.size(), 1) {}

  std::vector<Index> run() {
    descend(0, processes_, 1.0, 0);
    return best_grid_;
  }

 private:
  void descend(std::size_t d, Index left, double section, int divided) {
    if (d == shape_.size()) {
      if (left == 1) keep(section, divided);
      return;
    }
    if (whole_[d]) return descend(d + 1, left, section, divided);
    for (const Index processes : divisors_) {
      if (processes > left) break;
      if (left % processes != 0) continue;
      grid_[d] = processes;
      descend(d + 1, left / processes, section * largest_block(shape_[d], processes),
              divided + (processes > 1 ? 1 : 0));
    }
    grid_[d] = 1;
  }

  /// Fewer divided dimensions mean fewer messages.
  void keep(double section, int divided) {
    if (!best_grid_.empty() && std::tie(section, divided) >= std::tie(section_, divided_)) return;
    section_ = section;
    divided_ = divided;
    best_grid_ = grid_;
  }

  const std::vector<bool>& whole_;
  const std::vector<Index>& shape_;
  Index processes_;
  std::vector<Index> divisors_;
  std::vector<Index> grid_, best_grid_;
  double section_ = 0;
  int divided_ = 0;
};

IndexRange range_at(const Form& form, std::size_t d, Index size, Index at, Index rank) {
  if (form.gathered) return rank == 0 ? IndexRange{0, size} : IndexRange{size, size};
  return even_block(size, {form.grid[d], at});
}

/// Numbers of elements of one rank's sections, and of those that both have.
struct Shares {
  double from = 1, to = 1, both = 1;
};

Shares shares(const Form& from, const Form& to, const std::vector<Index>& shape, Index rank) {
  const auto here = grid_coordinates(from.grid, from.gathered ? 0 : rank);
  const auto there = grid_coordinates(to.grid, to.gathered ? 0 : rank);
  Shares shares;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const IndexRange a = range_at(from, d, shape[d], here[d], rank);
    const IndexRange b = range_at(to, d, shape[d], there[d], rank);
    shares.from *= static_cast<double>(a.size());
    shares.to *= static_cast<double>(b.size());
    shares.both *= static_cast<double>(intersect(a, b).size());
  }
  return shares;
}

}  // namespace

Form best_form(const std::vector<bool>& whole, const std::vector<Index>& shape, Index processes) {
  return {GridSearch(whole, shape, processes).run()};
}

std::vector<Dimension> dimensions_of(const Form& form, const std::vector<Index>& shape, Index rank,
                                     Index processes) {
  std::vector<Dimension> dimensions;
  const std::vector<Index> at =
      form.gathered ? std::vector<Index>(shape.size()) : grid_coordinates(form.grid, rank);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (form.gathered && d == 0 && processes > 1)
      dimensions.push_back(
          block(shape[0], {processes, rank}, range_at(form, 0, shape[0], 0, rank)));
    else if (form.grid[d] > 1)
      dimensions.push_back(block(shape[d], {form.grid[d], at[d]}));
    else
      dimensions.push_back(undistributed(shape[d]));
  }
  return dimensions;
}

double largest_section(const Form& form, const std::vector<Index>& shape) {
  double section = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) section *= largest_block(shape[d], form.grid[d]);
  return section;
}

double move_cost(const Form& from, const Form& to, const std::vector<Index>& shape,
                 Index processes) {
  constexpr Index most_looked_at = 16;
  const Index looked_at = std::min(processes, most_looked_at);
  double remote = 0;
  for (Index i = 0; i < looked_at; ++i) {
    const Shares of_rank = shares(from, to, shape, i * processes / looked_at);
    remote = std::max(remote, of_rank.from + of_rank.to - 2 * of_rank.both);
  }
  return largest_section(from, shape) + largest_section(to, shape) + remote;
}

}  // namespace daptor::fft::detail
