// SPDX-License-Identifier: BSD-3-Clause
#include "memory.hpp"

#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace bench {
namespace {

std::int64_t largest(MPI_Comm comm, std::int64_t bytes) {
  MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_INT64_T, MPI_MAX, comm);
  return bytes;
}

std::int64_t resident() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t total = 0;
  std::int64_t pages = 0;
  statm >> total >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}

/// Peak of the resident bytes since the mark was last reset.
std::int64_t high_water_mark() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) != 0) continue;
    return std::strtoll(line.c_str() + 6, nullptr, 10) * 1024;
  }
  return 0;
}

void reset_high_water_mark() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

}  // namespace

Growth in_use() {
  const struct mallinfo2 info = mallinfo2();
  return {static_cast<std::int64_t>(info.uordblks + info.hblkhd), resident()};
}

Growth grown_since(const Growth& before, MPI_Comm comm) {
  const Growth now = in_use();
  return {largest(comm, now.heap - before.heap), largest(comm, now.resident - before.resident)};
}

std::int64_t peak_growth(MPI_Comm comm, const std::function<void()>& work) {
  malloc_trim(0);
  MPI_Barrier(comm);
  reset_high_water_mark();
  const std::int64_t before = resident();
  work();
  return largest(comm, high_water_mark() - before);
}

std::string bytes_text(std::int64_t bytes) {
  const std::int64_t size = std::abs(bytes);
  if (size < 10000) return std::to_string(bytes) + " B";
  if (size < 10000000) return std::to_string(bytes / 1000) + " kB";
  return std::to_string(bytes / 1000000) + " MB";
}

}  // namespace bench
