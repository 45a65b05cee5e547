// SPDX-License-Identifier: BSD-3-Clause
// Saves an array again and again, or appends it, until one rank is killed. What an earlier run has
// left must be a whole file: of one of its states, or with all steps that count.
//
//   daptor_test_hdf5_killed save|append <file> <rank> <microseconds>

#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "fields.hpp"

namespace daptor::hdf5::test {
namespace {

constexpr Index size = 20000;

DistArray constant(double value) {
  DistArray a = allocate<double>({daptor::cyclic(size, {world_size(), world_rank()}, 7)}).on(world);
  std::fill_n(static_cast<double*>(a.mutable_data()), a.local_count(), value);
  return a;
}

/// Whether all elements of the dataset are the same; the program ends if it cannot be loaded.
bool is_constant(const std::string& path, const std::string& name) {
  const DistArray a = constant(-1);
  load(a, path, name);
  const auto* elements = static_cast<const double*>(a.data());
  double first = elements[0];
  MPI_Bcast(&first, 1, MPI_DOUBLE, 0, world);
  const bool same = std::all_of(elements, elements + a.local_count(),
                                [&](double element) { return element == first; });
  return daptor::test::least(same && first >= 0 ? 1 : 0) == 1;
}

void kill_later(int microseconds) {
  std::signal(SIGALRM, [](int) { kill(getpid(), SIGKILL); });
  itimerval timer{};
  timer.it_value.tv_usec = microseconds;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

/// Whether each step that counts has its number as its elements, and as its time.
bool has_whole_steps(const std::string& path) {
  const Dataset found = inspect(path, "steps", world);
  const DistArray a = constant(-1);
  LoadOptions options;
  for (options.step = 0; options.step < found.shape[0]; ++options.step) {
    load(a, path, "steps", options);
    const auto* elements = static_cast<const double*>(a.data());
    const auto expected = static_cast<double>(options.step);
    const bool same = std::all_of(elements, elements + a.local_count(),
                                  [&](double element) { return element == expected; });
    if (daptor::test::least(same ? 1 : 0) == 0) return false;
  }
  const auto& times = std::get<std::vector<double>>(found.of_steps.at("time"));
  for (std::size_t step = 0; step < times.size(); ++step)
    if (times[step] != static_cast<double>(step)) return false;
  return found.shape[0] > 0;
}

int append_steps(const std::string& path, int killed, int microseconds) {
  const bool left = std::filesystem::exists(path);
  MPI_Barrier(world);
  if (left && !has_whole_steps(path)) {
    std::puts("WRONG");
    return 1;
  }
  const auto add = [&](Index step, AppendOptions options = {}) {
    const auto value = static_cast<double>(step);
    append(constant(value), path, "steps", options, {{"time", value}});
  };
  if (!left) add(0);
  Index step = inspect(path, "steps", world).shape[0];
  // Some rounds begin anew, with place for few steps.
  AppendOptions first;
  first.step = 0;
  if (step > 40) add(0, first), step = 1;
  MPI_Barrier(world);
  if (microseconds == 0) return 0;
  if (world_rank() == killed) kill_later(microseconds);
  for (;; ++step) add(step);
}

int save_states(const std::string& path, int killed, int microseconds) {
  const bool left = std::filesystem::exists(path);
  MPI_Barrier(world);
  SaveOptions options;
  options.overwrite = true;
  if (left && !(is_constant(path, "state") && is_constant(path, "kept"))) {
    std::puts("WRONG");
    return 1;
  }
  if (!left) {
    save(constant(0), path, "state");
    save(constant(0), path, "kept");
  }
  MPI_Barrier(world);
  if (microseconds == 0) return 0;
  if (world_rank() == killed) kill_later(microseconds);
  for (int value = 1;; ++value) save(constant(value), path, "state", options);
}

}  // namespace
}  // namespace daptor::hdf5::test

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 1;
  try {
    const auto run = std::string(argv[1]) == "append" ? daptor::hdf5::test::append_steps
                                                      : daptor::hdf5::test::save_states;
    status = run(argv[2], std::atoi(argv[3]), std::atoi(argv[4]));
    if (status == 0) std::puts("WHOLE");
  } catch (const std::exception& error) {
    std::printf("WRONG: %s\n", error.what());
  }
  std::fflush(stdout);
  if (status != 0) MPI_Abort(MPI_COMM_WORLD, status);
  MPI_Finalize();
  return status;
}
