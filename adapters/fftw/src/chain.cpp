// SPDX-License-Identifier: BSD-3-Clause
#include "chain.hpp"

#include <algorithm>
#include <utility>

namespace daptor::fft::detail {
namespace {

constexpr std::size_t of_input = 0;
constexpr std::size_t of_output = 1;

class ChainMaker {
 public:
  ChainMaker(const std::vector<Stage>& stages, int real_dimension, bool in_place, bool overwrite)
      : stages_(stages),
        real_dimension_(real_dimension),
        real_(real_dimension >= 0),
        // Two layouts of one memory need other memory between them.
        overwrite_((overwrite || in_place) && !(in_place && stages.size() == 2)) {}

  Chain make() {
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      if (s > 0) move_to(s);
      std::vector<int> left = stages_[s].transformed;
      const auto halved = std::find(left.begin(), left.end(), real_dimension_);
      if (real_ && halved != left.end()) {
        left.erase(halved);
        transform_real(s, left.empty());
      }
      if (!left.empty()) transform_complex(s, left);
    }
    return std::move(chain_);
  }

 private:
  bool last(std::size_t s) const { return s + 1 == stages_.size(); }

  std::size_t new_work(std::size_t s) {
    chain_.work.push_back({s, real_});
    return chain_.work.size() + 1;
  }
  void step(std::size_t to, std::vector<int> transformed) {
    chain_.steps.push_back({at_, to, std::move(transformed)});
    at_ = to;
  }

  /// To the next layout. Straight to the output only if it is not transformed there, because
  /// `backward` would then transform the output's own values; or if that is allowed.
  void move_to(std::size_t s) {
    const bool straight = last(s) && (stages_[s].transformed.empty() || (overwrite_ && !real_));
    step(straight ? of_output : new_work(s), {});
  }
  void transform_real(std::size_t s, bool only) {
    real_ = false;
    const bool straight = last(s) && (only || overwrite_);
    step(straight ? of_output : new_work(s), {real_dimension_});
  }
  void transform_complex(std::size_t s, const std::vector<int>& transformed) {
    if (last(s))
      step(of_output, transformed);
    else if (at_ == of_input && !overwrite_)
      step(new_work(s), transformed);
    else
      step(at_, transformed);
  }

  const std::vector<Stage>& stages_;
  int real_dimension_;
  bool real_;  // whether the array at this point of the chain has real numbers
  bool overwrite_;
  std::size_t at_ = of_input;
  Chain chain_;
};

}  // namespace

Chain make_chain(const std::vector<Stage>& stages, int real_dimension, bool in_place,
                 bool overwrite) {
  return ChainMaker(stages, real_dimension, in_place, overwrite).make();
}

std::vector<Dimension> work_dimensions(const Chain::Work& work, const std::vector<Stage>& stages,
                                       const Section& input, const Section& output,
                                       const StageProblem& problem, const Comm& comm) {
  const std::vector<Index> shape = work.real ? problem.shape : spectrum_shape(problem);
  if (work.stage == 0) return without_padding(input, shape);
  if (work.stage + 1 == stages.size()) return without_padding(output, shape);
  return dimensions_of(stages[work.stage].form, shape, comm.rank(), comm.size());
}

}  // namespace daptor::fft::detail
