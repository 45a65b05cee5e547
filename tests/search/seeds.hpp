// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "compare.hpp"
#include "daptor/parse.hpp"
#include "describe.hpp"
#include "effort.hpp"
#include "layout.hpp"
#include "mutate.hpp"

/// \file
/// Very many arrays, each made from a number.
///
///   DAPTOR_SEARCH_CASES=1000000   number of arrays for each test; otherwise what the test says, or
///   a
///                                 third of it unless nothing is left out to save time
///   DAPTOR_SEARCH_SEED=4711       first number; with that of a failure and 1 case, the failure is
///   repeated

namespace daptor::search {

inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// An array of all ranks, and how it was made.
struct Case {
  Recorded recorded;
  std::string made = "a legal array";
};

/// Makes and checks that many arrays; stops at the first failure, and says how to repeat it.
template <class Make, class Look>
void for_seeds(std::uint64_t cases, const Make& make, const Look& look) {
  const std::uint64_t first = from_environment("DAPTOR_SEARCH_SEED", 1);
  if (!test::all_rounds()) cases = cases / 3 + 1;
  cases = from_environment("DAPTOR_SEARCH_CASES", cases);
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    Random random(seed);
    const Case found = make(random);
    try {
      look(found.recorded);
    } catch (const std::exception& error) {
      ADD_FAILURE() << "an exception: " << error.what();
    }
    if (!::testing::Test::HasFailure()) continue;
    ADD_FAILURE() << "DAPTOR_SEARCH_SEED=" << seed << " DAPTOR_SEARCH_CASES=1\n"
                  << found.made << "\n"
                  << as_json(found.recorded);
    return;
  }
}

inline Case legal(Random& random) {
  return {describe_layout(random, random_layout(random))};
}

inline Case changed(Random& random) {
  Case made = legal(random);
  made.made = mutate(random, made.recorded);
  if (random.chance(15)) made.made += "; " + mutate(random, made.recorded);
  return made;
}

inline Case either(Random& random) {
  return random.chance(40) ? legal(random) : changed(random);
}

/// The array of each rank, if it has one.
inline std::vector<std::optional<Section>> arrays_of(const Recorded& recorded) {
  std::vector<std::optional<Section>> arrays;
  for (const RecordedRank& rank : recorded.ranks) {
    const auto* value = std::get_if<Value>(&rank);
    arrays.push_back(value != nullptr ? parse(*value).array : std::nullopt);
  }
  return arrays;
}

}  // namespace daptor::search
