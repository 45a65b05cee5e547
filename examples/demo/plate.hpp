// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// A unit square plate of strongly varying conductivity, with a prescribed temperature and the heat
/// source that produces it: -div(k grad T) = source.
namespace plate {

/// In W/(m K); smooth, from 0.01 in the insulator to 100 in the inclusions.
double conductivity(double x, double y);
/// In degrees Celsius.
double temperature(double x, double y);
double source(double x, double y);

inline constexpr double log10_lowest_conductivity = -2;
inline constexpr double log10_highest_conductivity = 2;

}  // namespace plate
