// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "daptor/adapter/communicator.hpp"
#include "daptor/comm.hpp"
#include "daptor/fingerprint.hpp"

/// \file
/// For adapters: fingerprints of what is no described array, such as a matrix.

namespace daptor::adapter {

/// A sum with the rounding that it has lost so far (Neumaier).
struct CompensatedSum {
  double value = 0, lost = 0;

  void add(double x) {
    const double sum = value + x;
    lost += std::abs(value) >= std::abs(x) ? (value - sum) + x : (x - sum) + value;
    value = sum;
  }
  void merge(const CompensatedSum& other) {
    add(other.value);
    lost += other.lost;
  }
  double total() const { return std::isfinite(value) ? value + lost : value; }
};

/// Global indices: of an element, or row and column of a matrix entry.
struct ElementPlace {
  Index first = 0, second = 0;
  friend bool operator<(const ElementPlace& a, const ElementPlace& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  }
};

/// The fingerprint of some elements. Plain bytes, which ranks send each other.
///
/// \code
/// FingerprintSum sum;
/// for (...) sum.take(values, nullptr, keys, count, [&](std::size_t i) { return place_of(i); });
/// combine_at_first(comm, sum);           // collective
/// if (comm.rank() == 0) use(sum.result(1));
/// \endcode
class FingerprintSum {
 public:
  /// So many elements may be taken at once.
  static constexpr std::size_t block = 256;

  /// The number that stands for an index in `mixed`.
  static std::uint64_t key(Index index) {
    return (static_cast<std::uint64_t>(index) + 1) * key_step;
  }
  static std::uint64_t key(Index row, Index column) {
    return key(row) + (static_cast<std::uint64_t>(column) + 1) * 0xd1342543de82ef95;
  }

  /// @param real       `count` numbers
  /// @param imaginary  as many, or null
  /// @param keys       their keys
  /// @param count      at most `block`
  /// @param place      the place of an element among these, by its number
  template <class Place>
  void take(const double* real, const double* imaginary, const std::uint64_t* keys,
            std::size_t count, const Place& place) {
    if (count == 0) return;
    const Extremes of_block = add(real, imaginary, keys, count);
    elements_ += static_cast<std::int64_t>(count);
    if (of_block.finite) {
      const auto magnitude = [&](std::size_t i) {
        return imaginary == nullptr ? std::abs(real[i]) : magnitude_of(real[i], imaginary[i]);
      };
      const auto value = [&](std::size_t i) { return real[i]; };
      find(least_, of_block.least, of_block.least <= least_.value, count, value, place);
      find(greatest_, of_block.greatest, of_block.greatest >= greatest_.value, count, value, place);
      find(largest_, of_block.largest, of_block.largest >= largest_.value, count, magnitude, place);
      return;
    }
    // One by one, without those that are no numbers.
    elements_ -= static_cast<std::int64_t>(count);
    for (std::size_t i = 0; i < count; ++i) {
      const double* const part = imaginary == nullptr ? nullptr : imaginary + i;
      if (std::isfinite(real[i]) && (part == nullptr || std::isfinite(*part))) {
        take_one(real[i], part, keys[i], place(i));
      } else {
        ++elements_;
        ++not_finite_;
      }
    }
  }
  /// The same for elements whose indices follow each other.
  void take_run(const double* real, const double* imaginary, std::size_t count, Index first_index);

  void merge(const FingerprintSum& other);
  /// @param dimensions  how many indices places have, 1 or 2
  Fingerprint result(std::size_t dimensions) const;

 private:
  static constexpr std::uint64_t key_step = 0x9e3779b97f4a7c15;
  struct Extremes {
    double least, greatest, largest;
    bool finite;
  };
  struct Found {
    double value;
    ElementPlace place;
  };

  /// In the library, because code of other flags may round it in another way.
  static double magnitude_of(double real, double imaginary);
  /// Adds the sums, unless an element is no number.
  Extremes add(const double* real, const double* imaginary, const std::uint64_t* keys,
               std::size_t count);
  void take_one(double real, const double* imaginary, std::uint64_t key, ElementPlace place);
  static void replace(Found& found, bool better, double value, ElementPlace place);

  template <class Value, class Place>
  static void find(Found& found, double value, bool at_least_as_good, std::size_t count,
                   const Value& value_of, const Place& place) {
    if (!at_least_as_good) return;
    std::size_t i = 0;
    while (i + 1 < count && value_of(i) != value) ++i;
    replace(found, value != found.value, value, place(i));
  }

  std::int64_t elements_ = 0, not_finite_ = 0;
  CompensatedSum real_, imaginary_, magnitudes_, squares_, mixed_real_, mixed_imaginary_;
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  Found least_{infinity, {}}, greatest_{-infinity, {}}, largest_{-infinity, {}};
};

/// Collective. Merges what all ranks have, by log2(P) messages, on rank 0; on other ranks `mine` is
/// of no use any more. No rank holds more than two.
/// @param mine  plain bytes with a member `merge`
template <class Partial>
void combine_at_first(const Comm& comm, Partial& mine) {
  static_assert(std::is_trivially_copyable_v<Partial>);
  const int rank = comm.rank(), ranks = comm.size();
  for (std::int64_t step = 1; step < ranks; step *= 2) {
    if (rank % (2 * step) != 0) {
      comm->sendrecv(static_cast<int>(rank - step), &mine, sizeof mine, -1, nullptr, 0);
      return;
    }
    if (rank + step >= ranks) continue;
    Partial theirs;
    comm->sendrecv(-1, nullptr, 0, static_cast<int>(rank + step), &theirs, sizeof theirs);
    mine.merge(theirs);
  }
}

}  // namespace daptor::adapter
