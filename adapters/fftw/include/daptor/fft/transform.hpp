// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "daptor/dist_array.hpp"
#include "daptor/fields.hpp"

namespace daptor::fft {

/// How long FFTW searches for a fast plan (its flags of the same names).
enum class Planning { estimate, measure, patient };
constexpr auto words(Planning) {
  return word_list(word("estimate", Planning::estimate), word("measure", Planning::measure),
                   word("patient", Planning::patient));
}

/// Which direction divides by the number of elements, so that forward and backward are inverse to
/// each other.
enum class Scale { none, backward, forward, both };
constexpr auto words(Scale) {
  return word_list(
      word("none", Scale::none,
           "neither, as FFTW: backward after forward multiplies by the number of elements"),
      word("backward", Scale::backward, "as NumPy's default"), word("forward", Scale::forward),
      word("ortho", Scale::both, "each by the square root"));
}

/// Who moves elements between processes.
enum class Engine { redistribution, fftw_mpi };
constexpr auto words(Engine) {
  return word_list(word("redistribution", Engine::redistribution,
                        "Daptor, between FFTW's transforms on each process: any layouts"),
                   word("fftw_mpi", Engine::fftw_mpi,
                        "FFTW-MPI, in the memory of input and output, which must be its own slabs "
                        "(allocate_slabs), with at least two indices in dimension 1"));
}

struct TransformOptions {
  std::vector<int> dimensions = {};
  Scale scale = Scale::none;
  Planning planning = Planning::measure;
  bool overwrite = false;
  Engine engine = Engine::redistribution;
  Index capacity = 0;
};
constexpr auto fields(const TransformOptions&) {
  using Options = TransformOptions;
  return field_list(
      optional_field("dimensions", &Options::dimensions,
                     "the dimensions that are transformed, in any order; not given: all; along the "
                     "others, each index is a transform of its own (a batch); of real numbers the "
                     "last one named is halved in a fitting output, as in NumPy"),
      field("scale", &Options::scale,
            "which direction divides by the number of elements, so that forward and backward are "
            "inverse to each other"),
      field("planning", &Options::planning,
            "how long FFTW searches for a fast plan (its flags of the same names)"),
      field("overwrite", &Options::overwrite,
            "forward may leave other values in the input, and backward in the output; saves up to "
            "two copies of the local section, and the time to write them"),
      field("engine", &Options::engine, "who moves elements between processes"),
      field("capacity", &Options::capacity,
            "for FFTW-MPI, which writes beyond the elements of a process: number of complex "
            "numbers for which the memory of input and output has room on this rank; may differ "
            "between ranks"));
}

/// The discrete Fourier transform of a distributed array, from any layout to any layout: blocks,
/// slabs, pencils and bricks of any bounds, cyclic dimensions and lists of indices, row-major,
/// column-major and strided memory, padding on any side, which is skipped. Made once, used any
/// number of times, in both directions. Move-only.
///
/// The element types decide what is transformed: complex64 to complex64 and complex128 to
/// complex128, float32 to complex64 and float64 to complex128. Spectra of real numbers keep
/// size / 2 + 1 of the frequencies in one dimension, which is the last one named of the transformed
/// ones in which the output has that size. `forward` has the sign -1 in the exponent, `backward`
/// +1.
///
/// A dimension is transformed by FFTW where it is whole on every process. The stages between are
/// redistributions, as few and as small as the two layouts allow: one from slabs to slabs of
/// another dimension, two from slabs back to the same slabs. Input and output may be the same
/// array, or the two of RealAndSpectrum, for a transform in place.
///
/// Example: a 128 x 128 x 128 array in blocks with two ghost cells on each side, and the cheapest
/// output.
/// \code
/// daptor::fft::Transform t(u, daptor::fft::fitting_output(u));
/// t.forward();
/// \endcode
class Transform {
 public:
  /// Collective. Plans with memory of its own: neither array is touched.
  /// @param input   the array before `forward`, over MPI; kept alive
  /// @param output  the array after it, on the same processes, writable; kept alive
  /// @param options what is transformed, and how; the same on all ranks
  /// @throws Malformed on all ranks, if the sections of either do not form one array
  /// @throws InvalidArgument on all ranks: `fft.type` (element types that do not fit), `fft.shape`
  ///   (sizes that do not fit), `fft.dimensions` (a dimension twice, or none), `fft.strides`,
  ///   `fft.alignment`, `fft.memory` (input and output overlap without being one array, or on some
  ///   ranks only), `fft.device`, `lease.readonly`, `argument` (a description without memory),
  ///   `collective.comm`, `collective.different` (options differ between ranks); and the errors of
  ///   Redistribution
  /// @throws NotRepresentable on all ranks, with Engine::fftw_mpi, for arrays that are not
  ///   its slabs: `fft.slab`, `fft.gaps`, `fft.capacity`, `fft.index-range`, `fft.engine` (a
  ///   transform that it does not have or computes wrongly, or Daptor was built without it)
  /// @throws LibraryFailed on all ranks, if FFTW makes no plan or memory runs out
  Transform(const DistArray& input, const DistArray& output, const TransformOptions& options = {});
  Transform(Transform&& other) noexcept;
  Transform& operator=(Transform&& other) noexcept;
  /// Collective with Engine::fftw_mpi, which frees communicators with its plans.
  ~Transform();

  /// Collective. Transforms input to output, and notifies the views of what was written
  /// (`modified()`). The input keeps its values, unless it is the output or `overwrite` was set.
  /// @throws Stale, ProducerFailed on all ranks, before anything is written, if a producer's memory
  ///   is not what was described
  void forward();
  /// Collective. The opposite direction: output to input, which must be writable.
  /// @throws InvalidArgument on all ranks for a read-only input (`lease.readonly`); otherwise like
  ///   `forward`, and on the first call like Redistribution::run_back
  void backward();

  /// Collective. From now on transforms other arrays of the same layouts.
  /// @param input, output  arrays of the same layouts (`Section::same_layout`) as before, on the
  ///                       same processes, which overlap where those before did
  /// @throws InvalidArgument, NotRepresentable, Stale or ProducerFailed on all ranks, and changes
  ///   nothing, if they are not (`fft.rebind`), or cannot be used (like the constructor). If the
  ///   producer of the arrays before does not open them any more either, later calls throw
  ///   `fft.rebind` too
  void rebind(const DistArray& input, const DistArray& output);

  const DistArray& input() const;
  const DistArray& output() const;
  /// The frequencies of the indices that this process owns of the output (`fft::frequencies`).
  /// Process-local.
  /// @param dimension  in [0, ndim())
  std::vector<double> frequencies(int dimension) const;

  /// \name What one transform takes. Process-local.
  /// \{
  /// Number of redistributions; the same on all ranks.
  int redistributions() const;
  /// Number of bytes that this process sends to others in one direction; 0 with Engine::fftw_mpi.
  std::int64_t bytes_sent() const;
  /// Number of bytes of memory that this object holds besides input and output.
  std::int64_t work_bytes() const;
  /// \}

 private:
  struct State;
  State& state() const;
  std::unique_ptr<State> state_;
};

}  // namespace daptor::fft
