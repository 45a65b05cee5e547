// SPDX-License-Identifier: BSD-3-Clause
// A rank that fails in the middle of an operation, and ranks in different operations.

#include <functional>

#include "everywhere.hpp"
#include "line.hpp"
#include "mixed_calls.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

class SparseFaults : public ::testing::Test, protected MaskedOperands {
 protected:
  static constexpr Index size = 31;

  SparseFaults() : MaskedOperands(size, Division::all_at(0, size).here(), {2, false}) {}

  /// Faults at all points but the last, at which arrays are closed, leave them as they are.
  void expect_agreed(const std::function<void()>& call) {
    refill();
    const auto before = bytes();
    const auto anew = [&] {
      refill();
      call();
    };
    Faults().expect_agreed(
        anew, [&] { EXPECT_EQ(bytes(), before); }, 1);
  }
};

TEST_F(SparseFaults, AreAgreedBeforeAnythingIsWritten) {
  for (const DistArray* each : {&target.array(), &list.array()})
    expect_agreed([&] { enumerate(*each, 0, 1); });
  expect_agreed([&] { scan_copy(source, target, mask); });
  expect_agreed([&] { scan_add(source, target, mask); });
  for (const DistArray* each : {&few.array(), &list.array()}) {
    expect_agreed([&] { pack(source, mask, *each); });
    expect_agreed([&] { unpack(*each, mask, target); });
  }
  Faults().expect_agreed([&] { packed(source, mask); });
}

TEST_F(SparseFaults, RanksInDifferentOperations) {
  if (world_size() > 4) return;
  expect_no_mixing({{"enumerate", [&] { enumerate(target, 0, 1); }},
                    {"scan_copy", [&] { scan_copy(source, target, mask); }},
                    {"scan_add", [&] { scan_add(source, target, mask); }},
                    {"scan", [&] { scan(source, target, mask, ScanBy::max); }},
                    {"pack", [&] { pack(source, mask, few); }},
                    {"unpack", [&] { unpack(few, mask, target); }},
                    {"packed", [&] { packed(source, mask); }}});
}

}  // namespace
