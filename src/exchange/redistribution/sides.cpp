// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/redistribution/sides.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/consistent.hpp"
#include "daptor/detail/fault.hpp"
#include "exchange/convert.hpp"
#include "exchange/redistribution/arguments.hpp"
#include "ranks/hash.hpp"
#include "ranks/mpi_duplicate.hpp"

namespace daptor::detail {
namespace {

/// A number for each rank, such that different sets of ranks have different sums.
std::int64_t mark_of(int rank) {
  return static_cast<std::int64_t>(mix(static_cast<std::uint64_t>(rank)) >> 32);
}

/// The processes of a communicator, all of which should be in a common one.
struct Members {
  std::int64_t count = 0;
  std::int64_t marks = 0;  ///< sum of the marks of their ranks in the common communicator
};

/// Translates some ranks at a time, because a list of all would grow with their number.
Members members_of(MPI_Comm comm, MPI_Comm common) {
  constexpr int most = 1024;
  int size = 0;
  require_intracommunicator(comm);
  check_mpi(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  Members members{size, 0};
  for (int first = 0; first < size; first += most) {
    std::vector<int> ranks(static_cast<std::size_t>(std::min(most, size - first)));
    std::iota(ranks.begin(), ranks.end(), first);
    for (const int rank : translated(ranks, comm, common))
      members.marks += rank == MPI_UNDEFINED ? 0 : mark_of(rank);
  }
  return members;
}

/// Collective. Requires that the arrays of a side are on one communicator, all of whose processes
/// pass them and are in the call.
void require_whole(const std::array<const ArrayList*, 2>& sides, Call& call) {
  std::array<std::optional<Comm>, 2> comms;
  call.check([&] {
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t k = 0; k < sides[i]->count; ++k) {
        const Comm comm = sides[i]->first[k].comm();
        if (k == 0)
          comms[i] = comm;
        else if (comm != comms[i] &&
                 !adapter::same_processes(comm->original(), (*comms[i])->original()))
          adapter::refuse_argument("redistribute.comm", "arrays on several communicators",
                                   "one communicator for all arrays of a side");
      }
  });
  // The number of processes with arrays, and a sum that identifies them.
  std::int64_t giving[4] = {};
  for (std::size_t i = 0; i < 2; ++i) {
    if (!comms[i]) continue;
    giving[2 * i] = 1;
    giving[2 * i + 1] = mark_of(call.comm().rank());
  }
  call.comm()->allreduce(giving, 4, Reduction::sum);
  call.check([&] {
    for (std::size_t i = 0; i < 2; ++i) {
      if (!comms[i]) continue;
      const Members members = members_of((*comms[i])->original(), call.comm()->mpi());
      if (members.count != giving[2 * i] || members.marks != giving[2 * i + 1])
        adapter::refuse_argument(
            "redistribute.comm",
            "arrays of " + std::to_string(giving[2 * i]) + " processes, a communicator of " +
                std::to_string(members.count),
            "arrays on all processes of one communicator, all of them in the common "
            "one");
    }
  });
}

}  // namespace

std::vector<int> translated(const std::vector<int>& ranks, MPI_Comm from, MPI_Comm to) {
  std::vector<int> other(ranks.size());
  MPI_Group here = MPI_GROUP_NULL, there = MPI_GROUP_NULL;
  check_mpi(MPI_Comm_group(from, &here), "MPI_Comm_group");
  check_mpi(MPI_Comm_group(to, &there), "MPI_Comm_group");
  const int code = MPI_Group_translate_ranks(here, static_cast<int>(ranks.size()), ranks.data(),
                                             there, other.data());
  MPI_Group_free(&here);
  MPI_Group_free(&there);
  check_mpi(code, "MPI_Group_translate_ranks");
  return other;
}

Comm comm_of(const ArrayList& sources, const ArrayList& targets) {
  for (const ArrayList* list : {&sources, &targets})
    for (std::size_t i = 0; i < list->count; ++i)
      if (list->first[i].has_comm()) return list->first[i].comm();
  return DistArray().comm();
}

std::int64_t Side::bytes() const {
  if (arrays.empty()) return 0;
  return arrays.front().local_count() *
         static_cast<std::int64_t>(arrays.front().type().itemsize() * arrays.size());
}

namespace {

/// Collective. Requires that all ranks with arrays have the same number of them.
void require_one_count(const Agreed<std::int64_t>& fewest, const Agreed<std::int64_t>& most) {
  if (fewest == most || most <= 0) return;
  adapter::refuse_argument(
      "redistribute.batch",
      "from " + std::to_string(fewest) + " to " + std::to_string(most) + " arrays",
      "the same number of arrays on all ranks");
}

/// Process-local. What this rank can judge of its arrays, which are taken first.
void judge(Sides& sides, const ArrayList& sources, const ArrayList& targets,
           const RedistributionOptions& options, bool memory) {
  const auto take = [](const ArrayList& given, Side& side) {
    side.arrays.assign(given.first, given.first + given.count);
    if (given.count > 0)
      side.outline = outline_of(side.array(), static_cast<Index>(side.arrays.size()));
  };
  take(sources, sides.source);
  take(targets, sides.target);
  if (memory) require_batches(sides.source.arrays, sides.target.arrays, options.through_host);
  if (options.buffer_bytes < 0)
    adapter::refuse_argument("redistribute.options",
                             std::to_string(options.buffer_bytes) + " bytes", "0 bytes or more");
}

/// Process-local. Requires elements that can be copied, or converted.
void require_types(const Sides& sides, const RedistributionOptions& options,
                   const Transform* transform) {
  const DataType& from = sides.source.outline.type;
  const DataType& to = sides.target.outline.type;
  if (transform != nullptr && from == to) Conversion(from, to, *transform);
  require_types(sides.source.outline, sides.target.outline, options.convert);
  if (transform != nullptr) Conversion(from, to, *transform);
}

/// All ranks with arrays have the same number of them; a process without arrays accepts that of the
/// others.
class OneCount {
 public:
  OneCount(const ArrayList& sources, const ArrayList& targets, Call& call) {
    const auto count = static_cast<std::int64_t>(std::max(sources.count, targets.count));
    fewest_ = call.least(count > 0 ? count : std::numeric_limits<std::int64_t>::max());
    most_ = call.greatest(count);
  }
  /// After the check. The same verdict on all ranks.
  void require() const { require_one_count(fewest_, most_); }

 private:
  Agreed<std::int64_t> fewest_, most_;
};

void note_options(const RedistributionOptions& options, const Transform* transform, Call& call) {
  call.same(options);
  if (transform != nullptr) call.same(*transform);
}

}  // namespace

Sides prepared_sides(const ArrayList& sources, const ArrayList& targets, Call& call,
                     const RedistributionOptions& options, bool memory,
                     const Transform* transform) {
  Sides sides{{{}, call.comm()}, {{}, call.comm()}, call.comm()};
  note_options(options, transform, call);
  const OneCount one_count(sources, targets, call);
  for (const ArrayList* list : {&sources, &targets})
    if (list->count > 0) call.prove(*list->first);
  call.check([&] {
    if (sources.count != targets.count || sources.count == 0)
      adapter::refuse_argument(
          "redistribute.batch",
          std::to_string(sources.count) + " sources, " + std::to_string(targets.count) + " targets",
          "one target for each source, and at least one source");
    for (const ArrayList* list : {&sources, &targets})
      for (std::size_t i = 1; i < list->count; ++i) call.require_same_processes(list->first[i]);
    judge(sides, sources, targets, options, memory);
    require_types(sides, options, transform);
  });
  one_count.require();
  sides.source.proof = call.proof(0);
  sides.target.proof = call.proof(1);
  return sides;
}

Sides sides_across(const ArrayList& sources, const ArrayList& targets, Call& call,
                   const RedistributionOptions& options, bool memory, const Transform* transform) {
  Sides sides{{}, {}, call.comm()};
  require_whole({&sources, &targets}, call);
  note_options(options, transform, call);
  const OneCount one_count(sources, targets, call);
  call.check([&] {
    if (sources.count > 0) sides.source.comm = sources.first->comm();
    if (targets.count > 0) sides.target.comm = targets.first->comm();
    judge(sides, sources, targets, options, memory);
  });
  one_count.require();
  for (Side* side : {&sides.source, &sides.target})
    call.relay([&] {
      if (!side->takes_part()) return;
      Call within(side->array(), "redistribute");
      within.check();
      side->proof = within.proof(0);
    });
  for (Side* side : {&sides.source, &sides.target})
    side->outline = shared_outline(side->takes_part() ? &side->outline : nullptr, call);
  call.check([&] { require_types(sides, options, transform); });
  return sides;
}

}  // namespace daptor::detail
