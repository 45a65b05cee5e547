// SPDX-License-Identifier: BSD-3-Clause
#include "slab_sizes.hpp"

#include <algorithm>
#include <cstddef>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/fft/slab.hpp"

#ifdef DAPTOR_FFTW_MPI
#include "daptor/fft/adapter/names.hpp"
#include "fftw_mpi_library.hpp"
#include "slab_form.hpp"
#endif

namespace daptor::fft::detail {

#ifdef DAPTOR_FFTW_MPI

namespace {

IndexRange our_block(Index size, const Comm& comm) {
  return divided(size, {comm.size(), comm.rank()}, Division::ceiling);
}

/// FFTW says 0 for the start of a process without indices.
IndexRange their_block(std::ptrdiff_t start, std::ptrdiff_t count, Index size) {
  return count == 0 ? IndexRange{size, size} : IndexRange{start, start + count};
}

}  // namespace

SlabSizes slab_sizes(const std::vector<Index>& shape, const Comm& comm) {
  FftwMpi<double>::start();
  const FftwMpi<double>::Sizes sizes(shape.begin(), shape.end());
  std::ptrdiff_t rows = 0, first_row = 0, columns = 0, first_column = 0;
  const std::ptrdiff_t room = fftw_mpi_local_size_many_transposed(
      static_cast<int>(sizes.size()), sizes.data(), 1, FFTW_MPI_DEFAULT_BLOCK,
      FFTW_MPI_DEFAULT_BLOCK, comm->mpi(), &rows, &first_row, &columns, &first_column);
  const SlabSizes found{std::max<Index>(room, 1), their_block(first_row, rows, shape[0]),
                        their_block(first_column, columns, shape[1])};
  // Some releases of FFTW report other blocks than they use.
  if (found.rows != our_block(shape[0], comm) || found.columns != our_block(shape[1], comm))
    refuse_slabs("fft.engine",
                 "rows " + terms::range(found.rows) + " and columns " + terms::range(found.columns),
                 "rows " + terms::range(our_block(shape[0], comm)) + " and columns " +
                     terms::range(our_block(shape[1], comm)));
  return found;
}

#else

SlabSizes slab_sizes(const std::vector<Index>&, const Comm&) {
  adapter::refuse_argument(
      "fft.engine", "Daptor built without FFTW-MPI", "one built with it",
      "Install FFTW-MPI (on Debian libfftw3-mpi-dev), or leave " + names::engine + " as it is.");
}

#endif

}  // namespace daptor::fft::detail
