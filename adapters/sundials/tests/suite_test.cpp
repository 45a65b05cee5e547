// SPDX-License-Identifier: BSD-3-Clause
// SUNDIALS' own tests of an N_Vector, on one in the memory of an array. They need at least one
// element on each process.
#include <nvector/nvector_parallel.h>
#include <test_nvector.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support.hpp"

// What the tests ask about a kind of N_Vector.
int check_ans(sunrealtype expected, N_Vector vector, sunindextype count) {
  const sunrealtype* const values = N_VGetArrayPointer(vector);
  return std::all_of(values, values + count,
                     [&](sunrealtype each) {
                       return std::abs(each - expected) <=
                              1e-14 * std::max(1.0, std::abs(expected));
                     })
             ? 0
             : 1;
}
int has_data(N_Vector vector) {
  return N_VGetArrayPointer(vector) != nullptr ? 1 : 0;
}
void set_element(N_Vector vector, sunindextype i, sunrealtype value) {
  N_VGetArrayPointer(vector)[i] = value;
}
void set_element_range(N_Vector vector, sunindextype first, sunindextype last, sunrealtype value) {
  std::fill(N_VGetArrayPointer(vector) + first, N_VGetArrayPointer(vector) + last + 1, value);
}
sunrealtype get_element(N_Vector vector, sunindextype i) {
  return N_VGetArrayPointer(vector)[i];
}
double max_time(N_Vector /*vector*/, double time) {
  return time;
}
void sync_device(N_Vector /*vector*/) {}

namespace daptor::sundials::test {
namespace {

/// An array of rows between ghost rows, and the N_Vector of its owned elements.
class Suite : public testing::Test {
 protected:
  Suite() {
    sunctx = context;
    auto* const all = static_cast<double*>(array.mutable_data());
    std::fill(all, all + array.local_count(), std::numeric_limits<double>::quiet_NaN());
    imported = import_nvector(array, context);
  }
  ~Suite() override {
    const auto* const all = static_cast<const double*>(array.data());
    EXPECT_EQ(std::count_if(all, all + array.local_count(), [](double x) { return x != x; }),
              array.local_count() - array.owned_count())
        << "ghosts have changed";
    sunctx = nullptr;
  }

  N_Vector x() const { return imported.get(); }

  const Context context;
  const DistArray array =
      allocate<double>(
          {block(5 * world_size(), line(), BlockPadding({1, 1}, {}, true)), undistributed(3)})
          .on(world);
  const Index n = array.owned_count();
  const int rank = world_rank();
  ImportedNVector imported;
};

TEST_F(Suite, MakingAndCloning) {
  N_VConst(0.0, x());
  EXPECT_EQ(Test_N_VGetVectorID(x(), SUNDIALS_NVEC_PARALLEL, rank), 0);
  EXPECT_EQ(Test_N_VMake(x(), n, rank), 0);
  EXPECT_EQ(Test_N_VGetLength(x(), rank), 0);
  EXPECT_EQ(Test_N_VCloneEmpty(x(), rank), 0);
  EXPECT_EQ(Test_N_VClone(x(), n, rank), 0);
  EXPECT_EQ(Test_N_VCloneEmptyVectorArray(5, x(), rank), 0);
  EXPECT_EQ(Test_N_VCloneVectorArray(5, x(), n, rank), 0);
  EXPECT_EQ(Test_N_VGetArrayPointer(x(), n, rank), 0);
  const OwnedNVector empty(N_VCloneEmpty(x()));
  EXPECT_EQ(Test_N_VSetArrayPointer(empty.get(), n, rank), 0);
}

TEST_F(Suite, Operations) {
  const OwnedNVector second(N_VClone(x())), third(N_VClone(x()));
  const N_Vector y = second.get(), z = third.get();
  EXPECT_EQ(Test_N_VConst(x(), n, rank), 0);
  EXPECT_EQ(Test_N_VLinearSum(x(), y, z, n, rank), 0);
  EXPECT_EQ(Test_N_VProd(x(), y, z, n, rank), 0);
  EXPECT_EQ(Test_N_VDiv(x(), y, z, n, rank), 0);
  EXPECT_EQ(Test_N_VScale(x(), z, n, rank), 0);
  EXPECT_EQ(Test_N_VAbs(x(), z, n, rank), 0);
  EXPECT_EQ(Test_N_VInv(x(), z, n, rank), 0);
  EXPECT_EQ(Test_N_VAddConst(x(), z, n, rank), 0);
  EXPECT_EQ(Test_N_VDotProd(x(), y, n, rank), 0);
  EXPECT_EQ(Test_N_VMaxNorm(x(), n, rank), 0);
  EXPECT_EQ(Test_N_VWrmsNorm(x(), y, n, rank), 0);
  EXPECT_EQ(Test_N_VWrmsNormMask(x(), y, z, n, rank), 0);
  EXPECT_EQ(Test_N_VMin(x(), n, rank), 0);
  EXPECT_EQ(Test_N_VWL2Norm(x(), y, n, rank), 0);
  EXPECT_EQ(Test_N_VL1Norm(x(), n, rank), 0);
  EXPECT_EQ(Test_N_VCompare(x(), z, n, rank), 0);
  EXPECT_EQ(Test_N_VInvTest(x(), z, n, rank), 0);
  EXPECT_EQ(Test_N_VConstrMask(x(), y, z, n, rank), 0);
  EXPECT_EQ(Test_N_VMinQuotient(x(), y, n, rank), 0);
}

TEST_F(Suite, OperationsOnThisProcessAlone) {
  const OwnedNVector second(N_VClone(x())), third(N_VClone(x()));
  const N_Vector y = second.get(), z = third.get();
  EXPECT_EQ(Test_N_VDotProdLocal(x(), y, n, rank), 0);
  EXPECT_EQ(Test_N_VMaxNormLocal(x(), n, rank), 0);
  EXPECT_EQ(Test_N_VMinLocal(x(), n, rank), 0);
  EXPECT_EQ(Test_N_VL1NormLocal(x(), n, rank), 0);
  EXPECT_EQ(Test_N_VWSqrSumLocal(x(), y, n, rank), 0);
  EXPECT_EQ(Test_N_VWSqrSumMaskLocal(x(), y, z, n, rank), 0);
  EXPECT_EQ(Test_N_VInvTestLocal(x(), z, n, rank), 0);
  EXPECT_EQ(Test_N_VConstrMaskLocal(x(), y, z, n, rank), 0);
  EXPECT_EQ(Test_N_VMinQuotientLocal(x(), y, n, rank), 0);
}

TEST_F(Suite, OperationsOnSeveralVectors) {
  for (const bool fused : {false, true}) {
    N_VEnableFusedOps_Parallel(x(), fused ? 1 : 0);
    N_VConst(0.0, x());
    EXPECT_EQ(Test_N_VLinearCombination(x(), n, rank), 0);
    EXPECT_EQ(Test_N_VScaleAddMulti(x(), n, rank), 0);
    EXPECT_EQ(Test_N_VDotProdMulti(x(), n, rank), 0);
    EXPECT_EQ(Test_N_VLinearSumVectorArray(x(), n, rank), 0);
    EXPECT_EQ(Test_N_VScaleVectorArray(x(), n, rank), 0);
    EXPECT_EQ(Test_N_VConstVectorArray(x(), n, rank), 0);
    EXPECT_EQ(Test_N_VWrmsNormVectorArray(x(), n, rank), 0);
    EXPECT_EQ(Test_N_VWrmsNormMaskVectorArray(x(), n, rank), 0);
    EXPECT_EQ(Test_N_VScaleAddMultiVectorArray(x(), n, rank), 0);
    EXPECT_EQ(Test_N_VLinearCombinationVectorArray(x(), n, rank), 0);
  }
}

TEST_F(Suite, Packing) {
  N_VConst(0.0, x());
  EXPECT_EQ(Test_N_VBufSize(x(), n, rank), 0);
  EXPECT_EQ(Test_N_VBufPack(x(), n, rank), 0);
  EXPECT_EQ(Test_N_VBufUnpack(x(), n, rank), 0);
}

}  // namespace
}  // namespace daptor::sundials::test
