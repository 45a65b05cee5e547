// SPDX-License-Identifier: BSD-3-Clause
// Heat conduction in a plate, which is stopped in the middle and continued on fewer processes. In
// the end every bit is as if it had not been stopped.
//
//   mpirun -n 3 daptor_hdf5_heat
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <variant>
#include <vector>

#include <mpi.h>

#include <daptor/daptor.hpp>
#include <daptor/hdf5.hpp>

namespace {

using daptor::Index;

constexpr Index rows = 40, columns = 30;

/// The temperature of the plate, with a ghost cell on all sides.
class Plate {
 public:
  explicit Plate(MPI_Comm comm)
      : dimensions_(daptor::block_dimensions({rows, columns}, comm, ghosts())),
        memory_(static_cast<std::size_t>(daptor::local_count(dimensions_)), 0.0),
        next_(memory_),
        array_(daptor::describe(memory_, dimensions_).on(comm)),
        halo_(array_) {}

  /// Hot in one corner.
  void start() {
    const auto u = daptor::view<double, 2>(array_);
    // Global indices count the ghost cells of the boundary.
    const Index row = dimensions_[0].interior()->start - array_.interior_offset()[0];
    const Index column = dimensions_[1].interior()->start - array_.interior_offset()[1];
    for_each_inner([&](Index i, Index j) {
      const bool hot = row + i < 12 && column + j < 9;
      u(i, j) = hot ? 100.0 : 0.0;
    });
  }

  void step() {
    halo_.update();
    const auto u = daptor::view<double, 2>(array_);
    const daptor::DistArray next = array_.with_memory(next_.data());
    const auto v = daptor::view<double, 2>(next);
    for_each_inner([&](Index i, Index j) {
      v(i, j) =
          u(i, j) + 0.2 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j));
    });
    for_each_inner([&](Index i, Index j) { u(i, j) = v(i, j); });
  }

  const daptor::DistArray& array() const { return array_; }
  const std::vector<double>& memory() const { return memory_; }

 private:
  static daptor::BlockOptions ghosts() {
    daptor::BlockOptions options;
    options.ghosts = {1};
    return options;
  }
  template <class F>
  void for_each_inner(F&& visit) const {
    const auto& offset = array_.interior_offset();
    const auto& shape = array_.interior_shape();
    for (Index i = offset[0]; i < offset[0] + shape[0]; ++i)
      for (Index j = offset[1]; j < offset[1] + shape[1]; ++j) visit(i, j);
  }

  std::vector<daptor::Dimension> dimensions_;
  std::vector<double> memory_, next_;
  daptor::DistArray array_;
  daptor::HaloExchange halo_;
};

constexpr std::int64_t last_step = 200;

/// Goes on from the file, or begins, and saves where it stops.
void compute(MPI_Comm comm, const std::string& from, const std::string& to, std::int64_t stop) {
  Plate plate(comm);
  std::int64_t step = 0;
  if (from.empty()) {
    plate.start();
  } else {
    daptor::hdf5::load(plate.array(), from, "temperature");
    const auto state = daptor::hdf5::inspect(from, "temperature", comm);
    step = std::get<std::int64_t>(state.attributes.at("step"));
  }
  for (; step < stop; ++step) plate.step();
  daptor::hdf5::save(plate.array(), to, "temperature", {}, {{"step", step}});
}

/// Whether two files have the same temperature, to the last bit.
bool same(const std::string& one, const std::string& other) {
  Plate a(MPI_COMM_WORLD), b(MPI_COMM_WORLD);
  daptor::hdf5::load(a.array(), one, "temperature");
  daptor::hdf5::load(b.array(), other, "temperature");
  const bool cold =
      std::all_of(a.memory().begin(), a.memory().end(), [](double value) { return value == 0; });
  int agrees = a.memory() == b.memory() && !cold ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &agrees, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  return agrees == 1;
}

bool run() {
  int size = 1, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::vector<std::string> files{"heat_whole.h5", "heat_stopped.h5", "heat_continued.h5"};
  if (rank == 0)
    for (const std::string& file : files) std::remove(file.c_str());
  MPI_Barrier(MPI_COMM_WORLD);

  compute(MPI_COMM_WORLD, "", files[0], last_step);
  compute(MPI_COMM_WORLD, "", files[1], last_step / 2);
  // A later job would have other processes; here it is a part of them.
  const int fewer = (size + 1) / 2;
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank < fewer ? 0 : MPI_UNDEFINED, rank, &part);
  if (part != MPI_COMM_NULL) {
    compute(part, files[1], files[2], last_step);
    MPI_Comm_free(&part);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const bool good = same(files[0], files[2]);
  if (rank == 0)
    std::cout << "Stopped after " << last_step / 2 << " steps on " << size
              << " processes, continued on " << fewer << ": "
              << (good ? "every bit is the same.\n" : "other values!\n");
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool good = false;
  try {
    good = run();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return good ? 0 : 1;
}
