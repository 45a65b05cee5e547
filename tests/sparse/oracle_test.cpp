// SPDX-License-Identifier: BSD-3-Clause
// Random masks, ranges, divisions, orders of ranks, strides and padding against one process.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "effort.hpp"
#include "line.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

using Random = std::mt19937;

/// Calls at this number of ranks.
int calls() {
  return all_rounds() ? 10000 : rounds(1000);
}

struct Draw {
  Random& random;

  Index below(Index limit) { return static_cast<Index>(random() % static_cast<unsigned>(limit)); }
  bool one_in(Index n) { return below(n) == 0; }
  Spacing spacing() { return {1 + (one_in(3) ? 1 + below(2) : 0), one_in(4)}; }
  BlockPadding padding() { return one_in(3) ? BlockPadding({below(3), below(3)}) : BlockPadding(); }
  std::optional<IndexRange> range(Index size) {
    if (one_in(3)) return std::nullopt;
    const Index a = below(size + 1), b = below(size + 1);
    return one_in(8) ? IndexRange{std::max(a, b), std::min(a, b)}
                     : IndexRange{std::min(a, b), std::max(a, b)};
  }
  std::vector<int> mask(Index size) {
    const Index every = one_in(6) ? 1 : one_in(5) ? 1000 : 1 + below(12);
    std::vector<int> all(static_cast<std::size_t>(size));
    for (int& each : all) each = one_in(every) ? 1 + static_cast<int>(below(200)) : 0;
    return all;
  }
  template <class T>
  std::vector<T> values(Index size) {
    std::vector<T> all(static_cast<std::size_t>(size));
    for (T& each : all) each = static_cast<T>(below(100)) - static_cast<T>(40);
    return all;
  }
  Index size() { return one_in(20) ? 3000 + below(6000) : below(60); }
  /// Blocks of any bounds, cyclic, or a list.
  Dimension division_of_packed(Index size) {
    if (one_in(8))
      return cyclic(size, {world_size(), world_rank()}, 1 + below(4), below(world_size()));
    if (one_in(2)) return Division::random(size, random).here(padding());
    const auto all = divisions_of_packed(size);
    return all[static_cast<std::size_t>(below(static_cast<Index>(all.size())))];
  }
};

template <class T>
class Round {
 public:
  explicit Round(Random& random) : draw_{random} {}

  void run() {
    const Index size = draw_.size();
    const Division division = Division::random(size, draw_.random);
    const auto place = [&] { return division.here(draw_.padding()); };
    source_.emplace(place(), draw_.spacing());
    target_.emplace(place(), draw_.spacing());
    mask_.emplace(place(), draw_.spacing());
    range_ = draw_.range(size);
    chosen_ = range_.value_or(IndexRange{0, size});
    bits_ = draw_.mask(size);
    from_ = draw_.template values<T>(size);
    to_ = draw_.template values<T>(size);
    source_->set(from_);
    target_->set(to_);
    mask_->set(std::vector<std::int16_t>(bits_.begin(), bits_.end()));
    switch (draw_.below(6)) {
      case 0:
        return enumerates(size);
      case 1:
        return packs(size);
      case 2:
        return unpacks(size);
      default:
        return scans();
    }
  }

 private:
  void expect(Line<T>& line, const std::vector<T>& all, const char* what) {
    EXPECT_EQ(line.wrong(all), 0) << what << ", size " << line.size();
    EXPECT_TRUE(line.rest_untouched()) << what;
    expect_only_read(what);
  }
  void expect_only_read(const char* what) {
    EXPECT_EQ(source_->wrong(from_), 0) << what;
    EXPECT_TRUE(source_->rest_untouched()) << what;
    EXPECT_EQ(mask_->wrong(std::vector<std::int16_t>(bits_.begin(), bits_.end())), 0) << what;
    EXPECT_TRUE(mask_->rest_untouched()) << what;
  }

  void enumerates(Index size) {
    Line<T> line(draw_.division_of_packed(size), draw_.spacing());
    line.set(to_);
    const auto start = static_cast<int>(draw_.below(9)),
               stride = 4 - static_cast<int>(draw_.below(9));
    enumerate(line, start, stride, range_);
    auto expected = to_;
    for (Index i = chosen_.start; i < chosen_.stop; ++i)
      expected[static_cast<std::size_t>(i)] = static_cast<T>(
          static_cast<T>(start) + static_cast<T>(i - chosen_.start) * static_cast<T>(stride));
    expect(line, expected, "enumerate");
  }

  void packs(Index size) {
    const auto values = packed_by_one(from_, bits_, chosen_);
    const auto count = static_cast<Index>(values.size());
    if (draw_.one_in(4)) {
      const DistArray made = packed(*source_, *mask_, range_);
      ASSERT_EQ(made.dimension(0).global_size(), count);
      const IndexRange owned = even_block(count, {world_size(), world_rank()});
      EXPECT_EQ(0, made.owned_count() == 0
                       ? 0
                       : std::memcmp(made.data(), values.data() + owned.start,
                                     static_cast<std::size_t>(owned.size()) * sizeof(T)));
      return expect_only_read("packed");
    }
    const Index room = count + (draw_.one_in(2) ? draw_.below(size + 3) : 0);
    Line<T> line(draw_.division_of_packed(room), draw_.spacing());
    auto expected = draw_.template values<T>(room);
    line.set(expected);
    EXPECT_EQ(pack(*source_, *mask_, line, range_), count);
    std::copy(values.begin(), values.end(), expected.begin());
    expect(line, expected, "pack");
  }

  void unpacks(Index size) {
    const auto count = static_cast<Index>(packed_by_one(from_, bits_, chosen_).size());
    const Index room = count + (draw_.one_in(2) ? draw_.below(size + 3) : 0);
    Line<T> line(draw_.division_of_packed(room), draw_.spacing());
    const auto values = draw_.template values<T>(room);
    line.set(values);
    EXPECT_EQ(unpack(line, *mask_, *target_, range_), count);
    expect(*target_, unpacked_by_one(values, bits_, to_, chosen_), "unpack");
    expect(line, values, "source of unpack");
  }

  void scans() {
    ScanOptions options;
    options.range = range_;
    const bool keeps = draw_.one_in(2), in_place = draw_.one_in(4);
    if (draw_.one_in(2)) options.before = keeps ? BeforeFirst::keep : BeforeFirst::zero;
    const DistArray& source = in_place ? target_->array() : source_->array();
    const auto& from = in_place ? to_ : from_;
    const auto expected = [&](BeforeFirst usual, std::optional<T> first, const auto& combine) {
      expect(*target_,
             scanned(from, to_, bits_, chosen_, options.before.value_or(usual),
                     options.exclusive ? first : std::nullopt, combine),
             in_place ? "scan in place" : "scan");
    };
    if (draw_.one_in(3)) {
      scan_copy(source, *target_, *mask_, options);
      return expected(BeforeFirst::zero, std::nullopt, [](T a, T) { return a; });
    }
    options.exclusive = draw_.one_in(2);
    if (draw_.one_in(2)) {
      scan_add(source, *target_, *mask_, options);
      return expected(BeforeFirst::keep, T(0), [](T a, T b) { return static_cast<T>(a + b); });
    }
    // Not commutative: the second of two.
    scan(source, *target_, *mask_, Combination::of<T>([](T, T b) { return b; }, T(5)), options);
    expected(BeforeFirst::keep, T(5), [](T, T b) { return b; });
  }

  Draw draw_;
  std::optional<Line<T>> source_, target_;
  std::optional<Line<std::int16_t>> mask_;
  std::optional<IndexRange> range_;
  IndexRange chosen_;
  std::vector<int> bits_;
  std::vector<T> from_, to_;
};

TEST(SparseOracle, RandomCalls) {
  Random random(20261u + static_cast<unsigned>(world_size()));
  for (int call = 0, all = calls(); call < all && !::testing::Test::HasFailure(); ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    switch (call % 4) {
      case 0:
        Round<double>(random).run();
        break;
      case 1:
        Round<std::int32_t>(random).run();
        break;
      case 2:
        Round<std::int64_t>(random).run();
        break;
      default:
        Round<float>(random).run();
    }
    // A rank that failed must not leave the loop alone.
    int failed = ::testing::Test::HasFailure() ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (failed != 0) return;
  }
}

/// Sums that are not exact: |error| is at most n eps times the sum of the magnitudes, and the same
/// division gives the same bits again.
TEST(SparseOracle, InexactSums) {
  Random random(7);
  std::uniform_real_distribution<double> real(-1, 1);
  for (const unsigned every : {2u, 50u, 5000u}) {
    const Index size = 5000;
    const Division division = Division::random(size, random);
    Line<double> source(division.here()), target(division.here()), again(division.here());
    Line<std::int32_t> mask(division.here());
    std::vector<double> values(static_cast<std::size_t>(size));
    std::vector<int> bits(values.size());
    for (double& value : values) value = real(random);
    for (int& bit : bits) bit = random() % every == 0 ? 1 : 0;
    bits[0] = 1;
    source.set(values);
    mask.set(bits);
    scan_add(source, target, mask);
    scan_add(source, again, mask);
    EXPECT_EQ(target.bytes(), again.bytes());
    const auto expected =
        scanned(values, values, bits, {0, size}, BeforeFirst::keep, std::optional<double>(),
                [](double a, double b) { return a + b; });
    if (world_size() == 1) {
      EXPECT_EQ(target.wrong(expected), 0);
    }
    const double bound = static_cast<double>(size) * 2.3e-16 * static_cast<double>(size);
    target.for_each([&](Index i, std::byte* at) {
      double value = 0;
      std::memcpy(&value, at, sizeof value);
      EXPECT_NEAR(value, expected[static_cast<std::size_t>(i)], bound);
    });
  }
}

}  // namespace
