// SPDX-License-Identifier: BSD-3-Clause
#include "mapping.hpp"

#include <algorithm>

#include "daptor/adapter/routed.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/petsc/adapter/call.hpp"

namespace daptor::petsc::detail {
namespace {

constexpr Index not_reached = -1;

/// The block indices of a mapping, while this lives.
class BlockIndices {
 public:
  explicit BlockIndices(ISLocalToGlobalMapping mapping) : mapping_(mapping) {
    PetscInt points = 0;
    call("ISLocalToGlobalMappingGetSize", ISLocalToGlobalMappingGetSize, mapping, &points);
    call("ISLocalToGlobalMappingGetBlockSize", ISLocalToGlobalMappingGetBlockSize, mapping,
         &block_);
    count_ = static_cast<std::size_t>(points / block_);
    call("ISLocalToGlobalMappingGetBlockIndices", ISLocalToGlobalMappingGetBlockIndices, mapping,
         &indices_);
  }
  BlockIndices(const BlockIndices&) = delete;
  BlockIndices& operator=(const BlockIndices&) = delete;
  ~BlockIndices() {
    static_cast<void>(ISLocalToGlobalMappingRestoreBlockIndices(mapping_, &indices_));
  }
  PetscInt block() const { return block_; }
  std::size_t count() const { return count_; }
  const PetscInt* data() const { return indices_; }

 private:
  ISLocalToGlobalMapping mapping_;
  PetscInt block_ = 1;
  std::size_t count_ = 0;
  const PetscInt* indices_ = nullptr;
};

bool divides(Index block, const Ranges& ranges) {
  return std::all_of(ranges.starts.begin(), ranges.starts.end(),
                     [&](Index start) { return start % block == 0; });
}

}  // namespace

int Ranges::owner(Index index) const {
  const auto above = std::upper_bound(starts.begin(), starts.end(), index);
  return static_cast<int>(above - starts.begin()) - 1;
}

Ranges ranges_of(PetscObject object, PetscLayout layout) {
  const PetscInt* starts = nullptr;
  PetscInt block = 1;
  call("PetscLayoutGetRanges", PetscLayoutGetRanges, layout, &starts);
  call("PetscLayoutGetBlockSize", PetscLayoutGetBlockSize, layout, &block);
  int size = 1;
  Ranges ranges;
  MPI_Comm_size(PetscObjectComm(object), &size);
  MPI_Comm_rank(PetscObjectComm(object), &ranges.rank);
  ranges.starts.assign(starts, starts + size + 1);
  ranges.block = block;
  return ranges;
}

MappingCheck::MappingCheck(ISLocalToGlobalMapping mapping, Ranges ranges, Findings findings,
                           MappingKind kind)
    : ranges_(std::move(ranges)), findings_(std::move(findings)), kind_(kind) {
  if (mapping == nullptr) return;
  const BlockIndices indices(mapping);
  present_ = true;
  block_ = indices.block();
  if (block_ > 1 && (block_ != ranges_.block || !divides(block_, ranges_))) {
    findings_.error("check.mapping.block-size",
                    "a local-to-global mapping in blocks of " + std::to_string(block_) +
                        ", where the object has blocks of " + std::to_string(ranges_.block),
                    "the same block size, or 1", "Make the mapping with the object's block size.");
    fits_ = false;
    return;
  }
  if (block_ == 1 && ranges_.block > 1 && kind_ == MappingKind::one_to_one)
    findings_.warning(
        "check.mapping.unblocked",
        "a local-to-global mapping of single indices, where the object has blocks of " +
            std::to_string(ranges_.block),
        "a mapping in blocks, if values are set in blocks",
        "Make the mapping with the object's block size, or set values by single indices only: in "
        "blocks, its indices are taken for numbers of blocks.");
  for (Index& start : ranges_.starts) start /= block_;
  judge(indices.data(), indices.count());
}

std::string MappingCheck::unit() const {
  return block_ > 1 ? "block" : "index";
}

std::string MappingCheck::local_text(std::size_t local) const {
  return "local " + unit() + " " + std::to_string(local);
}

/// What indices that do not reach all rows may be in place of indices.
std::string MappingCheck::hint() const {
  if (block_ > 1 || ranges_.block == 1 || !below_blocks_) return "";
  return "; the mapping is of single indices, and the object has blocks of " +
         std::to_string(ranges_.block) + ": all indices of this rank could be numbers of blocks";
}

void MappingCheck::note_repeated(Severity severity, const char* rule, const std::string& whose,
                                 Index index, std::size_t first, std::size_t second,
                                 Index in_total) {
  if (kind_ != MappingKind::one_to_one) return;
  findings_.add(severity, rule,
                local_text(first) + " and " + local_text(second) + " are mapped to the same " +
                    unit() + " " + std::to_string(index) + ", which " + whose +
                    adapter::such(in_total),
                "one local index for each global index, unless the grid is periodic",
                "Correct the list of which the mapping was made; values that are set through "
                "the mapping would reach the same place twice.");
}

void MappingCheck::judge(const PetscInt* indices, std::size_t count) {
  const IndexRange owned = ranges_.owned();
  std::vector<Index> reached(static_cast<std::size_t>(owned.size()), not_reached);
  std::vector<std::size_t> others, outside, twice;
  for (std::size_t local = 0; local < count; ++local) {
    const Index index = indices[local];
    if (index < 0) continue;
    below_blocks_ = below_blocks_ && index < ranges_.global_size() / ranges_.block;
    if (index >= ranges_.global_size()) {
      outside.push_back(local);
    } else if (!owned.contains(index)) {
      others.push_back(local);
    } else {
      Index& place = reached[static_cast<std::size_t>(index - owned.start)];
      if (place != not_reached)
        twice.push_back(local);
      else
        place = static_cast<Index>(local);
    }
  }
  if (!outside.empty())
    findings_.error("check.mapping.range",
                    local_text(outside.front()) + " is mapped to " +
                        std::to_string(indices[outside.front()]) +
                        adapter::such(static_cast<Index>(outside.size())),
                    "less than " + std::to_string(ranges_.global_size()),
                    "Number the elements of all ranks from 0, without gaps, before the mapping is "
                    "made of them.");
  if (!twice.empty()) {
    const Index index = indices[twice.front()];
    const Index first = reached[static_cast<std::size_t>(index - owned.start)];
    // A warning, because in a periodic grid of which PETSc does not know, a process that has the
    // whole of a dimension is its own neighbour.
    note_repeated(Severity::warning, "check.mapping.owned-twice", "this rank owns", index,
                  static_cast<std::size_t>(first), twice.front(), static_cast<Index>(twice.size()));
  }
  if (kind_ == MappingKind::subdomain) return;
  for (std::size_t i = 0; i < reached.size(); ++i)
    if (reached[i] == not_reached) missing_.push_back(owned.start + static_cast<Index>(i));
  judge_others(indices, std::move(others));
}

void MappingCheck::judge_others(const PetscInt* indices, std::vector<std::size_t> others) {
  std::sort(others.begin(), others.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(indices[a], a) < std::pair(indices[b], b);
  });
  Index twice = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < others.size(); ++i) {
    const Index index = indices[others[i]];
    if (their_indices_.empty() || their_indices_.back() != index)
      their_indices_.push_back(index);
    else if (twice++ == 0)
      at = i;
  }
  if (twice > 0) {
    const Index index = indices[others[at]];
    note_repeated(Severity::error, "check.mapping.ghost-twice",
                  "rank " + std::to_string(ranges_.owner(index)) + " owns", index, others[at - 1],
                  others[at], twice);
  }
}

void MappingCheck::reached_elsewhere(Index index) {
  if (std::binary_search(missing_.begin(), missing_.end(), index)) elsewhere_.push_back(index);
}

void MappingCheck::tell_missing() {
  std::sort(elsewhere_.begin(), elsewhere_.end());
  elsewhere_.erase(std::unique(elsewhere_.begin(), elsewhere_.end()), elsewhere_.end());
  std::vector<Index> nowhere;
  std::set_difference(missing_.begin(), missing_.end(), elsewhere_.begin(), elsewhere_.end(),
                      std::back_inserter(nowhere));
  const Terms range = terms::range(ranges_.owned());
  if (!nowhere.empty())
    findings_.error("check.mapping.unreached",
                    "no rank has a local " + unit() + " for " + unit() + " " +
                        std::to_string(nowhere.front()) + ", one of " + range +
                        " that this rank owns" + adapter::such(static_cast<Index>(nowhere.size())) +
                        hint(),
                    "a local index for each owned index",
                    "Compare the numbers that the program gives its elements with the ownership "
                    "ranges of the object.");
  if (!elsewhere_.empty())
    findings_.warning("check.mapping.elsewhere",
                      unit() + " " + std::to_string(elsewhere_.front()) + ", one of " + range +
                          " that this rank owns, is reached on other ranks only" +
                          adapter::such(static_cast<Index>(elsewhere_.size())) + hint(),
                      "a local index for each owned index on the rank that owns it",
                      "Compare the numbers that the program gives its elements with the ownership "
                      "ranges of the object.");
}

Report MappingCheck::conclude(Index least, Index greatest, bool on_some) {
  if (on_some && !present_)
    findings_.error("check.mapping.absent",
                    "no local-to-global mapping, where other ranks have one",
                    "a mapping on all ranks or on none", "Set the mapping on all ranks.");
  if (present_ && fits_ && least != greatest && block_ == greatest)
    findings_.error("check.mapping.block-size",
                    "a local-to-global mapping in blocks of " + std::to_string(greatest) +
                        ", where another rank has blocks of " + std::to_string(least),
                    "the same block size on all ranks", "Make the mappings with one block size.");
  // Blocks of different sizes count differently.
  if (least == greatest) tell_missing();
  return findings_.report();
}

namespace {

/// A rank's local index for what another rank owns.
struct Reached {
  Index mapping;  ///< number of the mapping
  Index index;    ///< in blocks
};

std::vector<Message> to_owners(const std::vector<MappingCheck>& mappings) {
  std::vector<adapter::Routed<Reached>> routed;
  for (std::size_t i = 0; i < mappings.size(); ++i)
    for (const Index index : mappings[i].their_indices())
      routed.push_back({mappings[i].owner(index), {static_cast<Index>(i), index}});
  return adapter::sorted_messages(std::move(routed));
}

}  // namespace

void Mappings::gather(std::vector<MappingCheck> mappings, Call& call) {
  mappings_ = std::move(mappings);
  bool complete = true, clean = true;
  for (const MappingCheck& mapping : mappings_) {
    const bool present = mapping.present();
    said_.push_back({call.least(present ? mapping.block() : largest_petsc_int),
                     call.greatest(present ? mapping.block() : 0), call.all(present),
                     call.all(!present)});
    complete = complete && !mapping.incomplete();
    clean = clean && mapping.clean();
  }
  complete_ = call.all(complete);
  clean_ = call.all(clean);
}

bool Mappings::settled() const {
  return clean_ && std::all_of(said_.begin(), said_.end(), [](const Said& said) {
           return said.of_one_size() && !said.on_some();
         });
}

void Mappings::ask(Call& call) {
  if (complete_) return;
  const std::vector<Message> sent = call.check([&] { return to_owners(mappings_); });
  received_ = call.comm()->exchange(sent);
}

void Mappings::tell(Findings& findings) {
  for (const Reached& reached : adapter::items_of<Reached>(received_))
    mappings_[static_cast<std::size_t>(reached.mapping)].reached_elsewhere(reached.index);
  for (std::size_t i = 0; i < mappings_.size(); ++i)
    findings.take(mappings_[i].conclude(said_[i].least, said_[i].greatest, said_[i].on_some()));
}

}  // namespace daptor::petsc::detail
