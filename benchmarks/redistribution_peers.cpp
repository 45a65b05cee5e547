// SPDX-License-Identifier: BSD-3-Clause
// Performs the same redistribution with PETSc and Tpetra, on the same memory.

#include "redistribution_peers.hpp"

#include <memory>

#include <petscsf.h>
#include <petscvec.h>
#include <Tpetra_Import.hpp>
#include <Tpetra_Vector.hpp>
#include <daptor/tpetra.hpp>

#include "native.hpp"

namespace bench {
namespace {

std::vector<Position> positions_of(const HeldArray& from, const HeldArray& to, MPI_Comm comm) {
  return positions(from.placement, to.placement, to.rank, Ranks(comm).size);
}

Peer star_forest(HeldArray& from, HeldArray& to, MPI_Comm comm) {
  auto roots = std::make_shared<std::vector<PetscSFNode>>();
  for (const Position& at : positions_of(from, to, comm)) roots->push_back({at.rank, at.offset});
  const auto set_up = [&from, &to, comm, roots] {
    PetscSF sf = nullptr;
    const auto count = static_cast<PetscInt>(roots->size());
    PetscCallAbort(comm, PetscSFCreate(comm, &sf));
    PetscCallAbort(comm,
                   PetscSFSetGraph(sf, static_cast<PetscInt>(from.memory.size()), count, nullptr,
                                   PETSC_USE_POINTER, roots->data(), PETSC_USE_POINTER));
    PetscCallAbort(comm, PetscSFSetUp(sf));
    const std::shared_ptr<_p_PetscSF> held(sf, [](PetscSF old) { PetscSFDestroy(&old); });
    return std::function<void()>([&from, &to, comm, held] {
      PetscCallAbort(comm, PetscSFBcastBegin(held.get(), MPI_DOUBLE, from.memory.data(),
                                             to.memory.data(), MPI_REPLACE));
      PetscCallAbort(comm, PetscSFBcastEnd(held.get(), MPI_DOUBLE, from.memory.data(),
                                           to.memory.data(), MPI_REPLACE));
    });
  };
  return {"PetscSF", 8, set_up};
}

/// The forest in the opposite direction: the roots are the target's blocks, which PETSc finds by
/// itself.
Peer reversed_forest(HeldArray& from, HeldArray& to, MPI_Comm comm) {
  const auto numbers = from.placement.owned(from.rank).front();
  const auto globals =
      std::make_shared<const std::vector<PetscInt>>(numbers.begin(), numbers.end());
  const auto set_up = [&from, &to, comm, globals] {
    PetscSF sf = nullptr;
    PetscLayout layout = nullptr;
    const auto count = static_cast<PetscInt>(globals->size());
    PetscCallAbort(comm, PetscSFCreate(comm, &sf));
    PetscCallAbort(comm, PetscLayoutCreateFromSizes(comm, static_cast<PetscInt>(to.memory.size()),
                                                    PETSC_DECIDE, 1, &layout));
    PetscCallAbort(comm, PetscSFSetGraphLayout(sf, layout, count, nullptr, PETSC_USE_POINTER,
                                               globals->data()));
    PetscCallAbort(comm, PetscLayoutDestroy(&layout));
    PetscCallAbort(comm, PetscSFSetUp(sf));
    const std::shared_ptr<_p_PetscSF> held(sf, [](PetscSF old) { PetscSFDestroy(&old); });
    return std::function<void()>([&from, &to, comm, held] {
      PetscCallAbort(comm, PetscSFReduceBegin(held.get(), MPI_DOUBLE, from.memory.data(),
                                              to.memory.data(), MPI_REPLACE));
      PetscCallAbort(comm, PetscSFReduceEnd(held.get(), MPI_DOUBLE, from.memory.data(),
                                            to.memory.data(), MPI_REPLACE));
    });
  };
  return {"PetscSF", 1, set_up};
}

/// Vecs on both sections, and the positions of the target's elements in the first Vec.
struct Vectors {
  Vectors(HeldArray& from, HeldArray& to, MPI_Comm comm) {
    PetscCallAbort(comm, VecCreateMPIWithArray(comm, 1, static_cast<PetscInt>(from.memory.size()),
                                               PETSC_DECIDE, from.memory.data(), &x));
    PetscCallAbort(comm, VecCreateMPIWithArray(comm, 1, static_cast<PetscInt>(to.memory.size()),
                                               PETSC_DECIDE, to.memory.data(), &y));
    const PetscInt* starts = nullptr;
    PetscCallAbort(comm, VecGetOwnershipRanges(x, &starts));
    for (const Position& at : positions_of(from, to, comm))
      indices.push_back(starts[at.rank] + at.offset);
  }
  ~Vectors() {
    VecDestroy(&x);
    VecDestroy(&y);
  }
  Vectors(const Vectors&) = delete;
  Vectors& operator=(const Vectors&) = delete;

  Vec x = nullptr, y = nullptr;
  std::vector<PetscInt> indices;
};

VecScatter made_scatter(MPI_Comm comm, const Vectors& vectors) {
  IS from = nullptr;
  IS to = nullptr;
  VecScatter scatter = nullptr;
  PetscInt start = 0;
  const auto count = static_cast<PetscInt>(vectors.indices.size());
  PetscCallAbort(comm, VecGetOwnershipRange(vectors.y, &start, nullptr));
  PetscCallAbort(comm,
                 ISCreateGeneral(comm, count, vectors.indices.data(), PETSC_USE_POINTER, &from));
  PetscCallAbort(comm, ISCreateStride(comm, count, start, 1, &to));
  PetscCallAbort(comm, VecScatterCreate(vectors.x, from, vectors.y, to, &scatter));
  PetscCallAbort(comm, ISDestroy(&from));
  PetscCallAbort(comm, ISDestroy(&to));
  return scatter;
}

Peer scatter_peer(HeldArray& from, HeldArray& to, MPI_Comm comm) {
  const auto vectors = std::make_shared<const Vectors>(from, to, comm);
  const auto set_up = [comm, vectors] {
    const std::shared_ptr<_p_PetscSF> held(made_scatter(comm, *vectors),
                                           [](VecScatter old) { VecScatterDestroy(&old); });
    return std::function<void()>([comm, vectors, held] {
      VecScatter scatter = held.get();
      PetscCallAbort(
          comm, VecScatterBegin(scatter, vectors->x, vectors->y, INSERT_VALUES, SCATTER_FORWARD));
      PetscCallAbort(
          comm, VecScatterEnd(scatter, vectors->x, vectors->y, INSERT_VALUES, SCATTER_FORWARD));
    });
  };
  return {"VecScatter", 20, set_up};
}

Peer import_peer(HeldArray& from, HeldArray& to) {
  const auto source = daptor::tpetra::import_map(from.array);
  const auto target = daptor::tpetra::import_map(to.array);
  const auto x = raw_multivector(source, from.memory.data(), from.memory.size());
  const auto y = raw_multivector(target, to.memory.data(), to.memory.size());
  const auto set_up = [source, target, x, y] {
    const auto import = std::make_shared<const Tpetra::Import<>>(source, target);
    return std::function<void()>([import, x, y] { y->doImport(*x, *import, Tpetra::REPLACE); });
  };
  return {"Tpetra::Import", 1, set_up};
}

}  // namespace

std::vector<Peer> redistribution_peers(HeldArray& from, HeldArray& to, MPI_Comm comm) {
  std::vector<Peer> peers = scalapack_peer(from, to, comm);
  peers.push_back(star_forest(from, to, comm));
  peers.push_back(scatter_peer(from, to, comm));
  return peers;
}

std::vector<Peer> permutation_peers(HeldArray& from, HeldArray& to, MPI_Comm comm) {
  return {reversed_forest(from, to, comm), import_peer(from, to)};
}

#ifndef DAPTOR_SCALAPACK
std::vector<Peer> scalapack_peer(HeldArray&, HeldArray&, MPI_Comm) {
  return {};
}
#endif

}  // namespace bench
