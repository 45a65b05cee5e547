// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The boxes, tiles and slabs by which FFT libraries say who has which part of a grid, made from
/// described arrays and described as arrays. No FFT library is needed; `daptor/fftw.hpp` has
/// transforms.
///
/// \code
/// daptor::fft::Box box = daptor::fft::box(a);     // oneMKL, cuFFTMp, hipFFT, heFFTe
/// daptor::fft::Tile tile = daptor::fft::tile(a);  // fftMPI
/// daptor::fft::Slab slab = daptor::fft::slab(a);  // oneMKL's built-in division
/// daptor::DistArray b = daptor::fft::describe(data, count, box, comm);  // and back, proven
/// \endcode

#include "daptor/fft/box.hpp"
#include "daptor/fft/complex_view.hpp"
#include "daptor/fft/list.hpp"
#include "daptor/fft/real_and_spectrum.hpp"
#include "daptor/fft/slab.hpp"
#include "daptor/fft/targets.hpp"
#include "daptor/fft/tile.hpp"
#include "daptor/fft/tiling.hpp"
