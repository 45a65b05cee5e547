// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fft/bytes_to_transform.hpp"

#include <limits>

#include "daptor/call.hpp"
#include "daptor/redistribute.hpp"
#include "problem.hpp"
#include "redistributions.hpp"

namespace daptor::fft {

std::int64_t bytes_to_transform(const DistArray& input, const DistArray& output,
                                const TransformOptions& options) {
  const Comm comm = input.comm();
  Call call(comm, "fft::bytes_to_transform");
  call.check([&] { detail::same_options(options, call); });
  std::int64_t bytes = 0;
  for (const TargetMove& move : detail::redistributions_of(input, output, call, options))
    bytes = checked_add(bytes, bytes_to_redistribute(move.source.on(comm), move.target.on(comm)))
                .value_or(std::numeric_limits<std::int64_t>::max());
  return bytes;
}

}  // namespace daptor::fft
