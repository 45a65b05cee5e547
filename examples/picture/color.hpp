// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>

using Rgb = std::array<std::uint8_t, 3>;
/// Colours from the smallest value to the largest.
using Palette = std::array<Rgb, 256>;

/// From dark violet over red to light yellow; the perceived lightness grows evenly.
Palette heat_palette();
/// From pale to dark blue.
Palette blue_palette();
/// From blue over nearly white in the middle to red.
Palette wave_palette();
