#include "redistribution/pieces.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "refuse.hpp"

namespace daptor::detail {
namespace {

/// Local indices of the target along one dimension that one process owns in the source.
struct Piece {
  Index grid_rank = 0;
  Selection here, there;
};

/// Collects pieces in the order of the target's local indices.
class PieceCollector {
 public:
  void add(Index grid_rank, Index here, Index there, Index count) {
    Both& both = by_owner_[grid_rank];
    append(both.here, {here, count});
    append(both.there, {there, count});
  }
  std::vector<Piece> pieces() {
    std::vector<Piece> all;
    for (auto& [owner, both] : by_owner_)
      all.push_back(
          {owner, Selection::of(std::move(both.here)), Selection::of(std::move(both.there))});
    return all;
  }

 private:
  struct Both {
    std::vector<Stretch> here, there;
  };
  std::map<Index, Both> by_owner_;
};

[[noreturn]] void refuse_missing(int d, Index global) {
  throw InvalidArgument(Report({error_finding(
      "redistribute.missing", d, "",
      "index " + std::to_string(global) + " of the target, which no process of the source has",
      "a source for every element of the target")}));
}

/// How many indices from `global` on its owner has one after the other.
Index owned_from(const GlobalDimensionMap& source, Index global, const OwnerAlong& owner) {
  const Dimension& dimension = source.local().dimension();
  const Index left = dimension.global_size() - global;
  if (const auto* cyclic = dimension.as<Cyclic>())
    return std::min(cyclic->block_size - global % cyclic->block_size, left);
  return source.owned_count(owner.grid_rank) - owner.owned_index;
}

/// The local indices that are wanted, as runs.
std::vector<Run> wanted_runs(const LocalDimensionMap& target, bool padding) {
  std::vector<Run> runs;
  const auto add_one = [&](Index local) {
    const Index global = target.global_of(local);
    if (!runs.empty() && runs.back().local_start + runs.back().count == local &&
        runs.back().global_start + runs.back().count == global)
      ++runs.back().count;
    else
      runs.push_back({local, global, 1});
  };
  const Index first = target.owned_offset();
  if (padding)
    for (Index local = 0; local < first; ++local) add_one(local);
  target.for_each_run([&](const Run& run) {
    if (run.count > 0) runs.push_back(run);
  });
  if (padding)
    for (Index local = first + target.owned_count(); local < target.local_extent(); ++local)
      add_one(local);
  return runs;
}

std::vector<Piece> divide(int d, const std::vector<Run>& runs, const GlobalDimensionMap& source) {
  PieceCollector collector;
  for (Run run : runs) {
    while (run.count > 0) {
      const auto owner = source.owner_of(run.global_start);
      if (!owner) refuse_missing(d, run.global_start);
      const Index count = std::min(run.count, owned_from(source, run.global_start, *owner));
      collector.add(owner->grid_rank, run.local_start, owner->owned_index, count);
      run.local_start += count;
      run.global_start += count;
      run.count -= count;
    }
  }
  return collector.pieces();
}

std::vector<Piece> divide(int d, const std::vector<Run>& runs, const std::vector<Index>& globals,
                          const std::vector<std::optional<OwnerAlong>>& owners) {
  PieceCollector collector;
  std::size_t next = 0;
  for (const Run& run : runs)
    for (Index i = 0; i < run.count; ++i, ++next) {
      if (!owners[next]) refuse_missing(d, globals[next]);
      collector.add(owners[next]->grid_rank, run.local_start + i, owners[next]->owned_index, 1);
    }
  return collector.pieces();
}

std::vector<Index> globals_of(const std::vector<Run>& runs) {
  std::vector<Index> globals;
  for (const Run& run : runs)
    for (Index i = 0; i < run.count; ++i) globals.push_back(run.global_start + i);
  return globals;
}

/// Collective where the source's dimension is unstructured.
std::vector<Piece> pieces_along(int d, const LocalDimensionMap& target,
                                const GlobalIndexMap& source, bool padding,
                                const Communicator& comm) {
  const auto runs = agreed(comm, [&] {
    fault_point("redistribute.runs");
    return wanted_runs(target, padding);
  });
  if (source.dimension(d).local().dimension().as<Unstructured>() == nullptr)
    return agreed(comm, [&] {
      fault_point("redistribute.divide");
      return divide(d, runs, source.dimension(d));
    });
  const auto globals = agreed(comm, [&] {
    fault_point("redistribute.globals");
    return globals_of(runs);
  });
  const auto owners = source.owners_of_unstructured(d, globals);
  return agreed(comm, [&] {
    fault_point("redistribute.owners");
    return divide(d, runs, globals, owners);
  });
}

std::vector<Wanted> products(const std::vector<std::vector<Piece>>& pieces,
                             const std::vector<int>& order) {
  std::vector<Wanted> all;
  Wanted box;
  box.here.order = order;
  const auto descend = [&](const auto& self, std::size_t d) -> void {
    if (d == pieces.size()) {
      all.push_back(box);
      return;
    }
    for (const Piece& piece : pieces[d]) {
      box.owner.push_back(piece.grid_rank);
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

}  // namespace

std::vector<Wanted> divide_target(const LocalIndexMap& target, const GlobalIndexMap& source,
                                  bool padding, const std::vector<int>& order,
                                  const Communicator& comm) {
  std::vector<std::vector<Piece>> pieces;
  for (int d = 0; d < target.ndim(); ++d)
    pieces.push_back(pieces_along(d, target.dimension(d), source, padding, comm));
  return agreed(comm, [&] {
    fault_point("redistribute.products");
    return products(pieces, order);
  });
}

}  // namespace daptor::detail
