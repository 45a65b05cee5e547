// SPDX-License-Identifier: BSD-3-Clause
// Fourier transforms beside FFTW-MPI, which has slabs only, packed or with room for the spectrum.

#include <array>
#include <complex>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <fftw3-mpi.h>
#include <daptor/daptor.hpp>
#include <daptor/fft.hpp>
#include <daptor/fftw.hpp>

#include "groups.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

using daptor::DistArray;
using daptor::Index;
using Complex = std::complex<double>;

/// FFTW-MPI on memory of its own.
class Native {
 public:
  Native(MPI_Comm comm, Index n, bool real, unsigned flags) : real_(real) {
    const std::ptrdiff_t size = n;
    std::ptrdiff_t count = 0, start = 0;
    const std::ptrdiff_t last = real ? size / 2 + 1 : size;
    const std::ptrdiff_t room = fftw_mpi_local_size_3d(size, size, last, comm, &count, &start);
    memory_ = fftw_alloc_complex(static_cast<std::size_t>(room));
    auto* const numbers = reinterpret_cast<double*>(memory_);
    plan_ = real ? fftw_mpi_plan_dft_r2c_3d(size, size, size, numbers, memory_, comm,
                                            FFTW_MEASURE | flags)
                 : fftw_mpi_plan_dft_3d(size, size, size, memory_, memory_, comm, FFTW_FORWARD,
                                        FFTW_MEASURE | flags);
    std::memset(memory_, 0, sizeof(fftw_complex) * static_cast<std::size_t>(room));
  }
  Native(const Native&) = delete;
  Native& operator=(const Native&) = delete;
  ~Native() {
    fftw_destroy_plan(plan_);
    fftw_free(memory_);
  }
  void run() const { fftw_execute(plan_); }
  Complex* data() const { return reinterpret_cast<Complex*>(memory_); }

 private:
  bool real_;
  fftw_complex* memory_ = nullptr;
  fftw_plan plan_ = nullptr;
};

DistArray slabs(MPI_Comm comm, Index n, int dimension) {
  const daptor::Comm ranks(comm);
  return daptor::allocate<Complex>(
             daptor::layout::slab(dimension).dimensions({n, n, n}, ranks.rank(), ranks.size()))
      .on(ranks);
}

/// Slabs of dimension 0 with two ghost cells on each side of each dimension.
DistArray padded(MPI_Comm comm, Index n) {
  daptor::BlockOptions options;
  options.grid = {daptor::Comm(comm).size(), 1, 1};
  options.communication = {{2, 2}, {2, 2}, {2, 2}};
  options.periodic = {true, true, true};
  return daptor::allocate<Complex>(daptor::block_dimensions({n, n, n}, comm, options)).on(comm);
}

/// Copies the owned elements row by row to packed memory, or back.
void copy_rows(const DistArray& padded, Complex* packed, bool out) {
  const auto& shape = padded.owned_shape();
  const auto& strides = padded.byte_strides();
  auto* const first = static_cast<std::byte*>(padded.mutable_data()) +
                      padded.owned_offset()[0] * strides[0] +
                      padded.owned_offset()[1] * strides[1] + padded.owned_offset()[2] * strides[2];
  const std::size_t row = static_cast<std::size_t>(shape[2]) * sizeof(Complex);
  for (Index i = 0; i < shape[0]; ++i)
    for (Index j = 0; j < shape[1]; ++j, packed += shape[2]) {
      std::byte* const at = first + i * strides[0] + j * strides[1];
      if (out)
        std::memcpy(packed, at, row);
      else
        std::memcpy(at, packed, row);
    }
}

struct Case {
  std::string name;
  double goal;
  std::function<void()> ours, theirs;
};

void row(const Table& table, MPI_Comm comm, Index n, const Effort& effort, const Case& one) {
  const Pairs pairs = alternate(comm, effort, one.ours, one.theirs);
  keep(comm, {"fft", one.name, std::to_string(n), "FFTW-MPI", one.goal}, pairs);
  table.row({std::to_string(n), one.name, time_text(quartiles(pairs.ours)),
             time_text(quartiles(pairs.theirs)), ratio_text(pairs.ratio()),
             one.goal > 0 ? judged(pairs.ratio(), one.goal) + " (" +
                                std::to_string(one.goal).substr(0, 3) + ")"
                          : std::string()});
}

daptor::fft::Transform in_place(const DistArray& a) {
  return daptor::fft::Transform(a, a);
}

void complex_numbers(const Table& table, MPI_Comm comm, Index n, const Effort& effort) {
  const Native native(comm, n, false, 0);
  const Native transposed(comm, n, false, FFTW_MPI_TRANSPOSED_OUT);
  const DistArray u = slabs(comm, n, 0);
  {
    auto transform = in_place(u);
    row(table, comm, n, effort,
        {"complex, slabs to the same slabs, in place", 1.2, [&] { transform.forward(); },
         [&] { native.run(); }});
  }
  {
    daptor::fft::TransformOptions options;
    options.overwrite = true;
    daptor::fft::Transform transform(u, slabs(comm, n, 1), options);
    row(table, comm, n, effort,
        {"complex, to slabs of the second dimension (FFTW: transposed out)", 1.0,
         [&] { transform.forward(); }, [&] { transposed.run(); }});
  }
  {
    daptor::fft::Transform transform(u, slabs(comm, n, 1));
    row(table, comm, n, effort,
        {"the same, and the input keeps its values", 0, [&] { transform.forward(); },
         [&] { transposed.run(); }});
  }
  const DistArray halo = padded(comm, n);
  auto transform = in_place(halo);
  row(table, comm, n, effort,
      {"complex, with ghost cells, in place (FFTW: copied out, transformed, copied back)", 1.0,
       [&] { transform.forward(); },
       [&] {
         copy_rows(halo, native.data(), true);
         native.run();
         copy_rows(halo, native.data(), false);
       }});
}

void real_numbers(const Table& table, MPI_Comm comm, Index n, const Effort& effort) {
  const Native native(comm, n, true, 0);
  const Native transposed(comm, n, true, FFTW_MPI_TRANSPOSED_OUT);
  const daptor::Comm ranks(comm);
  const auto both = daptor::fft::allocate_real_and_spectrum<double>(
      daptor::layout::slab(0).dimensions({n, n, n}, ranks.rank(), ranks.size()));
  const DistArray real = both.real.on(ranks);
  {
    daptor::fft::Transform transform(real, both.spectrum.on(ranks));
    row(table, comm, n, effort,
        {"real, slabs to the same slabs, in place", 1.2, [&] { transform.forward(); },
         [&] { native.run(); }});
  }
  daptor::fft::TransformOptions options;
  options.overwrite = true;
  const DistArray out = daptor::fft::fitting_output(real, options);
  daptor::fft::Transform transform(real, out, options);
  row(table, comm, n, effort,
      {"real, to the cheapest layout (FFTW: transposed out)", 1.0, [&] { transform.forward(); },
       [&] { transposed.run(); }});
}

/// What the parts of a transform in place take: FFTW on each process, and the way there and back.
void parts(const Table& table, MPI_Comm comm, Index n, const Effort& effort) {
  const Native native(comm, n, false, 0);
  const DistArray u = slabs(comm, n, 0);
  const DistArray work = slabs(comm, n, 1);
  daptor::fft::TransformOptions planes, columns;
  planes.dimensions = {1, 2};
  columns.dimensions = {0};
  daptor::fft::Transform of_planes(u, u, planes);
  daptor::fft::Transform of_columns(work, work, columns);
  row(table, comm, n, effort,
      {"only the local transforms", 0,
       [&] {
         of_planes.forward();
         of_columns.forward();
       },
       [&] { native.run(); }});
  daptor::Redistribution there(u, work);
  row(table, comm, n, effort,
      {"only the two redistributions", 0,
       [&] {
         there.run();
         there.run_back();
       },
       [&] { native.run(); }});
}

}  // namespace

void fft(MPI_Comm comm, bool quick) {
  fftw_mpi_init();
  const Table table(comm,
                    "Fourier transforms of n x n x n, beside FFTW-MPI with plans by measurement",
                    {"n", "transform", "ours", "FFTW-MPI", "ratio", "goal"});
  const std::vector<Index> sizes = quick ? std::vector<Index>{32} : std::vector<Index>{128, 256};
  for (const Index n : sizes) {
    const Effort effort{quick ? 5 : n > 128 ? 11 : 31, 1, 2};
    complex_numbers(table, comm, n, effort);
    real_numbers(table, comm, n, effort);
    parts(table, comm, n, effort);
  }
}

}  // namespace bench
