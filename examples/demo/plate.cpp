// SPDX-License-Identifier: BSD-3-Clause
#include "plate.hpp"

#include <cmath>

namespace plate {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double log_of_ten = 2.30258509299404568402;

struct Inclusion {
  double x, y, radius;
};
constexpr Inclusion inclusions[] = {{0.27, 0.70, 0.16}, {0.70, 0.76, 0.11}, {0.62, 0.34, 0.20},
                                    {0.20, 0.24, 0.10}, {0.88, 0.15, 0.08}, {0.92, 0.52, 0.07}};
constexpr double edge = 0.016;  // width over which an inclusion fades

/// A value and its gradient.
struct Field {
  double value, dx, dy;
};

/// 1 inside an inclusion, 0 outside all of them: 1 minus the product of (1 - inside) of each.
Field inside(double x, double y) {
  double outside = 1;
  double log_dx = 0;
  double log_dy = 0;
  for (const Inclusion& i : inclusions) {
    const double dx = x - i.x;
    const double dy = y - i.y;
    // About (distance - radius) / edge near the rim, and smooth in the centre.
    const double past_rim = (dx * dx + dy * dy - i.radius * i.radius) / (2 * i.radius * edge);
    const double fading = 1 / (1 + std::exp(past_rim));
    outside *= 1 - fading;
    log_dx += fading * dx / (i.radius * edge);
    log_dy += fading * dy / (i.radius * edge);
  }
  return {1 - outside, -outside * log_dx, -outside * log_dy};
}

struct Temperature {
  double value, dx, dy, laplacian;
};

/// A wide hot spot on a gentle slope: 20 degrees and more.
Temperature prescribed(double x, double y) {
  const double sx = std::sin(pi * x);
  const double cx = std::cos(pi * x);
  const double sy = std::sin(pi * y);
  const double cy = std::cos(pi * y);
  const double wave = std::sin(2 * pi * (x + 0.5 * y));
  const double wave_c = std::cos(2 * pi * (x + 0.5 * y));
  // T = 25 + 10 x + 40 sx sy (1 + wave / 2)
  const double base = sx * sy;
  const double factor = 1 + 0.5 * wave;
  const double factor_dx = pi * wave_c;
  const double factor_dy = 0.5 * pi * wave_c;
  const double base_dx = pi * cx * sy;
  const double base_dy = pi * sx * cy;
  const double base_laplacian = -2 * pi * pi * base;
  const double factor_laplacian = -0.5 * wave * (4 * pi * pi + pi * pi);
  return {25 + 10 * x + 40 * base * factor, 10 + 40 * (base_dx * factor + base * factor_dx),
          40 * (base_dy * factor + base * factor_dy),
          40 * (base_laplacian * factor + 2 * (base_dx * factor_dx + base_dy * factor_dy) +
                base * factor_laplacian)};
}

double conductivity_at(double inside_value) {
  return std::pow(10.0,
                  log10_lowest_conductivity +
                      (log10_highest_conductivity - log10_lowest_conductivity) * inside_value);
}

}  // namespace

double conductivity(double x, double y) {
  return conductivity_at(inside(x, y).value);
}

double temperature(double x, double y) {
  return prescribed(x, y).value;
}

double source(double x, double y) {
  const Field s = inside(x, y);
  const Temperature t = prescribed(x, y);
  const double k = conductivity_at(s.value);
  const double log_slope = log_of_ten * (log10_highest_conductivity - log10_lowest_conductivity);
  return -k * (t.laplacian + log_slope * (s.dx * t.dx + s.dy * t.dy));
}

}  // namespace plate
