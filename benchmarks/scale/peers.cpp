// SPDX-License-Identifier: BSD-3-Clause
// Measures what PETSc, Tpetra and Daptor keep on each rank for the same arrays, and what they
// communicate to make them. Every rank has 1000 elements, whatever the number of ranks. Writes one
// line of JSON for each object; docs/scale.md compares numbers of ranks.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <petscdmda.h>
#include <Teuchos_DefaultMpiComm.hpp>
#include <Tpetra_Map.hpp>
#include <daptor/daptor.hpp>

#include <Tpetra_Core.hpp>

#include "support/memory.hpp"
#include "traffic.hpp"

namespace bench {
namespace {

using daptor::GridPosition;
using daptor::Index;
using Map = Tpetra::Map<>;
using Global = Map::global_ordinal_type;

constexpr Index edge = 10;
constexpr Index share = edge * edge * edge;

template <class Handle, PetscErrorCode (*destroy)(Handle*)>
struct Destroying {
  explicit Destroying(Handle made) : handle(made) {}
  Destroying(Destroying&& other) noexcept : handle(other.handle) { other.handle = nullptr; }
  Destroying& operator=(Destroying&&) = delete;
  ~Destroying() {
    if (handle != nullptr) destroy(&handle);
  }
  Handle handle;
};
using OwnedGrid = Destroying<DM, DMDestroy>;
using OwnedVec = Destroying<Vec, VecDestroy>;
using OwnedScatter = Destroying<VecScatter, VecScatterDestroy>;

/// A periodic grid of 10 x 10 x 10 points a rank, of stencil width 1.
OwnedGrid grid_of(MPI_Comm comm, const std::vector<Index>& processes) {
  DM dm = nullptr;
  const auto count = [&](std::size_t d) { return static_cast<PetscInt>(processes[d]); };
  const auto size = [&](std::size_t d) { return static_cast<PetscInt>(edge) * count(d); };
  PetscCallAbort(
      comm, DMDACreate3d(comm, DM_BOUNDARY_PERIODIC, DM_BOUNDARY_PERIODIC, DM_BOUNDARY_PERIODIC,
                         DMDA_STENCIL_BOX, size(2), size(1), size(0), count(2), count(1), count(0),
                         1, 1, nullptr, nullptr, nullptr, &dm));
  PetscCallAbort(comm, DMSetUp(dm));
  return OwnedGrid(dm);
}

/// A Vec without elements.
OwnedVec vector_of(MPI_Comm comm) {
  Vec vec = nullptr;
  PetscCallAbort(comm, VecCreateMPIWithArray(comm, 1, static_cast<PetscInt>(share), PETSC_DETERMINE,
                                             nullptr, &vec));
  return OwnedVec(vec);
}

/// This rank's part of a permutation in which neighbours are far apart.
std::vector<Index> shuffled(const GridPosition& line) {
  const Index size = share * line.size;
  Index step = 2654435761 % size;
  while (std::gcd(step, size) != 1) ++step;
  std::vector<Index> mine(static_cast<std::size_t>(share));
  for (Index i = 0; i < share; ++i)
    mine[static_cast<std::size_t>(i)] = (line.rank * share + i) % size * step % size;
  return mine;
}

/// Moves the elements of a Vec to the places that the permutation gives them.
OwnedScatter scatter_of(MPI_Comm comm, const std::vector<Index>& list) {
  const OwnedVec from = vector_of(comm);
  const OwnedVec to = vector_of(comm);
  const std::vector<PetscInt> indices(list.begin(), list.end());
  IS is = nullptr;
  VecScatter scatter = nullptr;
  PetscCallAbort(comm, ISCreateGeneral(comm, static_cast<PetscInt>(share), indices.data(),
                                       PETSC_COPY_VALUES, &is));
  PetscCallAbort(comm, VecScatterCreate(from.handle, nullptr, to.handle, is, &scatter));
  PetscCallAbort(comm, ISDestroy(&is));
  return OwnedScatter(scatter);
}

/// A Map that has answered a question, and so has its directory.
Teuchos::RCP<Map> with_directory(const Teuchos::RCP<Map>& map) {
  const std::vector<Global> asked{0};
  std::vector<int> owner(1);
  map->getRemoteIndexList(Teuchos::ArrayView<const Global>(asked), Teuchos::ArrayView<int>(owner));
  return map;
}

/// Collective. Counts what it takes to make an object that has been made before, and prints it.
/// Memory is the mean of many objects, because the allocator hands out some small pieces that it
/// counts as in use all the time.
template <class Make>
void measure(MPI_Comm comm, const char* object, const char* library, const Make& make) {
  int ranks = 1, rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  const auto most = [&](std::int64_t value) {
    std::int64_t greatest = 0;
    PMPI_Allreduce(&value, &greatest, 1, MPI_INT64_T, MPI_MAX, comm);
    return static_cast<long long>(greatest);
  };
  constexpr int objects = 32;
  std::vector<decltype(make())> kept;
  kept.reserve(objects + 1);
  kept.push_back(make());
  const MpiTraffic start = mpi_traffic();
  kept.push_back(make());
  const MpiTraffic end = mpi_traffic();
  const Growth before = in_use();
  for (int i = 0; i + 1 < objects; ++i) kept.push_back(make());
  const long long heap = grown_since(before, comm).heap / (objects - 1);
  const long long calls = most(end.collectives - start.collectives);
  const long long small = most(end.collective_bytes - start.collective_bytes);
  const long long gathered = most(end.gathered_bytes - start.gathered_bytes);
  const long long messages = most(end.messages - start.messages);
  const long long bytes = most(end.message_bytes - start.message_bytes);
  if (rank != 0) return;
  std::printf(
      "{\"object\": \"%s\", \"library\": \"%s\", \"ranks\": %d, \"kept\": %lld, "
      "\"collectives\": %lld, \"collective_bytes\": %lld, \"gathered_bytes\": %lld, "
      "\"messages\": %lld, \"message_bytes\": %lld}\n",
      object, library, ranks, heap, calls, small, gathered, messages, bytes);
}

void measure_all(MPI_Comm comm) {
  int ranks = 1, rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  const GridPosition line{ranks, rank};
  const auto teuchos = Teuchos::rcp(new Teuchos::MpiComm<int>(comm));
  const std::vector<Index> processes = daptor::block_grid(3, ranks);
  const std::vector<Index> list = shuffled(line);
  const std::vector<Global> globals(list.begin(), list.end());
  const auto all = static_cast<Tpetra::global_size_t>(share * ranks);

  daptor::BlockOptions options;
  options.grid = processes;
  options.communication = {{1, 1}, {1, 1}, {1, 1}};
  options.periodic = {true, true, true};
  const auto box =
      daptor::allocate<double>(
          daptor::block_dimensions({edge * processes[0], edge * processes[1], edge * processes[2]},
                                   comm, options))
          .on(comm);
  // The first rank has one element more, the last one less.
  const Index mine =
      share + (ranks > 1 && line.first() ? 1 : 0) - (ranks > 1 && line.last() ? 1 : 0);
  const Index start = line.rank * share + (line.first() ? 0 : 1);
  const auto uneven =
      daptor::allocate<double>({daptor::block(share * ranks, line, {start, start + mine})})
          .on(comm);
  const auto blocks = daptor::allocate<double>({daptor::block(share * ranks, line)}).on(comm);
  const auto permuted =
      daptor::allocate<double>(
          {daptor::unstructured(share * ranks, line, daptor::IndexList(list), true)})
          .on(comm);

  measure(comm, "3-d grid with halo", "PETSc DMDA", [&] { return grid_of(comm, processes); });
  measure(comm, "3-d grid with halo", "Daptor HaloExchange",
          [&] { return std::make_unique<daptor::HaloExchange>(box); });
  measure(comm, "uneven blocks", "PETSc Vec", [&] { return vector_of(comm); });
  measure(comm, "uneven blocks", "Tpetra Map", [&] {
    return with_directory(Teuchos::rcp(new Map(all, static_cast<std::size_t>(mine), 0, teuchos)));
  });
  measure(comm, "uneven blocks", "Daptor GlobalIndexMap",
          [&] { return daptor::GlobalIndexMap(uneven); });
  measure(comm, "list of indices", "Tpetra Map", [&] {
    return with_directory(
        Teuchos::rcp(new Map(all, Teuchos::ArrayView<const Global>(globals), 0, teuchos)));
  });
  measure(comm, "list of indices", "Daptor GlobalIndexMap", [&] {
    daptor::GlobalIndexMap map(permuted);
    map.one_to_one(0);
    return map;
  });
  measure(comm, "permutation", "PETSc VecScatter", [&] { return scatter_of(comm, list); });
  measure(comm, "permutation", "Daptor Redistribution",
          [&] { return std::make_unique<daptor::Redistribution>(permuted, blocks); });
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  PetscCallAbort(MPI_COMM_WORLD, PetscInitialize(&argc, &argv, nullptr, nullptr));
  Tpetra::initialize(&argc, &argv);
  bench::measure_all(MPI_COMM_WORLD);
  Tpetra::finalize();
  PetscFinalize();
  MPI_Finalize();
  return 0;
}
