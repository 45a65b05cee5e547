// SPDX-License-Identifier: BSD-3-Clause
// Transforms that outlive MPI_Finalize can be destroyed, and calls say that it is over.

#include <complex>
#include <optional>

#include <mpi.h>

#include "daptor/fftw.hpp"
#include "daptor/layout.hpp"
#include "finalized.hpp"

using namespace daptor;
using daptor::test::throws_finalized;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const Comm world = MPI_COMM_WORLD;
  const fft::SlabPair slabs = fft::allocate_slabs<std::complex<double>>({6, 5}, world);
  std::optional<fft::Transform> ours(std::in_place, slabs.input, fft::fitting_output(slabs.input));
  fft::TransformOptions options;
  options.engine = fft::Engine::fftw_mpi;
  options.capacity = slabs.capacity;
  std::optional<fft::Transform> theirs(std::in_place, slabs.input, slabs.output, options);
  ours->forward();
  theirs->forward();
  MPI_Finalize();
  bool right = throws_finalized("redistribution", [&] { ours->forward(); });
  right = throws_finalized("FFTW-MPI", [&] { theirs->forward(); }) && right;
  ours.reset();
  theirs.reset();
  return right ? 0 : 1;
}
