// SPDX-License-Identifier: BSD-3-Clause
#include "drop.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace drop {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double x_of_drop = 0.38, y_of_drop = 0.44;

/// The drop is a sum of standing waves cos(2 pi k (x - x0)) cos(2 pi l (y - y0)) cos(w t).
constexpr std::size_t modes = 19;
using Amplitudes = std::array<double, modes>;

/// A Gaussian in k is a Gaussian in x. The amplitudes add up to 1, the height of the drop.
Amplitudes amplitudes() {
  Amplitudes a{};
  double sum = 0;
  for (std::size_t k = 0; k < modes; ++k) {
    a[k] = (k == 0 ? 1.0 : 2.0) * std::exp(-static_cast<double>(k * k) / 36.0);
    sum += a[k];
  }
  for (double& amplitude : a) amplitude /= sum;
  return a;
}

double frequency(std::size_t k, std::size_t l) {
  return 2 * pi * std::hypot(static_cast<double>(k), static_cast<double>(l));
}

double cosine(std::size_t k, double distance) {
  return std::cos(2 * pi * static_cast<double>(k) * distance);
}

}  // namespace

std::vector<PetscScalar> waves(int points, const Box& box, double time) {
  const Amplitudes a = amplitudes();
  const double h = 1.0 / points;
  std::vector<Amplitudes> along_x(static_cast<std::size_t>(box.columns));
  for (std::size_t j = 0; j < along_x.size(); ++j) {
    const double x = static_cast<double>(box.first_column + static_cast<std::int64_t>(j)) * h;
    for (std::size_t k = 0; k < modes; ++k) along_x[j][k] = a[k] * cosine(k, x - x_of_drop);
  }
  std::vector<PetscScalar> u;
  u.reserve(static_cast<std::size_t>(box.rows * box.columns));
  for (std::int64_t i = 0; i < box.rows; ++i) {
    const double y = static_cast<double>(box.first_row + i) * h;
    Amplitudes of_row{};
    for (std::size_t l = 0; l < modes; ++l)
      for (std::size_t k = 0; k < modes; ++k)
        of_row[k] += a[l] * cosine(l, y - y_of_drop) * std::cos(frequency(k, l) * time);
    for (const Amplitudes& of_column : along_x) {
      double sum = 0;
      for (std::size_t k = 0; k < modes; ++k) sum += of_row[k] * of_column[k];
      u.push_back(sum);
    }
  }
  return u;
}

double error_bound(int points, double time) {
  const Amplitudes a = amplitudes();
  const double h = 1.0 / points;
  double bound = 0;
  for (std::size_t k = 0; k < modes; ++k)
    for (std::size_t l = 0; l < modes; ++l) {
      // The scheme's frequency is lower than w by less than w (w h)^2 / 24.
      const double w = frequency(k, l);
      const double phase = w * w * h * w * h / 24 * (time + courant * h);
      bound += a[k] * a[l] * std::min(2.0, phase);
    }
  return bound;
}

}  // namespace drop
