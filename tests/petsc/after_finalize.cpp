// SPDX-License-Identifier: BSD-3-Clause
// Objects that outlive PetscFinalize, or come from an earlier session, are left alone, which is
// noted once, and cause no crash; other calls throw.

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include <daptor/daptor.hpp>
#include <daptor/petsc.hpp>

namespace {

int failures = 0;

void expect(bool condition, const char* what) {
  if (condition) return;
  std::printf("FAILED: %s\n", what);
  ++failures;
}

template <class Error, class F>
void expect_throws(F&& body, const char* what) {
  try {
    body();
    expect(false, what);
  } catch (const Error&) {
  }
}

using namespace daptor::petsc;

struct Survivors {
  std::optional<daptor::DistArray> array, exported, exported_dense;
  ImportedVec vec, padded;
  ImportedDMDA dmda;
  ImportedDense dense;
  LocalToGlobal mapping;
  NaturalOrdering ordering;
  std::weak_ptr<std::vector<PetscScalar>> memory;
};

Survivors make() {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Survivors all;
  auto memory = std::make_shared<std::vector<PetscScalar>>(64);
  all.memory = memory;
  all.array = daptor::describe(memory->data(),
                               {daptor::block(16 * size, {size, rank}), daptor::undistributed(2)},
                               daptor::Order::c, memory)
                  .on(MPI_COMM_WORLD);
  memory.reset();
  all.vec = import_vec(*all.array);
  all.padded = import_padded_vec(*all.array);
  all.dmda = import_dmda(*all.array);
  std::vector<PetscScalar> columns(64);
  all.dense = import_dense(daptor::allocate<PetscScalar>(
                               {daptor::block(16 * size, {size, rank}), daptor::undistributed(2)},
                               daptor::Order::fortran)
                               .on(MPI_COMM_WORLD));
  all.mapping = local_to_global(*all.array, Numbering::contiguous);
  all.ordering = natural_ordering(*all.array);
  Vec x = nullptr;
  VecCreateMPI(MPI_COMM_WORLD, 4, PETSC_DETERMINE, &x);
  all.exported = export_vec(x);
  VecDestroy(&x);
  Mat mat = nullptr;
  MatCreateDense(MPI_COMM_WORLD, 4, PETSC_DECIDE, PETSC_DETERMINE, 2, nullptr, &mat);
  all.exported_dense = export_dense(mat);
  MatDestroy(&mat);
  return all;
}

void expect_finalized(Survivors& all) {
  using daptor::Finalized;
  expect_throws<Finalized>([&] { import_vec(*all.array); }, "import_vec");
  expect_throws<Finalized>([&] { import_dmda(*all.array); }, "import_dmda");
  expect_throws<Finalized>([&] { export_vec(all.vec.get()); }, "export_vec");
  expect_throws<Finalized>([&] { all.vec.close(); }, "close");
  expect_throws<Finalized>([&] { all.vec.rebind(*all.array); }, "rebind");
  expect_throws<Finalized>([&] { all.dmda.update_padding(); }, "update_padding");
  expect_throws<Finalized>([&] { all.dmda.close(); }, "dmda close");
  expect_throws<Finalized>([&] { all.dense.close(); }, "dense close");
  expect_throws<Finalized>([&] { daptor::ReadLease{*all.exported}; }, "lease");
  // The memory of a user's own code is not PETSc's.
  daptor::ReadLease lease(*all.array);
  all.array->modified();
  all.exported->modified();
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // Its destructor runs after MPI_Finalize.
  static Survivors very_late;
  {
    const daptor::DistArray early =
        daptor::allocate<PetscScalar>({daptor::block(4 * size, {size, rank})}).on(MPI_COMM_WORLD);
    expect_throws<daptor::InvalidArgument>([&] { import_vec(early); }, "before");
  }
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  {
    Survivors late = make();
    very_late = make();
    PetscFinalize();
    expect_finalized(late);
    const auto memory = late.memory;
    late = Survivors();
    expect(memory.expired(), "the producer is let go after PetscFinalize");
  }
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  {
    // A second session is not the first one.
    expect_throws<daptor::Finalized>([&] { very_late.vec.close(); },
                                     "an object of another session");
    expect_throws<daptor::Finalized>([&] { very_late.vec.rebind(*very_late.array); }, "rebind");
    Survivors fresh = make();
    fresh.vec.close();
    expect(fresh.array->buffer().state()->view_count() >= 1, "the others are still there");
    fresh = Survivors();
  }
  PetscFinalize();
  MPI_Finalize();
  if (failures == 0 && rank == 0) std::printf("all as promised\n");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
