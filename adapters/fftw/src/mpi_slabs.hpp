// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "daptor/comm.hpp"
#include "problem.hpp"

namespace daptor::fft::detail {

/// What FFTW-MPI says of the slabs of this process.
struct SlabSizes {
  Index room = 0;      ///< complex numbers that input and output need memory for
  IndexRange rows;     ///< of dimension 0; [size, size) where there are none
  IndexRange columns;  ///< of dimension 1, for a transposed output
};

/// Process-local: FFTW asks for rank and size only.
/// @param shape  global sizes of the complex numbers
/// @throws InvalidArgument (`fft.engine`) without FFTW-MPI
SlabSizes slab_sizes(const std::vector<Index>& shape, const Comm& comm);

/// A transform by FFTW-MPI in the memory of input and output.
class MpiSlabs {
 public:
  /// Collective over `comm`. Compares the layouts with FFTW's own arithmetic and with ours, and
  /// plans on scratch memory.
  /// @throws NotRepresentable on all ranks, see Transform
  MpiSlabs(const DistArray& input, const DistArray& output, const Problem& problem,
           const Comm& comm, const TransformOptions& options);
  MpiSlabs(MpiSlabs&&) noexcept;
  /// Collective, as FFTW frees communicators with its plans.
  ~MpiSlabs();

  /// Collective.
  void run(const DistArray& input, const DistArray& output, bool forward) const;
  /// Process-local.
  /// @throws InvalidArgument, NotRepresentable if the plans do not suit the alignment or
  ///   the room of other memory
  void require_suits(const DistArray& input, const DistArray& output, Index capacity) const;

  struct Plans;

 private:
  std::unique_ptr<Plans> plans_;
};

}  // namespace daptor::fft::detail
