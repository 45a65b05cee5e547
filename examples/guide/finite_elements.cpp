// SPDX-License-Identifier: BSD-3-Clause
// A finite element code: each process owns some nodes, and stores the other nodes of its elements
// as ghosts, after the owned ones. Element contributions are added up at the owners, and ghosts are
// filled.

#include <iostream>
#include <vector>

#include <daptor/daptor.hpp>

namespace {

int run(MPI_Comm comm) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);

  // The elements are the intervals [k, k + 1] of a line. Each process has some of them and owns the
  // left node of each; the last process also owns the end of the line.
  constexpr daptor::Index elements = 100;
  const daptor::IndexRange mine = daptor::even_block(elements, {ranks, rank});
  const bool last = rank + 1 == ranks;
  // [guide]
  std::vector<daptor::Index> owned, ghosts;  // global numbers of this process's nodes
  for (daptor::Index k = mine.start; k < mine.stop; ++k) owned.push_back(k);
  (last ? owned : ghosts).push_back(mine.stop);

  std::vector<double> load(owned.size() + ghosts.size());
  auto nodes = daptor::owned_then_ghosts(elements + 1, {ranks, rank}, owned, ghosts);
  auto a = daptor::describe(load, {nodes}).on(comm);
  daptor::HaloExchange halo(a);
  // [guide]

  // Each element gives half of its length to each of its nodes.
  for (std::size_t e = 0; e < static_cast<std::size_t>(mine.size()); ++e) {
    load[e] += 0.5;
    load[e + 1] += 0.5;
  }
  halo.accumulate(daptor::Combine::sum);  // sends contributions in ghosts to the owners
  halo.update();                          // and the sums back to the ghosts

  int wrong = 0;
  for (std::size_t i = 0; i < load.size(); ++i) {
    const daptor::Index node = mine.start + static_cast<daptor::Index>(i);
    wrong += load[i] == (node == 0 || node == elements ? 0.5 : 1.0) ? 0 : 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, comm);
  if (rank == 0) std::cout << a << '\n' << wrong << " wrong loads\n";
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = run(MPI_COMM_WORLD);
  MPI_Finalize();
  return status;
}
