// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Fourier transforms of distributed arrays where they lie, by FFTW on each process and
/// redistribution between the processes.
///
/// \code
/// daptor::fft::Transform t(u, daptor::fft::fitting_output(u));
/// t.forward();
/// const std::vector<double> k = t.frequencies(0);
/// multiply(t.output(), k);
/// t.backward();
/// \endcode

#include "daptor/fft/bytes_to_transform.hpp"
#include "daptor/fft/fitting_output.hpp"
#include "daptor/fft/frequencies.hpp"
#include "daptor/fft/slab_pair.hpp"
#include "daptor/fft/transform.hpp"
#include "daptor/fftw/targets.hpp"
