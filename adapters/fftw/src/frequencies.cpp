// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fft/frequencies.hpp"

#include <string>

#include "daptor/adapter/reason.hpp"
#include "daptor/fft/adapter/names.hpp"
#include "daptor/local_index_map.hpp"

namespace daptor::fft {

std::vector<double> frequencies(const Section& spectrum, int dimension, Index real_size) {
  const Dimension& along = spectrum.dimension(dimension);
  const Index size = real_size == 0 ? along.global_size() : real_size;
  if (real_size != 0 && along.global_size() != real_size / 2 + 1)
    adapter::refuse_argument("fft.shape",
                             "a real size of " + std::to_string(real_size) + " for " +
                                 std::to_string(along.global_size()) + " frequencies",
                             "size / 2 + 1 frequencies", names::frequencies + " knows the size.");
  std::vector<double> frequencies;
  const auto append = [&](const IndexRun& run) {
    for (Index k = run.global_start; k < run.global_start + run.count; ++k) {
      const bool negative = real_size == 0 && k > (size - 1) / 2;
      frequencies.push_back(static_cast<double>(negative ? k - size : k));
    }
  };
  LocalDimensionMap(along).for_each_run(append);
  return frequencies;
}

}  // namespace daptor::fft
