// SPDX-License-Identifier: BSD-3-Clause
#include "transfer.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <Tpetra_Distributor.hpp>
#include <Tpetra_Export.hpp>
#include <Tpetra_Import.hpp>

#include "../export_map.hpp"
#include "../names.hpp"
#include "daptor/adapter/routed.hpp"
#include "daptor/error.hpp"
#include "daptor/tpetra/check.hpp"
#include "maps.hpp"

namespace daptor::tpetra {
namespace {

using Locals = Teuchos::ArrayView<const Map::local_ordinal_type>;

bool all_below(const Locals& locals, Index count) {
  return std::all_of(locals.begin(), locals.end(),
                     [&](auto local) { return local >= 0 && local < count; });
}

std::string index_text(const Map& map, Index local) {
  return "index " + std::to_string(global_of(map, local));
}

}  // namespace

/// What Tpetra keeps on this rank.
struct TransferCheck::Lists {
  explicit Lists(const Transfer& transfer)
      : source(*transfer.getSourceMap()),
        target(*transfer.getTargetMap()),
        same(static_cast<Index>(transfer.getNumSameIDs())),
        from(transfer.getPermuteFromLIDs()),
        to(transfer.getPermuteToLIDs()),
        remote(transfer.getRemoteLIDs()),
        exported(transfer.getExportLIDs()),
        exported_to(transfer.getExportPIDs()) {}

  const Map& source;
  const Map& target;
  Index same;
  Locals from, to, remote, exported;
  Teuchos::ArrayView<const int> exported_to;
};

void TransferCheck::gather(const Transfer* transfer, const Map& source, const Map& target,
                           bool usable, Call& call) {
  transfer_ = transfer;
  bool in_range = false;
  if (transfer == nullptr) {
    of_these_maps_ = same_here(source, target);
  } else {
    const Lists lists(*transfer);
    of_these_maps_ = same_here(lists.source, source) && same_here(lists.target, target);
    in_range = look_at_ranges(lists);
    if (in_range) {
      look_at_kept(lists);
      look_at_targets(lists);
      if (use_.exports) look_at_sources(lists);
    }
  }
  nowhere_ = call.all(transfer == nullptr);
  comparable_ = call.all(in_range && usable);
}

void TransferCheck::wrong_transfer(const Terms& found) {
  findings_.error("check.graph.transfer", found,
                  "on all ranks an Import from the domain to the column Map and an Export from "
                  "the row to the range Map, unless these Maps are the same",
                  "Pass them to expertStaticFillComplete or replaceDomainMapAndImporter on all "
                  "ranks, or let fillComplete make them.");
}

void TransferCheck::wrong_list(const Terms& found) {
  findings_.error("check.transfer.lists", found,
                  "lists that move each element to the same global index",
                  "Let Tpetra make the lists of the two Maps, or correct those that were passed.");
}

bool TransferCheck::look_at_ranges(const Lists& lists) {
  const Index sources = count_of(lists.source), targets = count_of(lists.target);
  const bool right = lists.same <= std::min(sources, targets) &&
                     lists.from.size() == lists.to.size() &&
                     (lists.exported.size() == lists.exported_to.size() ||
                      (lists.exported_to.size() == 0 && !lists.source.isDistributed())) &&
                     all_below(lists.from, sources) && all_below(lists.exported, sources) &&
                     all_below(lists.to, targets) && all_below(lists.remote, targets);
  const int ranks = lists.source.getComm()->getSize();
  const bool to_ranks = std::all_of(lists.exported_to.begin(), lists.exported_to.end(),
                                    [&](int rank) { return rank < ranks; });
  if (!right || !to_ranks)
    wrong_list(
        "a list with places beyond the end of its Map, or for a rank "
        "that does not exist");
  return right && to_ranks;
}

void TransferCheck::look_at_kept(const Lists& lists) {
  const auto compare = [&](Index from, Index to) {
    if (global_of(lists.source, from) == global_of(lists.target, to)) return true;
    wrong_list(index_text(lists.source, from) + " of the source Map is copied to " +
               index_text(lists.target, to) + " of the target Map on this rank");
    return false;
  };
  for (Index i = 0; i < lists.same; ++i)
    if (!compare(i, i)) return;
  for (Teuchos::Ordinal i = 0; i < lists.from.size(); ++i)
    if (!compare(lists.from[i], lists.to[i])) return;
}

void TransferCheck::tell_unmoved(const Map& map, const std::vector<char>& moved, const char* of,
                                 const char* other) {
  const auto first = std::find(moved.begin(), moved.end(), 0);
  if (first == moved.end()) return;
  const auto count = static_cast<Index>(std::count(moved.begin(), moved.end(), 0));
  findings_.add(use_.of_graph ? Severity::error : Severity::warning, "check.transfer.incomplete",
                index_text(map, first - moved.begin()) + " of the " + of + " Map is in the " +
                    other + " Map of no rank" + adapter::such(count),
                std::string("each index of the ") + of + " Map in the " + other + " Map, too",
                "Correct the Maps; values for such indices are not moved.");
}

void TransferCheck::look_at_targets(const Lists& lists) {
  std::vector<char> written(static_cast<std::size_t>(count_of(lists.target)), 0);
  std::fill(written.begin(), written.begin() + lists.same, char{1});
  Index twice = -1;
  const auto write = [&](const Locals& locals) {
    for (const auto local : locals) {
      char& place = written[static_cast<std::size_t>(local)];
      if (place != 0 && twice < 0) twice = local;
      place = 1;
    }
  };
  write(lists.to);
  if (lists.source.isDistributed()) write(lists.remote);  // otherwise nothing is received
  if (twice >= 0 && use_.once)
    findings_.error("check.transfer.twice",
                    index_text(lists.target, twice) + " of the target Map gets several values",
                    "one source for each index: with INSERT and REPLACE it is left open which "
                    "value remains",
                    "Add the values (" + names::add + "), or use a source Map that is one to one.");
  if (!use_.exports) tell_unmoved(lists.target, written, "target", "source");
}

void TransferCheck::look_at_sources(const Lists& lists) {
  std::vector<char> read(static_cast<std::size_t>(count_of(lists.source)), 0);
  std::fill(read.begin(), read.begin() + lists.same, char{1});
  for (const auto local : lists.from) read[static_cast<std::size_t>(local)] = 1;
  for (Teuchos::Ordinal i = 0; i < lists.exported_to.size(); ++i)
    if (lists.exported_to[i] >= 0) read[static_cast<std::size_t>(lists.exported[i])] = 1;
  tell_unmoved(lists.source, read, "source", "target");
}

void TransferCheck::ask(Call& call) {
  if (!comparable_) return;
  const std::vector<Message> sent = call.check([&] {
    const Lists lists(*transfer_);
    std::vector<adapter::Routed<Index>> routed;
    for (Teuchos::Ordinal i = 0; i < lists.exported_to.size(); ++i)
      if (lists.exported_to[i] >= 0)
        routed.push_back({lists.exported_to[i], global_of(lists.source, lists.exported[i])});
    std::stable_sort(routed.begin(), routed.end(),
                     [](const auto& a, const auto& b) { return a.rank < b.rank; });
    return adapter::to_messages(routed);
  });
  received_ = call.comm()->exchange(sent);
}

void TransferCheck::look_at_received(const Lists& lists) {
  std::map<int, std::vector<Index>> sent;
  for (const Message& message : received_) {
    const auto items = adapter::from_bytes<Index>(message.bytes);
    auto& of_rank = sent[message.rank];
    of_rank.insert(of_rank.end(), items.begin(), items.end());
  }
  const auto ranks = transfer_->getDistributor().getProcsFrom();
  const auto lengths = transfer_->getDistributor().getLengthsFrom();
  Teuchos::Ordinal place = 0;
  for (Teuchos::Ordinal i = 0; i < ranks.size(); ++i) {
    const auto values = std::exchange(sent[ranks[i]], {});
    if (values.size() != lengths[i] ||
        lengths[i] > static_cast<std::size_t>(lists.remote.size() - place)) {
      wrong_list("rank " + std::to_string(ranks[i]) + " sends " +
                 adapter::counted(static_cast<Index>(values.size()), "element", "elements") +
                 ", where this rank expects " + std::to_string(lengths[i]));
      return;
    }
    for (const Index value : values) {
      const Index local = lists.remote[place++];
      if (global_of(lists.target, local) == value) continue;
      wrong_list("rank " + std::to_string(ranks[i]) + " sends index " + std::to_string(value) +
                 ", which this rank takes for " + index_text(lists.target, local) +
                 " of the target Map");
      return;
    }
  }
  if (lists.source.isDistributed() && place != lists.remote.size()) {
    wrong_list(index_text(lists.target, lists.remote[place]) +
               " of the target Map comes from another rank, of which none sends it");
    return;
  }
  for (const auto& [rank, values] : sent)
    if (!values.empty()) {
      wrong_list("rank " + std::to_string(rank) + " sends " +
                 adapter::counted(static_cast<Index>(values.size()), "element", "elements") +
                 ", where this rank expects none");
      return;
    }
}

bool TransferCheck::compare() {
  if (!std::exchange(compared_, true)) {
    if (transfer_ == nullptr && !nowhere_)
      wrong_transfer("none on this rank, where other ranks have one");
    else if (!of_these_maps_)
      wrong_transfer(transfer_ != nullptr ? "made of other Maps"
                                          : "none, though the Maps differ on this rank");
    if (comparable_) look_at_received(Lists(*transfer_));
  }
  return findings_.report().findings().empty();
}

void TransferCheck::tell(adapter::Findings& findings) {
  compare();
  findings.take(findings_.report());
}

namespace {

Report check_lists(const char* kind, const Transfer& transfer, TransferUse use,
                   std::optional<Tpetra::CombineMode> mode = std::nullopt) {
  const auto source = transfer.getSourceMap(), target = transfer.getTargetMap();
  Inspection look(*source, findings_about(kind, transfer));
  Call& call = look.call();
  if (mode) call.same("mode", static_cast<int>(*mode));
  MapChecks maps;
  TransferCheck lists(use, findings_about(kind, transfer));
  look.gather([&](const adapter::Findings&) {
    maps.add(source, MapDemand::any, findings_about(kind, transfer, "source Map"), call);
    maps.add(target, MapDemand::any, findings_about(kind, transfer, "target Map"), call);
    lists.gather(&transfer, *source, *target, on_processes_of(*target, call), call);
  });
  return look.conclude(maps, lists);
}

}  // namespace

Report detail::check_transfer(const Teuchos::RCP<const Tpetra::Import<>>& import) {
  if (import.is_null()) throw InvalidArgument("object", "a null RCP", "an Import");
  return check_lists("Import", *import, {});
}

Report detail::check_transfer(const Teuchos::RCP<const Tpetra::Export<>>& exporter,
                              Tpetra::CombineMode mode) {
  if (exporter.is_null()) throw InvalidArgument("object", "a null RCP", "an Export");
  TransferUse use;
  use.exports = true;
  use.once = mode == Tpetra::INSERT || mode == Tpetra::REPLACE;
  return check_lists("Export", *exporter, use, mode);
}

}  // namespace daptor::tpetra
