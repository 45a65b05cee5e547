// SPDX-License-Identifier: BSD-3-Clause
// A legal array that the bytes choose, changed in a few places. The library and an independent
// judge must agree about it.

#include "compare.hpp"
#include "describe.hpp"
#include "judge.hpp"
#include "layout.hpp"
#include "mutate.hpp"
#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace daptor::search;
  Random random(data, size, size);
  daptor::Recorded recorded = describe_layout(random, random_layout(random));
  for (auto changes = random.below(4); changes > 0; --changes) mutate(random, recorded);
  const std::string differences = disagreement(judge(recorded), validate_everywhere(recorded));
  daptor::fuzz::require(differences.empty(), "library and judge agree",
                        differences + as_json(recorded));
  return 0;
}
