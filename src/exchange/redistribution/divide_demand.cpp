// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/redistribution/divide_demand.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/detail/fault.hpp"
#include "exchange/pieces.hpp"

namespace daptor::detail {

void refuse_beyond(int d, const Terms& found) {
  throw InvalidArgument(Report({error_finding(
      "redistribute.beyond", d, "size", found + " of the source, which the target does not have",
      "a source that has no other indices than the target",
      "Set size to the number of all indices, and number them from 0; or redistribute to an array "
      "with lists of these indices.")}));
}

namespace {

using Owners = std::vector<std::optional<OwnerAlong>>;
using PiecesAlong = std::vector<Piece>;

[[noreturn]] void refuse_unowned(int d, Index global, Asker asker) {
  const Terms index = "index " + terms::index(global);
  if (asker == Asker::target)
    throw InvalidArgument(
        Report({error_finding("redistribute.missing", d, "", index + ", which no process owns",
                              "a source that has every element of the target")}));
  refuse_beyond(d, index);
}

/// The consecutive indices around `global` that are also consecutive on their owner.
IndexRange owned_around(const GlobalDimensionMap& owners, Index global, const OwnerAlong& owner) {
  const Dimension& dimension = owners.local().dimension();
  const auto* cyclic = dimension.as<Cyclic>();
  if (cyclic == nullptr) return owners.owned_range(owner.grid_rank);
  const Index start = global - global % cyclic->block_size;
  return {start, start + std::min(cyclic->block_size, dimension.global_size() - start)};
}

/// A run without its first `count` indices. If none are left, the result is an empty run, because
/// its indices could overflow.
IndexRun rest_of(const IndexRun& run, Index count) {
  if (count == run.count) return {};
  return {run.local_start + count, run.global_start + count, run.count - count};
}

bool unstructured(const GlobalDimensionMap& along) {
  return along.local().dimension().as<Unstructured>() != nullptr;
}

bool any_unstructured(const GlobalIndexMap& owners) {
  for (int d = 0; d < owners.ndim(); ++d)
    if (unstructured(owners.dimension(d))) return true;
  return false;
}

/// Consecutive indices of one owner; empty if no process owns them.
struct OwnedRange {
  IndexRange global;
  Index owned_start = 0;  ///< position of the first index on its owner
  std::size_t owner = nobody;

  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);
};

/// Finds owners along a dimension. Caches the last few ranges, because a list asks for them again
/// and again.
class OwnerFinder {
 public:
  OwnerFinder(const GlobalDimensionMap& owners, PieceCollector<Index>& collector)
      : owners_(owners), collector_(collector) {}

  const OwnedRange& range_of(Index global) {
    for (const OwnedRange& range : kept_)
      if (range.global.contains(global)) return range;
    next_ = (next_ + 1) % kept_.size();
    OwnedRange& range = kept_[next_];
    const auto owner = owners_.owner_of(global);
    if (!owner) {
      range = {};
    } else {
      range.global = owned_around(owners_, global, *owner);
      range.owned_start = owner->owned_index - (global - range.global.start);
      range.owner = collector_.number_of(owner->grid_rank);
    }
    return range;
  }

 private:
  const GlobalDimensionMap& owners_;
  PieceCollector<Index>& collector_;
  std::array<OwnedRange, 8> kept_;
  std::size_t next_ = 0;
};

PiecesAlong divide_along(int d, const DemandAlong& demand, const GlobalDimensionMap& owners,
                         Asker asker) {
  PieceCollector<Index> collector(demand.count() / owners.grid_size());
  OwnerFinder finder(owners, collector);
  demand.for_each_run([&](IndexRun run) {
    while (run.count > 0) {
      const Index global = run.global_start;
      const OwnedRange& range = finder.range_of(global);
      const bool owned = range.owner != OwnedRange::nobody;
      const Index count = owned ? std::min(run.count, range.global.stop - global) : 1;
      if (owned)
        collector.add(range.owner, run.local_start,
                      range.owned_start + (global - range.global.start), count);
      else
        refuse_unowned(d, global, asker);
      run = rest_of(run, count);
    }
  });
  return collector.pieces();
}

/// Divides a demand whose owners have already been looked up, index by index.
PiecesAlong divide_listed(int d, const DemandAlong& demand, Asker asker, Index grid_size,
                          Owners::const_iterator& owner) {
  PieceCollector<Index> collector(demand.count() / grid_size);
  demand.for_each_run([&](const IndexRun& run) {
    for (Index i = 0; i < run.count; ++i, ++owner) {
      if (*owner)
        collector.add(collector.number_of((*owner)->grid_rank), run.local_start + i,
                      (*owner)->owned_index, 1);
      else
        refuse_unowned(d, run.global_start + i, asker);
    }
  });
  return collector.pieces();
}

/// The division of demands along each dimension.
class AlongDimensions {
 public:
  AlongDimensions(const std::vector<Demand>& demands, const GlobalIndexMap& owners, Asker asker)
      : demands_(demands), owners_(owners), asker_(asker) {}

  /// Process-local. Divides along the structured dimensions, and lists the indices along the
  /// others.
  void divide_structured() {
    const auto ndim = static_cast<std::size_t>(owners_.ndim());
    pieces_.resize(ndim);
    globals_.resize(ndim);
    for (std::size_t d = 0; d < ndim; ++d)
      for (const Demand& demand : demands_) {
        if (!unstructured(along(d)))
          pieces_[d].push_back(
              divide_along(static_cast<int>(d), demand.along[d], along(d), asker_));
        else
          demand.along[d].for_each_run([&](const IndexRun& run) {
            for (Index i = 0; i < run.count; ++i) globals_[d].push_back(run.global_start + i);
          });
      }
  }
  /// Collective.
  void divide_unstructured(Call& call) {
    for (std::size_t d = 0; d < pieces_.size(); ++d) {
      if (!unstructured(along(d))) continue;
      const Owners known = owners_.owners_of_unstructured(static_cast<int>(d), globals_[d]);
      call.check([&] {
        auto owner = known.begin();
        for (const Demand& demand : demands_)
          pieces_[d].push_back(divide_listed(static_cast<int>(d), demand.along[d], asker_,
                                             along(d).grid_size(), owner));
      });
    }
  }
  std::vector<Wanted> boxes_of(std::size_t demand) const {
    std::vector<const PiecesAlong*> pieces;
    for (const auto& of_demands : pieces_) pieces.push_back(&of_demands[demand]);
    const bool anything = !demands_[demand].nothing;
    return products(pieces, [&](const auto&) { return anything; });
  }

 private:
  const GlobalDimensionMap& along(std::size_t d) const {
    return owners_.dimension(static_cast<int>(d));
  }

  const std::vector<Demand>& demands_;
  const GlobalIndexMap& owners_;
  Asker asker_;
  std::vector<std::vector<PiecesAlong>> pieces_;  // for each dimension and demand
  std::vector<std::vector<Index>> globals_;       // for each unstructured dimension, of all demands
};

/// Divides row-major numbers over the owners of an array without unstructured dimensions.
class RowDivider {
 public:
  explicit RowDivider(const GlobalIndexMap& owners)
      : owners_(owners), at_(static_cast<std::size_t>(owners.ndim())) {}

  /// Adds a run row by row.
  void add(IndexRun run, Asker asker) {
    const LocalIndexMap& map = owners_.local();
    const Index row = at_.empty() ? 1 : map.dimension(map.ndim() - 1).global_size();
    while (run.count > 0) {
      const bool known = 0 <= run.global_start && run.global_start < map.global_count();
      if (!known) refuse_unowned(-1, run.global_start, asker);
      const Index count = std::min(run.count, row - run.global_start % row);
      add_in_row(run.local_start, count, map.global_of_natural(run.global_start));
      run = rest_of(run, count);
    }
  }

  std::vector<Wanted> wanted() {
    // Not as one list in braces: GCC 16.2 destroys the region in it twice if the copy after it
    // throws.
    std::vector<Wanted> all;
    for (auto& piece : collector_.pieces()) {
      Wanted& wanted = all.emplace_back();
      wanted.owner = std::move(piece.owner);
      wanted.here.along.push_back(std::move(piece.here));
      wanted.there.push_back(std::move(piece.there));
    }
    return all;
  }

 private:
  const GlobalDimensionMap& along(std::size_t d) const {
    return owners_.dimension(static_cast<int>(d));
  }
  /// Adds consecutive elements of one row, beginning at the index `global`.
  void add_in_row(Index here, Index count, const std::vector<Index>& global) {
    if (at_.empty()) return collector_.add(collector_.number_of(at_), here, 0, count);
    const std::size_t last = at_.size() - 1;
    Index before = 0;  // row-major position on the owner, over the dimensions before the last
    for (std::size_t d = 0; d < last; ++d) before = position(before, d, global[d]);
    for (Index done = 0; done < count;) {
      const Index at = global[last] + done;
      const Index there = position(before, last, at);
      const Index some = std::min(count - done, owned_around(along(last), at, *owner_).stop - at);
      collector_.add(collector_.number_of(at_), here + done, there, some);
      done += some;
    }
  }
  /// Extends a row-major position by one dimension, and finds the owner along it.
  Index position(Index before, std::size_t d, Index global) {
    owner_ = along(d).owner_of(global);
    at_[d] = owner_->grid_rank;
    return before * along(d).owned_count(owner_->grid_rank) + owner_->owned_index;
  }

  const GlobalIndexMap& owners_;
  std::vector<Index> at_;  // grid coordinates of the owner
  std::optional<OwnerAlong> owner_;
  PieceCollector<std::vector<Index>> collector_;
};

}  // namespace

void Divided::add(std::vector<Wanted> of_demand) {
  boxes.insert(boxes.end(), std::make_move_iterator(of_demand.begin()),
               std::make_move_iterator(of_demand.end()));
  ends.push_back(boxes.size());
}

std::vector<std::vector<Wanted>> Divided::by_demand() && {
  std::vector<std::vector<Wanted>> all;
  auto next = boxes.begin();
  for (const std::size_t end : ends) {
    const auto stop = boxes.begin() + static_cast<std::ptrdiff_t>(end);
    all.emplace_back(std::make_move_iterator(next), std::make_move_iterator(stop));
    next = stop;
  }
  return all;
}

Divided divide(const std::vector<Demand>& demands, const GlobalIndexMap& owners, Asker asker,
               Call& call) {
  AlongDimensions along(demands, owners, asker);
  call.attempt([&] { along.divide_structured(); });
  if (any_unstructured(owners)) {
    call.check();
    along.divide_unstructured(call);
  }
  return call.attempt([&] {
    Divided all;
    for (std::size_t i = 0; i < demands.size(); ++i) all.add(along.boxes_of(i));
    return all;
  });
}

Divided divide_flat(const std::vector<Demand>& demands, const GlobalIndexMap& owners, Asker asker,
                    Call& call) {
  return call.attempt([&] {
    Divided all;
    for (const Demand& demand : demands) {
      RowDivider divider(owners);
      demand.along[0].for_each_run([&](const IndexRun& run) { divider.add(run, asker); });
      all.add(divider.wanted());
    }
    return all;
  });
}

}  // namespace daptor::detail
