// SPDX-License-Identifier: BSD-3-Clause
// Saving and loading beside what others do for the same bytes: PETSc's VecView and VecLoad to HDF5,
// and PnetCDF's collective calls where it is found.
//
//   mpirun -n 2 daptor_bench_hdf5_peers [--quick] [<folder>]

#include <petscdmda.h>
#include <petscviewerhdf5.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>

#include <mpi.h>

#include <daptor/daptor.hpp>
#include <daptor/hdf5.hpp>
#include <daptor/petsc.hpp>

#include "support/pairs.hpp"
#ifdef DAPTOR_BENCH_PNETCDF
#include <pnetcdf.h>
#endif

namespace bench {
namespace {

using daptor::DistArray;
using daptor::Index;
using Work = std::function<void()>;

const MPI_Comm world = MPI_COMM_WORLD;

void require(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "%s failed\n", what);
  MPI_Abort(world, 1);
}

/// A file of Daptor, beside a file that somebody else writes and reads.
void measure(const Table& table, const std::string& text, const DistArray& a,
             const std::string& path, const Effort& effort, const Work& write, const Work& read) {
  daptor::hdf5::SaveOptions writing;
  writing.overwrite = true;
  writing.sync = false;
  daptor::hdf5::LoadOptions reading;
  reading.ghosts = false;
  const Pairs saved = alternate(
      world, effort, [&] { daptor::hdf5::save(a, path, "u", writing); }, write);
  const Pairs loaded = alternate(
      world, effort, [&] { daptor::hdf5::load(a, path, "u", reading); }, read);
  table.row({text, time_text(quartiles(saved.ours)), time_text(quartiles(saved.theirs)),
             ratio_text(saved.ratio()), time_text(quartiles(loaded.ours)),
             time_text(quartiles(loaded.theirs)), ratio_text(loaded.ratio())});
}

/// VecView or VecLoad with a file that is opened and closed.
void through_viewer(Vec x, const std::string& path, PetscFileMode mode) {
  PetscViewer viewer = nullptr;
  require(PetscViewerHDF5Open(world, path.c_str(), mode, &viewer) == 0, "PetscViewerHDF5Open");
  require((mode == FILE_MODE_WRITE ? VecView(x, viewer) : VecLoad(x, viewer)) == 0, "a Vec's file");
  PetscViewerDestroy(&viewer);
}

void name(Vec x) {
  PetscObjectSetName(reinterpret_cast<PetscObject>(x), "u");
  VecSet(x, 1.5);
}

void beside_petsc(const Table& table, PetscInt n, const std::string& folder, const Effort& effort) {
  const std::string path = folder + "/petsc.h5";
  // VecLoad gives a Vec other memory, so that it is not the one that is described.
  Vec x = nullptr, loaded = nullptr;
  VecCreateMPI(world, PETSC_DECIDE, n * n, &x);
  VecDuplicate(x, &loaded);
  name(x);
  name(loaded);
  measure(
      table, "PETSc, a Vec", daptor::petsc::export_vec(x), folder + "/daptor.h5", effort,
      [&] { through_viewer(x, path, FILE_MODE_WRITE); },
      [&] { through_viewer(loaded, path, FILE_MODE_READ); });
  VecDestroy(&loaded);
  VecDestroy(&x);

  DM dm = nullptr;
  DMDACreate2d(world, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_STAR, n, n, PETSC_DECIDE,
               PETSC_DECIDE, 1, 1, nullptr, nullptr, &dm);
  DMSetUp(dm);
  DMCreateGlobalVector(dm, &x);
  name(x);
  measure(
      table, "PETSc, a grid", daptor::petsc::export_dmda(dm, x), folder + "/daptor.h5", effort,
      [&] { through_viewer(x, path, FILE_MODE_WRITE); },
      [&] { through_viewer(x, path, FILE_MODE_READ); });
  VecDestroy(&x);
  DMDestroy(&dm);
}

#ifdef DAPTOR_BENCH_PNETCDF
/// Rows of an array of doubles in a file of PnetCDF.
class Netcdf {
 public:
  Netcdf(std::string path, Index n) : path_(std::move(path)), n_(n) {
    int size = 1, rank = 0;
    MPI_Comm_size(world, &size);
    MPI_Comm_rank(world, &rank);
    const daptor::IndexRange mine = daptor::even_block(n, {size, rank});
    start_ = {mine.start, 0};
    count_ = {mine.size(), n};
  }
  void write(const double* elements) const {
    int file = 0, variable = 0;
    std::array<int, 2> dimensions{};
    require(ncmpi_create(world, path_.c_str(), NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file) ==
                NC_NOERR,
            "ncmpi_create");
    ncmpi_def_dim(file, "y", n_, &dimensions[0]);
    ncmpi_def_dim(file, "x", n_, &dimensions[1]);
    ncmpi_def_var(file, "u", NC_DOUBLE, 2, dimensions.data(), &variable);
    ncmpi_enddef(file);
    require(ncmpi_put_vara_double_all(file, variable, start_.data(), count_.data(), elements) ==
                NC_NOERR,
            "ncmpi_put_vara_double_all");
    ncmpi_close(file);
  }
  void read(double* elements) const {
    int file = 0, variable = 0;
    require(ncmpi_open(world, path_.c_str(), NC_NOWRITE, MPI_INFO_NULL, &file) == NC_NOERR,
            "ncmpi_open");
    ncmpi_inq_varid(file, "u", &variable);
    require(ncmpi_get_vara_double_all(file, variable, start_.data(), count_.data(), elements) ==
                NC_NOERR,
            "ncmpi_get_vara_double_all");
    ncmpi_close(file);
  }

 private:
  std::string path_;
  MPI_Offset n_;
  std::array<MPI_Offset, 2> start_{}, count_{};
};

void beside_pnetcdf(const Table& table, Index n, const std::string& folder, const Effort& effort) {
  const daptor::Comm comm(world);
  const DistArray rows =
      daptor::allocate<double>(daptor::block_dimensions({n, n}, world, {{comm.size(), 1}}))
          .on(comm);
  auto* const elements = static_cast<double*>(rows.mutable_data());
  for (Index i = 0; i < rows.local_count(); ++i) elements[i] = static_cast<double>(i);
  const Netcdf netcdf(folder + "/pnetcdf.nc", n);
  measure(
      table, "PnetCDF, rows", rows, folder + "/daptor.h5", effort, [&] { netcdf.write(elements); },
      [&] { netcdf.read(elements); });
}
#endif

void run(bool quick, const std::string& folder) {
  const PetscInt n = quick ? 100 : 3000;
  const Effort effort{quick ? 1 : 15, 1, 1};
  const Table table(
      world, std::to_string(n) + " x " + std::to_string(n) + " doubles to a file, without fsync",
      {"beside", "save", "theirs", "ratio", "load", "theirs", "ratio"});
  beside_petsc(table, n, folder, effort);
#ifdef DAPTOR_BENCH_PNETCDF
  beside_pnetcdf(table, n, folder, effort);
#endif
  for (const char* file : {"/petsc.h5", "/daptor.h5", "/pnetcdf.nc"})
    std::remove((folder + file).c_str());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  bench::run(quick, argc > (quick ? 2 : 1) ? argv[argc - 1] : ".");
  PetscFinalize();
}
