// SPDX-License-Identifier: BSD-3-Clause
#include "scale.hpp"

#include <sys/mman.h>

#include <exception>
#include <new>
#include <stdexcept>
#include <type_traits>

#include "daptor/error.hpp"

namespace daptor::test {
namespace {

void* reserved(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

constexpr std::size_t most_section_bytes = std::size_t{1} << 32;

}  // namespace

std::int64_t Measuring::begin() {
  if (on_fiber())
    meet();
  else
    MPI_Barrier(MPI_COMM_WORLD);
  counting_.traffic = {};
  posted_.traffic = &counting_.traffic;
  return on_fiber() ? account().held : 0;
}

void Measuring::end(const char* name, std::int64_t before) {
  posted_.traffic = nullptr;
  Counted counted;
  counted.traffic = counting_.traffic;
  if (on_fiber()) {
    const Account mine = account();
    counted.allocated = mine.most - before;
    counted.kept = mine.held - before;
    const FiberMeter costs = meter();
    counted.depth = costs.depth;
    counted.seconds = costs.seconds;
  }
  const Uncharged uncharged;
  if (next_ == steps_.size())
    steps_.push_back({name, std::vector<Counted>(static_cast<std::size_t>(ranks()))});
  steps_[next_++].ranks[static_cast<std::size_t>(rank())] = counted;
}

std::vector<Step> simulate(const Case& each, int ranks) {
  std::vector<Step> steps;
  const auto errors = run_on_fibers(
      ranks,
      [&](const Comm& comm) {
        Measuring measuring(comm, steps);
        each.body(measuring);
      },
      fiber_handle());
  std::exception_ptr first;
  for (const std::exception_ptr& error : errors) {
    if (!error) continue;
    if (!first) first = error;
    try {
      std::rethrow_exception(error);
    } catch (const LibraryFailed&) {
      // It may only have waited for a rank that threw something else.
    }
  }
  if (first) std::rethrow_exception(first);
  return steps;
}

std::vector<Step> run_on_mpi(const Case& each) {
  static_assert(std::is_trivially_copyable_v<Counted>);
  std::vector<Step> steps;
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  {
    Measuring measuring(Comm(MPI_COMM_WORLD), steps);
    each.body(measuring);
  }
  for (Step& step : steps) {
    const Counted mine = step.ranks[static_cast<std::size_t>(rank)];
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, step.ranks.data(), sizeof mine, MPI_BYTE, 0,
               MPI_COMM_WORLD);
  }
  return steps;
}

void* source_memory() {
  static void* const memory = reserved(2 * most_section_bytes);
  return memory;
}

void* target_memory() {
  return static_cast<char*>(source_memory()) + most_section_bytes;
}

}  // namespace daptor::test
