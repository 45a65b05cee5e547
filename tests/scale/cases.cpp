// SPDX-License-Identifier: BSD-3-Clause
// The operations that are counted. Sections have the same size on any number of ranks, which must
// be a power of two.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "daptor/agreement.hpp"
#include "daptor/daptor.hpp"
#include "scale.hpp"

namespace daptor::test {
namespace {

using Positions = std::vector<GridPosition>;

void require(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error(what);
}

/// A grid of so many ranks, with dimensions as equal as multiplying the smallest one by prime
/// factors, the greatest first, makes them; the larger ones last.
std::vector<Index> grid_of(int ndim, Index ranks) {
  std::vector<Index> factors;
  for (Index factor = 2; ranks > 1;) {
    if (ranks % factor != 0) {
      ++factor;
      continue;
    }
    factors.push_back(factor);
    ranks /= factor;
  }
  std::vector<Index> grid(static_cast<std::size_t>(ndim), 1);
  for (auto factor = factors.rbegin(); factor != factors.rend(); ++factor)
    *std::min_element(grid.begin(), grid.end()) *= *factor;
  std::sort(grid.begin(), grid.end());
  return grid;
}

Positions positions(const std::vector<Index>& grid, Index rank) {
  const std::vector<Index> at = grid_coordinates(grid, rank);
  Positions all;
  for (std::size_t d = 0; d < grid.size(); ++d) all.push_back({grid[d], at[d]});
  return all;
}

Positions positions(int ndim, const Measuring& m, bool backwards = false) {
  return positions(grid_of(ndim, m.ranks()), backwards ? m.ranks() - 1 - m.rank() : m.rank());
}

/// A section of doubles that nobody writes.
DistArray at_source(std::vector<Dimension> dimensions) {
  return describe(DataType::of<double>(), source_memory(), std::move(dimensions));
}

/// A section of doubles whose values do not matter.
DistArray at_target(std::vector<Dimension> dimensions) {
  return describe(DataType::of<double>(), target_memory(), std::move(dimensions));
}

/// The `edge` of a cube, square or line with this many elements.
Index edge_of(Index elements, int ndim) {
  return std::max<Index>(
      2, std::llround(std::pow(static_cast<double>(elements), 1.0 / static_cast<double>(ndim))));
}

/// Blocks of `edge` indices, but every second bound is moved up by one.
IndexRange uneven(Index edge, GridPosition at) {
  const auto bound = [&](Index rank) {
    return rank * edge + (rank > 0 && rank < at.size ? rank % 2 : 0);
  };
  return {bound(at.rank), bound(at.rank + 1)};
}

DistArray even(int ndim, Index elements, const Positions& at) {
  const Index edge = edge_of(elements, ndim);
  std::vector<Dimension> dimensions;
  for (const GridPosition each : at) dimensions.push_back(block(edge * each.size, each));
  return at_target(dimensions);
}

DistArray ring(int ndim, Index elements, const Positions& at, bool irregular) {
  const BlockPadding padding{{1, 1}, {}, true};
  const Index edge = edge_of(elements, ndim);
  std::vector<Dimension> dimensions;
  for (const GridPosition each : at)
    dimensions.push_back(irregular ? block(edge * each.size, each, uneven(edge, each), padding)
                                   : block(edge * each.size, each, padding));
  return at_target(dimensions);
}

DistArray in_cycles(Index elements, const Positions& at, Index origin) {
  const Index edge = edge_of(elements, 2);
  return at_target({cyclic(edge * at[0].size, at[0], 2, origin % at[0].size),
                    cyclic(edge * at[1].size, at[1], 3)});
}

/// A permutation of [0, ranks * elements): a list in which no two indices follow each other.
std::vector<Index> shuffled(Index elements, const Measuring& m) {
  const Index size = elements * m.ranks();
  Index step = 2654435761 % size;
  while (std::gcd(step, size) != 1) ++step;
  std::vector<Index> mine(static_cast<std::size_t>(elements));
  Index at = m.rank() * elements % size * step % size;
  for (Index& index : mine) {
    index = at;
    at = (at + step) % size;
  }
  return mine;
}

/// A permutation of pieces of 8 indices that follow each other.
std::vector<Index> shuffled_pieces(Index elements, const Measuring& m) {
  std::vector<Index> mine;
  for (const Index piece : shuffled(elements / 8, m))
    for (Index i = 0; i < 8; ++i) mine.push_back(8 * piece + i);
  return mine;
}

DistArray permutation(Index elements, const Measuring& m) {
  return at_source({unstructured(elements * m.ranks(), {m.ranks(), m.rank()},
                                 IndexList(shuffled(elements, m)), true)});
}

/// Each rank owns a range, and has as ghosts the same few indices of rank 0 and some of its
/// neighbour's.
DistArray with_popular_ghosts(Index elements, const Measuring& m) {
  std::vector<Index> ghosts;
  for (Index i = 0; i < 8 && m.rank() > 0; ++i) ghosts.push_back(i);
  const Index next = (m.rank() + 1) % m.ranks();
  for (Index i = 0; i < 8 && next > 0; ++i) ghosts.push_back(next * elements + i);
  return at_target({block_then_ghosts(elements * m.ranks(), {m.ranks(), m.rank()}, ghosts)});
}

/// Lists of which every one has index 0 and otherwise indices of its own, far apart.
DistArray with_shared_index(Index elements, const Measuring& m) {
  std::vector<Index> mine = shuffled(elements, m);
  for (Index& index : mine) index = 1000 * index + 1;
  mine.front() = 0;
  return at_source(
      {unstructured(Index{1000} * elements * m.ranks(), {m.ranks(), m.rank()}, IndexList(mine))});
}

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
            const DistArray mine = array(m);
            Report report;
            m.step("validate", [&] { report = validate(mine, m.comm(), {level}); });
            if (rule != nullptr)
              expect_rule(report, rule);
            else
              expect_nothing(report);
          },
          most_ranks};
}

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
  cases.push_back(validation(
      "all ranks at fault, 100 listed", Level::metadata,
      [=](const Measuring& m) {
        return at_target({block(elements * m.ranks(), {m.ranks(), m.rank()},
                                {m.rank() * elements, (m.rank() + 1) * elements + 1})});
      },
      nullptr));
  cases.back().body = [=](Measuring& m) {
    const GridPosition at{m.ranks(), m.rank()};
    const Index short_by = at.first() || at.last() ? 0 : 1;
    const DistArray mine =
        at_target({block(4 * elements * at.size, at,
                         {4 * elements * at.rank, 4 * elements * (at.rank + 1) - short_by})});
    Report report;
    m.step("validate", [&] {
      report = validate(mine, m.comm(), {Level::metadata, Profile::recommended, 100});
    });
    if (m.ranks() > 2) expect_rule(report, "B09");
  };
}

void add_lists(std::vector<Case>& cases, Index listed) {
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

/// A case of a map and its queries.
template <class Describe>
Case mapping(std::string name, const Describe& array, int most_ranks = 1 << 20) {
  return {"map " + std::move(name),
          [=](Measuring& m) {
            const DistArray mine = array(m);
            std::optional<GlobalIndexMap> map;
            m.step("map", [&] { map.emplace(mine, m.comm()); });
            m.step("map again", [&] {
              map.reset();
              map.emplace(mine, m.comm());
            });
            std::vector<int> ranks;
            m.step("ranks of neighbours", [&] {
              std::vector<std::vector<Index>> next(2, map->coordinates());
              for (std::size_t i = 0; i < 2; ++i)
                next[i].back() =
                    (next[i].back() + (i == 0 ? 1 : map->grid().back() - 1)) % map->grid().back();
              ranks = map->ranks_at(next);
            });
            m.step("contiguous_offset", [&] { map->contiguous_offset(); });
          },
          most_ranks};
}

void add_maps(std::vector<Case>& cases, Index elements, Index listed) {
  cases.push_back(
      mapping("3-d even", [=](const Measuring& m) { return even(3, elements, positions(3, m)); }));
  cases.push_back(mapping("3-d uneven, padded", [=](const Measuring& m) {
    return ring(3, elements, positions(3, m), true);
  }));
  cases.push_back(mapping("3-d uneven, padded, ranks in another order", [=](const Measuring& m) {
    return ring(3, elements, positions(3, m, true), true);
  }));
  // P ranks keep P bounds each.
  cases.push_back(mapping(
      "1-d uneven, padded",
      [=](const Measuring& m) { return ring(1, elements, positions(1, m), true); }, 16384));
  cases.push_back(mapping(
      "cyclic", [=](const Measuring& m) { return in_cycles(elements, positions(2, m), 1); }));
  cases.push_back({"map permutation", [=](Measuring& m) {
                     const DistArray mine = permutation(listed, m);
                     std::optional<GlobalIndexMap> map;
                     m.step("map", [&] { map.emplace(mine, m.comm()); });
                     bool once = false;
                     m.step("one_to_one (makes the directory)", [&] { once = map->one_to_one(0); });
                     require(once, "not one to one");
                     std::vector<Index> wanted;
                     for (Index i = 0; i < listed; ++i)
                       wanted.push_back((m.rank() * listed + 17 * i) % (listed * m.ranks()));
                     std::vector<std::optional<OwnerAlong>> owners;
                     m.step("owners of as many indices",
                            [&] { owners = map->owners_of_unstructured(0, wanted); });
                     wanted.assign(1, 0);
                     m.step("owner of one index, the same on all ranks",
                            [&] { owners = map->owners_of_unstructured(0, wanted); });
                     require(owners.at(0).has_value(), "index 0 has no owner");
                   }});
}

template <class Describe>
Case halo_with(std::string name, const Describe& array,
               const std::function<HaloOptions(const Measuring&)>& options) {
  return {"halo " + std::move(name), [=](Measuring& m) {
            const DistArray mine = array(m);
            const HaloOptions chosen = options(m);
            std::optional<HaloExchange> exchange;
            m.step("set-up", [&] { exchange.emplace(mine, m.comm(), chosen); });
            m.step("update", [&] { exchange->update(); });
          }};
}

template <class Describe>
Case halo(std::string name, Stencil stencil, const Describe& array) {
  return halo_with(std::move(name), array, [=](const Measuring&) {
    HaloOptions options;
    options.stencil = stencil;
    return options;
  });
}

void add_halos(std::vector<Case>& cases, Index elements, Index listed) {
  for (const int ndim : {1, 2, 3}) {
    cases.push_back(halo(std::to_string(ndim) + "-d even", Stencil::box, [=](const Measuring& m) {
      return ring(ndim, elements, positions(ndim, m), false);
    }));
  }
  cases.push_back(halo("3-d even, faces only", Stencil::star, [=](const Measuring& m) {
    return ring(3, elements, positions(3, m), false);
  }));
  cases.push_back(halo("3-d uneven", Stencil::box, [=](const Measuring& m) {
    return ring(3, elements, positions(3, m), true);
  }));
  cases.push_back(halo("3-d uneven, ranks in another order", Stencil::box, [=](const Measuring& m) {
    return ring(3, elements, positions(3, m, true), true);
  }));
  const auto ghosts_of_next = [=](const Measuring& m) {
    std::vector<Index> ghosts;
    const Index next = (m.rank() + 1) % m.ranks();
    for (Index i = 0; i < 8; ++i) ghosts.push_back(next * listed + i);
    return ghosts;
  };
  cases.push_back(halo("ghosts of the next rank", Stencil::box, [=](const Measuring& m) {
    return at_target(
        {block_then_ghosts(listed * m.ranks(), {m.ranks(), m.rank()}, ghosts_of_next(m))});
  }));
  // The same as a list that does not say which of its indices are ghosts.
  cases.push_back(halo_with(
      "ghosts of the next rank, owners named",
      [=](const Measuring& m) {
        std::vector<Index> all(static_cast<std::size_t>(listed));
        std::iota(all.begin(), all.end(), m.rank() * listed);
        for (const Index ghost : ghosts_of_next(m)) all.push_back(ghost);
        return at_target(
            {unstructured(listed * m.ranks(), {m.ranks(), m.rank()}, IndexList(std::move(all)))});
      },
      [=](const Measuring& m) {
        HaloOptions options;
        options.owned = block(listed * m.ranks(), {m.ranks(), m.rank()});
        return options;
      }));
}

/// `most_ranks`: a plan takes about 1.6 KB for each pair of partners, on all ranks together.
template <class Source, class Target>
Case redistribution(std::string name, const Source& source, const Target& target,
                    int most_ranks = 1 << 20) {
  return {"redistribute " + std::move(name),
          [=](Measuring& m) {
            const DistArray from = source(m);
            const DistArray to = target(m);
            std::optional<Redistribution> plan;
            m.step("set-up", [&] { plan.emplace(from, to, m.comm()); });
            m.step("run", [&] { plan->run(); });
          },
          most_ranks};
}

/// Grid positions for an array whose dimensions `over` are divided over a grid of all ranks.
Positions spread(std::size_t ndim, const std::vector<std::size_t>& over, const Measuring& m) {
  const auto grid = grid_of(static_cast<int>(over.size()), m.ranks());
  const Positions along = positions(grid, m.rank());
  Positions all(ndim, {1, 0});
  for (std::size_t i = 0; i < over.size(); ++i) all[over[i]] = along[i];
  return all;
}

std::vector<Dimension> blocks(const std::vector<Index>& shape, const Positions& at) {
  std::vector<Dimension> dimensions;
  for (std::size_t d = 0; d < shape.size(); ++d) dimensions.push_back(block(shape[d], at[d]));
  return dimensions;
}

void add_redistributions(std::vector<Case>& cases, Index listed) {
  // One plane of 256 x 256 a slab, which the widest grid of pencils can still divide.
  const auto planes = [](const Measuring& m) { return std::vector<Index>{m.ranks(), 256, 256}; };
  cases.push_back(redistribution(
      "slabs to pencils",
      [=](const Measuring& m) { return at_source(blocks(planes(m), spread(3, {0}, m))); },
      [=](const Measuring& m) {
        return at_target(blocks(planes(m), spread(3, {0, 1}, m)));
      },
      32768));
  // Bricks of 32 x 32 x 32.
  const auto cube = [](const Measuring& m) {
    std::vector<Index> shape = grid_of(3, m.ranks());
    for (Index& each : shape) each *= 32;
    return shape;
  };
  cases.push_back(redistribution(
      "pencils to pencils",
      [=](const Measuring& m) {
        return at_source(blocks(cube(m), spread(3, {0, 1}, m)));
      },
      [=](const Measuring& m) {
        return at_target(blocks(cube(m), spread(3, {0, 2}, m)));
      },
      16384));
  cases.push_back(redistribution(
      "pencils to bricks",
      [=](const Measuring& m) {
        return at_source(blocks(cube(m), spread(3, {1, 2}, m)));
      },
      [=](const Measuring& m) {
        return at_target(blocks(cube(m), spread(3, {0, 1, 2}, m)));
      }));
  cases.push_back(redistribution(
      "rows to block-cyclic",
      [=](const Measuring& m) {
        const auto grid = grid_of(2, m.ranks());
        return at_source(blocks({256 * grid[0], 256 * grid[1]}, spread(2, {0}, m)));
      },
      [=](const Measuring& m) {
        const Positions at = spread(2, {0, 1}, m);
        return at_target(
            {cyclic(256 * at[0].size, at[0], 32), cyclic(256 * at[1].size, at[1], 32)});
      },
      16384));
  cases.push_back(redistribution(
      "irregular to regular",
      [=](const Measuring& m) {
        const GridPosition at{m.ranks(), m.rank()};
        const auto bound = [&](Index rank) {
          return rank * listed + (rank > 0 && rank < at.size ? (rank * 7919) % listed : 0);
        };
        return at_source({block(listed * at.size, at, {bound(at.rank), bound(at.rank + 1)})});
      },
      [=](const Measuring& m) {
        return at_target({block(listed * m.ranks(), {m.ranks(), m.rank()})});
      },
      16384));
  const auto lines = [=](const Measuring& m) {
    return block(listed * m.ranks(), {m.ranks(), m.rank()});
  };
  const auto pieces = [=](const Measuring& m) {
    return unstructured(listed * m.ranks(), {m.ranks(), m.rank()},
                        IndexList(shuffled_pieces(listed, m)), true);
  };
  cases.push_back(redistribution(
      "permutation to blocks", [=](const Measuring& m) { return permutation(listed, m); },
      [=](const Measuring& m) { return at_target({lines(m)}); }, 4096));
  cases.push_back(redistribution(
      "permuted pieces of 8 to blocks", [=](const Measuring& m) { return at_source({pieces(m)}); },
      [=](const Measuring& m) { return at_target({lines(m)}); }));
  cases.push_back(redistribution(
      "blocks to permuted pieces of 8", [=](const Measuring& m) { return at_source({lines(m)}); },
      [=](const Measuring& m) { return at_target({pieces(m)}); }));
}

void add_agreement(std::vector<Case>& cases) {
  cases.push_back({"agreement", [](Measuring& m) {
                     m.step("nobody fails", [&] {
                       const Comm comm = m.comm();
                       const CollectiveCall call(comm, "scale");
                       agreed(comm, [] {});
                     });
                     bool told = false;
                     m.step("one rank fails", [&] {
                       try {
                         const Comm comm = m.comm();
                         const CollectiveCall call(comm, "scale");
                         agreed(comm, [&] {
                           if (m.rank() == m.ranks() / 2)
                             throw InvalidArgument("scale", "a failure on one rank", "none");
                         });
                       } catch (const InvalidArgument&) {
                         told = true;
                       }
                     });
                     require(told, "a rank was not told");
                   }});
}

}  // namespace

std::vector<Case> all_cases(std::int64_t elements) {
  constexpr Index listed = 1000;
  std::vector<Case> cases;
  add_agreement(cases);
  add_validations(cases, elements);
  add_lists(cases, listed);
  add_maps(cases, elements, listed);
  add_halos(cases, elements, listed);
  add_redistributions(cases, listed);
  return cases;
}

}  // namespace daptor::test
