// SPDX-License-Identifier: BSD-3-Clause
// What other libraries hold goes to a file and comes back by its export, in one line. PETSc reads
// what Daptor has written, and the reverse.

#include <ga.h>
#include <petscdmda.h>
#include <petscmat.h>
#include <petscviewerhdf5.h>

#include <Tpetra_Core.hpp>
#include <Tpetra_Map.hpp>
#include <Tpetra_MultiVector.hpp>

#include "../../ga/tests/arrays.hpp"
#include "daptor/ga.hpp"
#include "daptor/lease.hpp"
#include "daptor/petsc.hpp"
#include "daptor/scalapack.hpp"
#include "daptor/tpetra.hpp"
#include "fields.hpp"

namespace daptor::hdf5::test {
namespace {

using ga::test::element;
using ga::test::for_each_owned;

#define EXPECT_OK(call) EXPECT_EQ(static_cast<int>(call), 0) << #call

double stamp(const std::vector<Index>& global, const Shape& shape) {
  Index number = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) number = number * shape[d] + global[d];
  return static_cast<double>(number + 1);
}

void write_stamps(const DistArray& a, double scale = 1) {
  const WriteLease lease(a);
  for_each_owned(a, [&](const std::vector<Index>& local, const std::vector<Index>& global) {
    *element(a, local) = scale * stamp(global, a.global_shape());
  });
}

void expect_stamps(const DistArray& a) {
  const ReadLease lease(a);
  int wrong = 0;
  for_each_owned(a, [&](const std::vector<Index>& local, const std::vector<Index>& global) {
    if (*element(a, local) != stamp(global, a.global_shape())) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

/// The export of a native object is saved, and read into blocks of the expected shape; and the
/// other way round.
void expect_round_trip(const DistArray& native, const Shape& shape) {
  const Folder folder;
  write_stamps(native);
  save(native, folder / "state", "x");
  const DistArray blocks = allocate<double>(blocks_of(shape, world, {})).on(world);
  load(blocks, folder / "state", "x");
  expect_stamps(blocks);
  write_stamps(native, 0);
  load(native, folder / "state", "x");
  expect_stamps(native);
}

Vec make_vec(PetscInt size, PetscInt block_size = 1) {
  Vec x = nullptr;
  EXPECT_OK(VecCreate(PETSC_COMM_WORLD, &x));
  EXPECT_OK(VecSetSizes(x, PETSC_DECIDE, size));
  EXPECT_OK(VecSetBlockSize(x, block_size));
  EXPECT_OK(VecSetType(x, VECSTANDARD));
  EXPECT_OK(PetscObjectSetName(reinterpret_cast<PetscObject>(x), "x"));
  return x;
}

/// A grid of 7 x 5 points in PETSc's x and y, and its vector, which is named `x`.
struct Grid {
  DM dm = nullptr;
  Vec vec = nullptr;

  explicit Grid(PetscInt dof) {
    EXPECT_OK(DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_BOX,
                           7, 5, PETSC_DECIDE, PETSC_DECIDE, dof, 1, nullptr, nullptr, &dm));
    EXPECT_OK(DMSetUp(dm));
    EXPECT_OK(DMCreateGlobalVector(dm, &vec));
    EXPECT_OK(PetscObjectSetName(reinterpret_cast<PetscObject>(vec), "x"));
  }
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;
  ~Grid() {
    VecDestroy(&vec);
    DMDestroy(&dm);
  }
};

TEST(Exports, OfAVec) {
  for (const PetscInt block_size : {1, 3}) {
    Vec x = make_vec(21, block_size);
    expect_round_trip(petsc::export_vec(x), block_size == 1 ? Shape{21} : Shape{7, 3});
    VecDestroy(&x);
  }
}

TEST(Exports, OfAGridOfPetsc) {
  const Grid one(1), several(2);
  expect_round_trip(petsc::export_dmda(one.dm, one.vec), {5, 7});
  expect_round_trip(petsc::export_dmda(several.dm, several.vec), {5, 7, 2});
}

TEST(Exports, OfADenseMatOfPetsc) {
  Mat matrix = nullptr;
  EXPECT_OK(MatCreateDense(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, 8, 5, nullptr, &matrix));
  EXPECT_OK(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  EXPECT_OK(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  expect_round_trip(petsc::export_dense(matrix), {8, 5});
  MatDestroy(&matrix);
}

TEST(Exports, OfAMultiVectorOfTpetra) {
  using Map = Tpetra::Map<>;
  const auto map = Teuchos::rcp(new Map(Tpetra::global_size_t(13), 0, Tpetra::getDefaultComm()));
  const auto x = Teuchos::rcp(new Tpetra::MultiVector<double>(map, 2));
  expect_round_trip(tpetra::export_multivector(x), {2, 13});
}

TEST(Exports, OfAMatrixOfScalapack) {
  const scalapack::Grid grid(Comm{world});
  const DistArray like = allocate<double>(blocks_of({9, 7}, world, {})).on(world);
  auto matrix = scalapack::copy_to_matrix<double>(like, grid, {2, 3});
  expect_round_trip(scalapack::export_matrix(matrix.desc(), matrix.data(), Comm(world)), {9, 7});
}

TEST(Exports, OfAGlobalArray) {
  const ga::test::OwnedGlobalArray made({6, 9});
  expect_round_trip(ga::export_array(made.handle()), {6, 9});
}

#ifdef PETSC_HAVE_HDF5
PetscViewer viewer_of(const std::string& path, PetscFileMode mode) {
  PetscViewer viewer = nullptr;
  EXPECT_OK(PetscViewerHDF5Open(PETSC_COMM_WORLD, path.c_str(), mode, &viewer));
  return viewer;
}

/// PETSc reads what is saved of `described()`, the export of `vec`, and Daptor what PETSc writes.
void expect_exchanged(Vec vec, const std::function<DistArray()>& described) {
  const Folder folder;
  const DistArray array = described();
  write_stamps(array);
  save(array, folder / "daptor", "x");
  write_stamps(array, 0);
  PetscViewer viewer = viewer_of(folder / "daptor", FILE_MODE_READ);
  EXPECT_OK(VecLoad(vec, viewer));
  EXPECT_OK(PetscViewerDestroy(&viewer));
  // VecLoad may give the Vec other memory.
  const DistArray loaded = described();
  expect_stamps(loaded);

  viewer = viewer_of(folder / "petsc", FILE_MODE_WRITE);
  EXPECT_OK(VecView(vec, viewer));
  EXPECT_OK(PetscViewerDestroy(&viewer));
  write_stamps(loaded, 0);
  load(loaded, folder / "petsc", "x");
  expect_stamps(loaded);
}

TEST(Petsc, ReadsAVecAndWritesOne) {
  for (const PetscInt block_size : {1, 3}) {
    Vec x = make_vec(21, block_size);
    expect_exchanged(x, [&] { return petsc::export_vec(x); });
    VecDestroy(&x);
  }
}

TEST(Petsc, ReadsAGridAndWritesOne) {
  for (const PetscInt dof : {1, 2}) {
    const Grid grid(dof);
    expect_exchanged(grid.vec, [&] { return petsc::export_dmda(grid.dm, grid.vec); });
  }
}
#endif

}  // namespace
}  // namespace daptor::hdf5::test
