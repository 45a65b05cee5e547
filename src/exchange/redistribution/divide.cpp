// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/redistribution/divide.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "exchange/redistribution/collector.hpp"
#include "report/refuse.hpp"

namespace daptor::detail {
namespace {

using Owners = std::vector<std::optional<OwnerAlong>>;
using PiecesAlong = std::vector<std::pair<Index, SharedPositions>>;

[[noreturn]] void refuse_missing(int d, Index global) {
  throw InvalidArgument(Report({error_finding(
      "redistribute.missing", d, "", "index " + std::to_string(global) + ", which no process has",
      "a source for every element of the target")}));
}

/// Consecutive indices around `global` that its owner has one after the other.
IndexRange owned_around(const GlobalDimensionMap& owners, Index global, const OwnerAlong& owner) {
  const Dimension& dimension = owners.local().dimension();
  const auto* cyclic = dimension.as<Cyclic>();
  if (cyclic == nullptr) return owners.owned_range(owner.grid_rank);
  const Index start = global - global % cyclic->block_size;
  return {start, start + std::min(cyclic->block_size, dimension.global_size() - start)};
}

/// A run without its first indices; what is left of the last one is never looked at, and may be any
/// index.
IndexRun rest_of(const IndexRun& run, Index count) {
  if (count == run.count) return {};
  return {run.local_start + count, run.global_start + count, run.count - count};
}

bool unstructured(const GlobalDimensionMap& along) {
  return along.local().dimension().as<Unstructured>() != nullptr;
}

/// Consecutive indices of one owner; empty of nobody.
struct OwnedRange {
  IndexRange global;
  Index owned_start = 0;  ///< the owner's position of the first
  std::size_t owner = nobody;

  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);
};

/// Finds owners along a dimension. A list asks for the same few again and again: the last ones are
/// kept.
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
                         Missing missing) {
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
      else if (missing == Missing::refuse)
        refuse_missing(d, global);
      run = rest_of(run, count);
    }
  });
  return collector.pieces();
}

/// The same where the owners have been asked for, index by index.
PiecesAlong divide_listed(int d, const DemandAlong& demand, Missing missing, Index grid_size,
                          Owners::const_iterator& owner) {
  PieceCollector<Index> collector(demand.count() / grid_size);
  demand.for_each_run([&](const IndexRun& run) {
    for (Index i = 0; i < run.count; ++i, ++owner) {
      if (*owner)
        collector.add(collector.number_of((*owner)->grid_rank), run.local_start + i,
                      (*owner)->owned_index, 1);
      else if (missing == Missing::refuse)
        refuse_missing(d, run.global_start + i);
    }
  });
  return collector.pieces();
}

/// Collective where the owners' dimension is unstructured.
std::vector<PiecesAlong> pieces_along(std::size_t d, const std::vector<Demand>& demands,
                                      const GlobalIndexMap& owners, Missing missing,
                                      const Communicator& comm) {
  const int dimension = static_cast<int>(d);
  if (!unstructured(owners.dimension(dimension)))
    return agreed(comm, [&] {
      fault_point("core.redistribution.divide");
      std::vector<PiecesAlong> pieces;
      for (const Demand& demand : demands)
        pieces.push_back(
            divide_along(dimension, demand.along[d], owners.dimension(dimension), missing));
      return pieces;
    });
  const auto globals = agreed(comm, [&] {
    fault_point("core.redistribution.globals");
    std::vector<Index> list;
    for (const Demand& demand : demands)
      demand.along[d].for_each_run([&](const IndexRun& run) {
        for (Index i = 0; i < run.count; ++i) list.push_back(run.global_start + i);
      });
    return list;
  });
  const Owners known = owners.owners_of_unstructured(dimension, globals);
  return agreed(comm, [&] {
    fault_point("core.redistribution.owners");
    std::vector<PiecesAlong> pieces;
    auto owner = known.begin();
    for (const Demand& demand : demands)
      pieces.push_back(divide_listed(dimension, demand.along[d], missing,
                                     owners.dimension(dimension).grid_size(), owner));
    return pieces;
  });
}

/// All products of one piece a dimension.
std::vector<Wanted> products(const std::vector<const PiecesAlong*>& pieces) {
  std::vector<Wanted> all;
  Wanted box;
  const auto descend = [&](const auto& self, std::size_t d) -> void {
    if (d == pieces.size()) {
      all.push_back(box);
      return;
    }
    for (const auto& [owner, piece] : *pieces[d]) {
      box.owner.push_back(owner);
      box.here.along.push_back(piece.here);
      box.there.push_back(piece.there);
      self(self, d + 1);
      box.owner.pop_back();
      box.here.along.pop_back();
      box.there.pop_back();
    }
  };
  descend(descend, 0);
  return all;
}

/// Consecutive row-major numbers that lie in one row of the array.
struct RowPiece {
  Index here;
  Index count;
  std::vector<Index> global;  // of the first
};

std::vector<RowPiece> rows_of(const Demand& demand, const LocalIndexMap& map, Missing missing) {
  const Index elements = map.global_count();
  const Index row = map.ndim() == 0 ? 1 : map.dimension(map.ndim() - 1).global_size();
  std::vector<RowPiece> pieces;
  demand.along[0].for_each_run([&](IndexRun run) {
    while (run.count > 0) {
      const bool known = 0 <= run.global_start && run.global_start < elements;
      if (!known && missing == Missing::refuse) refuse_missing(-1, run.global_start);
      const Index count = known ? std::min(run.count, row - run.global_start % row) : 1;
      if (known)
        pieces.push_back({run.local_start, count, map.global_of_natural(run.global_start)});
      run = rest_of(run, count);
    }
  });
  return pieces;
}

/// Divides rows among the owners of an array without unstructured dimensions.
class RowDivider {
 public:
  explicit RowDivider(const GlobalIndexMap& owners)
      : owners_(owners), at_(static_cast<std::size_t>(owners.ndim())) {}

  void add(const RowPiece& piece) {
    const std::size_t ndim = at_.size();
    if (ndim == 0) return collector_.add(collector_.number_of(at_), piece.here, 0, piece.count);
    Index before = 0;  // row-major position on the owner, of the dimensions before the last
    for (std::size_t d = 0; d + 1 < ndim; ++d) before = position(before, d, piece.global[d]);
    for (Index done = 0; done < piece.count;) {
      const Index global = piece.global.back() + done;
      const Index there = position(before, ndim - 1, global);
      const Index count = std::min(piece.count - done,
                                   owned_around(along(ndim - 1), global, *owner_).stop - global);
      collector_.add(collector_.number_of(at_), piece.here + done, there, count);
      done += count;
    }
  }

  std::vector<Wanted> wanted() {
    std::vector<Wanted> all;
    for (auto& [owner, piece] : collector_.pieces()) {
      Wanted box;
      box.owner = owner;
      box.here.along.push_back(std::move(piece.here));
      box.there.push_back(std::move(piece.there));
      all.push_back(std::move(box));
    }
    return all;
  }

 private:
  const GlobalDimensionMap& along(std::size_t d) const {
    return owners_.dimension(static_cast<int>(d));
  }
  /// One dimension further: finds the owner along it.
  Index position(Index before, std::size_t d, Index global) {
    owner_ = along(d).owner_of(global);
    at_[d] = owner_->grid_rank;
    return before * along(d).owned_count(owner_->grid_rank) + owner_->owned_index;
  }

  const GlobalIndexMap& owners_;
  std::vector<Index> at_;  // coordinates of the owner
  std::optional<OwnerAlong> owner_;
  PieceCollector<std::vector<Index>> collector_;
};

}  // namespace

std::vector<std::vector<Wanted>> divide(const std::vector<Demand>& demands,
                                        const GlobalIndexMap& owners, Missing missing,
                                        const Communicator& comm) {
  const auto ndim = static_cast<std::size_t>(owners.ndim());
  std::vector<std::vector<PiecesAlong>> along;  // a dimension, a demand
  for (std::size_t d = 0; d < ndim; ++d)
    along.push_back(pieces_along(d, demands, owners, missing, comm));
  return agreed(comm, [&] {
    fault_point("core.redistribution.products");
    std::vector<std::vector<Wanted>> all;
    for (std::size_t i = 0; i < demands.size(); ++i) {
      std::vector<const PiecesAlong*> pieces;
      for (std::size_t d = 0; d < ndim; ++d) pieces.push_back(&along[d][i]);
      all.push_back(demands[i].nothing ? std::vector<Wanted>() : products(pieces));
    }
    return all;
  });
}

std::vector<std::vector<Wanted>> divide_flat(const std::vector<Demand>& demands,
                                             const GlobalIndexMap& owners, Missing missing,
                                             const Communicator& comm) {
  return agreed(comm, [&] {
    fault_point("core.redistribution.flat");
    std::vector<std::vector<Wanted>> all;
    for (const Demand& demand : demands) {
      RowDivider divider(owners);
      for (const RowPiece& piece : rows_of(demand, owners.local(), missing)) divider.add(piece);
      all.push_back(divider.wanted());
    }
    return all;
  });
}

}  // namespace daptor::detail
