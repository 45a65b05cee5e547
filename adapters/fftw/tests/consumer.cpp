// SPDX-License-Identifier: BSD-3-Clause
// A program of somebody else that uses the installed component.
#include <mpi.h>

#include <cmath>
#include <daptor/block_dimensions.hpp>
#include <daptor/builders.hpp>
#include <daptor/fft.hpp>
#include <daptor/fftw.hpp>
#include <iostream>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool works = false;
  {
    const daptor::Comm comm(MPI_COMM_WORLD);
    const auto u = daptor::allocate<double>(daptor::block_dimensions({8, 6}, comm)).on(comm);
    auto* const values = static_cast<double*>(u.mutable_data());
    const daptor::Index count = u.local_count();
    for (daptor::Index i = 0; i < count; ++i) values[i] = 1.0;
    daptor::fft::TransformOptions options;
    options.scale = daptor::fft::Scale::backward;
    daptor::fft::Transform t(u, daptor::fft::fitting_output(u, options), options);
    t.forward();
    for (daptor::Index i = 0; i < count; ++i) values[i] = 0.0;
    t.backward();
    works = daptor::fft::slab(t.output()).count >= 0;
    for (daptor::Index i = 0; i < count; ++i) works = works && std::abs(values[i] - 1.0) < 1e-12;
  }
  MPI_Finalize();
  std::cout << (works ? "FFTW works.\n" : "FFTW fails.\n");
  return works ? 0 : 1;
}
