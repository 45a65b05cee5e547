// SPDX-License-Identifier: BSD-3-Clause
// Times the same update by PETSc and by Tpetra, on the same memory.

#include <petscdmda.h>
#include <Tpetra_Import.hpp>
#include <Tpetra_Vector.hpp>
#include <daptor/petsc.hpp>
#include <daptor/tpetra.hpp>

#include "groups.hpp"
#include "halo_case.hpp"
#include "native.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

Pairs beside_dmda(MPI_Comm comm, const daptor::DistArray& a, const Effort& effort) {
  auto field = daptor::petsc::import_dmda(a);
  daptor::HaloExchange halo(a);
  Pairs pairs = alternate(
      comm, effort, [&] { halo.update(); },
      [&] {
        PetscCallAbort(
            comm, DMLocalToLocalBegin(field.dm(), field.local(), INSERT_VALUES, field.local()));
        PetscCallAbort(comm,
                       DMLocalToLocalEnd(field.dm(), field.local(), INSERT_VALUES, field.local()));
      });
  field.close();
  return pairs;
}

/// An Import fills the whole section from a vector of the owned elements.
Pairs beside_import(MPI_Comm comm, const daptor::DistArray& a, const Effort& effort) {
  const auto owned = daptor::tpetra::import_map(a);
  const auto x = daptor::tpetra::import_vector<double>(
      a, {daptor::Numbering::natural, daptor::tpetra::Part::overlap, 0});
  const Tpetra::Vector<double> source(owned);
  const Tpetra::Import<> import(owned, x.get()->getMap());
  daptor::HaloExchange halo(a);
  return alternate(
      comm, effort, [&] { halo.update(); },
      [&] { x.get()->doImport(source, import, Tpetra::REPLACE); });
}

/// Times Daptor's set-up beside that of the scatter that DMLocalToLocal makes at its first call.
Pairs set_up_beside_dmda(MPI_Comm comm, const daptor::DistArray& a, const Effort& effort) {
  return alternate_timed(
      comm, effort,
      [&] {
        MPI_Barrier(comm);
        const double start = MPI_Wtime();
        // NOLINTNEXTLINE(bugprone-unused-raii): the time includes its end
        daptor::HaloExchange{a};
        return MPI_Wtime() - start;
      },
      [&] {
        auto field = daptor::petsc::import_dmda(a);
        MPI_Barrier(comm);
        const double start = MPI_Wtime();
        PetscCallAbort(
            comm, DMLocalToLocalBegin(field.dm(), field.local(), INSERT_VALUES, field.local()));
        PetscCallAbort(comm,
                       DMLocalToLocalEnd(field.dm(), field.local(), INSERT_VALUES, field.local()));
        const double seconds = MPI_Wtime() - start;
        field.close();
        return seconds;
      });
}

}  // namespace

void halo_peers(MPI_Comm comm, bool quick) {
  const Table table(comm, "The same update by HaloExchange, by PETSc and by Tpetra",
                    {"array per rank", "HaloExchange", "faster than DMLocalToLocal by",
                     "faster than Tpetra::Import by", "set-up of HaloExchange",
                     "first DMLocalToLocal, set-up included"});
  const auto faster = [](Pairs pairs) {
    std::swap(pairs.ours, pairs.theirs);
    return ratio_text(pairs.ratio());
  };
  for (const HaloCase& halo : halo_cases(false)) {
    if (halo.single || (quick && halo.dof > 1)) continue;
    HaloArray<double> array(halo, comm);
    const Pairs dmda = beside_dmda(comm, array.array, {quick ? 5 : 21, 3, 2});
    const Pairs import = beside_import(comm, array.array, {quick ? 3 : 11, 1, 1});
    const Pairs set_up = set_up_beside_dmda(comm, array.array, {quick ? 3 : 7, 1, 1});
    keep(comm, {"halo", halo.text(), "warm", "DMLocalToLocal", 0}, dmda);
    keep(comm, {"halo", halo.text(), "warm", "Tpetra::Import", 0}, import);
    table.row({halo.text(), time_text(quartiles(dmda.ours)), faster(dmda), faster(import),
               time_text(quartiles(set_up.ours).median),
               time_text(quartiles(set_up.theirs).median)});
  }
}

}  // namespace bench
