// SPDX-License-Identifier: BSD-3-Clause
// Times making native objects on existing memory, and describing them, beside the raw calls.

#include <string>
#include <vector>

#include <petscvec.h>
#include <Teuchos_DefaultMpiComm.hpp>
#include <daptor/petsc.hpp>
#include <daptor/tpetra.hpp>

#include "beside.hpp"
#include "groups.hpp"
#include "native.hpp"

namespace bench {
namespace {

std::vector<std::int64_t> sizes(bool quick) {
  if (quick) return {1000, 1000000};
  return {1000, 10000, 100000, 1000000, 10000000, 100000000};
}

void wrap_vec(MPI_Comm comm, bool quick) {
  const Table table(comm, "Making and destroying a Vec on n doubles per rank",
                    {"n", "import_vec", "VecCreateMPIWithArray", "excess without MPI", "goal 6 us",
                     "additional collective calls (goal: at most 4)"});
  for (const std::int64_t n : sizes(quick)) {
    const Memory memory(static_cast<std::size_t>(n));
    const auto a = array_of(comm, memory.data.get(), n);
    const auto ours = [&] {
      auto x = daptor::petsc::import_vec(a);
      x.close();
    };
    const auto raw = [&] {
      Vec x = nullptr;
      PetscCallAbort(comm, VecCreateMPIWithArray(comm, 1, static_cast<PetscInt>(n), PETSC_DECIDE,
                                                 memory.data.get(), &x));
      PetscCallAbort(comm, VecDestroy(&x));
    };
    beside_row(table, comm, {"hand-over", "import_vec", size_text(n), "VecCreateMPIWithArray"},
               6e-6, quick, ours, raw);
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
    const auto ours = [&] { daptor::tpetra::import_multivector<double>(a); };
    const auto raw = [&] {
      const Ranks ranks(comm);
      const auto map = Teuchos::rcp(new Map(static_cast<Tpetra::global_size_t>(n * ranks.size),
                                            static_cast<std::size_t>(n), 0, teuchos));
      raw_multivector(map, memory.data.get(), static_cast<std::size_t>(n));
    };
    beside_row(table, comm,
               {"hand-over", "import_multivector", size_text(n), "Map and MultiVector"}, 6e-7,
               quick, ours, raw);
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
