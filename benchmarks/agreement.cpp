// SPDX-License-Identifier: BSD-3-Clause
// Times what it adds to a call's first agreement that the ranks compare which call they are in.

#include <array>
#include <cstdint>
#include <string>

#include "daptor/daptor.hpp"
#include "groups.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

/// The minimum over all ranks of each of `Words` integers.
template <std::size_t Words>
void reduce(MPI_Comm comm) {
  std::array<std::int64_t, Words> words{};
  MPI_Allreduce(MPI_IN_PLACE, words.data(), static_cast<int>(Words), MPI_INT64_T, MPI_MIN, comm);
}

}  // namespace

void agreement(MPI_Comm comm, bool quick) {
  const Table table(comm, "What it costs to name the call in its first agreement",
                    {"with the name", "compared with", "time", "time of the other", "difference"});
  const Effort effort{quick ? 11 : 201, 200};
  const auto row = [&](const char* with, const char* without, const Pairs& pairs) {
    table.row({with, without, time_text(quartiles(pairs.ours)), time_text(quartiles(pairs.theirs)),
               time_text(pairs.excess())});
  };
  row("all-reduce of 256 bytes", "all-reduce of 144 bytes",
      alternate(
          comm, effort, [&] { reduce<32>(comm); }, [&] { reduce<18>(comm); }));
  row("all-reduce of 256 bytes", "all-reduce of 8 bytes",
      alternate(
          comm, effort, [&] { reduce<32>(comm); }, [&] { reduce<1>(comm); }));

  const daptor::Comm ranks(comm);
  const auto opening = [&] { daptor::Call(ranks, "petsc::import_vec").check(); };
  std::array<std::int64_t, 1> nobody{};
  row("Call::check", "all-reduce of 8 bytes through a Communicator",
      alternate(comm, effort, opening, [&] {
        nobody[0] = 1;
        ranks->allreduce(nobody.data(), 1, daptor::Reduction::min);
      }));
}

}  // namespace bench
