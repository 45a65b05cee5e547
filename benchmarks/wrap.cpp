// SPDX-License-Identifier: BSD-3-Clause
// Times making native objects on existing memory, and describing them, beside the raw calls.

#include <string>
#include <vector>

#include <petscvec.h>
#include <Teuchos_DefaultMpiComm.hpp>
#include <daptor/petsc.hpp>
#include <daptor/tpetra.hpp>

#include "groups.hpp"
#include "native.hpp"
#include "support/mpi_share.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

/// Seconds of `work` without what it spends in blocking collective MPI calls.
template <class Work>
double without_mpi(int batch, const Work& work) {
  reset_mpi_share();
  const double start = MPI_Wtime();
  for (int i = 0; i < batch; ++i) work();
  return (MPI_Wtime() - start - mpi_share().seconds) / batch;
}

/// Our collective calls less those of the raw way.
template <class Ours, class Raw>
int collective_calls(const Ours& ours, const Raw& raw) {
  reset_mpi_share();
  ours();
  const int all = mpi_share().calls;
  reset_mpi_share();
  raw();
  return all - mpi_share().calls;
}

std::string size_text(std::int64_t n) {
  int exponent = 0;
  for (; n >= 10; n /= 10) ++exponent;
  return "1e" + std::to_string(exponent);
}

std::vector<std::int64_t> sizes(bool quick) {
  if (quick) return {1000, 1000000};
  return {1000, 10000, 100000, 1000000, 10000000, 100000000};
}

template <class Ours, class Raw>
void wrap_row(const Table& table, MPI_Comm comm, std::int64_t n, double goal, bool quick,
              const Ours& ours, const Raw& raw) {
  const Effort effort{quick ? 11 : 41, 50};
  const Pairs whole = alternate(comm, effort, ours, raw);
  const Pairs local = alternate_timed(
      comm, effort, [&] { return without_mpi(effort.batch, ours); },
      [&] { return without_mpi(effort.batch, raw); });
  table.row({size_text(n), time_text(quartiles(whole.ours)), time_text(quartiles(whole.theirs)),
             time_text(local.excess()), judged(local.excess(), goal),
             std::to_string(collective_calls(ours, raw))});
}

void wrap_vec(MPI_Comm comm, bool quick) {
  const Table table(comm, "Making and destroying a Vec on n doubles per rank",
                    {"n", "import_vec", "VecCreateMPIWithArray", "excess without MPI", "goal 6 us",
                     "additional collective calls (goal: at most 4)"});
  for (const std::int64_t n : sizes(quick)) {
    const Memory memory(static_cast<std::size_t>(n));
    const auto a = array_of(comm, memory.data.get(), n);
    const auto ours = [&] {
      auto x = daptor::petsc::import_vec(a, comm);
      x.close();
    };
    const auto raw = [&] {
      Vec x = nullptr;
      PetscCallAbort(comm, VecCreateMPIWithArray(comm, 1, static_cast<PetscInt>(n), PETSC_DECIDE,
                                                 memory.data.get(), &x));
      PetscCallAbort(comm, VecDestroy(&x));
    };
    wrap_row(table, comm, n, 6e-6, quick, ours, raw);
  }
}

void wrap_multivector(MPI_Comm comm, bool quick) {
  const Table table(
      comm, "Making and destroying a MultiVector on n doubles per rank, with its contiguous Map",
      {"n", "import_multivector", "Map and MultiVector", "excess without MPI", "goal 0.6 us",
       "additional collective calls (goal: at most 4)"});
  for (const std::int64_t n : sizes(quick)) {
    const Memory memory(static_cast<std::size_t>(n));
    const auto a = array_of(comm, memory.data.get(), n);
    const auto teuchos = Teuchos::rcp(new Teuchos::MpiComm<int>(comm));
    const auto ours = [&] { daptor::tpetra::import_multivector<double>(a, comm); };
    const auto raw = [&] {
      const Ranks ranks(comm);
      const auto map = Teuchos::rcp(new Map(static_cast<Tpetra::global_size_t>(n * ranks.size),
                                            static_cast<std::size_t>(n), 0, teuchos));
      raw_multivector(map, memory.data.get(), static_cast<std::size_t>(n));
    };
    wrap_row(table, comm, n, 6e-7, quick, ours, raw);
  }
}

void exporting(MPI_Comm comm, bool quick) {
  const Table table(
      comm, "Describing a native object of n doubles per rank",
      {"n", "export_vec", "VecGetArray, VecRestoreArray", "export_multivector", "getData"});
  const Ranks ranks(comm);
  for (const std::int64_t n : sizes(quick)) {
    if (n > 10000000) break;
    Vec x = nullptr;
    PetscCallAbort(comm, VecCreateMPI(comm, static_cast<PetscInt>(n), PETSC_DECIDE, &x));
    const auto teuchos = Teuchos::rcp(new Teuchos::MpiComm<int>(comm));
    const auto map = Teuchos::rcp(new Map(static_cast<Tpetra::global_size_t>(n * ranks.size),
                                          static_cast<std::size_t>(n), 0, teuchos));
    const auto vector = Teuchos::rcp(new MultiVector(map, 1));
    const Effort effort{quick ? 11 : 41, 200};
    const Pairs vec = alternate(
        comm, effort, [&] { daptor::petsc::export_vec(x); },
        [&] {
          PetscScalar* values = nullptr;
          PetscCallAbort(comm, VecGetArray(x, &values));
          PetscCallAbort(comm, VecRestoreArray(x, &values));
        });
    const Pairs multivector = alternate(
        comm, effort, [&] { daptor::tpetra::export_multivector(vector); },
        [&] { vector->getData(0); });
    table.row({size_text(n), time_text(quartiles(vec.ours)), time_text(quartiles(vec.theirs)),
               time_text(quartiles(multivector.ours)), time_text(quartiles(multivector.theirs))});
    PetscCallAbort(comm, VecDestroy(&x));
  }
}

}  // namespace

void wrap(MPI_Comm comm, bool quick) {
  wrap_vec(comm, quick);
  wrap_multivector(comm, quick);
  exporting(comm, quick);
}

}  // namespace bench
