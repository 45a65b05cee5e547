// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fft/transform.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "chain.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/library.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/undefined_memory.hpp"
#include "daptor/call.hpp"
#include "daptor/fft/adapter/elements.hpp"
#include "daptor/fft/adapter/names.hpp"
#include "daptor/fft/frequencies.hpp"
#include "daptor/lease.hpp"
#include "mpi_slabs.hpp"
#include "problem.hpp"
#include "scale.hpp"

namespace daptor::fft {
namespace {

using detail::Chain;
using detail::LocalTransform;
using detail::Stage;
using detail::Step;

/// The arrays by their numbers in the chain.
std::vector<DistArray> arrays_of(const DistArray& input, const DistArray& output,
                                 const std::vector<Stage>& stages, const Chain& chain,
                                 const detail::StageProblem& problem, const Comm& comm) {
  std::vector<DistArray> arrays{input, output};
  for (const Chain::Work& work : chain.work) {
    const Section memory =
        adapter::allocate_undefined(work.real ? input.type() : complex_of(input.type()),
                                    work_dimensions(work, stages, input, output, problem, comm));
    memory.defect().raise();
    arrays.push_back(memory.on(comm));
  }
  return arrays;
}

}  // namespace

struct Transform::State {
  State(const DistArray& input, const DistArray& output, const TransformOptions& given)
      : comm(input.comm()), options(given), arrays{input, output} {}

  /// Collective. What a transform needs, once its arguments are proven.
  void prepare(Call& call) {
    problem = detail::proven_problem(arrays[0], arrays[1], call, options);
    if (options.engine == Engine::fftw_mpi)
      slabs.emplace(arrays[0], arrays[1], problem, call, options);
    else
      plan(call);
  }

  void plan(Call& call) {
    const DistArray input = arrays[0], output = arrays[1];
    call.check([&] {
      const std::vector<Stage> stages = choose_stages(problem.stages);
      chain =
          make_chain(stages, problem.stages.real_dimension, problem.in_place, options.overwrite);
      arrays = arrays_of(input, output, stages, chain, problem.stages, comm);
      for (const Step& step : chain.steps) {
        locals.push_back(local_of(arrays, step));
        writes_input = writes_input || step.to == 0;
      }
      if (writes_input) detail::require_usable(arrays[0], true);
      moves.resize(chain.steps.size());
      for (std::size_t i = 2; i < arrays.size(); ++i)
        work += arrays[i].local_count() * static_cast<Index>(arrays[i].type().itemsize());
    });
    for (std::size_t i = 0; i < chain.steps.size(); ++i) {
      const Step& step = chain.steps[i];
      if (step.local()) continue;
      moves[i].emplace(arrays[step.from], arrays[step.to]);
      ++move_count;
      sent += moves[i]->bytes_sent();
    }
  }

  std::optional<LocalTransform> local_of(const std::vector<DistArray>& of, const Step& step) const {
    if (!step.local()) return std::nullopt;
    const bool keep = step.to == 1 && !options.overwrite && !problem.in_place;
    return std::optional<LocalTransform>(std::in_place, of[step.from], of[step.to],
                                         step.transformed, options.planning, keep);
  }

  /// Number of elements over which a transform sums.
  double count() const {
    double count = 1;
    for (const int d : problem.stages.transformed)
      count *= static_cast<double>(problem.stages.shape[static_cast<std::size_t>(d)]);
    return count;
  }
  double factor(bool forward) const {
    if (count() == 0) return 1;
    switch (options.scale) {
      case Scale::none:
        return 1;
      case Scale::backward:
        return forward ? 1 : 1 / count();
      case Scale::forward:
        return forward ? 1 / count() : 1;
      case Scale::both:
        return 1 / std::sqrt(count());
    }
    return 1;
  }

  /// Collective. What could fail on one rank fails here, before anything is written.
  void require_ready(bool forward, Call& call) const {
    call.check([&] {
      adapter::require_mpi_running();
      if (lost)
        adapter::refuse_argument("fft.rebind", "a transform whose rebind failed",
                                 "one that is bound", "Make another Transform.");
      detail::require_usable(arrays[0], !forward || writes_input || slabs.has_value());
      detail::require_usable(arrays[1], forward || options.overwrite || slabs.has_value());
    });
  }

  void run_local(std::size_t i, bool forward) {
    const Step& step = chain.steps[i];
    const Section& read = arrays[forward ? step.from : step.to];
    const Section& written = arrays[forward ? step.to : step.from];
    std::optional<ReadLease> lease;
    if (read.owned_data() != written.owned_data()) lease.emplace(read);
    WriteLease write(written);
    if (forward)
      locals[i]->forward();
    else
      locals[i]->backward();
    write.close();
  }

  /// FFTW-MPI works in the memory of both arrays.
  void run_slabs(bool forward) {
    WriteLease from(arrays[0]);
    std::optional<WriteLease> to;
    if (!problem.in_place) to.emplace(arrays[1]);
    slabs->run(arrays[0], arrays[1], forward);
    from.close();
    if (to) to->close();
  }

  void run_steps(bool forward, double& left) {
    const std::size_t count = chain.steps.size();
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t i = forward ? n : count - 1 - n;
      if (chain.steps[i].local()) {
        run_local(i, forward);
        continue;
      }
      // The factor is free in a pass that copies anyway.
      daptor::Transform factor;
      factor.scale = std::exchange(left, 1);
      if (forward)
        moves[i]->run(factor);
      else
        moves[i]->run_back(factor);
    }
  }

  void run(bool forward) {
    double left = factor(forward);
    if (slabs)
      run_slabs(forward);
    else
      run_steps(forward, left);
    if (left != 1) {
      WriteLease write(arrays[forward ? 1 : 0]);
      detail::scale_owned(write.array(), left);
      write.close();
    }
    // Two descriptions of one memory may have views of their own.
    if (problem.in_place) arrays[forward ? 0 : 1].modified();
  }

  /// Throws on this process if the arrays cannot take the place of those before.
  void require_fit(const Section& input, const Section& output) const {
    if (!input.same_layout(arrays[0]) || !output.same_layout(arrays[1]))
      adapter::refuse_argument("fft.rebind", "arrays of another layout",
                               "the layouts of the arrays before", "Make another Transform.");
    detail::require_usable(input, writes_input);
    detail::require_usable(output, true);
    const auto shared = in_one_memory(input, output, problem.stages, options.engine);
    if (shared && *shared != problem.in_place)
      adapter::refuse_argument("fft.rebind", "input and output in one memory, or no longer in one",
                               "the same as before", "Make another Transform.");
    if (slabs) slabs->require_suits(input, output, options.capacity);
  }

  /// Collective. Plans anew where memory is aligned in another way. What may fail is done first,
  /// and undone where it fails on any rank.
  void rebind(const DistArray& input, const DistArray& output, Call& call) {
    std::vector<DistArray> next;
    std::vector<std::optional<LocalTransform>> fresh;
    bool moving = false;
    try {
      call.check([&] {
        call.require_same_processes(input);
        call.require_same_processes(output);
        require_fit(input, output);
        next = arrays;
        next[0] = input;
        next[1] = output;
        for (std::size_t i = 0; i < chain.steps.size(); ++i) {
          const Step& step = chain.steps[i];
          const bool suits = !step.local() || locals[i]->suits(next[step.from], next[step.to]);
          fresh.push_back(suits ? std::nullopt : local_of(next, step));
        }
        moving = true;
        rebind_moves(next);
      });
    } catch (...) {
      if (moving) undo_moves();
      throw;
    }
    arrays.swap(next);
    for (std::size_t i = 0; i < chain.steps.size(); ++i) {
      const Step& step = chain.steps[i];
      if (fresh[i]) locals[i] = std::move(fresh[i]);
      if (step.local()) locals[i]->rebind(arrays[step.from], arrays[step.to]);
    }
  }
  /// A producer that no longer opens the memory from before leaves nothing to go back to.
  void undo_moves() noexcept {
    try {
      rebind_moves(arrays);
    } catch (...) {
      lost = true;
    }
  }
  void rebind_moves(const std::vector<DistArray>& to) {
    for (std::size_t i = 0; i < chain.steps.size(); ++i)
      if (moves[i]) moves[i]->rebind(to[chain.steps[i].from], to[chain.steps[i].to]);
  }

  Comm comm;
  TransformOptions options;
  detail::Problem problem;
  Chain chain;
  std::vector<DistArray> arrays;
  // One for each step, of which one is empty.
  std::vector<std::optional<LocalTransform>> locals;
  std::vector<std::optional<Redistribution>> moves;
  std::optional<detail::MpiSlabs> slabs;  // in place of steps
  bool writes_input = false;              // `forward` leaves other values in the input
  bool lost = false;                      // between two bindings, of which neither can be used
  int move_count = 0;
  std::int64_t sent = 0;
  std::int64_t work = 0;
};

Transform::Transform(const DistArray& input, const DistArray& output,
                     const TransformOptions& options) {
  Call call(input.comm(), "fft::Transform");
  call.check([&] {
    detail::same_options(options, call);
    state_ = std::make_unique<State>(input, output, options);
  });
  state_->prepare(call);
}

Transform::Transform(Transform&&) noexcept = default;
Transform& Transform::operator=(Transform&&) noexcept = default;
Transform::~Transform() = default;

Transform::State& Transform::state() const {
  if (state_ == nullptr)
    adapter::refuse_argument("argument", "a transform that was moved from", "a transform",
                             "Use the one to which it was moved.");
  return *state_;
}

void Transform::forward() {
  State& state = this->state();
  Call call(state.comm, names::in_forward);
  state.require_ready(true, call);
  state.run(true);
}

void Transform::backward() {
  State& state = this->state();
  Call call(state.comm, names::in_backward);
  state.require_ready(false, call);
  state.run(false);
}

void Transform::rebind(const DistArray& input, const DistArray& output) {
  State& state = this->state();
  Call call(state.comm, "fft::Transform::rebind");
  state.rebind(input, output, call);
}

const DistArray& Transform::input() const {
  return state().arrays[0];
}
const DistArray& Transform::output() const {
  return state().arrays[1];
}

std::vector<double> Transform::frequencies(int dimension) const {
  const State& state = this->state();
  const bool halved = dimension == state.problem.stages.real_dimension;
  return fft::frequencies(
      output(), dimension,
      halved ? state.problem.stages.shape[static_cast<std::size_t>(dimension)] : 0);
}

int Transform::redistributions() const {
  return state().move_count;
}
std::int64_t Transform::bytes_sent() const {
  return state().sent;
}
std::int64_t Transform::work_bytes() const {
  return state().work;
}

}  // namespace daptor::fft
