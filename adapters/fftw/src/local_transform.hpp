// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "daptor/fft/transform.hpp"
#include "daptor/section.hpp"

namespace daptor::fft::detail {

class LocalPlans;

/// A transform of one process's owned elements along dimensions that are whole there, by FFTW on
/// any strides. From complex numbers to complex ones, or from real ones along a single dimension.
/// Process-local.
class LocalTransform {
 public:
  /// Plans on scratch memory. Both sections have the same owned extents, except that of the
  /// dimension of real numbers.
  /// @param from, to     may be the same section, which is then transformed in place
  /// @param transformed  dimensions
  /// @param keep_to      `backward` from complex to real numbers leaves the complex ones as they
  /// are
  /// @throws LibraryFailed (`library.fftw`) if FFTW makes no plan
  LocalTransform(const Section& from, const Section& to, const std::vector<int>& transformed,
                 Planning planning, bool keep_to);
  LocalTransform(LocalTransform&&) noexcept;
  LocalTransform& operator=(LocalTransform&&) noexcept;
  ~LocalTransform();

  /// Whether the plans suit the alignment of other memory.
  bool suits(const Section& from, const Section& to) const;
  /// From now on transforms other sections of the same layouts, which the plans suit.
  void rebind(const Section& from, const Section& to) noexcept;
  void forward() const;
  void backward() const;

 private:
  std::unique_ptr<LocalPlans> plans_;
};

}  // namespace daptor::fft::detail
