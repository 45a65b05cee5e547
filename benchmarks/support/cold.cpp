// SPDX-License-Identifier: BSD-3-Clause
#include "cold.hpp"

#include <vector>

namespace bench {

void sweep() {
  static std::vector<double> other(std::size_t{16} << 20);
  for (std::size_t i = 0; i < other.size(); i += 8) other[i] += 1;
}

double timed(MPI_Comm comm, const std::function<void()>& work, bool cold, int batch) {
  if (cold) sweep();
  MPI_Barrier(comm);
  const double start = MPI_Wtime();
  for (int i = 0; i < batch; ++i) work();
  return (MPI_Wtime() - start) / batch;
}

}  // namespace bench
