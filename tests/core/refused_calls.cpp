// SPDX-License-Identifier: BSD-3-Clause
// Calls that must not compile: the first line of each error says what to write (refused.sh).
#include <vector>

#include "daptor/daptor.hpp"

namespace daptor {

void forgotten_communicator(std::vector<double>& u, const std::vector<Dimension>& d) {
  HaloExchange halo(describe(u, d));  // refused: write describe(u, dimensions).on(comm)
}

void one_dimension(std::vector<double>& u, std::vector<float>& v) {
  describe(u, block(40, {4, 0}));  // refused: describe(u, {daptor::block(...)})
  describe(v.data(), v.size(),
           block(40, {4, 0}));           // refused: describe(u, length, {daptor::block(...)})
  block_dimensions(40, MPI_COMM_WORLD);  // refused: block_dimensions: write the shape in braces
}

void no_list(BlockOptions& options) {
  options.ghosts = 1;         // refused: an option that is a list: write it in braces, as in = {1}
  options.periodic = true;    // refused: write a flag for each dimension, as in = {true, true}
  options.communication = 1;  // refused: widths are a list
}

void no_elements(std::vector<bool>& bits, const std::vector<Dimension>& d) {
  describe(bits, d);  // refused: describe a std::vector<char> or std::unique_ptr<bool[]>
}

void no_integers(const std::vector<bool>& bits) {
  block_dimensions(bits, MPI_COMM_WORLD);  // refused: a list of integers is wanted here
}

void temporaries(const Section& a, const std::vector<Dimension>& d) {
  ReadLease(a).view<double, 1>();              // refused: daptor::ReadLease lease(a)
  WriteLease(a).view<double, 1>();             // refused: daptor::WriteLease lease(a)
  owned_view<double, 1>(allocate<double>(d));  // refused: keep the array in a variable
}

void gone(const std::vector<Dimension>& d) {
  describe(std::vector<double>(4), d);  // refused: the container is a temporary
}

}  // namespace daptor
