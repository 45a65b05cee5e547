// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fft/fitting_output.hpp"

#include <utility>

#include "daptor/builders.hpp"
#include "daptor/error.hpp"
#include "daptor/fft/adapter/elements.hpp"
#include "output_dimensions.hpp"

namespace daptor::fft {

DistArray fitting_output(const DistArray& input, const TransformOptions& options) {
  const Comm comm = input.comm();
  return deferred(
             [&] {
               input.defect().raise();
               return allocate(complex_of(input.type()),
                               detail::fitting_dimensions(input, comm, options));
             },
             [](Defect defect) { return Section(std::move(defect)); })
      .on(comm);
}

}  // namespace daptor::fft
