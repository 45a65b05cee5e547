// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "../support/csr_example.hpp"
#include "daptor/daptor.hpp"
#include "daptor/simulated.hpp"

namespace daptor {
namespace {

using test::CsrExample;

template <class T>
void expect_example(int ranks, Index base) {
  run_simulated(ranks, [&](const Comm& comm) {
    CsrExample<T> example({comm.size(), comm.rank()}, base);
    const CsrArrays arrays = example.arrays(comm);
    EXPECT_NO_THROW(require_consistent(arrays));
    std::vector<Index> offsets(static_cast<std::size_t>(arrays.owned_rows().size()) + 1);
    std::vector<std::int32_t> columns(static_cast<std::size_t>(arrays.owned_entries().size()) + 1);
    copy_local_offsets(arrays, offsets.data());
    copy_columns(arrays, columns.data());
    EXPECT_EQ(offsets.front(), 0);
    EXPECT_EQ(offsets.back(), arrays.owned_entries().size());
    for (Index e = 0; e < arrays.owned_entries().size(); ++e)
      EXPECT_EQ(columns[static_cast<std::size_t>(e)] + base,
                static_cast<Index>(example.columns[static_cast<std::size_t>(e)]));
  });
}

TEST(Csr, theExampleOfGlobalArraysOnAnyNumberOfRanks) {
  for (const int ranks : {1, 2, 3, 5, 8})
    for (const Index base : {0, 1}) {
      expect_example<std::int32_t>(ranks, base);
      expect_example<std::int64_t>(ranks, base);
      expect_example<std::uint32_t>(ranks, base);
      expect_example<std::uint64_t>(ranks, base);
    }
}

TEST(Csr, aMatrixWithoutRowsOrEntries) {
  run_simulated(3, [](const Comm& comm) {
    const GridPosition grid{comm.size(), comm.rank()};
    std::int64_t zero[] = {0, 0, 0, 0, 0};
    double none = 0;
    const IndexRange last = comm.rank() == 2 ? IndexRange{0, 1} : IndexRange{0, 0};
    const CsrArrays nothing{describe(&none, {block(0, grid)}).on(comm),
                            describe(&zero[0], {block(0, grid)}).on(comm),
                            describe(&zero[0], {block(1, grid, last)}).on(comm),
                            0,
                            0,
                            0};
    EXPECT_TRUE(validate(nothing));
    const CsrArrays empty{describe(&none, {block(0, grid)}).on(comm),
                          describe(&zero[0], {block(0, grid)}).on(comm),
                          describe(&zero[0], {block(5, grid)}).on(comm),
                          4,
                          7,
                          0};
    EXPECT_TRUE(validate(empty));
    EXPECT_EQ(empty.owned_columns(), even_block(7, grid));
  });
}

/// The arrays of an example, with which something is wrong.
using Spoil = std::function<CsrArrays(CsrExample<std::int64_t>&, const Comm&)>;

/// If the example is spoiled on one rank, every rank gets the same finding.
void expect_finding(const char* rule, int ranks, int spoiled, const Spoil& spoil) {
  run_simulated(ranks, [&](const Comm& comm) {
    CsrExample<std::int64_t> example({comm.size(), comm.rank()}, 1);
    const CsrArrays arrays = comm.rank() == spoiled ? spoil(example, comm) : example.arrays(comm);
    const Report report = validate(arrays);
    ASSERT_FALSE(report) << rule;
    EXPECT_EQ(report.findings().front().rule, rule) << report;
  });
}

TEST(Csr, whatIsWrongOnOneRankIsFoundOnAll) {
  for (const int rank : {0, 1, 2}) {
    const auto with = [](auto change) {
      return [=](CsrExample<std::int64_t>& example, const Comm& comm) {
        change(example);
        return example.arrays(comm);
      };
    };
    const auto having = [](auto change) {
      return [=](CsrExample<std::int64_t>& example, const Comm& comm) {
        CsrArrays arrays = example.arrays(comm);
        change(arrays);
        return arrays;
      };
    };
    expect_finding("csr.column-range", 3, rank, with([](auto& e) { e.columns.back() = 6; }));
    expect_finding("csr.column-range", 3, rank, with([](auto& e) { e.columns.front() = 0; }));
    expect_finding("csr.division", 3, rank, with([](auto& e) { ++e.offsets[0]; }));
    expect_finding("csr.base", 3, rank, having([](CsrArrays& a) { a.index_base = 2; }));
    if (rank > 0)  // others differ from rank 0
      expect_finding("collective.different", 3, rank,
                     having([](CsrArrays& a) { a.global_columns = 6; }));
    expect_finding("csr.shape", 3, rank, having([](CsrArrays& a) { a.global_rows = 4; }));
    expect_finding("csr.shape", 3, rank, having([](CsrArrays& a) { a.global_columns = -1; }));
    expect_finding("csr.index-type", 3, rank, having([](CsrArrays& a) { a.columns = a.values; }));
    expect_finding("csr.arrays", 3, rank, having([](CsrArrays& a) {
                     static double cells[24];
                     a.values = describe(&cells[0], {block(11, a.values.dimension(0).grid()),
                                                     undistributed(2)})
                                    .on(a.comm());
                   }));
  }
  expect_finding("csr.monotone", 3, 0, [](auto& e, const Comm& comm) {
    e.offsets[1] = 6;
    return e.arrays(comm);
  });
  expect_finding("csr.last", 3, 2, [](auto& e, const Comm& comm) {
    e.offsets.back() = 11;
    return e.arrays(comm);
  });
}

TEST(Csr, otherDistributionsAreRefused) {
  run_simulated(2, [](const Comm& comm) {
    CsrExample<std::int64_t> example({comm.size(), comm.rank()}, 1);
    CsrArrays arrays = example.arrays(comm);
    static double cells[2][24];
    arrays.values =
        describe(&cells[comm.rank()][0], {cyclic(11, {comm.size(), comm.rank()})}).on(comm);
    EXPECT_EQ(validate(arrays).findings().front().rule, "csr.arrays");
    arrays = example.arrays(comm);
    const Index count = arrays.owned_entries().size();
    arrays.values = describe(&cells[comm.rank()][0],
                             {block(11, {comm.size(), comm.rank()}, arrays.owned_entries())},
                             std::vector<Index>{2 * Index{sizeof(double)}})
                        .on(comm);
    ASSERT_LT(count, 12);
    EXPECT_EQ(validate(arrays).findings().front().rule, "csr.arrays");
    arrays = example.arrays(comm);
    arrays.columns =
        describe(DataType::of<std::int64_t>(), nullptr, arrays.columns.dimensions()).on(comm);
    EXPECT_THROW(validate(arrays), InvalidArgument);
  });
}

TEST(Csr, entriesThatAreDividedOtherwiseThanRowsAreFound) {
  run_simulated(2, [](const Comm& comm) {
    CsrExample<std::int64_t> example({comm.size(), comm.rank()}, 1);
    CsrArrays arrays = example.arrays(comm);
    static double values[16];
    static std::int64_t columns[2][6] = {{3, 4, 1, 5, 2, 0}, {4, 1, 3, 5, 2, 5}};
    const GridPosition grid{comm.size(), comm.rank()};
    const IndexRange range = comm.rank() == 0 ? IndexRange{0, 5} : IndexRange{5, 11};
    arrays.values = describe(&values[0], {block(11, grid, range)}).on(comm);
    arrays.columns = describe(&columns[comm.rank()][0], {block(11, grid, range)}).on(comm);
    const Report report = validate(arrays);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.findings().front().rule, "csr.division") << report;
    EXPECT_EQ(report.findings().front().rank(), 1);
  });
}

}  // namespace
}  // namespace daptor
