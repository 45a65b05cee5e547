// SPDX-License-Identifier: BSD-3-Clause
#include "stages.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace daptor::fft::detail {
namespace {

using Sequence = std::vector<const Form*>;

/// What is transformed in each layout: all that is whole, as early as possible. Empty if something
/// is left at the end.
std::vector<Stage> assigned(const Sequence& forms, const StageProblem& problem) {
  std::vector<int> left = problem.transformed;
  bool halved = problem.real_dimension < 0;
  std::vector<Stage> stages;
  for (const Form* form : forms) {
    Stage stage{*form, {}};
    halved = halved || form->whole(problem.real_dimension);
    if (halved) {
      const auto here =
          std::stable_partition(left.begin(), left.end(), [&](int d) { return !form->whole(d); });
      stage.transformed.assign(here, left.end());
      left.erase(here, left.end());
    }
    stages.push_back(std::move(stage));
  }
  if (!left.empty()) stages.clear();
  return stages;
}

/// Layouts through which the array may go on its way: for each set of transformed dimensions the
/// best in which they are whole.
std::vector<Form> candidates(const StageProblem& problem) {
  const std::size_t ndim = problem.shape.size();
  const std::size_t sets = std::size_t{1} << problem.transformed.size();
  std::vector<Form> forms;
  for (std::size_t set = 0; set < sets; ++set) {
    if (set + 1 == sets && problem.transformed.size() == ndim) break;  // nothing to divide
    std::vector<bool> whole(ndim);
    for (std::size_t i = 0; i < problem.transformed.size(); ++i)
      whole[static_cast<std::size_t>(problem.transformed[i])] = (set >> i & 1) != 0;
    const Form form = best_form(whole, problem.shape, problem.processes);
    if (std::find(forms.begin(), forms.end(), form) == forms.end()) forms.push_back(form);
  }
  forms.push_back({std::vector<Index>(ndim, 1), problem.processes > 1});
  return forms;
}

class StageSearch {
 public:
  explicit StageSearch(const StageProblem& problem)
      : problem_(problem), forms_(candidates(problem)) {}

  std::vector<Stage> run() {
    if (problem_.same_distribution || !problem_.output) consider({&problem_.input});
    // Two layouts between suffice: each dimension is whole in one of them.
    complete({});
    for (const Form& first : forms_) {
      complete({&first});
      for (const Form& second : forms_) complete({&first, &second});
    }
    return std::move(best_);
  }

 private:
  void complete(const Sequence& between) {
    Sequence forms{&problem_.input};
    forms.insert(forms.end(), between.begin(), between.end());
    if (problem_.output) {
      if (between.empty() && problem_.same_distribution) return;
      forms.push_back(&*problem_.output);
      consider(forms);
    } else if (!between.empty()) {
      consider(forms);
    }
  }

  void consider(const Sequence& forms) {
    double cost = 0;
    for (std::size_t i = 1; i < forms.size(); ++i)
      cost += move_cost(*forms[i - 1], *forms[i], problem_.shape, problem_.processes);
    if (!best_.empty() && cost >= cost_) return;
    std::vector<Stage> stages = assigned(forms, problem_);
    for (const Stage& stage : stages)
      cost += static_cast<double>(stage.transformed.size()) *
              largest_section(stage.form, problem_.shape);
    if (stages.empty() || (!best_.empty() && cost >= cost_)) return;
    cost_ = cost;
    best_ = std::move(stages);
  }

  const StageProblem& problem_;
  std::vector<Form> forms_;
  std::vector<Stage> best_;
  double cost_ = std::numeric_limits<double>::infinity();
};

}  // namespace

/// Keeps the last answer: simulated ranks ask for the same stages one after the other.
std::vector<Stage> choose_stages(const StageProblem& problem) {
  struct Answered {
    StageProblem problem;
    std::vector<Stage> stages;
  };
  thread_local std::optional<Answered> last;
  if (!last || !(last->problem == problem)) last = Answered{problem, StageSearch(problem).run()};
  return last->stages;
}

}  // namespace daptor::fft::detail
