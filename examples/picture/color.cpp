// SPDX-License-Identifier: BSD-3-Clause
#include "color.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace {

constexpr double pi = 3.14159265358979323846;

/// A colour of the OKLab space: lightness 0 to 1, chroma, hue in degrees.
struct Lch {
  double lightness, chroma, hue;
};

std::uint8_t encoded(double linear) {
  const double c = std::clamp(linear, 0.0, 1.0);
  const double srgb = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * srgb));
}

Rgb to_rgb(Lch color) {
  const double a = color.chroma * std::cos(color.hue * pi / 180);
  const double b = color.chroma * std::sin(color.hue * pi / 180);
  const double l = std::pow(color.lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(color.lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(color.lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {encoded(+4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

/// A palette with even steps of lightness and hue; the chroma is largest in the middle.
Palette between(Lch low, Lch high, double middle_chroma) {
  Palette palette{};
  for (std::size_t i = 0; i < palette.size(); ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(palette.size() - 1);
    const double bulge = 4 * t * (1 - t);
    palette[i] = to_rgb({low.lightness + t * (high.lightness - low.lightness),
                         low.chroma + t * (high.chroma - low.chroma) + bulge * middle_chroma,
                         low.hue + t * (high.hue - low.hue)});
  }
  return palette;
}

}  // namespace

Palette heat_palette() {
  return between({0.18, 0.08, 290}, {0.96, 0.09, 460}, 0.10);
}

Palette blue_palette() {
  return between({0.96, 0.02, 220}, {0.30, 0.06, 260}, 0.05);
}

Palette wave_palette() {
  const Palette below = between({0.32, 0.10, 265}, {0.975, 0.0, 245}, 0.07);
  const Palette above = between({0.975, 0.0, 60}, {0.38, 0.12, 22}, 0.08);
  Palette palette{};
  for (std::size_t i = 0; i < 128; ++i) {
    palette[i] = below[2 * i];
    palette[128 + i] = above[2 * i + 1];
  }
  return palette;
}
