// SPDX-License-Identifier: BSD-3-Clause
// Copies as `explain` offers them for arrays that Tpetra's objects cannot hold.

#include "copy_maps.hpp"
#include "daptor/redistribute.hpp"
#include "daptor/tpetra/copy.hpp"

namespace daptor::test {
namespace {

using tpetra::copy_to_multivector;
using tpetra::export_multivector;

/// The bytes that processes send for the columns of `x`.
std::int64_t bytes_sent(const DistArray& a, const DistArray& x) {
  std::int64_t bytes = Redistribution(a, x).bytes_sent();
  MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return bytes;
}

/// The assessment of a target for an array that it cannot hold: each remedy ends with the call.
Assessment refused(const Target& target, const DistArray& a, const std::string& call) {
  const Assessment verdict = assess(target, a);
  EXPECT_FALSE(verdict.representable);
  EXPECT_EQ(verdict.copy.text, call);
  for (const Finding& reason : verdict.reasons)
    EXPECT_NE(advice(reason).str().find(" Or copy: " + call + "."), std::string::npos) << reason;
  return verdict;
}

TEST(CopyToMultiVector, IsWhatExplainOffers) {
  const Index p = world_size();
  const GridPosition line{world_size(), world_rank()};
  const std::string as_columns = "daptor::tpetra::copy_to_multivector<double>(a)";
  const std::string as_vector = "daptor::tpetra::copy_to_multivector<double>(a, {true})";

  const DistArray rows =
      allocate<double>({block(3 * p, line), undistributed(4)}, Order::fortran).on(MPI_COMM_WORLD);
  const auto x = copy_to_multivector<double>(rows).get();
  EXPECT_EQ(refused(tpetra::multivector_target(), rows, as_columns).bytes_to_move,
            std::optional<std::int64_t>(bytes_sent(rows, export_multivector(x))));
  EXPECT_EQ(refused(tpetra::vector_target(), rows, as_vector).bytes_to_move,
            std::optional<std::int64_t>(bytes_sent(rows, export_multivector(x))));

  // The columns of a cyclic array, of two and of three dimensions, in Fortran order.
  const DistArray columns =
      allocate<double>({undistributed(3), cyclic(7 * p, line, 2)}, Order::fortran)
          .on(MPI_COMM_WORLD);
  const auto y = copy_to_multivector<double>(columns).get();
  const auto bytes = bytes_sent(columns, export_multivector(y));
  EXPECT_EQ(refused(tpetra::multivector_target(), columns, as_columns).bytes_to_move,
            std::optional<std::int64_t>(bytes));
  const DistArray deep =
      allocate<double>({undistributed(3), cyclic(7 * p, line, 2), undistributed(2)}, Order::fortran)
          .on(MPI_COMM_WORLD);
  EXPECT_EQ(refused(tpetra::multivector_target(), deep, as_columns).bytes_to_move,
            std::optional<std::int64_t>(2 * bytes));
}

TEST(CopyToMultiVector, OfferedForAnOverlapMapIsThePaddedArray) {
  const GridPosition line{world_size(), world_rank()};
  const DistArray a =
      allocate<double>({block(4 * world_size(), line, BlockPadding({1, 1})), undistributed(2)},
                       Order::fortran)
          .on(MPI_COMM_WORLD);
  const LocalIndexMap map(a);
  for (Index i = 0; i < a.local_shape()[0]; ++i)
    for (Index j = 0; j < 2; ++j)
      doubles(a)[i + j * a.local_shape()[0]] = map.dimension(0).is_owned(i)
                                                   ? value_of(2 * map.dimension(0).global_of(i) + j)
                                                   : untouched;
  refused(tpetra::overlap_multivector_target(), a,
          "daptor::tpetra::copy_to_multivector<double>(a, daptor::tpetra::import_map(a, "
          "{daptor::Numbering::natural, daptor::tpetra::Part::overlap}), {true})");
  const auto x = daptor::tpetra::copy_to_multivector<double>(
                     a,
                     daptor::tpetra::import_map(
                         a, {daptor::Numbering::natural, daptor::tpetra::Part::overlap}),
                     {true})
                     .get();
  EXPECT_EQ(static_cast<Index>(x->getLocalLength()), a.local_count());
  expect_numbered(*x);
}

TEST(CopyToMultiVector, IsNotOfferedWhereItDoesNotHelp) {
  const GridPosition line{world_size(), world_rank()};
  const DistArray numbers =
      allocate<std::int8_t>({block(4 * world_size(), line)}).on(MPI_COMM_WORLD);
  for (const Target* target : {&tpetra::vector_target(), &tpetra::multivector_target(),
                               &tpetra::overlap_multivector_target()}) {
    const Assessment verdict = assess(*target, numbers);
    EXPECT_FALSE(verdict.representable);
    EXPECT_EQ(verdict.copy.text, "");
    EXPECT_FALSE(verdict.reasons.front().copy);
  }
}

}  // namespace
}  // namespace daptor::test
