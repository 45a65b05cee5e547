// SPDX-License-Identifier: BSD-3-Clause
// SUNDIALS' own tests of an N_Vector, on N_Vectors of both kinds in the memory of an array. They
// need at least one element on each process.
#include <nvector/nvector_parallel.h>
#include <test_nvector.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support.hpp"

namespace {

/// Element number i of an N_Vector: of 5 rows of 3, if it is of Daptor's own kind.
sunrealtype& element(N_Vector vector, sunindextype i) {
  if (N_VGetVectorID(vector) != SUNDIALS_NVEC_CUSTOM) return N_VGetArrayPointer(vector)[i];
  const daptor::DistArray array = daptor::sundials::export_nvector(vector);
  return daptor::owned_view<double, 2>(array)(i / 3, i % 3);
}

}  // namespace

// What the tests ask about a kind of N_Vector.
int check_ans(sunrealtype expected, N_Vector vector, sunindextype count) {
  for (sunindextype i = 0; i < count; ++i)
    if (!(std::abs(element(vector, i) - expected) <= 1e-14 * std::max(1.0, std::abs(expected))))
      return 1;
  return 0;
}
int has_data(N_Vector vector) {
  if (N_VGetVectorID(vector) == SUNDIALS_NVEC_CUSTOM)
    return daptor::sundials::export_nvector(vector).data() != nullptr ? 1 : 0;
  return N_VGetArrayPointer(vector) != nullptr ? 1 : 0;
}
void set_element(N_Vector vector, sunindextype i, sunrealtype value) {
  element(vector, i) = value;
}
void set_element_range(N_Vector vector, sunindextype first, sunindextype last, sunrealtype value) {
  for (sunindextype i = first; i <= last; ++i) element(vector, i) = value;
}
sunrealtype get_element(N_Vector vector, sunindextype i) {
  return element(vector, i);
}
double max_time(N_Vector /*vector*/, double time) {
  return time;
}
void sync_device(N_Vector /*vector*/) {}

namespace daptor::sundials::test {
namespace {

enum class Kind { parallel, strided };

/// Rows between ghost rows, whose owned elements are one run; or rows with ghost columns.
std::vector<Dimension> dimensions_for(Kind kind) {
  const BlockPadding padding({1, 1}, {}, true);
  if (kind == Kind::parallel) return {block(5 * world_size(), line(), padding), undistributed(3)};
  return {undistributed(5), block(3 * world_size(), line(), padding)};
}

/// The N_Vector of the owned elements of an array; what lies between them must not change.
class Suite : public testing::TestWithParam<Kind> {
 protected:
  Suite() {
    sunctx = context;
    auto* const all = static_cast<double*>(array.mutable_data());
    std::fill(all, all + array.local_count(), std::numeric_limits<double>::quiet_NaN());
    imported = GetParam() == Kind::parallel ? import_nvector(array, context)
                                            : import_strided_nvector(array, context);
    N_VConst(0.0, x());
  }
  ~Suite() override {
    const auto* const all = static_cast<const double*>(array.data());
    EXPECT_EQ(
        std::count_if(all, all + array.local_count(), [](double value) { return value != value; }),
        array.local_count() - array.owned_count())
        << "ghosts have changed";
    sunctx = nullptr;
  }

  N_Vector x() const { return imported.get(); }

  const Context context;
  const DistArray array = allocate<double>(dimensions_for(GetParam())).on(world);
  const Index n = array.owned_count();
  const int rank = world_rank();
  ImportedNVector imported;
};
INSTANTIATE_TEST_SUITE_P(Kinds, Suite, testing::Values(Kind::parallel, Kind::strided),
                         [](const auto& each) {
                           return each.param == Kind::parallel ? "parallel" : "strided";
                         });

TEST_P(Suite, MakingAndCloning) {
  const bool parallel = GetParam() == Kind::parallel;
  EXPECT_EQ(
      Test_N_VGetVectorID(x(), parallel ? SUNDIALS_NVEC_PARALLEL : SUNDIALS_NVEC_CUSTOM, rank), 0);
  EXPECT_EQ(Test_N_VMake(x(), n, rank), 0);
  EXPECT_EQ(Test_N_VGetLength(x(), rank), 0);
  EXPECT_EQ(Test_N_VCloneEmpty(x(), rank), 0);
  EXPECT_EQ(Test_N_VClone(x(), n, rank), 0);
  EXPECT_EQ(Test_N_VCloneEmptyVectorArray(5, x(), rank), 0);
  EXPECT_EQ(Test_N_VCloneVectorArray(5, x(), n, rank), 0);
  if (!parallel) return;  // without pointers
  EXPECT_EQ(Test_N_VGetArrayPointer(x(), n, rank), 0);
  const OwnedNVector empty(N_VCloneEmpty(x()));
  EXPECT_EQ(Test_N_VSetArrayPointer(empty.get(), n, rank), 0);
}

TEST_P(Suite, Operations) {
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

TEST_P(Suite, OperationsOnThisProcessAlone) {
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
  EXPECT_EQ(Test_N_VDotProdMultiLocal(x(), n, rank), 0);
}

TEST_P(Suite, OperationsOnSeveralVectors) {
  for (const int fused : {0, 1}) {
    if (GetParam() == Kind::parallel) N_VEnableFusedOps_Parallel(x(), fused);
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

TEST_P(Suite, Packing) {
  if (GetParam() == Kind::strided) return;  // for XBraid alone
  EXPECT_EQ(Test_N_VBufSize(x(), n, rank), 0);
  EXPECT_EQ(Test_N_VBufPack(x(), n, rank), 0);
  EXPECT_EQ(Test_N_VBufUnpack(x(), n, rank), 0);
}

}  // namespace
}  // namespace daptor::sundials::test
