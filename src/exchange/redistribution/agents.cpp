// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/redistribution/agents.hpp"

#include <utility>

#include "daptor/call.hpp"
#include "exchange/words.hpp"
#include "ranks/ask.hpp"

namespace daptor::detail {
namespace {

/// Collective. The rank of this process's agent. The i-th agent sends its rank to rank i, which can
/// then be asked for it.
int agent_of(bool agent, Call& call) {
  std::int64_t agents = agent ? 1 : 0;
  const auto number = static_cast<int>(call.comm()->exclusive_sum(agents));
  const Index other = call.comm()->exclusive_sum(agent ? 0 : 1);
  call.comm()->allreduce(&agents, 1, Reduction::sum);
  const auto told = call.check([&] {
    std::vector<Message> messages;
    const int rank = call.comm().rank();
    if (agent) messages.push_back({number, adapter::to_bytes(&rank, 1)});
    return messages;
  });
  const auto received = call.comm()->exchange(told);
  const auto answers = ask<int>(
      call, [&] { return agent ? std::vector<Index>() : std::vector<Index>{other % agents}; },
      [](Index i) { return static_cast<int>(i); }, [&](Index) { return received.at(0).rank; });
  return agent ? call.comm().rank() : answers.at(0);
}

Message demand_message(const Demand& demand, int to) {
  Words words;
  words.write(static_cast<Index>(demand.along.size()));
  for (const DemandAlong& along : demand.along) {
    along.for_each_run([&](const IndexRun& run) {
      for (const Index word : {run.local_start, run.global_start, run.count}) words.write(word);
    });
    for (const Index end : {0, 0, 0}) words.write(end);  // marks the end, because no run is empty
  }
  return {to, words.bytes()};
}

Demand read_demand(const Message& message) {
  WordReader words(message.bytes);
  Demand demand;
  for (Index left = words.read(); left > 0; --left) {
    std::vector<IndexRun> runs;
    while (true) {
      IndexRun run;
      run.local_start = words.read();
      run.global_start = words.read();
      run.count = words.read();
      if (run.count == 0) break;
      runs.push_back(run);
    }
    demand.along.emplace_back(std::move(runs));
  }
  return demand;
}

Message wanted_message(const std::vector<Wanted>& wanted, int to) {
  Words words;
  for (const Wanted& box : wanted) {
    words.write(box.rank);
    words.write(static_cast<Index>(box.there.size()));
    for (const Selection& selection : box.here.along) words.write(selection);
    for (const Selection& selection : box.there) words.write(selection);
  }
  return {to, words.bytes()};
}

std::vector<Wanted> read_wanted(const Message& message) {
  std::vector<Wanted> all;
  for (WordReader words(message.bytes); !words.at_end();) {
    Wanted box;
    box.rank = static_cast<int>(words.read());
    const auto ndim = static_cast<std::size_t>(words.read());
    for (std::size_t d = 0; d < ndim; ++d) box.here.along.push_back(words.read_selection());
    for (std::size_t d = 0; d < ndim; ++d) box.there.push_back(words.read_selection());
    all.push_back(std::move(box));
  }
  return all;
}

}  // namespace

Clients gather_clients(const Demand& own, bool agent, Call& call) {
  const int to = agent_of(agent, call);
  const auto messages = call.check([&] {
    std::vector<Message> list;
    if (!agent && !own.nothing) list.push_back(demand_message(own, to));
    return list;
  });
  const auto received = call.comm()->exchange(messages);
  return call.check([&] {
    Clients clients;
    if (agent) {
      clients.ranks.push_back(call.comm().rank());
      clients.demands.push_back(own);
    }
    for (const Message& message : received) {
      clients.ranks.push_back(message.rank);
      clients.demands.push_back(read_demand(message));
    }
    return clients;
  });
}

std::vector<Wanted> return_to_clients(const Clients& clients,
                                      std::vector<std::vector<Wanted>> found, bool agent,
                                      Call& call) {
  const auto messages = call.check([&] {
    std::vector<Message> list;
    for (std::size_t i = agent ? 1 : 0; i < clients.ranks.size(); ++i)
      list.push_back(wanted_message(found[i], clients.ranks[i]));
    return list;
  });
  const auto received = call.comm()->exchange(messages);
  return call.check([&] {
    if (agent) return std::move(found.at(0));
    return received.empty() ? std::vector<Wanted>() : read_wanted(received.front());
  });
}

}  // namespace daptor::detail
