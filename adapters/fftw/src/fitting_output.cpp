// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fft/fitting_output.hpp"

#include <utility>

#include "daptor/builders.hpp"
#include "daptor/error.hpp"
#include "daptor/fft/adapter/elements.hpp"
#include "problem.hpp"
#include "stages.hpp"

namespace daptor::fft {

DistArray fitting_output(const DistArray& input, const Comm& comm,
                         const TransformOptions& options) {
  return deferred(
      [&] {
        input.defect().raise();
        const detail::StageProblem problem =
            detail::stage_problem(input, nullptr, options, comm.size());
        const std::vector<detail::Stage> stages = choose_stages(problem);
        const std::vector<Index> shape = spectrum_shape(problem);
        return allocate(complex_of(input.type()),
                        stages.size() == 1 ? detail::without_padding(input, shape)
                                           : detail::dimensions_of(stages.back().form, shape,
                                                                   comm.rank(), comm.size()));
      },
      [](Defect defect) { return DistArray(std::move(defect)); });
}

}  // namespace daptor::fft
