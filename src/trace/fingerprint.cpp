// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fingerprint.hpp"

#include <array>
#include <complex>
#include <vector>

#include "daptor/adapter/fingerprint.hpp"
#include "daptor/adapter/reduce.hpp"
#include "daptor/call.hpp"
#include "daptor/lease.hpp"
#include "daptor/local_index_map.hpp"
#include "reduce/walk.hpp"

namespace daptor {
namespace {

/// Global indices of the elements in a row of the walk.
class RowPlaces {
 public:
  RowPlaces(const Section& array, const detail::Walk& walk)
      : map_(array), walk_(walk), place_(walk.loops().size()) {
    for (const auto& loop : walk.loops())
      interiors_.emplace_back(array.dimensions()[loop.dimension]);
  }
  void begin(const std::vector<Index>& outer) {
    for (std::size_t k = 0; k < outer.size(); ++k) set(k, outer[k]);
  }
  Index natural(Index in_row) {
    if (!place_.empty()) set(place_.size() - 1, in_row);
    return map_.natural_of(place_);
  }

 private:
  void set(std::size_t loop, Index number) {
    place_[walk_.loops()[loop].dimension] = interiors_[loop](walk_.position(loop, number));
  }

  LocalIndexMap map_;
  const detail::Walk& walk_;
  std::vector<detail::InteriorIndices> interiors_;
  std::vector<Index> place_;
};

constexpr auto block = static_cast<Index>(adapter::FingerprintSum::block);

template <class W>
void take_elements(const Section& array, const adapter::CountedPositions* counted,
                   adapter::FingerprintSum& sum) {
  constexpr bool complex = std::is_same_v<W, std::complex<double>>;
  const detail::Walk walk(array, counted, {}, true);
  const detail::Walk::Rows rows(walk, adapter::ReduceOperand::of(array), detail::wide_tag<W>());
  RowPlaces places(array, walk);
  std::array<W, adapter::FingerprintSum::block> elements;
  std::array<double, adapter::FingerprintSum::block> real, imaginary;
  std::array<Index, adapter::FingerprintSum::block> numbers;
  std::array<std::uint64_t, adapter::FingerprintSum::block> keys;
  walk.for_each_row([&](const std::vector<Index>& outer) {
    places.begin(outer);
    for (Index from = 0; from < walk.row_length(); from += block) {
      const Index count = std::min(block, walk.row_length() - from);
      rows.read(outer, from, count, elements.data());
      for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        numbers[i] = places.natural(from + static_cast<Index>(i));
        keys[i] = adapter::FingerprintSum::key(numbers[i]);
        if constexpr (complex) {
          real[i] = elements[i].real();
          imaginary[i] = elements[i].imag();
        } else {
          real[i] = static_cast<double>(elements[i]);
        }
      }
      sum.take(real.data(), complex ? imaginary.data() : nullptr, keys.data(),
               static_cast<std::size_t>(count), [&](std::size_t i) {
                 return adapter::ElementPlace{numbers[i], 0};
               });
    }
  });
}

adapter::FingerprintSum local_sum(const Section& array, const adapter::CountedPositions* counted) {
  adapter::FingerprintSum sum;
  static_cast<void>(LocalIndexMap(array).global_count());  // which must fit in a number
  if (array.type().kind() == Kind::complex)
    take_elements<std::complex<double>>(array, counted, sum);
  else
    take_elements<double>(array, counted, sum);
  return sum;
}

/// Collective. The sum of all ranks, on all of them.
adapter::FingerprintSum combined(const Comm& comm, adapter::FingerprintSum sum) {
  adapter::combine_at_first(comm, sum);
  comm->broadcast(&sum, sizeof sum, 0);
  return sum;
}

}  // namespace

Fingerprint fingerprint(const DistArray& array) {
  Call call(array, "fingerprint");
  std::vector<ReadLease> leases;
  adapter::FingerprintSum sum = call.check([&] {
    leases.push_back(adapter::open_operand(array));
    return adapter::may_repeat(array) ? adapter::FingerprintSum() : local_sum(array, nullptr);
  });
  if (adapter::may_repeat(array)) {
    const auto counted = adapter::counted_positions(array, call);
    sum = call.check([&] { return local_sum(array, counted.get()); });
  }
  Fingerprint print = combined(call.comm(), sum).result(1);
  const LocalIndexMap map(array);
  for (Extreme* const extreme : {&print.least, &print.greatest, &print.largest})
    if (!extreme->place.empty()) extreme->place = map.global_of_natural(extreme->place.front());
  return print;
}

}  // namespace daptor
