#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "routed.hpp"

namespace daptor::detail {

/// Ordered by rank, then by question, each once.
inline std::vector<Routed<Index>> distinct(std::vector<Routed<Index>> questions) {
  const auto key = [](const Routed<Index>& q) { return std::make_pair(q.rank, q.item); };
  std::sort(questions.begin(), questions.end(),
            [&](const auto& a, const auto& b) { return key(a) < key(b); });
  const auto same = [&](const auto& a, const auto& b) { return key(a) == key(b); };
  questions.erase(std::unique(questions.begin(), questions.end(), same), questions.end());
  return questions;
}

/// Collective. `questions()` gives what this rank wants to know, `keeper(question)` the rank that
/// knows it, and `answer(question)` is called there. Returns the answers in the order of the
/// questions. None of the three may communicate; where one throws, all ranks throw.
template <class Answer, class Questions, class Keeper, class Reply>
std::vector<Answer> ask(const Communicator& comm, const Questions& questions, const Keeper& keeper,
                        const Reply& answer) {
  std::vector<Index> asked;
  std::vector<Routed<Index>> sent;
  const auto queries = agreed(comm, [&] {
    fault_point("core.ask.questions");
    asked = questions();
    sent.reserve(asked.size());
    for (const Index question : asked) sent.push_back({keeper(question), question});
    sent = distinct(std::move(sent));
    return to_messages(sent);
  });
  const auto received = comm.exchange(queries);
  const auto replies = agreed(comm, [&] {
    fault_point("core.ask.answers");
    std::vector<Message> messages;
    for (const Message& query : received) {
      std::vector<Answer> answers;
      for (const Index question : from_bytes<Index>(query.bytes))
        answers.push_back(answer(question));
      messages.push_back({query.rank, to_bytes(answers.data(), answers.size())});
    }
    return messages;
  });
  const auto returned = comm.exchange(replies);
  return agreed(comm, [&] {
    fault_point("core.ask.results");
    // In order of the keepers, as the questions were sent.
    std::vector<Answer> known;
    for (const Message& reply : returned) {
      const auto answers = from_bytes<Answer>(reply.bytes);
      known.insert(known.end(), answers.begin(), answers.end());
    }
    std::vector<Answer> results;
    results.reserve(asked.size());
    for (const Index question : asked) {
      const std::pair<int, Index> key(keeper(question), question);
      const auto at = std::partition_point(sent.begin(), sent.end(), [&](const auto& each) {
        return std::make_pair(each.rank, each.item) < key;
      });
      results.push_back(known.at(static_cast<std::size_t>(at - sent.begin())));
    }
    return results;
  });
}

}  // namespace daptor::detail
