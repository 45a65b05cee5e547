// SPDX-License-Identifier: BSD-3-Clause
// An image smoothed by a periodic convolution, on blocks with ghost cells.
//
//   mpirun -n 4 daptor_fft_convolution
//
// The image lies in blocks with two ghost cells on each side, as a stencil code has it. It is
// transformed from there to the layout that costs least, multiplied, and transformed back: the
// spectrum is never brought back into blocks.

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#include <mpi.h>

#include <daptor/daptor.hpp>
#include <daptor/fftw.hpp>

namespace {

using daptor::Index;

constexpr Index rows = 60;
constexpr Index columns = 42;

/// Multiplies with the spectrum of the kernel (1 2 1) / 4 along both dimensions.
void smooth(const daptor::fft::Transform& transform) {
  const std::vector<double> k = transform.frequencies(0);
  const std::vector<double> l = transform.frequencies(1);
  const auto factor = [](double frequency, Index size) {
    return 0.5 + 0.5 * std::cos(2 * M_PI * frequency / static_cast<double>(size));
  };
  daptor::WriteLease lease(transform.output());
  auto spectrum = lease.view<std::complex<double>, 2>();
  for (std::size_t i = 0; i < k.size(); ++i)
    for (std::size_t j = 0; j < l.size(); ++j)
      spectrum(static_cast<Index>(i), static_cast<Index>(j)) *=
          factor(k[i], rows) * factor(l[j], columns);
  lease.close();
}

double image(Index i, Index j) {
  return std::sin(0.1 * static_cast<double>(i * i)) + std::cos(0.7 * static_cast<double>(i * j));
}

/// The same convolution by its definition, at one point.
double smoothed(Index i, Index j) {
  const double weights[] = {0.25, 0.5, 0.25};
  double sum = 0;
  for (Index a = -1; a <= 1; ++a)
    for (Index b = -1; b <= 1; ++b)
      sum += weights[a + 1] * weights[b + 1] *
             image((i + a + rows) % rows, (j + b + columns) % columns);
  return sum;
}

double run(const daptor::Comm& comm) {
  daptor::BlockOptions blocks;
  blocks.communication = {{2, 2}, {2, 2}};
  blocks.periodic = {true, true};
  const daptor::DistArray u =
      daptor::allocate<double>(daptor::block_dimensions({rows, columns}, comm, blocks)).on(comm);
  const daptor::LocalIndexMap map(u);
  const auto each = [&](auto&& visit) {
    auto values = daptor::view<double, 2>(u);
    for (Index i = 0; i < u.owned_shape()[0]; ++i)
      for (Index j = 0; j < u.owned_shape()[1]; ++j) {
        const Index at[] = {u.owned_offset()[0] + i, u.owned_offset()[1] + j};
        visit(values(at[0], at[1]), map.dimension(0).global_of(at[0]),
              map.dimension(1).global_of(at[1]));
      }
  };
  each([](double& value, Index i, Index j) { value = image(i, j); });

  daptor::fft::TransformOptions options;
  options.scale = daptor::fft::Scale::backward;
  daptor::fft::Transform transform(u, daptor::fft::fitting_output(u, options), options);
  transform.forward();
  smooth(transform);
  transform.backward();

  double error = 0;
  each([&](double& value, Index i, Index j) {
    error = std::fmax(error, std::fabs(value - smoothed(i, j)));
  });
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (comm.rank() == 0)
    std::printf("smoothed with %d redistributions each way, largest error %.1e\n",
                transform.redistributions(), error);
  return error;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const double error = run(MPI_COMM_WORLD);
  MPI_Finalize();
  return error < 1e-12 ? 0 : 1;
}
