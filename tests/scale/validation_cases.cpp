// SPDX-License-Identifier: BSD-3-Clause
// What validations cost: of arrays without a fault, and of those with one that must be found.

#include <numeric>
#include <string>
#include <utility>

#include "cases.hpp"
#include "layouts.hpp"

namespace daptor::test {
namespace {

void expect_nothing(const Report& report) {
  for (const Finding& finding : report.findings())
    require(finding.severity != Severity::error, "a finding " + finding.rule);
}

void expect_rule(const Report& report, const char* rule) {
  require(report.has(rule), std::string("no finding ") + rule);
}

/// A case of one validation.
template <class Describe>
Case validation(std::string name, Level level, const Describe& array, const char* rule = nullptr,
                int most_ranks = 1 << 20) {
  return {"validate " + std::move(name),
          [=](Measuring& m) {
            const DistArray mine = array(m).on(m.comm());
            Report report;
            m.step("validate", [&] { report = validate(mine, {level}); });
            if (rule != nullptr)
              expect_rule(report, rule);
            else
              expect_nothing(report);
          },
          most_ranks};
}

}  // namespace

void add_validations(std::vector<Case>& cases, Index elements) {
  for (const int ndim : {1, 2, 3}) {
    const std::string d = std::to_string(ndim) + "-d ";
    const auto on = [=](const Measuring& m) { return positions(ndim, m); };
    cases.push_back(validation(d + "even", Level::full,
                               [=](const Measuring& m) { return even(ndim, elements, on(m)); }));
    cases.push_back(validation(d + "even, padded", Level::full, [=](const Measuring& m) {
      return ring(ndim, elements, on(m), false);
    }));
    cases.push_back(validation(d + "uneven, padded", Level::full, [=](const Measuring& m) {
      return ring(ndim, elements, on(m), true);
    }));
    cases.push_back(validation(
        d + "uneven, padded, ranks in another order", Level::full,
        [=](const Measuring& m) { return ring(ndim, elements, positions(ndim, m, true), true); }));
    cases.push_back(validation(
        d + "uneven, one bound wrong", Level::full,
        [=](const Measuring& m) {
          const Index edge = edge_of(elements, ndim);
          std::vector<Dimension> dimensions;
          for (const GridPosition at : on(m))
            dimensions.push_back(block(edge * at.size, at, uneven(edge, at)));
          const GridPosition last = dimensions.back().grid();
          IndexRange wrong = uneven(edge, last);
          if (m.rank() == m.ranks() / 2) ++(last.first() ? wrong.stop : wrong.start);
          dimensions.back() = block(edge * last.size, last, wrong);
          return at_target(dimensions);
        },
        "B09"));
  }
  const auto square = [](const Measuring& m) { return positions(2, m); };
  cases.push_back(validation("cyclic", Level::full, [=](const Measuring& m) {
    return in_cycles(elements, square(m), 0);
  }));
  cases.push_back(validation("cyclic from process 1", Level::full, [=](const Measuring& m) {
    return in_cycles(elements, square(m), 1);
  }));
  cases.push_back(validation(
      "two ranks at one position", Level::full,
      [=](const Measuring& m) {
        const Index seat = m.rank() == m.ranks() - 1 ? 0 : m.rank();
        return even(2, elements, positions(grid_of(2, m.ranks()), seat));
      },
      "D19"));
  cases.push_back(validation(
      "all ranks at one position", Level::full,
      [=](const Measuring& m) { return even(2, elements, positions(grid_of(2, m.ranks()), 0)); },
      "D19"));
  cases.push_back(
      {"validate all ranks at fault, 100 listed", [=](Measuring& m) {
         const GridPosition at{m.ranks(), m.rank()};
         const Index short_by = at.first() || at.last() ? 0 : 1;
         const DistArray mine =
             at_target({block(4 * elements * at.size, at,
                              {4 * elements * at.rank, 4 * elements * (at.rank + 1) - short_by})})
                 .on(m.comm());
         Report report;
         m.step("validate", [&] {
           report = validate(mine, {Level::metadata, Profile::recommended, 100});
         });
         if (m.ranks() > 2) expect_rule(report, "B09");
       }});
}

void add_validations_of_lists(std::vector<Case>& cases, Index listed) {
  cases.push_back(validation("permutation, metadata", Level::metadata,
                             [=](const Measuring& m) { return permutation(listed, m); }));
  cases.push_back(validation("permutation, full", Level::full,
                             [=](const Measuring& m) { return permutation(listed, m); }));
  cases.push_back(validation("ghosts that all ranks have, full", Level::full,
                             [=](const Measuring& m) { return with_popular_ghosts(listed, m); }));
  cases.push_back(validation(
      "lists with one index in common, full", Level::full,
      [=](const Measuring& m) { return with_shared_index(listed, m); }, "U11"));
  cases.back().chance = true;
  cases.push_back(
      validation("the same short list everywhere, full", Level::full, [=](const Measuring& m) {
        std::vector<Index> mine(static_cast<std::size_t>(listed));
        std::iota(mine.begin(), mine.end(), Index{0});
        for (Index& index : mine) index = (index * 7 + m.rank()) % listed;
        return at_source({unstructured(listed, {m.ranks(), m.rank()}, IndexList(mine))});
      }));
  cases.push_back(validation(
      "permutation with an index twice, full", Level::full,
      [=](const Measuring& m) {
        std::vector<Index> mine = shuffled(listed, m);
        if (m.rank() == m.ranks() / 2) mine[0] = (mine[0] + 1) % (listed * m.ranks());
        return at_source(
            {unstructured(listed * m.ranks(), {m.ranks(), m.rank()}, IndexList(mine), true)});
      },
      "U09"));
}

}  // namespace daptor::test
