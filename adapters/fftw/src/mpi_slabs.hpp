// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "daptor/call.hpp"
#include "problem.hpp"

namespace daptor::fft::detail {

/// A transform by FFTW-MPI in the memory of input and output.
class MpiSlabs {
 public:
  /// Collective. Compares the layouts with FFTW's own arithmetic and with ours, and
  /// plans on scratch memory.
  /// @throws NotRepresentable on all ranks, see Transform
  MpiSlabs(const Section& input, const Section& output, const Problem& problem, Call& call,
           const TransformOptions& options);
  MpiSlabs(MpiSlabs&&) noexcept;
  /// Collective, as FFTW frees communicators with its plans.
  ~MpiSlabs();

  /// Collective.
  void run(const Section& input, const Section& output, bool forward) const;
  /// Process-local.
  /// @throws InvalidArgument, NotRepresentable if the plans do not suit the alignment or
  ///   the room of other memory
  void require_suits(const Section& input, const Section& output, Index capacity) const;

  struct Plans;

 private:
  std::unique_ptr<Plans> plans_;
};

}  // namespace daptor::fft::detail
