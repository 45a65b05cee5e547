// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "daptor/adapter/routed.hpp"
#include "daptor/call.hpp"
#include "ranks/crossing.hpp"

namespace daptor::detail {

/// A question that a rank asks, and its position among the rank's questions.
template <class Item>
struct Question {
  Item item;
  Index position;
};

/// Sorted by the rank that knows the answer, then by question, so that equal questions are
/// neighbours.
template <class Item, class Keeper>
std::vector<adapter::Routed<Question<Item>>> in_order(const std::vector<Item>& items,
                                                      const Keeper& keeper) {
  std::vector<adapter::Routed<Question<Item>>> questions;
  questions.reserve(items.size());
  for (const Item& item : items)
    questions.push_back({keeper(item), {item, static_cast<Index>(questions.size())}});
  std::sort(questions.begin(), questions.end(), [](const auto& a, const auto& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.item.item < b.item.item;
  });
  return questions;
}

/// The questions without duplicates.
template <class Item>
std::vector<adapter::Routed<Item>> distinct(
    const std::vector<adapter::Routed<Question<Item>>>& questions) {
  std::vector<adapter::Routed<Item>> items;
  for (const auto& each : questions) {
    if (items.empty() || items.back().item != each.item.item)
      items.push_back({each.rank, each.item.item});
  }
  return items;
}

/// Collective. Asks each rank that `keeper(question)` names. `replies_to(queries)`, which is
/// collective too, returns the replies to the queries that this rank has received.
template <class Answer, class Questions, class Keeper, class Replies>
std::vector<Answer> ask_through(Call& call, const Questions& questions, const Keeper& keeper,
                                const Replies& replies_to) {
  using Item = typename std::invoke_result_t<Questions>::value_type;
  std::vector<adapter::Routed<Question<Item>>> asked;
  const auto queries = call.check([&] {
    asked = in_order(questions(), keeper);
    return adapter::to_messages(distinct(asked));
  });
  const auto returned = call.comm()->exchange(replies_to(call.comm()->exchange(queries)));
  return call.check([&] {
    // In order of the ranks that were asked, as the questions were sent.
    const auto known = adapter::items_of<Answer>(returned);
    std::vector<Answer> results(asked.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (i > 0 && asked[i].item.item != asked[i - 1].item.item) ++next;
      results[static_cast<std::size_t>(asked[i].item.position)] = known.at(next);
    }
    return results;
  });
}

/// Collective. Replies with what `answer(question)` returns.
template <class Answer, class Item, class Reply>
std::vector<Message> replies(Call& call, const std::vector<Message>& queries, const Reply& answer) {
  return call.check([&] {
    std::vector<Message> messages;
    for (const Message& query : queries) {
      std::vector<Answer> answers;
      for (const Item& item : adapter::from_bytes<Item>(query.bytes))
        answers.push_back(answer(item));
      messages.push_back({query.rank, adapter::to_bytes(answers.data(), answers.size())});
    }
    return messages;
  });
}

/// Collective. `questions()` returns the questions of this rank, `keeper(question)` the rank that
/// knows the answer, and `answer(question)` is called on that rank. Returns the answers in the
/// order of the questions. None of the three functions may communicate; if one of them throws, all
/// ranks throw.
///
/// If there are many ranks, a rank between asks in the place of several others, each question once:
/// the keeper of a popular question would else have to answer all ranks. So any rank must be able
/// to tell the keeper from the question alone.
template <class Answer, class Questions, class Keeper, class Reply>
std::vector<Answer> ask(Call& call, const Questions& questions, const Keeper& keeper,
                        const Reply& answer) {
  using Item = typename std::invoke_result_t<Questions>::value_type;
  const auto directly = [&](const std::vector<Message>& queries) {
    return replies<Answer, Item>(call, queries, answer);
  };
  if (!Crossing::used(call.comm().size()))
    return ask_through<Answer>(call, questions, keeper, directly);
  const Crossing crossing(call.comm().size());
  const auto between = [&](const Item& item) {
    return crossing.between(call.comm().rank(), keeper(item));
  };
  return ask_through<Answer>(call, questions, between, [&](const std::vector<Message>& queries) {
    std::vector<Item> items;
    const auto gathered = [&] {
      items = adapter::items_of<Item>(queries);
      std::sort(items.begin(), items.end());
      items.erase(std::unique(items.begin(), items.end()), items.end());
      return items;
    };
    const auto answers = ask_through<Answer>(call, gathered, keeper, directly);
    return replies<Answer, Item>(call, queries, [&](const Item& item) {
      const auto at = std::lower_bound(items.begin(), items.end(), item) - items.begin();
      return answers[static_cast<std::size_t>(at)];
    });
  });
}

}  // namespace daptor::detail
