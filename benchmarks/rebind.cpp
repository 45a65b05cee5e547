// SPDX-License-Identifier: BSD-3-Clause
// Times putting other memory under an existing native object, beside the raw calls.

#include <petscvec.h>
#include <daptor/petsc.hpp>
#include <daptor/tpetra.hpp>

#include "groups.hpp"
#include "native.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

/// Two arrays of one layout, under which an object is put in turn.
struct Two {
  static constexpr std::int64_t n = 1000000;

  explicit Two(MPI_Comm comm)
      : a(array_of(comm, first.data.get(), n)), b(a.with_memory(second.data.get())) {}

  double* pointer(bool turn) const { return turn ? first.data.get() : second.data.get(); }

  Memory first{n};
  Memory second{n};
  daptor::DistArray a, b;
};

void row(const Table& table, const std::string& name, const Pairs& pairs) {
  table.row({name, time_text(quartiles(pairs.ours)), time_text(quartiles(pairs.theirs)),
             time_text(pairs.excess()), judged(pairs.excess(), 50e-9)});
}

void rebind_vec(const Table& table, MPI_Comm comm, const Effort& effort) {
  const Two two(comm);
  auto x = daptor::petsc::import_vec(two.a);
  Vec y = nullptr;
  PetscCallAbort(comm, VecCreateMPIWithArray(comm, 1, static_cast<PetscInt>(Two::n), PETSC_DECIDE,
                                             two.pointer(true), &y));
  PetscCallAbort(comm, VecPlaceArray(y, two.pointer(false)));
  bool turn = false;
  const auto ours = [&] {
    x.rebind(turn ? two.a : two.b);
    turn = !turn;
  };
  const auto raw = [&] {
    PetscCallAbort(comm, VecResetArray(y));
    PetscCallAbort(comm, VecPlaceArray(y, two.pointer(turn)));
    turn = !turn;
  };
  row(table, "Vec (VecResetArray, VecPlaceArray)", alternate(comm, effort, ours, raw));
  x.close();
  PetscCallAbort(comm, VecDestroy(&y));
}

void rebind_multivector(const Table& table, MPI_Comm comm, const Effort& effort) {
  const Two two(comm);
  auto x = daptor::tpetra::import_multivector<double>(two.a);
  const auto map = x.get()->getMap();
  const auto y = raw_multivector(map, two.pointer(true), Two::n);
  bool turn = false;
  const auto ours = [&] {
    x.rebind(turn ? two.a : two.b);
    turn = !turn;
  };
  const auto raw = [&] {
    using Dual = MultiVector::dual_view_type;
    const Dual::t_host view(two.pointer(turn), Two::n, 1);
    *y = MultiVector(map, Dual(view, view));
    turn = !turn;
  };
  row(table, "MultiVector (a new one over the Map, assigned)", alternate(comm, effort, ours, raw));
}

}  // namespace

void rebind(MPI_Comm comm, bool quick) {
  const Table table(comm, "Putting other memory under an existing object, n = 1e6 doubles per rank",
                    {"object", "rebind", "raw calls", "excess", "goal 50 ns"});
  const Effort effort{quick ? 11 : 101, 2000};
  rebind_vec(table, comm, effort);
  rebind_multivector(table, comm, effort);
}

}  // namespace bench
