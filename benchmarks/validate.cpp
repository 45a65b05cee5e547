// SPDX-License-Identifier: BSD-3-Clause
// Times `validate` beside Tpetra's own check and beside one small all-reduce.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <Teuchos_DefaultMpiComm.hpp>
#include <daptor/tpetra.hpp>
#include <daptor/validate.hpp>

#include "groups.hpp"
#include "native.hpp"
#include "support/memory.hpp"
#include "support/mpi_share.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

using Indices = std::vector<daptor::Index>;

/// n indices of each rank, drawn without replacement from all n * size: the ranks take turns in one
/// permutation, which is the same on all of them.
Indices permuted(const Ranks& ranks, std::int64_t n) {
  Indices all(static_cast<std::size_t>(n * ranks.size));
  std::iota(all.begin(), all.end(), 0);
  std::shuffle(all.begin(), all.end(), std::mt19937_64(7));  // NOLINT(cert-msc51-cpp)
  const auto first = all.begin() + ranks.rank * n;
  return Indices(first, first + n);
}

/// Seconds that `isOneToOne` takes on a new Map, on the slowest rank; making the Map does not
/// count.
double one_to_one(MPI_Comm comm, const Indices& indices, std::int64_t global_size) {
  const auto teuchos = Teuchos::rcp(new Teuchos::MpiComm<int>(comm));
  const std::vector<Map::global_ordinal_type> mine(indices.begin(), indices.end());
  const Map map(static_cast<Tpetra::global_size_t>(global_size),
                Teuchos::ArrayView<const Map::global_ordinal_type>(mine), 0, teuchos);
  MPI_Barrier(comm);
  const double start = MPI_Wtime();
  if (!map.isOneToOne()) std::abort();
  return MPI_Wtime() - start;
}

double validated(MPI_Comm comm, const daptor::DistArray& array, daptor::Level level) {
  daptor::ValidateOptions options;
  options.level = level;
  MPI_Barrier(comm);
  const double start = MPI_Wtime();
  if (!daptor::validate(array, options)) std::abort();
  return MPI_Wtime() - start;
}

std::string times_text(const Quartiles& ratio) {
  const auto rounded = [](double value) { return std::to_string(std::lround(value)) + "x"; };
  // The ratio is Daptor's time to Tpetra's, so its inverse swaps the quartiles.
  return rounded(1 / ratio.median) + " [" + rounded(1 / ratio.upper) + ", " +
         rounded(1 / ratio.lower) + "]";
}

void beside_one_to_one(const Table& table, MPI_Comm comm, const std::string& name,
                       const daptor::DistArray& array, const Indices& indices, double goal,
                       const Effort& effort) {
  const Ranks ranks(comm);
  const auto all = static_cast<std::int64_t>(indices.size()) * ranks.size;
  const auto full = daptor::Level::full;
  const Pairs pairs = alternate_timed(
      comm, effort, [&] { return validated(comm, array, full); },
      [&] { return one_to_one(comm, indices, all); });

  const std::int64_t our_peak = peak_growth(comm, [&] { validated(comm, array, full); });
  const auto teuchos = Teuchos::rcp(new Teuchos::MpiComm<int>(comm));
  const std::vector<Map::global_ordinal_type> mine(indices.begin(), indices.end());
  const Map map(static_cast<Tpetra::global_size_t>(all),
                Teuchos::ArrayView<const Map::global_ordinal_type>(mine), 0, teuchos);
  const std::int64_t their_peak = peak_growth(comm, [&] { map.isOneToOne(); });

  table.row({name, time_text(quartiles(pairs.ours)), time_text(quartiles(pairs.theirs)),
             times_text(pairs.ratio()), judged(pairs.ratio(), 1 / goal), bytes_text(our_peak),
             bytes_text(their_peak), our_peak * 5 <= their_peak ? "met" : "missed"});
}

void owners(MPI_Comm comm, bool quick) {
  const Table table(
      comm, "Is every index on exactly one rank? validate at level full, and Map::isOneToOne",
      {"array", "validate", "isOneToOne", "validate is faster by", "goal (15x lists, 1000x blocks)",
       "peak memory of validate", "of isOneToOne", "goal: at most a fifth"});
  const Ranks ranks(comm);
  for (const std::int64_t n : {std::int64_t{1000000}, std::int64_t{5000000}}) {
    if (quick && n > 1000000) break;
    const Indices mine = permuted(ranks, n);
    const auto array =
        daptor::describe(static_cast<double*>(nullptr),
                         {daptor::unstructured(n * ranks.size, {ranks.size, ranks.rank},
                                               daptor::IndexList(mine), true)})
            .on(comm);
    beside_one_to_one(table, comm, std::to_string(n) + " permuted indices per rank", array, mine,
                      15, {quick ? 3 : 11, 1, 1});
  }
  const std::int64_t side = 100;
  const auto block = daptor::describe(static_cast<double*>(nullptr),
                                      {daptor::block(side * ranks.size, {ranks.size, ranks.rank}),
                                       daptor::undistributed(side), daptor::undistributed(side)})
                         .on(comm);
  Indices mine(static_cast<std::size_t>(side * side * side));
  std::iota(mine.begin(), mine.end(), ranks.rank * side * side * side);
  std::reverse(mine.begin(), mine.end());  // else the Map is contiguous and knows the answer
  beside_one_to_one(table, comm, "3-d block, 1000000 elements per rank", block, mine, 1000,
                    {quick ? 11 : 41, 1, 3});
}

void metadata(MPI_Comm comm, bool quick) {
  const Table table(
      comm, "validate at level metadata for a row-major array, and an all-reduce of 8 bytes",
      {"dimensions", "validate", "all-reduce", "validate less 10 all-reduces, per dimension",
       "goal 2 us", "collective calls"});
  const Ranks ranks(comm);
  for (int ndim = 1; ndim <= 5; ++ndim) {
    std::vector<daptor::Dimension> dimensions{
        daptor::block(1000 * ranks.size, {ranks.size, ranks.rank})};
    for (int d = 1; d < ndim; ++d) dimensions.push_back(daptor::block(7, {1, 0}));
    const auto array = daptor::describe(static_cast<double*>(nullptr), dimensions).on(comm);
    const Effort effort{quick ? 11 : 41, 200};
    const auto ours = [&] { daptor::validate(array); };
    const auto raw = [&] {
      std::int64_t word = 1;
      MPI_Allreduce(MPI_IN_PLACE, &word, 1, MPI_INT64_T, MPI_MIN, comm);
    };
    const Pairs pairs = alternate(comm, effort, ours, raw);
    std::vector<double> beyond;
    for (std::size_t i = 0; i < pairs.ours.size(); ++i)
      beyond.push_back((pairs.ours[i] - 10 * pairs.theirs[i]) / ndim);
    reset_mpi_share();
    ours();
    table.row({std::to_string(ndim), time_text(quartiles(pairs.ours)),
               time_text(quartiles(pairs.theirs)), time_text(quartiles(beyond)),
               judged(quartiles(beyond), 2e-6), std::to_string(mpi_share().calls)});
  }
}

}  // namespace

void validate(MPI_Comm comm, bool quick) {
  owners(comm, quick);
  metadata(comm, quick);
}

}  // namespace bench
