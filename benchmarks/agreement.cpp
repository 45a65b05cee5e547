// SPDX-License-Identifier: BSD-3-Clause
// What it costs to name the collective call that a rank is in.

#include <array>
#include <cstdint>
#include <string>

#include "daptor/daptor.hpp"
#include "groups.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

/// The least of `Words` integers.
template <std::size_t Words>
void reduce(MPI_Comm comm) {
  std::array<std::int64_t, Words> words{};
  MPI_Allreduce(MPI_IN_PLACE, words.data(), static_cast<int>(Words), MPI_INT64_T, MPI_MIN, comm);
}

}  // namespace

void agreement(MPI_Comm comm, bool quick) {
  const Table table(comm, "The first agreement of a call, with the call's code",
                    {"with", "without", "time", "time without", "more"});
  const Effort effort{quick ? 11 : 201, 200};
  const auto row = [&](const char* with, const char* without, const Pairs& pairs) {
    table.row({with, without, time_text(quartiles(pairs.ours)), time_text(quartiles(pairs.theirs)),
               time_text(pairs.excess())});
  };
  row("all-reduce of 144 bytes", "of 64 bytes, as validate had it",
      alternate(
          comm, effort, [&] { reduce<18>(comm); }, [&] { reduce<8>(comm); }));
  row("all-reduce of 144 bytes", "of 8 bytes",
      alternate(
          comm, effort, [&] { reduce<18>(comm); }, [&] { reduce<1>(comm); }));

  const daptor::Comm ranks(comm);
  const auto opening = [&] {
    const daptor::CollectiveCall call(ranks, "petsc::import_vec");
    daptor::agreed(ranks, [] {});
  };
  std::array<std::int64_t, 1> nobody{};
  row("CollectiveCall and agreed", "all-reduce of 8 bytes through a Communicator",
      alternate(comm, effort, opening, [&] {
        nobody[0] = 1;
        ranks->allreduce(nobody.data(), 1, daptor::Reduction::min);
      }));
}

}  // namespace bench
