// SPDX-License-Identifier: BSD-3-Clause
#include "redistributions.hpp"

#include "chain.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/fft/adapter/elements.hpp"
#include "problem.hpp"

namespace daptor::fft::detail {
namespace {

std::vector<TargetMove> moves_of(const Section& input, const Section& output,
                                 const StageProblem& problem, const Comm& comm) {
  const std::vector<Stage> stages = choose_stages(problem);
  const Chain chain = make_chain(stages, problem.real_dimension, false, false);
  const auto described = [&](std::size_t number) {
    if (number < 2) {
      const Section& array = number == 0 ? input : output;
      return describe(array.type(), nullptr, array.dimensions());
    }
    const Chain::Work& work = chain.work[number - 2];
    return describe(work.real ? input.type() : complex_of(input.type()), nullptr,
                    work_dimensions(work, stages, input, output, problem, comm));
  };
  std::vector<TargetMove> moves;
  for (const Step& step : chain.steps)
    if (!step.local()) moves.push_back({described(step.from), described(step.to)});
  return moves;
}

}  // namespace

std::vector<TargetMove> redistributions_of(const DistArray& input, const DistArray& output,
                                           Call& call, const TransformOptions& options) {
  const Problem problem = proven_problem(input, output, call, options, Memory::ignored);
  return call.check([&] { return moves_of(input, output, problem.stages, call.comm()); });
}

}  // namespace daptor::fft::detail
