// SPDX-License-Identifier: BSD-3-Clause
// Writes what a Global Array is described as, on all ranks, for `daptor check -`.
//
//   mpirun -n 4 sections regular|ghosts|cyclic

#include <ga.h>
#include <macdecls.h>
#include <mpi.h>

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <daptor/ga.hpp>
#include <daptor/parse.hpp>
#include <json/recorded.hpp>

namespace {

std::string section_text(int handle) {
  const daptor::DistArray array = daptor::ga::export_array(handle);
  daptor::Recorded recorded;
  recorded.nranks = 1;
  recorded.ranks.emplace_back(daptor::to_value(array));
  std::ostringstream text;
  daptor::write_recorded(text, recorded);
  return text.str();
}

/// Collective: the texts of all ranks on rank 0.
std::vector<std::string> gathered(const std::string& mine) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<std::string> all{mine};
  if (rank > 0) {
    MPI_Send(mine.data(), static_cast<int>(mine.size()), MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    return {};
  }
  for (int from = 1; from < ranks; ++from) {
    MPI_Status status;
    int length = 0;
    MPI_Probe(from, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_CHAR, &length);
    std::string text(static_cast<std::size_t>(length), ' ');
    MPI_Recv(text.data(), length, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    all.push_back(text);
  }
  return all;
}

int make(const std::string& kind) {
  const int handle = GA_Create_handle();
  int shape[] = {16, 10}, widths[] = {1, 2}, blocks[] = {3, 2};
  int grid[] = {1, GA_Nnodes()};
  GA_Set_data(handle, 2, shape, C_DBL);
  if (kind == "ghosts") GA_Set_ghosts(handle, widths);
  if (kind == "cyclic") GA_Set_block_cyclic_proc_grid(handle, blocks, grid);
  GA_Allocate(handle);
  return handle;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  GA_Initialize();
  const int handle = make(argc > 1 ? argv[1] : "regular");
  const std::vector<std::string> texts = gathered(section_text(handle));
  daptor::Recorded recorded;
  recorded.name = "Global Array";
  recorded.nranks = static_cast<int>(texts.size());
  for (const std::string& text : texts) {
    std::istringstream in(text);
    recorded.ranks.push_back(daptor::read_recorded(in).ranks.front());
  }
  if (!texts.empty()) daptor::write_recorded(std::cout, recorded);
  GA_Destroy(handle);
  GA_Terminate();
  MPI_Finalize();
}
