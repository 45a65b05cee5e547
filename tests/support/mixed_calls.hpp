// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Ranks make different collective calls at the same time: all of them throw an error that says
// which ranks are in which call.

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "effort.hpp"
#include "everywhere.hpp"

namespace daptor::test {

/// A collective call, and its name in the error.
struct NamedCall {
  std::string name;
  std::function<void()> call;
};

/// The error of this rank, which makes the call `mine` while another rank makes a different one.
inline std::string expect_mixed(const NamedCall& mine, int rank, const NamedCall& on_rank,
                                const NamedCall& elsewhere, int self) {
  std::string text;
  try {
    mine.call();
    ADD_FAILURE() << "rank " << self << " returned from " << mine.name;
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.rule(), "collective.mixed") << error.what();
    text = error.finding().found.str();
  }
  const std::string one = "rank " + std::to_string(rank);
  EXPECT_TRUE(text.find(one + " is in " + on_rank.name) != std::string::npos ||
              text.find(one + " in " + on_rank.name) != std::string::npos)
      << text;
  EXPECT_NE(text.find(" in " + elsewhere.name), std::string::npos) << text;
  return text;
}

/// Collective over all ranks of MPI. Each call works if all ranks make it. Then each rank in turn
/// makes each of the calls while the others make a different one, and all ranks get the same error:
/// the next one of the list or, with all_rounds(), each of the others.
inline void expect_no_mixing(const std::vector<NamedCall>& calls) {
  const int size = world_size();
  const int self = world_rank();
  for (const NamedCall& each : calls) EXPECT_NO_THROW(each.call()) << each.name;
  for (std::size_t i = 0; size > 1 && i < calls.size(); ++i) {
    for (std::size_t k = 1, pairs = 0; k < calls.size(); ++k) {
      const std::size_t j = (i + k) % calls.size();
      if (calls[i].name == calls[j].name) continue;
      if (++pairs > 1 && !all_rounds()) break;
      for (int rank = 0; rank < size; ++rank) {
        const NamedCall& mine = self == rank ? calls[i] : calls[j];
        expect_same_everywhere(expect_mixed(mine, rank, calls[i], calls[j], self));
      }
    }
  }
  for (const NamedCall& each : calls) EXPECT_NO_THROW(each.call()) << "afterwards: " << each.name;
}

}  // namespace daptor::test
