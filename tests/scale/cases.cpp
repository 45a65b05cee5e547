// SPDX-License-Identifier: BSD-3-Clause
// The operations that are counted.

#include "cases.hpp"

#include <numeric>
#include <optional>
#include <utility>

#include "daptor/call.hpp"
#include "layouts.hpp"

namespace daptor::test {
namespace {

/// A case of a map and its queries.
template <class Describe>
Case mapping(std::string name, const Describe& array, int most_ranks = 1 << 20) {
  return {"map " + std::move(name),
          [=](Measuring& m) {
            const DistArray mine = array(m).on(m.comm());
            std::optional<GlobalIndexMap> map;
            m.step("map", [&] { map.emplace(mine); });
            m.step("map again", [&] {
              map.reset();
              map.emplace(mine);
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
                     const DistArray mine = permutation(listed, m).on(m.comm());
                     std::optional<GlobalIndexMap> map;
                     m.step("map", [&] { map.emplace(mine); });
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
            const DistArray mine = array(m).on(m.comm());
            const HaloOptions chosen = options(m);
            std::optional<HaloExchange> exchange;
            m.step("set-up", [&] { exchange.emplace(mine, chosen); });
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
            const DistArray from = source(m).on(m.comm());
            const DistArray to = target(m).on(m.comm());
            std::optional<Redistribution> plan;
            m.step("set-up", [&] { plan.emplace(from, to); });
            m.step("run", [&] { plan->run(); });
          },
          most_ranks};
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
                       Call call(comm, "scale");
                       call.check();
                     });
                     bool told = false;
                     m.step("one rank fails", [&] {
                       try {
                         const Comm comm = m.comm();
                         Call call(comm, "scale");
                         call.check([&] {
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
  add_validations_of_lists(cases, listed);
  add_maps(cases, elements, listed);
  add_halos(cases, elements, listed);
  add_redistributions(cases, listed);
  return cases;
}

}  // namespace daptor::test
