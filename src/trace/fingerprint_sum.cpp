// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>

#include "daptor/adapter/fingerprint.hpp"

namespace daptor::adapter {
namespace {

/// Between -1 and 1. The keys of indices that follow each other are multiples of the golden ratio,
/// modulo 2^64, so that their weights are spread evenly.
double weight_of(std::uint64_t key) {
  return static_cast<double>(static_cast<std::int64_t>(key)) * 0x1p-63;
}

/// Sums are added up in lanes, which a processor computes side by side.
constexpr std::size_t lanes = 4;
using Lanes = std::array<double, lanes>;

double sum_of(const Lanes& x) {
  return (x[0] + x[1]) + (x[2] + x[3]);
}

Lanes all(double value) {
  return {value, value, value, value};
}

}  // namespace

double FingerprintSum::magnitude_of(double real, double imaginary) {
  return std::sqrt(real * real + imaginary * imaginary);
}

FingerprintSum::Extremes FingerprintSum::add(const double* real, const double* imaginary,
                                             const std::uint64_t* keys, std::size_t count) {
  Lanes sum{}, sizes{}, squares{}, mixed{}, other{}, other_mixed{};
  Lanes least = all(infinity), greatest = all(-infinity), largest = all(-infinity);
  const auto step = [&](std::size_t i, std::size_t lane) {
    const double x = real[i];
    const double weight = weight_of(keys[i]);
    sum[lane] += x;
    mixed[lane] += x * weight;
    least[lane] = x < least[lane] ? x : least[lane];
    greatest[lane] = x > greatest[lane] ? x : greatest[lane];
    double size = std::abs(x);
    if (imaginary != nullptr) {
      const double y = imaginary[i];
      other[lane] += y;
      other_mixed[lane] += y * weight;
      size = magnitude_of(x, y);
      largest[lane] = size > largest[lane] ? size : largest[lane];
    }
    sizes[lane] += size;
    squares[lane] += size * size;
  };
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) step(i + lane, lane);
  for (; i < count; ++i) step(i, 0);
  Extremes found{*std::min_element(least.begin(), least.end()),
                 *std::max_element(greatest.begin(), greatest.end()),
                 *std::max_element(largest.begin(), largest.end()), std::isfinite(sum_of(sizes))};
  if (imaginary == nullptr) found.largest = std::max(-found.least, found.greatest);
  if (!found.finite) return found;
  real_.add(sum_of(sum));
  imaginary_.add(sum_of(other));
  magnitudes_.add(sum_of(sizes));
  squares_.add(sum_of(squares));
  mixed_real_.add(sum_of(mixed));
  mixed_imaginary_.add(sum_of(other_mixed));
  return found;
}

void FingerprintSum::take_one(double real, const double* imaginary, std::uint64_t key,
                              ElementPlace place) {
  const double other = imaginary == nullptr ? 0 : *imaginary;
  const double size = imaginary == nullptr ? std::abs(real) : magnitude_of(real, other);
  const double weight = weight_of(key);
  ++elements_;
  real_.add(real);
  imaginary_.add(other);
  magnitudes_.add(size);
  squares_.add(size * size);
  mixed_real_.add(real * weight);
  mixed_imaginary_.add(other * weight);
  replace(least_, real < least_.value, real, place);
  replace(greatest_, real > greatest_.value, real, place);
  replace(largest_, size > largest_.value, size, place);
}

void FingerprintSum::replace(Found& found, bool better, double value, ElementPlace place) {
  if (better || (value == found.value && place < found.place)) found = {value, place};
}

void FingerprintSum::take_run(const double* real, const double* imaginary, std::size_t count,
                              Index first_index) {
  std::array<std::uint64_t, block> keys;
  for (std::size_t done = 0; done < count; done += block) {
    const std::size_t n = std::min(block, count - done);
    const Index first = first_index + static_cast<Index>(done);
    std::uint64_t next = key(first);
    for (std::size_t i = 0; i < n; ++i, next += key_step) keys[i] = next;
    take(real + done, imaginary == nullptr ? nullptr : imaginary + done, keys.data(), n,
         [&](std::size_t i) {
           return ElementPlace{first + static_cast<Index>(i), 0};
         });
  }
}

void FingerprintSum::merge(const FingerprintSum& other) {
  elements_ += other.elements_;
  not_finite_ += other.not_finite_;
  real_.merge(other.real_);
  imaginary_.merge(other.imaginary_);
  magnitudes_.merge(other.magnitudes_);
  squares_.merge(other.squares_);
  mixed_real_.merge(other.mixed_real_);
  mixed_imaginary_.merge(other.mixed_imaginary_);
  if (other.elements_ == other.not_finite_) return;
  replace(least_, other.least_.value < least_.value, other.least_.value, other.least_.place);
  replace(greatest_, other.greatest_.value > greatest_.value, other.greatest_.value,
          other.greatest_.place);
  replace(largest_, other.largest_.value > largest_.value, other.largest_.value,
          other.largest_.place);
}

Fingerprint FingerprintSum::result(std::size_t dimensions) const {
  Fingerprint print;
  print.count = elements_;
  print.not_finite = not_finite_;
  print.sum = {real_.total(), imaginary_.total()};
  print.magnitudes = magnitudes_.total();
  print.norm = std::sqrt(squares_.total());
  print.mixed = {mixed_real_.total(), mixed_imaginary_.total()};
  if (elements_ == not_finite_) return print;
  const auto extreme = [&](const Found& found) {
    Extreme result{found.value, {found.place.first}};
    if (dimensions > 1) result.place.push_back(found.place.second);
    return result;
  };
  print.least = extreme(least_);
  print.greatest = extreme(greatest_);
  print.largest = extreme(largest_);
  return print;
}

}  // namespace daptor::adapter
