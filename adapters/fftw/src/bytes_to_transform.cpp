// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fft/bytes_to_transform.hpp"

#include <limits>

#include "daptor/agreement.hpp"
#include "daptor/redistribute.hpp"
#include "problem.hpp"
#include "redistributions.hpp"

namespace daptor::fft {

std::int64_t bytes_to_transform(const DistArray& input, const DistArray& output, const Comm& comm,
                                const TransformOptions& options) {
  const CollectiveCall call(comm, "fft::bytes_to_transform");
  const auto least = agreed_minima<4>(comm, [&] { return detail::words_of_options(options); });
  detail::require_same_options(least, "fft::bytes_to_transform");
  std::int64_t bytes = 0;
  for (const TargetMove& move : detail::redistributions_of(input, output, comm, options))
    bytes = checked_add(bytes, bytes_to_redistribute(move.source, move.target, comm))
                .value_or(std::numeric_limits<std::int64_t>::max());
  return bytes;
}

}  // namespace daptor::fft
