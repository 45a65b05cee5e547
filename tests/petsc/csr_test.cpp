// SPDX-License-Identifier: BSD-3-Clause
// Sparse matrices as three arrays: in PETSc and back on the same values, or copied.

#include <algorithm>
#include <cstring>

#include <petscmat.h>
#include <daptor/adapter/rows.hpp>
#include <daptor/adapter/split_rows.hpp>
#include <daptor/call.hpp>
#include <daptor/csr_rows.hpp>
#include <daptor/petsc/adapter/divided_rows.hpp>
#include <daptor/petsc/adapter/mat_rows.hpp>

#include "../support/csr_example.hpp"
#include "support.hpp"

namespace {

using namespace daptor_test;
using namespace daptor::petsc;
using daptor::CsrArrays;
using daptor::IndexRange;
using daptor::test::CsrExample;

constexpr double example_rows[5][5] = {
    {0, 0, 1, 3, 0}, {2, 0, 0, 0, 5}, {0, 7, 0, 9, 0}, {3, 0, 4, 0, 5}, {0, 2, 0, 0, 6}};

void expect_example(Mat mat, double scale = 1) {
  PetscInt first = 0;
  PetscInt last = 0;
  PetscInt columns = 0;
  MatGetOwnershipRange(mat, &first, &last);
  MatGetSize(mat, nullptr, &columns);
  ASSERT_EQ(columns, 5);
  for (PetscInt r = first; r < last; ++r)
    for (PetscInt c = 0; c < 5; ++c) {
      PetscScalar value = -1;
      EXPECT_EQ(static_cast<int>(MatGetValues(mat, 1, &r, 1, &c, &value)), 0);
      EXPECT_EQ(PetscRealPart(value), scale * example_rows[r][c]) << r << ", " << c;
    }
}
void expect_example(const OwnedMat& mat, double scale = 1) {
  expect_example(mat.get(), scale);
}

const PetscScalar* nonzeros_of(Mat mat) {
  const PetscScalar* values = nullptr;
  MatSeqAIJGetArrayRead(mat, &values);
  const PetscScalar* const memory = values;
  MatSeqAIJRestoreArrayRead(mat, &values);
  return memory;
}

Mat block_of(Mat mat) {
  if (size_of() == 1) return mat;
  Mat block = nullptr;
  MatMPIAIJGetSeqAIJ(mat, &block, nullptr, nullptr);
  return block;
}

TEST(CsrToPetsc, columnsInAnyOrderAreSortedInACopyAndRefusedInAnImport) {
  for (const Index base : {0, 1}) {
    const daptor::test::UnsortedRows<std::int32_t, PetscScalar> rows(
        CsrExample<std::int32_t, PetscScalar>(line(), base));
    const CsrArrays arrays =
        daptor::csr_from_rows(rows.values, rows.columns, rows.lengths, 5, world, base);
    EXPECT_TRUE(daptor::validate(arrays));
    expect_example(copy_csr(arrays));
    expect_refused_everywhere<daptor::NotRepresentable>(
        "csr.column-order", [&] { import_csr(arrays); }, 0);
  }
}

/// Rows that refer only to columns of their own process; the second process has no rows.
struct Blocks {
  explicit Blocks(Index base) : index_base(base) {
    const auto count = [](int rank) { return rank == 1 ? Index{0} : Index{3 + rank % 2}; };
    for (int r = 0; r < size_of(); ++r) {
      if (r == rank_of()) first = total;
      total += count(r);
    }
    rows = count(rank_of());
    for (Index r = 0; r < rows; ++r) {
      offsets.push_back(2 * (first + r) + base);
      for (const Index c : {r == 0 ? Index{0} : r - 1, r == 0 ? Index{1} : r}) {
        columns.push_back(static_cast<std::int32_t>(first + c + base));
        values.push_back(static_cast<double>(10 * (first + r) + c));
      }
    }
    if (line().last()) offsets.push_back(2 * total + base);
  }

  CsrArrays arrays() {
    const IndexRange entries{2 * first, 2 * (first + rows)};
    return {daptor::describe(values.data(), {daptor::block(2 * total, line(), entries)}).on(world),
            daptor::describe(columns.data(), {daptor::block(2 * total, line(), entries)}).on(world),
            daptor::describe(
                offsets.data(),
                {daptor::block(total + 1, line(), {first, first + rows + (line().last() ? 1 : 0)})})
                .on(world),
            total,
            total,
            index_base};
  }

  Index index_base;
  Index first = 0, total = 0, rows = 0;
  std::vector<PetscScalar> values;
  std::vector<std::int32_t> columns;
  std::vector<Index> offsets;
};

template <class T>
void copy_example() {
  for (const Index base : {0, 1}) {
    CsrExample<T, PetscScalar> example(line(), base);
    const OwnedMat copy = copy_csr(example.arrays());
    for (PetscScalar& value : example.values) value = -7;
    expect_example(copy.get());
  }
}

TEST(CsrToPetsc, theExampleOfGlobalArraysIsCopiedWhateverItsIndices) {
  copy_example<std::int32_t>();
  copy_example<std::int64_t>();
  copy_example<std::uint32_t>();
  copy_example<std::uint64_t>();
}

TEST(CsrToPetsc, theExampleIsSharedOnOneProcessAndRefusedOnSeveral) {
  CsrExample<std::int32_t, PetscScalar> example(line(), 1);
  const CsrArrays arrays = example.arrays();
  if (size_of() > 1) {
    expect_refused_everywhere<daptor::NotRepresentable>("csr.split", [&] { import_csr(arrays); });
    return;
  }
  const OwnedMat mat = import_csr(arrays);
  expect_example(mat.get());
  EXPECT_EQ(nonzeros_of(mat.get()), example.values.data());
}

TEST(CsrToPetsc, indicesFromZeroOfPetscsWidthAreSharedToo) {
  if (size_of() > 1) return;  // on every process PETSc counts from 0
  CsrExample<PetscInt, PetscScalar> example(line(), 0);
  const OwnedMat mat = import_csr(example.arrays());
  const PetscInt *starts = nullptr, *columns = nullptr;
  PetscInt rows = 0;
  PetscBool done = PETSC_FALSE;
  MatGetRowIJ(mat.get(), 0, PETSC_FALSE, PETSC_FALSE, &rows, &starts, &columns, &done);
  EXPECT_EQ(starts, example.offsets.data());
  EXPECT_EQ(columns, example.columns.data());
  MatRestoreRowIJ(mat.get(), 0, PETSC_FALSE, PETSC_FALSE, &rows, &starts, &columns, &done);
}

TEST(CsrToPetsc, valuesAreSharedWhereRowsStayWithTheirColumns) {
  for (const Index base : {0, 1}) {
    Blocks blocks(base);
    const CsrArrays arrays = blocks.arrays();
    const OwnedMat shared = import_csr(arrays);
    const OwnedMat copied = copy_csr(arrays);
    PetscBool same = PETSC_FALSE;
    MatEqual(shared.get(), copied.get(), &same);
    EXPECT_EQ(same, PETSC_TRUE);
    if (blocks.rows > 0) {
      EXPECT_EQ(nonzeros_of(block_of(shared.get())), blocks.values.data());
    }

    // Written by the producer: PETSc is notified.
    const std::int64_t before = state_of(shared.get());
    if (rank_of() == 0) blocks.values[0] = 42;
    arrays.values.modified();
    expect_states_equal(shared.get());
    EXPECT_GT(state_of(shared.get()), before);
    PetscScalar first = 0;
    const PetscInt zero = 0;
    if (rank_of() == 0) MatGetValues(shared.get(), 1, &zero, 1, &zero, &first);
    if (rank_of() == 0) {
      EXPECT_EQ(PetscRealPart(first), 42.0);
    }

    // Written by PETSc.
    MatScale(shared.get(), 2.0);
    if (rank_of() == 0) {
      EXPECT_EQ(PetscRealPart(blocks.values[0]), 84.0);
    }
  }
}

TEST(CsrToPetsc, whatPetscHasComputedOfTheDiagonalIsVoid) {
  Blocks blocks(0);
  const CsrArrays arrays = blocks.arrays();
  const OwnedMat mat = import_csr(arrays);
  const auto relax = [&] {
    Vec b = nullptr;
    Vec x = nullptr;
    MatCreateVecs(mat.get(), &x, &b);
    VecSet(b, 1.0);
    const auto sweep = static_cast<MatSORType>(SOR_LOCAL_FORWARD_SWEEP | SOR_ZERO_INITIAL_GUESS);
    MatSOR(mat.get(), b, 1.0, sweep, 0.0, 1, 1, x);
    const double norm = norm_of(x);
    VecDestroy(&b);
    VecDestroy(&x);
    return norm;
  };
  for (std::size_t e = 0; e < blocks.values.size(); ++e)
    blocks.values[e] = blocks.columns[e] == blocks.first + static_cast<Index>(e / 2) ? 2.0 : 0.0;
  arrays.values.modified();
  const double before = relax();
  for (PetscScalar& value : blocks.values) value *= 2.0;
  arrays.values.modified();
  EXPECT_DOUBLE_EQ(relax(), before / 2);
}

TEST(CsrToPetsc, theMatKeepsTheValuesAlive) {
  std::weak_ptr<std::vector<PetscScalar>> watch;
  OwnedMat mat;
  {
    Blocks blocks(0);
    CsrArrays arrays = blocks.arrays();
    const auto memory = std::make_shared<std::vector<PetscScalar>>(blocks.values);
    memory->resize(memory->size() + 1);
    watch = memory;
    arrays.values =
        daptor::describe(memory->data(), arrays.values.dimensions(), daptor::Order::c, memory)
            .on(world);
    // The indices have PETSc's own type here, except on one process.
    arrays.columns = daptor::allocate<std::int32_t>(arrays.columns.dimensions()).on(world);
    std::copy(blocks.columns.begin(), blocks.columns.end(),
              static_cast<std::int32_t*>(arrays.columns.mutable_data()));
    arrays.offsets = daptor::allocate<Index>(arrays.offsets.dimensions()).on(world);
    std::copy(blocks.offsets.begin(), blocks.offsets.end(),
              static_cast<Index*>(arrays.offsets.mutable_data()));
    mat = import_csr(arrays);
  }
  EXPECT_FALSE(watch.expired());
  Mat block = block_of(mat.get());
  PetscObjectReference(reinterpret_cast<PetscObject>(block));
  mat.close();
  EXPECT_FALSE(watch.expired());
  PetscReal norm = 0;
  MatNorm(block, NORM_1, &norm);
  MatDestroy(&block);
  EXPECT_TRUE(watch.expired());
}

TEST(CsrToPetsc, refusals) {
  Blocks blocks(0);
  CsrArrays arrays = blocks.arrays();
  arrays.values = arrays.values.as_readonly();
  expect_refused_everywhere<daptor::NotRepresentable>("csr.readonly", [&] { import_csr(arrays); });
  EXPECT_NO_THROW(copy_csr(arrays));
  std::vector<std::int16_t> shorts(blocks.values.size() + 1);
  arrays.values = daptor::describe(shorts.data(), arrays.values.dimensions()).on(world);
  expect_refused_everywhere<daptor::NotRepresentable>("csr.type", [&] { import_csr(arrays); });
  expect_refused_everywhere<daptor::NotRepresentable>("csr.type", [&] { copy_csr(arrays); });
}

TEST(CsrToPetsc, misalignedValuesOfOneRankAreRefusedOnAll) {
  Blocks blocks(0);
  CsrArrays arrays = blocks.arrays();
  std::vector<PetscScalar> memory(blocks.values.size() + 1);
  for (int victim = 0; victim < size_of(); ++victim) {
    if (victim == 1) continue;  // has no values
    char* const aligned = reinterpret_cast<char*>(memory.data());
    arrays.values = arrays.values.with_memory(aligned + (rank_of() == victim ? 1 : 0));
    expect_refused_everywhere<daptor::NotRepresentable>(
        "csr.alignment", [&] { import_csr(arrays); }, victim);
  }
}

TEST(CsrToPetsc, misalignedValuesAreCopied) {
  CsrExample<std::int32_t, PetscScalar> example(line(), 0);
  CsrArrays arrays = example.arrays();
  std::vector<char> memory((example.values.size() + 1) * sizeof(PetscScalar));
  if (!example.values.empty())
    std::memcpy(memory.data() + 1, example.values.data(),
                example.values.size() * sizeof(PetscScalar));
  arrays.values = arrays.values.with_memory(memory.data() + 1);
  expect_example(copy_csr(arrays));
}

TEST(CsrToPetsc, moreColumnsThanAPetscIntCountsAreRefused) {
  if (sizeof(PetscInt) > 4) return;
  PetscScalar none = 0;
  std::int64_t zeros[8] = {};
  const CsrArrays arrays{daptor::describe(&none, {daptor::block(0, line())}).on(world),
                         daptor::describe(&zeros[0], {daptor::block(0, line())}).on(world),
                         daptor::describe(&zeros[0], {daptor::block(5, line())}).on(world),
                         4,
                         Index{1} << 31,
                         0};
  for (const auto& call :
       std::vector<std::function<void()>>{[&] { import_csr(arrays); }, [&] { copy_csr(arrays); }}) {
    const std::string text =
        expect_refused_everywhere<daptor::NotRepresentable>("csr.index-range", call, 0);
    EXPECT_NE(text.find("2147483648"), std::string::npos) << text;
  }
}

TEST(CsrToPetsc, malformedInputOnOneRankIsAnErrorOnAll) {
  for (int rank = 0; rank < std::min(size_of(), 5); ++rank) {
    CsrExample<std::int32_t, PetscScalar> example(line(), 1);
    if (rank_of() == rank) example.columns.back() = 6;
    const CsrArrays arrays = example.arrays();
    expect_refused_everywhere<daptor::Malformed>("csr.column-range", [&] { import_csr(arrays); });
    expect_refused_everywhere<daptor::Malformed>("csr.column-range", [&] { copy_csr(arrays); });
  }
}

/// The example in two blocks, unsorted and in parts.
struct SplitExample {
  SplitExample() {
    const CsrExample<std::int64_t, PetscScalar> example(line(), 0);
    const daptor::test::UnsortedRows<std::int64_t, PetscScalar> unsorted(example);
    rows = example.rows;
    std::size_t e = 0;
    for (const Index length : unsorted.lengths) {
      for (Index i = 0; i < length; ++i, ++e) {
        const Index column = unsorted.columns[e];
        const bool owned = rows.contains(column);
        (owned ? own : other).values.push_back(unsorted.values[e]);
        (owned ? own : other)
            .columns.push_back(static_cast<std::int32_t>(owned ? column - rows.start : 4 - column));
      }
      for (Block* block : {&own, &other})
        block->starts.push_back(static_cast<std::int64_t>(block->values.size()));
    }
    // No entry has the number of an owned column, where some other column stands.
    if (size_of() == 1) return;
    for (Index column = 5; column-- > 0;)
      others.push_back(!rows.contains(column) ? column : (rows.contains(0) ? 4 : 0));
  }

  daptor::SplitRows described() const {
    const auto array = [](const auto& memory) {
      return daptor::describe(memory, {daptor::undistributed(static_cast<Index>(memory.size()))});
    };
    const auto block = [&](const Block& of) {
      return daptor::SplitRows::Block{array(of.values), array(of.columns), array(of.starts)};
    };
    return {world, rows, rows, 5, 5, block(own), block(other), array(others)};
  }

  struct Block {
    std::vector<PetscScalar> values;
    std::vector<std::int32_t> columns;
    std::vector<std::int64_t> starts{0};
  };
  IndexRange rows;
  Block own, other;
  std::vector<Index> others;
};

TEST(SplitRowsToPetsc, columnsAreSortedAndPartsAdded) {
  const SplitExample example;
  expect_example(copy_csr(example.described()));
  daptor::test::Faults().expect_agreed([&] { copy_csr(example.described()); });
}

TEST(SplitRowsToPetsc, whatIsWrongOnOneRankIsAnErrorOnAll) {
  const auto refused = [](const char* rule, const std::function<void(SplitExample&)>& spoil) {
    SplitExample example;
    // Of five rows, rank 0 of many has none in which something could be wrong.
    if (greatest(rank_of() == 0 && !example.own.values.empty() ? 1 : 0) == 0) return;
    if (rank_of() == 0) spoil(example);
    expect_refused_everywhere<daptor::Malformed>(
        rule, [&] { copy_csr(example.described()); }, 0);
  };
  refused("csr.local-column", [](auto& of) { of.own.columns[0] = -1; });
  refused("csr.local-column", [](auto& of) { of.own.columns[0] = 5; });
  refused("csr.column-range", [](auto& of) { of.others.push_back(of.rows.start); });
  refused("csr.column-range", [](auto& of) { of.others.push_back(5); });
  refused("csr.monotone", [](auto& of) { of.own.starts[1] = 100; });
  refused("csr.monotone", [](auto& of) { of.own.starts[0] = 1; });
  refused("csr.monotone", [](auto& of) { of.own.starts.back() -= 1; });
  refused("csr.length", [](auto& of) { of.own.starts.push_back(of.own.starts.back()); });
  refused("csr.length", [](auto& of) { of.own.values.push_back(1); });
  daptor::SplitRows described = SplitExample().described();
  described.global_columns = 6;
  expect_refused_everywhere<daptor::Malformed>(
      "csr.shape", [&] { copy_csr(described); }, 0);
  described = SplitExample().described();
  described.own.values = daptor::allocate<std::int16_t>(described.own.values.dimensions());
  expect_refused_everywhere<daptor::NotRepresentable>(
      "csr.type", [&] { copy_csr(described); }, 0);
}

/// The rows of this process in a dense table, as they are read through the interface of rows.
template <class Rows>
std::vector<std::vector<PetscScalar>> table_of(const Rows& rows) {
  const daptor::adapter::RowLayout layout = rows.layout();
  std::vector<std::vector<PetscScalar>> table(
      layout.row_count(),
      std::vector<PetscScalar>(static_cast<std::size_t>(layout.global_columns)));
  std::size_t own = 0, all = 0;
  for (std::size_t r = 0; r < layout.row_count(); ++r) {
    const std::size_t before = all;
    const auto add = [&](Index column, PetscScalar value) {
      table[r][static_cast<std::size_t>(column)] += value;
      ++all;
    };
    rows.row(
        r,
        [&](auto local, PetscScalar value) {
          EXPECT_LT(static_cast<Index>(local), layout.columns.size());
          add(layout.columns.start + static_cast<Index>(local), value);
          ++own;
        },
        [&](auto number, PetscScalar value) {
          EXPECT_FALSE(layout.columns.contains(rows.global(number))) << rows.global(number);
          add(rows.global(number), value);
        });
    EXPECT_EQ(all - before, rows.length(r)) << r;
  }
  EXPECT_EQ(own, rows.own_entries());
  EXPECT_EQ(all, rows.entries());
  return table;
}

void expect_sorted(const CsrArrays& arrays) {
  std::vector<Index> starts(static_cast<std::size_t>(arrays.owned_rows().size()) + 1);
  copy_local_offsets(arrays, starts.data());
  const auto* const columns = static_cast<const std::int32_t*>(arrays.columns.data());
  for (std::size_t r = 0; r + 1 < starts.size(); ++r)
    EXPECT_TRUE(std::is_sorted(columns + starts[r], columns + starts[r + 1])) << r;
}

/// Collective. The rows, and copies of them as three arrays and as a Mat, are those of the example.
template <class Rows>
void expect_example_in(const Rows& rows) {
  const daptor::adapter::RowLayout layout = rows.layout();
  const auto table = table_of(rows);
  ASSERT_EQ(layout.global_columns, 5);
  for (Index r = 0; r < layout.rows.size(); ++r)
    for (int c = 0; c < 5; ++c)
      EXPECT_EQ(PetscRealPart(table[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)]),
                example_rows[layout.rows.start + r][c])
          << layout.rows.start + r << ", " << c;

  const daptor::Comm comm(world);
  daptor::Call call(comm, "copies of rows");
  const CsrArrays arrays = daptor::adapter::copy_rows<std::int32_t>(rows, call);
  EXPECT_TRUE(validate(arrays));
  expect_sorted(arrays);
  expect_example(copy_csr(arrays));

  detail::DividedRows divided;
  detail::divide(rows, divided);
  const OwnedMat mat(
      detail::create_aij(layout, pointers(divided.own), pointers(divided.other), call));
  expect_example(mat);
}

TEST(Rows, areReadAndCopiedAlikeWhoeverHasThem) {
  const auto expect = [](const auto& rows) { expect_example_in(rows); };
  for (const Index base : {0, 1}) {
    CsrExample<std::int32_t, PetscScalar> example(line(), base);
    const CsrArrays arrays = example.arrays();
    daptor::adapter::with_rows<PetscScalar>(arrays, expect);
    const OwnedMat mat = copy_csr(arrays);
    expect(detail::MatRows(detail::blocks_of(mat.get())));
    const daptor::test::UnsortedRows<std::int32_t, PetscScalar> unsorted(example);
    daptor::adapter::with_rows<PetscScalar>(
        daptor::csr_from_rows(unsorted.values, unsorted.columns, unsorted.lengths, 5, world, base),
        expect);
  }
  const SplitExample split;
  daptor::adapter::with_rows<PetscScalar>(split.described(), expect);
}

TEST(Rows, ofBlocksAreThoseOfSingleEntries) {
  const PetscInt local = 4, all = local * size_of(), first = local * rank_of();
  Mat single = nullptr;
  MatCreateAIJ(world, local, local, PETSC_DETERMINE, PETSC_DETERMINE, 4, nullptr, 4, nullptr,
               &single);
  const OwnedMat single_owner(single);
  MatSetBlockSize(single, 2);
  for (PetscInt r = first; r < first + local; ++r)
    for (const PetscInt c : {r, (r + 3) % all, (r + all - 3) % all})
      MatSetValue(single, r, c, static_cast<PetscScalar>(100 * r + c + 1), INSERT_VALUES);
  MatAssemblyBegin(single, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(single, MAT_FINAL_ASSEMBLY);
  Mat blocks = nullptr;
  ASSERT_EQ(static_cast<int>(MatConvert(single, size_of() == 1 ? MATSEQBAIJ : MATMPIBAIJ,
                                        MAT_INITIAL_MATRIX, &blocks)),
            0);
  const OwnedMat blocks_owner(blocks);

  const detail::MatRows of_single(detail::blocks_of(single)), of_blocks(detail::blocks_of(blocks));
  EXPECT_EQ(table_of(of_single), table_of(of_blocks));
  EXPECT_EQ(of_blocks.entries() % 4, 0U);
  EXPECT_GT(of_blocks.entries(), of_single.entries());
  const daptor::Comm comm(world);
  daptor::Call call(comm, "copies of rows");
  expect_sorted(daptor::adapter::copy_rows<std::int32_t>(of_blocks, call));
}

TEST(Rows, areNotThoseOfADenseMat) {
  Mat dense = nullptr;
  MatCreateSeqDense(PETSC_COMM_SELF, 2, 2, nullptr, &dense);
  const OwnedMat owner(dense);
  daptor::test::expect_refused<daptor::LibraryFailed>("library.petsc",
                                                      [&] { detail::OpenBlock open(dense); });
  EXPECT_FALSE(detail::OpenBlock(dense, detail::BlockAccess::columns).readable());
}

TEST(SplitRowsToPetsc, longRowsInAnyOrder) {
  const Index columns = 300;
  if (size_of() > 1) return;
  std::vector<PetscScalar> values;
  std::vector<std::int32_t> numbers;
  for (Index i = 0; i < 2 * columns; ++i) {
    numbers.push_back(static_cast<std::int32_t>((i * 7) % columns));
    values.push_back(static_cast<double>((i * 7) % columns));
  }
  const std::vector<std::int32_t> starts{0, 600}, none{0, 0};
  const auto array = [](const auto& memory) {
    return daptor::describe(memory, {daptor::undistributed(static_cast<Index>(memory.size()))});
  };
  const std::vector<PetscScalar> no_values;
  const std::vector<std::int32_t> no_numbers;
  const OwnedMat mat =
      copy_csr(daptor::SplitRows{world,
                                 {0, 1},
                                 {0, columns},
                                 1,
                                 columns,
                                 {array(values), array(numbers), array(starts)},
                                 {array(no_values), array(no_numbers), array(none)},
                                 array(no_numbers)});
  PetscInt count = 0;
  const PetscInt* found = nullptr;
  const PetscScalar* sums = nullptr;
  MatGetRow(mat.get(), 0, &count, &found, &sums);
  ASSERT_EQ(count, columns);
  for (PetscInt c = 0; c < count; ++c) {
    EXPECT_EQ(found[c], c);
    EXPECT_EQ(PetscRealPart(sums[c]), 2.0 * static_cast<double>(c));
  }
  MatRestoreRow(mat.get(), 0, &count, &found, &sums);
}

TEST(CsrFromPetsc, sharesOnOneProcess) {
  CsrExample<std::int64_t, PetscScalar> example(line(), 1);
  OwnedMat mat = copy_csr(example.arrays());
  if (size_of() > 1) {
    expect_refused_everywhere<daptor::NotRepresentable>("csr.split",
                                                        [&] { export_csr(mat.get()); });
    return;
  }
  const CsrArrays exported = export_csr(mat.get());
  EXPECT_TRUE(validate(exported));
  EXPECT_EQ(exported.values.data(), nonzeros_of(mat.get()));
  PetscInt rows = 0;
  PetscBool done = PETSC_FALSE;
  const PetscInt *starts = nullptr, *columns = nullptr;
  MatGetRowIJ(mat.get(), 0, PETSC_FALSE, PETSC_FALSE, &rows, &starts, &columns, &done);
  EXPECT_EQ(exported.columns.data(), columns);
  EXPECT_EQ(exported.offsets.data(), starts);
  MatRestoreRowIJ(mat.get(), 0, PETSC_FALSE, PETSC_FALSE, &rows, &starts, &columns, &done);
  EXPECT_TRUE(exported.columns.readonly());
  const std::int64_t before = state_of(mat.get());
  {
    daptor::WriteLease lease(exported.values);
    static_cast<PetscScalar*>(lease.data())[0] = 5;
    lease.close();
  }
  EXPECT_GT(state_of(mat.get()), before);
  const PetscInt row = 0;
  const PetscInt column = 2;
  PetscScalar value = 0;
  MatGetValues(mat.get(), 1, &row, 1, &column, &value);
  EXPECT_EQ(PetscRealPart(value), 5.0);
  const OwnedMat again = import_csr(exported);
  EXPECT_EQ(nonzeros_of(again.get()), nonzeros_of(mat.get()));
  mat.close();
  EXPECT_EQ(PetscRealPart(static_cast<const PetscScalar*>(exported.values.data())[0]), 5.0);
}

void expect_stale(const CsrArrays& arrays) {
  EXPECT_THROW(daptor::WriteLease{arrays.values}, daptor::Stale);
  for (const DistArray& array : {arrays.values, arrays.columns, arrays.offsets})
    EXPECT_THROW(daptor::ReadLease{array}, daptor::Stale);
}

TEST(CsrFromPetsc, otherEntriesMakeTheExportStale) {
  if (size_of() > 1) return;
  CsrExample<std::int64_t, PetscScalar> example(line(), 1);
  const OwnedMat mat = copy_csr(example.arrays());
  MatSetOption(mat.get(), MAT_KEEP_NONZERO_PATTERN, PETSC_FALSE);
  const CsrArrays first = export_csr(mat.get());
  MatScale(mat.get(), 2.0);
  EXPECT_NO_THROW(daptor::ReadLease{first.columns});
  const PetscInt row = 0;
  // PETSc removes the entries of the row, and closes the gap in the same memory.
  MatZeroRows(mat.get(), 1, &row, 0.0, nullptr, nullptr);
  expect_stale(first);
  const CsrArrays second = export_csr(mat.get());
  EXPECT_TRUE(validate(second));
  EXPECT_LT(second.values.local_count(), first.values.local_count());
  const OwnedMat full = copy_csr(example.arrays());
  // PETSc makes other lists, and frees these.
  MatAXPY(mat.get(), 1.0, full.get(), DIFFERENT_NONZERO_PATTERN);
  expect_stale(second);
  EXPECT_TRUE(validate(export_csr(mat.get())));
}

TEST(CsrFromPetsc, matricesWithoutRowsOrEntriesAreSharedToo) {
  if (size_of() > 1) return;
  for (const PetscInt rows : {0, 3}) {
    Mat mat = nullptr;
    MatCreateSeqAIJ(world, rows, rows, 0, nullptr, &mat);
    MatAssemblyBegin(mat, MAT_FINAL_ASSEMBLY);
    MatAssemblyEnd(mat, MAT_FINAL_ASSEMBLY);
    const CsrArrays exported = export_csr(mat);
    EXPECT_TRUE(validate(exported)) << rows;
    EXPECT_NO_THROW(daptor::WriteLease{exported.values}) << rows;
    for (const DistArray& array : {exported.values, exported.columns, exported.offsets})
      EXPECT_NO_THROW(daptor::ReadLease{array}) << rows;
    EXPECT_EQ(exported.offsets.local_count(), rows + 1);
    MatDestroy(&mat);
  }
}

TEST(CsrFromPetsc, copiesAnyAij) {
  CsrExample<std::int64_t, PetscScalar> example(line(), 1);
  const OwnedMat mat = copy_csr(example.arrays());
  const CsrArrays copy = copy_csr(mat.get());
  EXPECT_EQ(copy.comm(), daptor::Comm(PETSC_COMM_WORLD));
  EXPECT_TRUE(validate(copy));
  expect_example(copy_csr(copy));
  MatScale(mat.get(), 3.0);
  expect_example(copy_csr(copy));
  expect_example(copy_csr(copy_csr(mat.get())), 3.0);
}

TEST(CsrFromPetsc, refusals) {
  Mat dense = nullptr;
  MatCreateDense(world, 2, 2, PETSC_DETERMINE, PETSC_DETERMINE, nullptr, &dense);
  expect_refused_everywhere<daptor::NotRepresentable>("csr.kind", [&] { copy_csr(dense); });
  expect_refused_everywhere<daptor::NotRepresentable>("csr.kind", [&] { export_csr(dense); });
  MatDestroy(&dense);
  Mat open = nullptr;
  MatCreate(world, &open);
  expect_refused_everywhere<daptor::InvalidArgument>("csr.unassembled", [&] { copy_csr(open); });
  expect_refused_everywhere<daptor::InvalidArgument>("csr.unassembled", [&] { export_csr(open); });
  MatDestroy(&open);
  EXPECT_THROW(export_csr(nullptr), daptor::InvalidArgument);
}

TEST(Csr, aFaultOnOneRankIsThrownOnAll) {
  Blocks blocks(1);
  const CsrArrays arrays = blocks.arrays();
  const OwnedMat mat = copy_csr(arrays);
  const auto sweep = [&](const std::function<void()>& call) {
    daptor::test::Faults().expect_agreed(
        call, [&] { EXPECT_EQ(arrays.values.buffer().state()->view_count(), 0U); });
  };
  sweep([&] { import_csr(arrays); });
  sweep([&] { copy_csr(arrays); });
  sweep([&] { copy_csr(mat.get()); });
}

}  // namespace
