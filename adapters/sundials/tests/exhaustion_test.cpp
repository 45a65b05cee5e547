// SPDX-License-Identifier: BSD-3-Clause
// Memory that runs out on one rank, at any allocation, is an error of all ranks.

#include "exhausted_memory.hpp"

#include "support.hpp"

namespace daptor::sundials::test {
namespace {

using daptor::test::Exhaustion;
using daptor::test::expect_exhaustion_agreed;

TEST(Exhaustion, WhileArraysAreImported) {
  const Context context;
  const Index first = 2 * world_rank();
  const IndexList list(std::vector<Index>{first + 1, first});
  for (const auto& dimensions :
       {rows(), std::vector<Dimension>{unstructured(2 * world_size(), line(), list)}}) {
    const DistArray a = allocate<double>(dimensions).on(world);
    EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) {
                import_nvector(a.on(comm), context);
                import_strided_nvector(a.on(comm), context);
              }),
              0);
  }
}

// SUNDIALS' operations know no exceptions: a clone for which there is no memory is null, as with
// SUNDIALS' own kinds. N_VClone of SUNDIALS 6.4 writes to what it gets.
TEST(Exhaustion, WhileVectorsAreCloned) {
  const Context context;
  const DistArray a = allocate<double>(padded_columns()).on(world);
  const ImportedNVector v = import_strided_nvector(a, context);
  bool failed = true;
  for (int number = 0; failed; ++number) {
    Exhaustion::begin(number);
    const N_Vector clone = v.get()->ops->nvclone(v.get());
    failed = Exhaustion::end();
    EXPECT_EQ(clone == nullptr, failed) << number;
    if (clone != nullptr) N_VDestroy(clone);
  }
}

}  // namespace
}  // namespace daptor::sundials::test
