// SPDX-License-Identifier: BSD-3-Clause
// Daptor's operations on masked arrays beside GA's own, call by call, on Global Arrays of the same
// contents; and what ends GA's job, which is an error of all ranks with Daptor.

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>

#include <daptor/enumerate.hpp>
#include <daptor/pack.hpp>
#include <daptor/scan.hpp>

#include "arrays.hpp"
#include "effort.hpp"

namespace daptor::ga::test {
namespace {

/// Numbers that all ranks draw in the same order.
class Dice {
 public:
  int below(int limit) { return static_cast<int>(engine_() % static_cast<unsigned>(limit)); }

 private:
  std::mt19937 engine_{20240607};
};

template <class T>
T* own_elements(const DistArray& array) {
  return static_cast<T*>(array.mutable_data());
}

template <class T>
void set_elements(const DistArray& array, const std::vector<T>& all) {
  WriteLease lease(array);
  const LocalIndexMap map(array);
  for (Index i = 0; i < array.local_count(); ++i)
    own_elements<T>(array)[i] = all[static_cast<std::size_t>(map.global_of({i})[0])];
  lease.close();
}

/// Four arrays of one division: source, destination of each of the two, and mask; and two packed
/// ones of another division.
template <class T>
struct Operands {
  Operands(int size, Dice& dice, int type)
      : count(size),
        source({size}, irregular(size, dice), type),
        mask({size}, again(), C_INT),
        ours({size}, again(), type),
        theirs({size}, again(), type),
        few({size}, irregular(size, dice), type),
        packed_by_us({size}, again(), type),
        packed_by_them({size}, again(), type) {}

  /// An even division, or a random one on as many processes as have an element.
  std::function<void(int)> irregular(int size, Dice& dice) {
    map.clear();
    const int most = std::min(size, world_size());
    if (dice.below(2) == 0 || most < 2) return {};
    map.push_back(0);
    for (int block = 1; block < most; ++block) {
      const int room = size - map.back() - (most - block);
      map.push_back(map.back() + 1 + dice.below(room));
    }
    return again();
  }
  std::function<void(int)> again() {
    if (map.empty()) return {};
    return [this](int handle) {
      int blocks = static_cast<int>(map.size());
      GA_Set_irreg_distr(handle, map.data(), &blocks);
    };
  }

  void fill(Dice& dice) {
    const auto n = static_cast<std::size_t>(count);
    std::vector<T> values(n), before(n);
    std::vector<int> bits(n);
    const int density = 1 + dice.below(8);
    for (std::size_t i = 0; i < n; ++i) {
      const int value = dice.below(2000) - 1000;
      const int other = dice.below(2000) + 5000;
      values[i] = static_cast<T>(value);
      before[i] = static_cast<T>(other);
      bits[i] = dice.below(density + 1) == 0 ? dice.below(3) - 1 : 0;
    }
    for (const OwnedGlobalArray* made : {&source, &few})
      set_elements(export_array(made->handle()), values);
    for (const OwnedGlobalArray* made : {&ours, &theirs, &packed_by_us, &packed_by_them})
      set_elements(export_array(made->handle()), before);
    set_elements(export_array(mask.handle()), bits);
  }

  Numbers map;
  int count;
  OwnedGlobalArray source, mask, ours, theirs, few, packed_by_us, packed_by_them;
};

template <class T>
bool same(const OwnedGlobalArray& a, const OwnedGlobalArray& b) {
  const DistArray x = export_array(a.handle());
  const DistArray y = export_array(b.handle());
  return x.local_count() == y.local_count() &&
         (x.local_count() == 0 ||
          std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.local_count()) * sizeof(T)) ==
              0);
}

template <class T>
void call_both(Operands<T>& a, Dice& dice) {
  a.fill(dice);
  const int lo = dice.below(a.count);
  const int hi = dice.below(8) == 0 ? lo - 1 : lo + dice.below(a.count - lo);
  const IndexRange range{lo, hi + 1};
  const DistArray source = export_array(a.source.handle());
  const DistArray mask = export_array(a.mask.handle());
  const DistArray ours = export_array(a.ours.handle());
  const DistArray packed = export_array(a.packed_by_us.handle());
  const DistArray few = export_array(a.few.handle());
  const int g = a.source.handle(), m = a.mask.handle(), t = a.theirs.handle();
  int their_count = 0;
  Index count = 0;
  const int operation = dice.below(6);
  SCOPED_TRACE(testing::Message() << "operation " << operation << ", " << a.count
                                  << " elements, range " << lo << " to " << hi);
  switch (operation) {
    case 0: {
      T start = static_cast<T>(dice.below(100)), step = static_cast<T>(dice.below(9) - 4);
      enumerate(ours, start, step, range);
      // GA ends the job for an empty range, of which Daptor writes nothing.
      if (lo <= hi) GA_Patch_enum(t, lo, hi, &start, &step);
      break;
    }
    case 1: {
      ScanOptions options;
      options.range = range;
      scan_copy(source, ours, mask, options);
      GA_Scan_copy(g, t, m, lo, hi);
      break;
    }
    case 2:
    case 3: {
      ScanOptions options;
      options.range = range;
      options.exclusive = operation == 3;
      scan_add(source, ours, mask, options);
      GA_Scan_add(g, t, m, lo, hi, operation == 3 ? 1 : 0);
      break;
    }
    case 4:
      count = pack(source, mask, packed, range);
      GA_Pack(g, a.packed_by_them.handle(), m, lo, hi, &their_count);
      break;
    default:
      count = unpack(few, mask, ours, range);
      GA_Unpack(a.few.handle(), t, m, lo, hi, &their_count);
  }
  GA_Sync();
  EXPECT_EQ(count, their_count);
  EXPECT_TRUE((same<T>(a.ours, a.theirs)));
  EXPECT_TRUE((same<T>(a.packed_by_us, a.packed_by_them)));
}

template <class T>
void compare(int calls, int type, Dice& dice) {
  constexpr int calls_on_one_division = 40;
  std::unique_ptr<Operands<T>> operands;
  for (int call = 0; call < calls && !testing::Test::HasFailure(); ++call) {
    if (call % calls_on_one_division == 0) {
      operands.reset();
      operands = std::make_unique<Operands<T>>(1 + dice.below(40), dice, type);
    }
    call_both(*operands, dice);
  }
}

TEST(Sparse, EqualsGlobalArraysCallByCall) {
  const int calls = daptor::test::all_rounds() ? 10000 : daptor::test::rounds(600);
  Dice dice;
  compare<int>(calls / 2, C_INT, dice);
  compare<double>(calls / 2, C_DBL, dice);
  compare<long>(calls / 4, C_LONG, dice);
  compare<float>(calls / 4, C_FLOAT, dice);
  compare<std::complex<double>>(calls / 4, C_DCPL, dice);
}

/// Both arrays keep every bit when a call is refused.
template <class Call>
void expect_unchanged(const std::string& rule, const OwnedGlobalArray& source,
                      const OwnedGlobalArray& destination, const Call& call) {
  const auto bytes = [](const OwnedGlobalArray& made) {
    const DistArray array = export_array(made.handle());
    const auto* const first = static_cast<const char*>(array.data());
    const auto length = static_cast<std::size_t>(array.local_count()) * array.type().itemsize();
    return length == 0 ? std::string() : std::string(first, length);
  };
  const std::string before = bytes(source) + bytes(destination);
  expect_refused_everywhere(
      rule, [&] { call(export_array(source.handle()), export_array(destination.handle())); });
  EXPECT_EQ(bytes(source) + bytes(destination), before) << rule;
}

TEST(Sparse, G_WhatEndsTheJobOfGlobalArraysIsAnErrorOfAll) {
  const int n = 5 * world_size();
  const OwnedGlobalArray a({n}), b({n}), other_type({n}, {}, C_INT), longer({n + 1}), plane({n, 2});
  const OwnedGlobalArray small({3});
  const OwnedGlobalArray mask({n}, {}, C_INT);
  set_elements(export_array(mask.handle()), std::vector<int>(static_cast<std::size_t>(n), 1));
  const DistArray bits = export_array(mask.handle());
  const auto scan = [&](const DistArray& from, const DistArray& to) { scan_add(from, to, bits); };
  const auto packing = [&](const DistArray& from, const DistArray& to) { pack(from, bits, to); };
  const auto numbering = [&](const DistArray&, const DistArray& to) {
    enumerate(to, 1, 1, IndexRange{0, n + 1});
  };
  expect_unchanged("sparse.type", a, other_type, scan);
  expect_unchanged("sparse.division", a, longer, scan);
  expect_unchanged("sparse.ndim", plane, a, scan);
  expect_unchanged("sparse.capacity", a, small, packing);
  expect_unchanged("sparse.range", a, b, numbering);
  // The same array twice, which GA refuses, is a scan in place.
  set_elements(export_array(a.handle()), std::vector<double>(static_cast<std::size_t>(n), 2));
  EXPECT_NO_THROW(scan(export_array(a.handle()), export_array(a.handle())));
}

}  // namespace
}  // namespace daptor::ga::test
