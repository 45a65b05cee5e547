// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/simulated.hpp"

#include <memory>
#include <new>
#include <string>

#include "daptor/error.hpp"
#include "ranks/simulated_world.hpp"

namespace daptor {
namespace {

/// Exceptions that are only a consequence of another rank's come last.
void rethrow_first(const std::vector<detail::SimulatedEnd>& ends) {
  for (const bool cause : {true, false})
    for (const detail::SimulatedEnd& end : ends)
      if (end.error && end.cause == cause) std::rethrow_exception(end.error);
}

std::shared_ptr<detail::SimulatedWorld> world_of(int ranks,
                                                 const std::function<void(const Comm&)>& body) {
  try {
    return std::make_shared<detail::SimulatedWorld>(ranks, body);
  } catch (const std::bad_alloc&) {
    throw LibraryFailed("simulated", "run_simulated",
                        "no memory for the stacks of " + std::to_string(ranks) + " ranks");
  }
}

}  // namespace

void run_simulated(int ranks, const std::function<void(const Comm&)>& body) {
  if (ranks < 1) throw InvalidArgument("ranks", std::to_string(ranks), "one or more");
  rethrow_first(detail::SimulatedWorld::run(world_of(ranks, body)));
}

int detail::simulated_rank() noexcept {
  const SimulatedWorld* const world = SimulatedWorld::active();
  return world == nullptr ? -1 : world->current();
}

}  // namespace daptor
