// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fft/bytes_to_transform.hpp"

#include <limits>
#include <utility>
#include <vector>

#include "chain.hpp"
#include "daptor/agreement.hpp"
#include "daptor/builders.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/fft/adapter/elements.hpp"
#include "daptor/redistribute.hpp"
#include "problem.hpp"

namespace daptor::fft {
namespace {

/// Both sides of a redistribution, without memory.
struct Move {
  DistArray from, to;
};

std::vector<Move> moves_of(const DistArray& input, const DistArray& output,
                           const detail::StageProblem& problem, const Comm& comm) {
  const std::vector<detail::Stage> stages = choose_stages(problem);
  const detail::Chain chain = make_chain(stages, problem.real_dimension, false, false);
  const auto described = [&](std::size_t number) {
    if (number < 2) {
      const DistArray& array = number == 0 ? input : output;
      return describe(array.type(), nullptr, array.dimensions());
    }
    const detail::Chain::Work& work = chain.work[number - 2];
    return describe(work.real ? input.type() : complex_of(input.type()), nullptr,
                    work_dimensions(work, stages, input, output, problem, comm));
  };
  std::vector<Move> moves;
  for (const detail::Step& step : chain.steps)
    if (!step.local()) moves.push_back({described(step.from), described(step.to)});
  return moves;
}

}  // namespace

std::int64_t bytes_to_transform(const DistArray& input, const DistArray& output, const Comm& comm,
                                const TransformOptions& options) {
  const CollectiveCall call(comm, "fft::bytes_to_transform");
  const detail::Problem problem =
      detail::proven_problem(input, output, comm, options, detail::Memory::ignored);
  const std::vector<Move> moves = agreed(comm, [&] {
    daptor::detail::fault_point("fft.bytes_to_transform.moves");
    return moves_of(input, output, problem.stages, comm);
  });
  std::int64_t bytes = 0;
  for (const Move& move : moves)
    bytes = checked_add(bytes, bytes_to_redistribute(move.from, move.to, comm))
                .value_or(std::numeric_limits<std::int64_t>::max());
  return bytes;
}

}  // namespace daptor::fft
