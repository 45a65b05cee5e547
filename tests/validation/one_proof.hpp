// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An array with one fault that only several ranks together can see, and the error that every
// collective call throws for it.

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/daptor.hpp"
#include "everywhere.hpp"

namespace daptor::test {

struct BrokenArray {
  std::string name;
  std::string rule;
  DistArray array;
};

/// Arrays of three elements per rank, in which rank `at_fault` is wrong: on rank 0, which has no
/// lower neighbour to disagree with, only those that are dealt.
template <class T>
std::vector<BrokenArray> broken_on(int at_fault) {
  const Index ranks = world_size();
  const Index rank = world_rank();
  const bool here = rank == at_fault;
  const GridPosition grid{ranks, rank};
  const IndexRange owned{3 * rank, 3 * rank + 3};
  const auto of_rows = [](Dimension rows) {
    return allocate<T>({std::move(rows), undistributed(2)}).on(MPI_COMM_WORLD);
  };
  const auto dealt = [&](Index start) {
    return of_rows({3 * ranks, Cyclic{grid, here ? start : rank, 1}});
  };
  std::vector<BrokenArray> broken;
  if (at_fault > 0) {
    for (const Index shift : {1, -1}) {
      const IndexRange wrong{owned.start + (here ? shift : 0), owned.stop};
      broken.push_back({shift > 0 ? "a start that is too high" : "a start that is too low", "B09",
                        of_rows(block(3 * ranks, grid, wrong))});
    }
    // The place of the previous rank: two ranks are at one place, and none at another.
    const GridPosition seat{ranks, here ? rank - 1 : rank};
    broken.push_back({"a place that is taken", "D19", of_rows(block(3 * ranks, seat))});
  }
  broken.push_back(
      {"a start that is another rank's turn", "C11", dealt((rank + ranks - 1) % ranks)});
  broken.push_back({"a start that is nobody's", "C11", dealt(3 * ranks)});
  return broken;
}

/// Arrays with index lists, in which rank `at_fault`, 1 or higher, is wrong. Each rank owns three
/// indices.
template <class T>
struct BrokenLists {
  using IndexVector = std::vector<Index>;

  explicit BrokenLists(int at_fault) : here(world_rank() == at_fault) {}

  BrokenArray owned_twice(std::vector<Dimension> more) const {
    IndexVector owned = three;
    if (here) owned.push_back(three.front() - 1);
    return listed("owned.twice", owned_then_ghosts(3 * grid.size, grid, owned, IndexVector{}),
                  more);
  }
  /// The ghost of rank `at_fault` is an index in [0, size) that this rank should own.
  BrokenArray owned_by_nobody(std::vector<Dimension> more) const {
    IndexVector owned = three, ghosts;
    if (here) {
      ghosts.push_back(owned.back());
      owned.pop_back();
    }
    return listed("owned.nobody", owned_then_ghosts(3 * grid.size, grid, owned, ghosts), more);
  }
  BrokenArray far_ghost() const {
    const IndexVector ghosts(here ? 1U : 0U, 3 * grid.size + 5);
    return listed("owned.nobody", owned_then_ghosts(3 * grid.size, grid, three, ghosts), {});
  }
  /// Two processes at the same grid rank, the only one of the second dimension, have different
  /// lists.
  BrokenArray another_order() const { return second({2, here ? 1 : 0, here ? 0 : 1}); }
  BrokenArray another_length() const {
    return second(here ? IndexVector{2, 0} : IndexVector{2, 0, 1});
  }

 private:
  static BrokenArray listed(const char* rule, const Dimension& list, std::vector<Dimension> more) {
    more.insert(more.begin(), list);
    return {rule, rule, allocate<T>(more).on(MPI_COMM_WORLD)};
  }
  BrokenArray second(const IndexVector& list) const {
    return {"lists that differ", "U12",
            allocate<T>({block(grid.size, grid), unstructured(3, {1, 0}, IndexList(list))})
                .on(MPI_COMM_WORLD)};
  }

  bool here;
  GridPosition grid{world_size(), world_rank()};
  IndexVector three{3 * grid.rank, 3 * grid.rank + 1, 3 * grid.rank + 2};
};

/// What a call threw on this rank.
inline std::optional<Finding> error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Malformed& error) {
    return error.report().findings().front();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another class: " << error.what();
  }
  return std::nullopt;
}

/// All texts of a finding.
inline std::string words_of(const Finding& finding) {
  std::string ranks;
  for (const int rank : finding.ranks) ranks += std::to_string(rank) + " ";
  return to_string(finding) + "\nranks " + ranks + "of " + std::to_string(finding.rank_count) +
         "\nrule " + finding.rule + "\nkey " + finding.key + "\nfound " + finding.found.str() +
         "\nexpected " + finding.expected.str() + "\nremedy " + finding.remedy.str();
}

struct CallOnArray {
  std::string name;
  std::function<void(const DistArray&)> call;
};

/// Collective. `validate` and each of the calls report the same rule, rank and key, with the same
/// text, on all ranks.
inline void expect_one_error(const BrokenArray& broken, int at_fault,
                             const std::vector<CallOnArray>& calls) {
  SCOPED_TRACE(broken.name + " on rank " + std::to_string(at_fault));
  const Report report = validate(broken.array);
  const Finding* told = nullptr;
  for (const Finding& finding : report.findings())
    if (told == nullptr && finding.severity == Severity::error) told = &finding;
  ASSERT_NE(told, nullptr);
  EXPECT_EQ(told->rule, broken.rule);
  // If every rank is wrong, the text names none.
  if (told->rank_count < world_size()) {
    EXPECT_EQ(std::count(told->ranks.begin(), told->ranks.end(), at_fault), 1) << to_string(*told);
  }
  const std::string words = words_of(*told);
  for (const CallOnArray& each : calls) {
    const auto thrown = error_of([&] { each.call(broken.array); });
    EXPECT_TRUE(thrown) << each.name;
    if (thrown) {
      EXPECT_EQ(words_of(*thrown), words) << each.name;
    }
  }
  expect_same_everywhere(words);
}

/// Collective. Checks it for each rank in turn and each of `broken_on`.
template <class T>
void expect_one_error(const std::vector<CallOnArray>& calls) {
  for (int at_fault = 0; world_size() > 1 && at_fault < world_size(); ++at_fault)
    for (const BrokenArray& broken : broken_on<T>(at_fault))
      expect_one_error(broken, at_fault, calls);
}

}  // namespace daptor::test
