// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/redistribution/sides.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "communication/hash.hpp"
#include "communication/mpi_duplicate.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/consistent.hpp"
#include "daptor/detail/fault.hpp"
#include "exchange/convert.hpp"
#include "exchange/redistribution/arguments.hpp"

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

/// Collective over `comm`. Requires that all processes of a communicator pass arrays if one of them
/// does.
void require_whole(const std::array<const ArraysOn*, 2>& sides, Call& call) {
  call.check([&] {
    for (const ArraysOn* side : sides)
      if (side->arrays.empty() != (side->comm == MPI_COMM_NULL))
        adapter::refuse_argument("redistribute.comm",
                                 side->arrays.empty() ? "a communicator without arrays"
                                                      : "arrays without a communicator",
                                 "arrays and their communicator, or neither");
  });
  // The number of processes with arrays, and a sum that identifies them.
  std::int64_t giving[4] = {};
  for (std::size_t i = 0; i < 2; ++i) {
    if (sides[i]->arrays.empty()) continue;
    giving[2 * i] = 1;
    giving[2 * i + 1] = mark_of(call.comm().rank());
  }
  call.comm()->allreduce(giving, 4, Reduction::sum);
  call.check([&] {
    for (std::size_t i = 0; i < 2; ++i) {
      if (sides[i]->arrays.empty()) continue;
      const Members members = members_of(sides[i]->comm, call.comm()->mpi());
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

/// Collective over the side's communicator.
Side side_of(const ArraysOn& given) {
  if (given.arrays.empty()) return {};
  return {given.arrays, Comm(given.comm)};
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

/// Collective. Fills in the outlines and proves both sides. `take_arrays` copies the arrays into
/// `sides` if they are not there yet.
template <class TakeArrays>
void prepare(Sides& sides, const RedistributionOptions& options, bool memory,
             const Transform* transform, Call& call, const TakeArrays& take_arrays) {
  Side& source = sides.source;
  Side& target = sides.target;
  const bool together = sides.together();
  call.same(options);
  if (transform != nullptr) call.same(*transform);
  Agreed<std::int64_t> fewest, most;
  call.check([&] {
    take_arrays();
    if (together && (source.arrays.size() != target.arrays.size() || source.arrays.empty()))
      adapter::refuse_argument("redistribute.batch",
                               std::to_string(source.arrays.size()) + " sources, " +
                                   std::to_string(target.arrays.size()) + " targets",
                               "one target for each source, and at least one source");
    for (Side* side : {&source, &target})
      if (!side->arrays.empty())
        side->outline = outline_of(side->arrays.front(), static_cast<Index>(side->arrays.size()));
    if (memory) require_batches(source.arrays, target.arrays);
    if (transform != nullptr && together && source.outline.type == target.outline.type)
      Conversion(source.outline.type, target.outline.type, *transform);
    if (options.buffer_bytes < 0)
      adapter::refuse_argument("redistribute.options",
                               std::to_string(options.buffer_bytes) + " bytes", "0 bytes or more");
    const auto arrays =
        static_cast<std::int64_t>(std::max(source.arrays.size(), target.arrays.size()));
    // A process without arrays accepts the number of the others.
    fewest = call.least(arrays > 0 ? arrays : std::numeric_limits<std::int64_t>::max());
    most = call.greatest(arrays);
  });
  require_one_count(fewest, most);
  const auto require_side = [](const Side& side) {
    if (side.takes_part()) require_consistent(side.arrays.front(), *side.comm);
  };
  if (together) {
    require_side(source);
    require_side(target);
  } else {
    call.relay([&] { require_side(source); });
    call.relay([&] { require_side(target); });
    for (Side* side : {&source, &target})
      side->outline = shared_outline(side->takes_part() ? &side->outline : nullptr, call);
  }
  call.check([&] {
    require_types(source.outline, target.outline, options.convert);
    if (transform != nullptr) Conversion(source.outline.type, target.outline.type, *transform);
  });
}

}  // namespace

Sides prepared_sides(const ArrayList& sources, const ArrayList& targets, Call& call,
                     const RedistributionOptions& options, bool memory,
                     const Transform* transform) {
  Sides sides{{{}, call.comm()}, {{}, call.comm()}, call.comm()};
  prepare(sides, options, memory, transform, call, [&] {
    sides.source.arrays.assign(sources.first, sources.first + sources.count);
    sides.target.arrays.assign(targets.first, targets.first + targets.count);
  });
  return sides;
}

Sides prepared_sides(const ArraysOn& sources, const ArraysOn& targets, Call& call,
                     const RedistributionOptions& options, bool memory,
                     const Transform* transform) {
  Sides sides{{}, {}, call.comm()};
  require_whole({&sources, &targets}, call);
  call.relay([&] { sides.source = side_of(sources); });
  call.relay([&] { sides.target = side_of(targets); });
  prepare(sides, options, memory, transform, call, [] {});
  return sides;
}

}  // namespace daptor::detail
