// SPDX-License-Identifier: BSD-3-Clause
// Measures how much memory wrapping 800 MB keeps and touches, and how much more index metadata
// Daptor keeps than the raw calls.

#include "support/memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <petscdmda.h>
#include <Teuchos_DefaultMpiComm.hpp>
#include <Tpetra_MultiVector.hpp>
#include <daptor/daptor.hpp>
#include <daptor/petsc.hpp>
#include <daptor/tpetra.hpp>

#include "groups.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

using Map = Tpetra::Map<>;

void wrapped_data(MPI_Comm comm, const daptor::GridPosition& line, bool quick) {
  const std::int64_t n = quick ? 1000000 : 100000000;
  const Table table(comm, "Memory added while " + bytes_text(8 * n) + " per rank are wrapped",
                    {"object", "heap growth", "resident growth", "goal 1 MB"});
  const std::unique_ptr<double, void (*)(void*)> data(
      static_cast<double*>(std::malloc(static_cast<std::size_t>(n) * sizeof(double))), std::free);
  std::fill_n(data.get(), n, 1.0);  // make the pages resident before anything is measured
  const auto a = daptor::describe(data.get(), {daptor::block(n * line.size, line)}).on(comm);
  const auto columns =
      daptor::describe(data.get(),
                       {daptor::block(n / 4 * line.size, line), daptor::undistributed(4)},
                       daptor::Order::fortran)
          .on(comm);
  const auto leading = daptor::describe(data.get(), {daptor::undistributed(4),
                                                     daptor::block(n / 4 * line.size, line)})
                           .on(comm);
  const auto report = [&](const std::string& name, const Growth& growth) {
    const bool met = std::max(growth.heap, growth.resident) < 1000000;
    table.row({name, bytes_text(growth.heap), bytes_text(growth.resident), met ? "met" : "missed"});
  };
  report("Vec", growth(comm, [&] { return daptor::petsc::import_vec(a); }));
  report("MatDense, 4 columns", growth(comm, [&] { return daptor::petsc::import_dense(columns); }));
  report("MultiVector, contiguous Map",
         growth(comm, [&] { return daptor::tpetra::import_multivector<double>(a); }));
  report("MultiVector, 4 columns",
         growth(comm, [&] { return daptor::tpetra::import_multivector<double>(leading); }));
}

using OwnedDM = std::unique_ptr<_p_DM, void (*)(DM)>;

/// A DMDA with side x side points on each rank, ranks in one line along y, stencil width 1, and its
/// two vectors.
OwnedDM raw_dmda(MPI_Comm comm, PetscInt side, PetscInt ranks) {
  DM dm = nullptr;
  PetscCallAbort(comm, DMDACreate2d(comm, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_BOX,
                                    side, side * ranks, 1, static_cast<PetscInt>(ranks), 1, 1,
                                    nullptr, nullptr, &dm));
  PetscCallAbort(comm, DMSetUp(dm));
  return OwnedDM(dm, [](DM dead) { DMDestroy(&dead); });
}

/// Fills the padding once, so that PETSc builds what it needs for it.
void update(DM dm) {
  Vec local = nullptr;
  Vec global = nullptr;
  PetscCallAbort(PETSC_COMM_SELF, DMGetLocalVector(dm, &local));
  PetscCallAbort(PETSC_COMM_SELF, DMGetGlobalVector(dm, &global));
  PetscCallAbort(PETSC_COMM_SELF, DMLocalToGlobal(dm, local, INSERT_VALUES, global));
  PetscCallAbort(PETSC_COMM_SELF, DMGlobalToLocal(dm, global, INSERT_VALUES, local));
  PetscCallAbort(PETSC_COMM_SELF, DMRestoreGlobalVector(dm, &global));
  PetscCallAbort(PETSC_COMM_SELF, DMRestoreLocalVector(dm, &local));
  PetscCallAbort(PETSC_COMM_SELF, DMClearGlobalVectors(dm));
  PetscCallAbort(PETSC_COMM_SELF, DMClearLocalVectors(dm));
}

void index_metadata(MPI_Comm comm, const daptor::GridPosition& line, bool quick) {
  const Table table(comm, "Index metadata, in bytes of heap per index",
                    {"object", "indices per rank", "Daptor", "raw calls", "goal: at most 8 more"});
  const std::int64_t side = quick ? 300 : 1000;
  const auto report = [&](const std::string& name, std::int64_t count, std::int64_t ours,
                          std::int64_t raw) {
    const auto each = [&](std::int64_t bytes) {
      const std::int64_t tenths = bytes * 10 / count;
      return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
    };
    table.row({name, std::to_string(count), each(ours), each(raw),
               ours <= raw + 8 * count ? "met" : "missed"});
  };
  const std::int64_t count = side * side;
  const daptor::GridPosition whole{1, 0};
  daptor::BlockOptions padded;
  padded.grid = {line.size, 1};
  padded.communication = {{1, 1}, {1, 1}};
  const auto grid =
      daptor::allocate<double>(daptor::block_dimensions({side * line.size, side}, comm, padded))
          .on(comm);
  const auto petsc_side = static_cast<PetscInt>(side);
  const auto petsc_ranks = static_cast<PetscInt>(line.size);
  report("DMDA", count, growth(comm, [&] { return daptor::petsc::import_dmda(grid); }).heap,
         growth(comm, [&] { return raw_dmda(comm, petsc_side, petsc_ranks); }).heap);
  report("DMDA that has updated its padding", count,
         growth(comm,
                [&] {
                  auto imported = daptor::petsc::import_dmda(grid);
                  imported.update_padding();
                  return imported;
                })
             .heap,
         growth(comm, [&] {
           auto dm = raw_dmda(comm, petsc_side, petsc_ranks);
           update(dm.get());
           return dm;
         }).heap);

  // Columns are divided, so a rank's row-major global indices form as many runs as there are rows.
  const auto columns =
      daptor::describe(static_cast<double*>(nullptr),
                       {daptor::block(side, whole), daptor::block(side * line.size, line)})
          .on(comm);
  std::vector<Map::global_ordinal_type> list;
  for (std::int64_t row = 0; row < side; ++row)
    for (std::int64_t column = 0; column < side; ++column)
      list.push_back(row * side * line.size + line.rank * side + column);
  const auto teuchos = Teuchos::rcp(new Teuchos::MpiComm<int>(comm));
  report("Map from a list, natural numbering of a divided row", count,
         growth(comm, [&] { return daptor::tpetra::import_map(columns); }).heap,
         growth(comm, [&] {
           return Teuchos::rcp(new Map(static_cast<Tpetra::global_size_t>(count * line.size),
                                       Teuchos::ArrayView<const Map::global_ordinal_type>(list), 0,
                                       teuchos));
         }).heap);
}

}  // namespace

void memory(MPI_Comm comm, bool quick) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const daptor::GridPosition line{size, rank};
  wrapped_data(comm, line, quick);
  index_metadata(comm, line, quick);
}

}  // namespace bench
