// SPDX-License-Identifier: BSD-3-Clause
#include "promises.hpp"

#include <cmath>

namespace daptor::test {
namespace {

double value_of(Growth growth, double ranks) {
  switch (growth) {
    case Growth::constant:
      return 1;
    case Growth::logarithm:
      return std::ceil(std::log2(ranks));
    case Growth::cube_root:
      return std::cbrt(ranks);
    case Growth::root:
      return std::sqrt(ranks);
    case Growth::linear:
      return ranks;
  }
  return 1;
}

struct Counter {
  const char* name;
  double (*value)(const Counted&);
  /// what may be added for chance: where a hash chooses
  double slack;
};

constexpr Counter calls[] = {
    {"collective calls", [](const Counted& c) { return double(c.traffic.collectives()); }, 0},
};
constexpr Counter depths[] = {
    {"depth", [](const Counted& c) { return double(c.depth); }, 0},
};
constexpr Counter messages[] = {
    {"messages sent", [](const Counted& c) { return double(c.traffic.messages); }, 2},
    {"messages received", [](const Counted& c) { return double(c.traffic.received); }, 2},
};
constexpr Counter memory[] = {
    {"bytes allocated", [](const Counted& c) { return double(c.allocated); }, 256},
    {"bytes kept", [](const Counted& c) { return double(c.kept); }, 256},
};

/// What is allowed besides: hashes choose blocks that are not quite equal, and grids of a power of
/// two are not quite square.
double allowance(Growth growth) {
  return growth == Growth::root || growth == Growth::cube_root ? 1.3 : 1.1;
}

class Judging {
 public:
  Judging(const Promise& promise, const std::vector<int>& ranks, std::vector<const Step*> steps)
      : promise_(promise), ranks_(ranks), steps_(std::move(steps)) {}

  template <std::size_t N>
  void judge(const Counter (&counters)[N], Growth growth) {
    for (const Counter& counter : counters) {
      const double first = steps_.front()->most(counter.value);
      for (std::size_t i = 1; i < steps_.size(); ++i) {
        const double now = steps_[i]->most(counter.value);
        const double bound = allowance(growth) * first * value_of(growth, ranks_[i]) /
                                 value_of(growth, ranks_.front()) +
                             counter.slack;
        if (now <= bound) continue;
        lines_.push_back(promise_.step + ": " + counter.name + " " +
                         std::to_string(std::llround(first)) + " on " +
                         std::to_string(ranks_.front()) + " ranks, " +
                         std::to_string(std::llround(now)) + " on " + std::to_string(ranks_[i]));
        break;
      }
    }
  }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  const Promise& promise_;
  const std::vector<int>& ranks_;
  std::vector<const Step*> steps_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<Promise> promises_for(const std::string& name) {
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  const bool uneven = has("uneven");
  if (has("agreement")) return {{"nobody fails"}, {"one rank fails"}};
  if (has("validate")) {
    Promise promise{"validate"};
    if (has(", full")) promise = {"validate", Growth::root, Growth::root};
    if (has("100 listed")) promise.messages = Growth::logarithm;
    if (has("at one position")) promise = {"validate", Growth::root, Growth::root};
    return {promise};
  }
  if (has("map permutation"))
    return {{"map"},
            {"one_to_one", Growth::root, Growth::root},
            {"owners", Growth::root, Growth::root},
            {"owner of one index", Growth::root, Growth::root}};
  const Growth bounds = !uneven      ? Growth::constant
                        : has("1-d") ? Growth::linear
                                     : Growth::cube_root;
  const Growth along_a_line = uneven ? Growth::logarithm : Growth::constant;
  if (has("map "))
    return {{"map", along_a_line, bounds},
            {"map again", along_a_line, bounds},
            // In another order, the ranks between ask for others.
            {"ranks of neighbours", has("order") ? Growth::root : Growth::constant,
             has("order") ? Growth::root : Growth::constant},
            {"contiguous_offset"}};
  if (has("halo ghosts")) return {{"set-up", Growth::root, Growth::root}, {"update"}};
  if (has("halo ")) return {{"set-up", along_a_line, bounds}, {"update"}};
  // Redistributions: in proportion to a rank's own partners.
  Growth partners = Growth::root;
  Growth memory_growth = Growth::root;
  if (has("to bricks")) partners = memory_growth = Growth::cube_root;
  if (has("permut")) partners = memory_growth = Growth::linear;
  if (has("irregular")) {
    partners = Growth::logarithm;
    memory_growth = Growth::linear;
  }
  return {{"set-up", partners, memory_growth}, {"run", partners, memory_growth}};
}

std::vector<std::string> broken_promises(const std::vector<Promise>& promises,
                                         const std::vector<int>& ranks,
                                         const std::vector<std::vector<Step>>& counted) {
  std::vector<std::string> lines;
  for (std::size_t s = 0; s < promises.size(); ++s) {
    std::vector<const Step*> steps;
    for (const auto& on_ranks : counted) {
      if (s >= on_ranks.size() || on_ranks.size() != promises.size()) {
        lines.push_back("not as many steps as promises");
        return lines;
      }
      steps.push_back(&on_ranks[s]);
    }
    Judging judging(promises[s], ranks, std::move(steps));
    judging.judge(calls, Growth::constant);
    judging.judge(depths, Growth::logarithm);
    judging.judge(messages, promises[s].messages);
    judging.judge(memory, promises[s].memory);
    lines.insert(lines.end(), judging.lines().begin(), judging.lines().end());
  }
  return lines;
}

}  // namespace daptor::test
