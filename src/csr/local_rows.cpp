// SPDX-License-Identifier: BSD-3-Clause
#include "csr/local_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/routed.hpp"
#include "daptor/call.hpp"
#include "daptor/global_index_map.hpp"
#include "ranks/nearest.hpp"

namespace daptor::detail {
namespace {

LocalRows rows_on_their_rank(const CsrArrays& matrix, const OwnedOffsets& offsets) {
  LocalRows local{matrix.owned_rows(), offsets.positions, {}};
  const Index first = local.starts.front();
  for (Index& start : local.starts) start -= first;
  return local;
}

/// The positions of the owned rows, in one message to each process on which some of them begin. An
/// empty row goes with the entry that follows it or, at the end, with the last entry.
std::vector<Message> rows_by_entry(const CsrArrays& matrix, const std::vector<Index>& positions,
                                   const GlobalDimensionMap& entries) {
  const Index all = matrix.values.dimension(0).global_size();
  const auto rows_end = positions.end() - 1;
  std::vector<Message> messages;
  for (auto row = positions.begin(); row != rows_end;) {
    const Index rank = entries.owner_of(std::min(*row, all - 1))->grid_rank;
    const Index stop = entries.owned_range(rank).stop;
    const auto end = stop == all ? rows_end : std::lower_bound(row, rows_end, stop);
    messages.push_back(
        {static_cast<int>(rank), adapter::to_bytes(&*row, static_cast<std::size_t>(end - row))});
    row = end;
  }
  return messages;
}

/// Collective. How the rows that lie on several processes are divided among them.
///
/// Example: all entries of the rows that begin on rank 0 are on the ranks 0 and 2, and the next row
/// begins on rank 4. `joined` is 2 on rank 1, which only passes on, 1 on rank 2 and 0 on rank 3.
SharedRow find_shared_row(const LocalRows& local, Index entry_count, const Comm& comm) {
  const Index rank = comm.rank();
  const bool begins = !local.rows.empty();
  const bool leads = entry_count > 0 && local.leading() > 0;
  const auto if_here = [&](bool present) {
    return present ? std::optional<Index>(rank) : std::nullopt;
  };
  const auto home = nearest(Side::lower, if_here(begins), comm);
  const Index below = nearest(Side::lower, if_here(entry_count > 0), comm).value_or(-1);
  Index highest = entry_count > 0 ? rank : -1;
  comm->allreduce(&highest, 1, Reduction::max);
  // The last rank with entries of the row that is the last to begin below this rank.
  const auto ended = nearest(
      Side::higher, begins ? std::optional<Index>(leads ? rank : below) : std::nullopt, comm);
  SharedRow row;
  if (begins)
    row.joined = leads ? 1 : 0;
  else if (home)
    row.joined = std::max<Index>(0, ended.value_or(highest) - rank + 1);
  if (home && row.joined > 0) row.before = rank - *home - 1;
  const Index mine = row.joined > 0 ? 1 : 0;
  Index higher = 0;
  comm->sendrecv(comm.rank() - 1, &mine, sizeof mine,
                 comm.rank() + 1 < comm.size() ? comm.rank() + 1 : -1, &higher, sizeof higher);
  row.continues = begins && higher != 0;
  row.longest = row.joined;
  comm->allreduce(&row.longest, 1, Reduction::max);
  return row;
}

/// Collective. Sends each row's position to the process that has its first entry.
LocalRows rows_where_they_begin(const CsrArrays& matrix, const OwnedOffsets& offsets, Call& call) {
  const GlobalIndexMap map(matrix.values);
  const auto messages =
      call.check([&] { return rows_by_entry(matrix, offsets.positions, map.dimension(0)); });
  const auto received = call.comm()->exchange(messages);
  const IndexRange entries = matrix.owned_entries();
  LocalRows local;
  call.check([&] {
    for (const Message& message : received) {
      for (const Index position : adapter::from_bytes<Index>(message.bytes))
        local.starts.push_back(position - entries.start);
    }
    local.starts.push_back(entries.size());
  });
  const auto count = static_cast<Index>(local.starts.size()) - 1;
  const Index before = call.comm()->exclusive_sum(count);
  local.rows = {before, before + count};
  local.shared = find_shared_row(local, entries.size(), call.comm());
  return local;
}

}  // namespace

LocalRows find_local_rows(const CsrArrays& matrix, const OwnedOffsets& offsets, Call& call) {
  if (offsets.aligned) return call.check([&] { return rows_on_their_rank(matrix, offsets); });
  return rows_where_they_begin(matrix, offsets, call);
}

}  // namespace daptor::detail
