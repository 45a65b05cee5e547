// SPDX-License-Identifier: BSD-3-Clause
// Saving and loading beside a collective hyperslab of the same bytes by HDF5 alone, and beside
// redistribution and that hyperslab where the array is not in boxes.
//
//   mpirun -n 2 daptor_bench_hdf5 [--quick] [--results FILE] [<folder>]

#include <hdf5.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <mpi.h>

#include <daptor/daptor.hpp>
#include <daptor/hdf5.hpp>

#include "support/pairs.hpp"

namespace bench {
namespace {

using daptor::DistArray;
using daptor::Index;

const MPI_Comm world = MPI_COMM_WORLD;

/// Rows of an array of doubles in a file of its own, by HDF5 alone.
class Raw {
 public:
  Raw(std::string path, Index n) : path_(std::move(path)), shape_{hsize(n), hsize(n)} {
    int size = 1, rank = 0;
    MPI_Comm_size(world, &size);
    MPI_Comm_rank(world, &rank);
    const daptor::IndexRange mine = daptor::even_block(n, {size, rank});
    start_ = {hsize(mine.start), 0};
    count_ = {hsize(mine.size()), hsize(n)};
  }

  void write(const double* elements) const {
    const hid_t access = parallel();
    const hid_t file = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    const hid_t space = H5Screate_simple(2, shape_.data(), nullptr);
    const hid_t set =
        H5Dcreate2(file, "u", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    transfer(set, space, [&](hid_t memory, hid_t how) {
      return H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, how, elements);
    });
    H5Dclose(set);
    H5Fclose(file);
    H5Pclose(access);
  }
  void read(double* elements) const {
    const hid_t access = parallel();
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access);
    const hid_t set = H5Dopen2(file, "u", H5P_DEFAULT);
    const hid_t space = H5Dget_space(set);
    transfer(set, space, [&](hid_t memory, hid_t how) {
      return H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, how, elements);
    });
    H5Dclose(set);
    H5Fclose(file);
    H5Pclose(access);
  }

 private:
  static hsize_t hsize(Index n) { return static_cast<hsize_t>(n); }
  static hid_t parallel() {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, world, MPI_INFO_NULL);
    return access;
  }
  template <class F>
  void transfer(hid_t set, hid_t space, F&& move) const {
    const hid_t memory = H5Screate_simple(2, count_.data(), nullptr);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start_.data(), nullptr, count_.data(), nullptr);
    const hid_t how = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(how, H5FD_MPIO_COLLECTIVE);
    if (set < 0 || move(memory, how) < 0) MPI_Abort(world, 1);
    H5Pclose(how);
    H5Sclose(memory);
    H5Sclose(space);
  }

  std::string path_;
  std::array<hsize_t, 2> shape_, start_{}, count_{};
};

/// An array in one of three layouts.
struct Case {
  std::string text;
  DistArray array;
  bool boxes;
};

std::vector<Case> cases(Index n) {
  const daptor::Comm comm(world);
  daptor::BlockOptions ghosts;
  ghosts.communication = {{1, 1}, {1, 1}};
  ghosts.grid = {comm.size(), 1};
  const DistArray rows =
      daptor::allocate<double>(daptor::block_dimensions({n, n}, world, {{comm.size(), 1}}))
          .on(comm);
  return {
      {"blocks", rows, true},
      {"blocks with ghosts",
       daptor::allocate<double>(daptor::block_dimensions({n, n}, world, ghosts)).on(comm), true},
      {"block-cyclic, 64 x 64", daptor::like(rows, daptor::layout::block_cyclic({64, 64})), false}};
}

void fill(const DistArray& a) {
  auto* const elements = static_cast<double*>(a.mutable_data());
  for (Index i = 0; i < a.local_count(); ++i) elements[i] = static_cast<double>(i);
}

void measure(const Table& table, const Case& one, Index n, const std::string& folder,
             const Effort& effort) {
  const Raw raw(folder + "/raw.h5", n);
  const std::string path = folder + "/daptor.h5";
  const daptor::TargetLayout natural = daptor::layout::natural();
  const DistArray rows = daptor::like(one.array, natural);
  fill(one.array);
  fill(rows);
  daptor::hdf5::SaveOptions writing;
  writing.overwrite = true;
  writing.sync = false;
  const Pairs saved = alternate(
      world, effort, [&] { daptor::hdf5::save(one.array, path, "u", writing); },
      [&] {
        const DistArray slabs = one.boxes ? rows : daptor::redistributed(one.array, natural);
        raw.write(static_cast<const double*>(slabs.data()));
      });
  daptor::hdf5::LoadOptions reading;
  reading.ghosts = false;
  const Pairs loaded = alternate(
      world, effort, [&] { daptor::hdf5::load(one.array, path, "u", reading); },
      [&] {
        const DistArray slabs = one.boxes ? rows : daptor::like(one.array, natural);
        raw.read(static_cast<double*>(slabs.mutable_data()));
        if (!one.boxes) daptor::redistribute(slabs, one.array);
      });
  const double goal = one.boxes ? 1.1 : 1.2;
  keep(world, {"files", "save, " + one.text, std::to_string(n), "HDF5 alone", goal}, saved);
  keep(world, {"files", "load, " + one.text, std::to_string(n), "HDF5 alone", goal}, loaded);
  table.row({one.text, time_text(quartiles(saved.ours)), ratio_text(saved.ratio()),
             judged(saved.ratio(), goal), time_text(quartiles(loaded.ours)),
             ratio_text(loaded.ratio()), judged(loaded.ratio(), goal)});
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    bool quick = false;
    std::string folder = ".";
    for (int i = 1; i < argc; ++i) {
      if (std::strcmp(argv[i], "--quick") == 0)
        quick = true;
      else if (std::strcmp(argv[i], "--results") == 0 && i + 1 < argc)
        bench::keep_in(argv[++i]);
      else
        folder = argv[i];
    }
    const daptor::Index n = quick ? 100 : 3000;
    const bench::Table table(
        MPI_COMM_WORLD,
        std::to_string(n) + " x " + std::to_string(n) + " doubles to a file, without fsync",
        {"layout", "save", "ratio to HDF5 alone", "goal", "load", "ratio to HDF5 alone", "goal"});
    for (const bench::Case& one : bench::cases(n))
      bench::measure(table, one, n, folder, {quick ? 1 : 15, 1, 1});
    for (const char* name : {"/raw.h5", "/daptor.h5"}) std::remove((folder + name).c_str());
  }
  MPI_Finalize();
}
