// SPDX-License-Identifier: BSD-3-Clause
#include "output_dimensions.hpp"

#include <algorithm>
#include <utility>

#include "daptor/builders.hpp"
#include "problem.hpp"
#include "stages.hpp"

namespace daptor::fft::detail {
namespace {

/// The first `size` indices of a dimension without padding.
Dimension first_indices(const Dimension& dimension, Index size) {
  if (const auto* dealt = dimension.as<Cyclic>(); dealt != nullptr && dealt->grid.size > 1) {
    Cyclic left = *dealt;
    left.start = std::min(left.start, size);
    return Dimension(size, left);
  }
  if (const auto* list = dimension.as<Unstructured>()) {
    std::vector<Index> left;
    for (const Index index : list->indices)
      if (index < size) left.push_back(index);
    return unstructured(size, list->grid, IndexList(std::move(left)), list->one_to_one);
  }
  return dimension.grid().size > 1 ? block(size, dimension.grid()) : undistributed(size);
}

}  // namespace

std::vector<Dimension> fitting_dimensions(const Section& input, const Comm& comm,
                                          const TransformOptions& options) {
  const StageProblem problem = stage_problem(input, nullptr, options, comm.size());
  const std::vector<Stage> stages = choose_stages(problem);
  const std::vector<Index> shape = spectrum_shape(problem);
  return stages.size() == 1 ? without_padding(input, shape)
                            : dimensions_of(stages.back().form, shape, comm.rank(), comm.size());
}

std::vector<Dimension> unchanged_dimensions(const Section& input, const Comm& comm,
                                            const TransformOptions& options) {
  const StageProblem problem = stage_problem(input, nullptr, options, comm.size());
  std::vector<Dimension> dimensions = without_padding(input, problem.shape);
  if (problem.real_dimension < 0) return dimensions;
  const auto halved = static_cast<std::size_t>(problem.real_dimension);
  dimensions[halved] = first_indices(dimensions[halved], spectrum_shape(problem)[halved]);
  return dimensions;
}

}  // namespace daptor::fft::detail
