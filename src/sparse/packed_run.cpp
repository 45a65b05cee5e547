// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/packed_run.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/consistent.hpp"
#include "daptor/redistribute.hpp"
#include "exchange/range_messages.hpp"
#include "section/owned_line.hpp"

namespace daptor::detail {
namespace {

/// A run of positions in three parts: those that this rank has in the packed array, those before
/// them, and those behind them. The latter two are in a buffer, one after the other.
struct Parts {
  IndexRange run, own;

  Parts(IndexRange positions, IndexRange owned) : run(positions), own(intersect(run, owned)) {
    if (own.empty()) own = {run.stop, run.stop};
  }
  Index below() const { return own.start - run.start; }
  Index above() const { return run.stop - own.stop; }
  Index elsewhere() const { return below() + above(); }
  /// Where a position of another rank is in the buffer.
  Index in_buffer(Index position) const {
    return position - run.start - (position < own.start ? 0 : own.size());
  }
};

/// Elements without gaps that are not initialised.
class ElementBuffer {
 public:
  ElementBuffer(Index count, std::size_t itemsize)
      : bytes_(count > 0 ? new std::byte[static_cast<std::size_t>(count) * itemsize] : nullptr),
        strip_{bytes_.get(), static_cast<Index>(itemsize), itemsize} {}
  Strip from(Index first) const { return {strip_.at(first), strip_.stride, strip_.itemsize}; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  Strip strip_;
};

void copy_strip(const Strip& from, const Strip& to, Index count) {
  for (Index i = 0; i < count; ++i) std::memcpy(to.at(i), from.at(i), to.itemsize);
}

/// What a rank sends and receives, and the memory between.
struct Traffic {
  Parts parts;
  std::vector<Share> mine;    ///< other ranks with positions of this rank's run
  std::vector<Share> theirs;  ///< other ranks whose runs have positions that this rank owns
  ElementBuffer buffer;       ///< the parts of the run that other ranks have
  Strip owned;                ///< the packed array's elements that this rank owns
  Index owned_start;
  /// Elements of `theirs`, if those that this rank owns have gaps.
  ElementBuffer staged;
  std::vector<RunMessage> of_mine, of_theirs;

  Strip own_part() const { return at(parts.own.start); }
  Strip at(Index position) const {
    return {owned.at(position - owned_start), owned.stride, owned.itemsize};
  }
};

RunMessage message_of(const Share& share, const Strip& strip) {
  return {share.rank, strip.first, static_cast<std::size_t>(share.range.size()) * strip.itemsize};
}

Index count_of(const std::vector<Share>& shares) {
  Index count = 0;
  for (const Share& share : shares) count += share.range.size();
  return count;
}

/// Collective. Allocates all memory.
std::unique_ptr<Traffic> plan_traffic(const Section& packed, const GlobalIndexMap& map,
                                      const PackedRun& run, Call& call, int direction) {
  std::vector<Share> mine, theirs;
  if (call.comm().size() > 1) {
    mine = owners_of_range(map, run.run, call);
    mine.erase(std::remove_if(mine.begin(), mine.end(),
                              [&](const Share& share) { return share.rank == call.comm().rank(); }),
               mine.end());
    theirs = tell_shares(mine, call);
  }
  return call.check([&] {
    const IndexRange owned = owned_line(packed);
    const Parts parts(run.run, owned);
    const std::size_t itemsize = packed.type().itemsize();
    const Strip strip = strip_of(packed, owned);
    const Index in_gaps = strip.gapless() ? 0 : count_of(theirs);
    auto traffic = std::make_unique<Traffic>(Traffic{parts,
                                                     std::move(mine),
                                                     std::move(theirs),
                                                     ElementBuffer(parts.elsewhere(), itemsize),
                                                     strip,
                                                     owned.start,
                                                     ElementBuffer(in_gaps, itemsize),
                                                     {},
                                                     {}});
    for (const Share& share : traffic->mine)
      traffic->of_mine.push_back(
          message_of(share, traffic->buffer.from(parts.in_buffer(share.range.start))));
    Index staged = 0;
    for (const Share& share : traffic->theirs) {
      traffic->of_theirs.push_back(message_of(
          share, strip.gapless() ? traffic->at(share.range.start) : traffic->staged.from(staged)));
      staged += share.range.size();
    }
    sort_messages(traffic->of_mine, direction, call.comm());
    sort_messages(traffic->of_theirs, -direction, call.comm());
    return traffic;
  });
}

/// Copies between the messages' memory and the elements of the packed array, if these have gaps.
void stage(const Traffic& traffic, bool into_messages) {
  if (traffic.owned.gapless()) return;
  Index staged = 0;
  for (const Share& share : traffic.theirs) {
    const Strip elements = traffic.at(share.range.start), message = traffic.staged.from(staged);
    copy_strip(into_messages ? elements : message, into_messages ? message : elements,
               share.range.size());
    staged += share.range.size();
  }
}

}  // namespace

PackedRun PackedRun::of(const RankLine& line, Index marked, const Comm& comm) {
  const auto before =
      before_this(line, comm, marked, [](Index earlier, Index later) { return earlier + later; });
  std::int64_t total = marked;
  comm->allreduce(&total, 1, Reduction::sum);
  const Index start = before.value_or(0);
  return {line.grid, {start, start + marked}, total};
}

PackedPlace::PackedPlace(Section packed, std::shared_ptr<const Proven> proof, Call& call)
    : packed_(std::move(packed)), comm_(call.comm()) {
  // All ranks have the same distribution.
  if (detail::in_blocks(packed_.dimension(0))) map_.emplace(packed_, std::move(proof), call);
}

void PackedPlace::deliver(const MarkedCopy& marked, const PackedRun& run, Call& call) const {
  if (run.total == 0) return;
  if (!in_blocks()) return deliver_by_redistribution(marked, run, call);
  const auto traffic = plan_traffic(packed_, *map_, run, call, 1);
  MarkedCopy next = marked;
  const Parts& parts = traffic->parts;
  next.pack(parts.below(), traffic->buffer.from(0));
  if (!parts.own.empty()) next.pack(parts.own.size(), traffic->own_part());
  next.pack(parts.above(), traffic->buffer.from(parts.below()));
  exchange_messages(traffic->of_mine, traffic->of_theirs, comm_);
  stage(*traffic, false);
}

void PackedPlace::fetch(const MarkedCopy& marked, const PackedRun& run, Call& call) const {
  if (run.total == 0) return;
  if (!in_blocks()) return fetch_by_redistribution(marked, run, call);
  const auto traffic = plan_traffic(packed_, *map_, run, call, -1);
  stage(*traffic, true);
  exchange_messages(traffic->of_theirs, traffic->of_mine, comm_);
  MarkedCopy next = marked;
  const Parts& parts = traffic->parts;
  next.unpack(parts.below(), traffic->buffer.from(0));
  if (!parts.own.empty()) next.unpack(parts.own.size(), traffic->own_part());
  next.unpack(parts.above(), traffic->buffer.from(parts.below()));
}

/// The elements [0, total) of a packed array that is not in blocks, as an array of its own: of a
/// cyclic one on its memory, because they come first on each process; of an unstructured one in a
/// copy.
struct PackedPlace::Front {
  Section array;
  Strip elements;            ///< of the packed array
  std::vector<Index> local;  ///< local indices of the copied elements
  std::vector<std::byte> copied;

  Strip copy() { return {copied.data(), static_cast<Index>(elements.itemsize), elements.itemsize}; }
  void read() {
    for (std::size_t i = 0; i < local.size(); ++i)
      std::memcpy(copy().at(static_cast<Index>(i)), elements.at(local[i]), elements.itemsize);
  }
  void write() {
    for (std::size_t i = 0; i < local.size(); ++i)
      std::memcpy(elements.at(local[i]), copy().at(static_cast<Index>(i)), elements.itemsize);
  }
};

PackedPlace::Front PackedPlace::front(Index total) const {
  const Dimension& dimension = packed_.dimension(0);
  Front result;
  result.elements = strip_from(packed_, 0);
  if (const auto* cyclic = dimension.as<Cyclic>()) {
    Cyclic form = *cyclic;
    form.start = std::min(form.start, total);
    result.array = describe(packed_.type(), result.elements.first, {Dimension(total, form)},
                            packed_.byte_strides());
    return result;
  }
  const auto& list = *dimension.as<Unstructured>();
  std::vector<Index> indices;
  const OwnedPart owned = dimension.owned_part();
  for (Index number = 0; number < owned.count(); ++number) {
    const Index local = owned.position(number);
    if (!IndexRange{0, total}.contains(list.indices[local])) continue;
    indices.push_back(list.indices[local]);
    result.local.push_back(local);
  }
  result.copied.resize(indices.size() * packed_.type().itemsize());
  const auto count = static_cast<Index>(indices.size());
  result.array = describe(packed_.type(), result.copied.data(), count,
                          {unstructured(total, list.grid, IndexList(std::move(indices)))});
  return result;
}

namespace {

RedistributionOptions from_any() {
  RedistributionOptions options;
  options.read_from_any = true;
  return options;
}

/// This rank's run as a section of an array of the elements of all runs.
struct RunArray {
  std::vector<std::byte> memory;
  Section array;

  RunArray(const PackedRun& run, const DataType& type)
      : memory(static_cast<std::size_t>(run.run.size()) * type.itemsize()),
        array(
            describe(type, memory.data(), run.run.size(), {block(run.total, run.grid, run.run)})) {}
  RunArray(const RunArray&) = delete;
  RunArray& operator=(const RunArray&) = delete;
  Strip strip() {
    return {memory.data(), static_cast<Index>(array.type().itemsize()), array.type().itemsize()};
  }
};

/// Runs a redistribution between the packed array and the runs. An index that the packed array
/// lacks is found on all ranks.
template <class F>
void require_all_positions(Index total, F&& redistribution) {
  try {
    redistribution();
  } catch (const InvalidArgument& error) {
    if (error.rule() != "redistribute.missing") throw;
    adapter::refuse_argument("sparse.missing",
                             "a packed array without some of the indices that are needed",
                             "each index less than " + std::to_string(total) +
                                 ", the number of set elements of the mask, on some rank");
  }
}

}  // namespace

void PackedPlace::deliver_by_redistribution(const MarkedCopy& marked, const PackedRun& run,
                                            Call& call) const {
  std::optional<Front> to;
  std::optional<RunArray> from;
  call.check([&] {
    to.emplace(front(run.total));
    from.emplace(run, packed_.type());
    MarkedCopy next = marked;
    next.pack(run.run.size(), from->strip());
  });
  // Planned in this direction, it proves that the packed array has all of these indices; several
  // processes may have one.
  require_all_positions(run.total, [&] {
    Redistribution(to->array.on(comm_), from->array.on(comm_), from_any()).run_back();
  });
  to->write();
}

void PackedPlace::fetch_by_redistribution(const MarkedCopy& marked, const PackedRun& run,
                                          Call& call) const {
  std::optional<Front> from;
  std::optional<RunArray> to;
  call.check([&] {
    from.emplace(front(run.total));
    to.emplace(run, packed_.type());
    from->read();
  });
  require_all_positions(
      run.total, [&] { redistribute(from->array.on(comm_), to->array.on(comm_), from_any()); });
  MarkedCopy next = marked;
  next.unpack(run.run.size(), to->strip());
}

}  // namespace daptor::detail
