// SPDX-License-Identifier: BSD-3-Clause
#include "csr/local_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "csr/nearest.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/routed.hpp"
#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/global_index_map.hpp"

namespace daptor::detail {
namespace {

LocalRows rows_on_their_rank(const CsrArrays& matrix, const OwnedOffsets& offsets) {
  LocalRows local{matrix.owned_rows(), offsets.positions, {}};
  const Index first = local.starts.front();
  for (Index& start : local.starts) start -= first;
  return local;
}

/// The positions of the owned rows, in one message to each process on which some of them begin:
/// the number of the first row, then the positions. An empty row goes with the entry that follows
/// it or, at the end, with the last entry.
std::vector<Message> rows_by_entry(const CsrArrays& matrix, const std::vector<Index>& positions,
                                   const GlobalDimensionMap& entries) {
  const Index all = matrix.values.dimension(0).global_size();
  const auto rows_end = positions.end() - 1;
  std::vector<Message> messages;
  for (auto row = positions.begin(); row != rows_end;) {
    const Index rank = entries.owner_of(std::min(*row, all - 1))->grid_rank;
    const Index stop = entries.owned_range(rank).stop;
    const auto end = stop == all ? rows_end : std::lower_bound(row, rows_end, stop);
    std::vector<Index> words{matrix.owned_rows().start + (row - positions.begin())};
    words.insert(words.end(), row, end);
    messages.push_back({static_cast<int>(rank), adapter::to_bytes(words.data(), words.size())});
    row = end;
  }
  return messages;
}

/// Collective. How the rows that lie on several processes are divided among them.
Carry find_carry(const LocalRows& local, Index entry_count, const Comm& comm) {
  struct Beginning {
    Index rank;
    Index leads;  // 1 if the first entries of that rank belong to a row of a lower rank
  };
  const Index rank = comm.rank();
  const bool begins = !local.rows.empty();
  const bool leads = entry_count > 0 && local.leading() > 0;
  const auto home = nearest(Side::lower, begins ? std::optional<Index>(rank) : std::nullopt, comm);
  const auto next = nearest(
      Side::higher,
      begins ? std::optional<Beginning>(Beginning{rank, leads ? 1 : 0}) : std::nullopt, comm);
  Carry carry;
  if (begins) {
    carry.joined = leads ? 1 : 0;
  } else if (home) {
    const Index last = next ? next->rank - 1 + next->leads : Index{comm.size()} - 1;
    carry.joined = last - rank + 1;
  }
  if (home && carry.joined > 0) carry.before = rank - *home - 1;
  const Index mine = carry.joined > 0 ? 1 : 0;
  Index higher = 0;
  comm->sendrecv(comm.rank() - 1, &mine, sizeof mine,
                 comm.rank() + 1 < comm.size() ? comm.rank() + 1 : -1, &higher, sizeof higher);
  carry.continues = begins && higher != 0;
  carry.longest = carry.joined;
  comm->allreduce(&carry.longest, 1, Reduction::max);
  return carry;
}

/// Collective. Sends each row's position to the process that has its first entry.
LocalRows rows_where_they_begin(const CsrArrays& matrix, const OwnedOffsets& offsets,
                                const Comm& comm) {
  const GlobalIndexMap map(matrix.values, comm);
  const auto messages = agreed(comm, [&] {
    fault_point("csr.rows");
    return rows_by_entry(matrix, offsets.positions, map.dimension(0));
  });
  const auto received = comm->exchange(messages);
  const IndexRange entries = matrix.owned_entries();
  LocalRows local;
  agreed(comm, [&] {
    fault_point("csr.rows-received");
    for (const Message& message : received) {
      const auto words = adapter::from_bytes<Index>(message.bytes);
      for (std::size_t i = 1; i < words.size(); ++i)
        local.starts.push_back(words[i] - entries.start);
    }
    local.starts.push_back(entries.size());
  });
  const auto count = static_cast<Index>(local.starts.size()) - 1;
  const Index before = comm->exclusive_sum(count);
  local.rows = {before, before + count};
  local.carry = find_carry(local, entries.size(), comm);
  return local;
}

}  // namespace

LocalRows find_local_rows(const CsrArrays& matrix, const OwnedOffsets& offsets, const Comm& comm) {
  if (offsets.aligned) return agreed(comm, [&] { return rows_on_their_rank(matrix, offsets); });
  return rows_where_they_begin(matrix, offsets, comm);
}

}  // namespace daptor::detail
