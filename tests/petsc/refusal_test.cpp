// SPDX-License-Identifier: BSD-3-Clause
// Arrays that cannot be represented: every rank gets the same rule and sentence, and explain()
// agrees.

#include <algorithm>

#include "form_rows.hpp"
#include "grids.hpp"

namespace {

using namespace daptor_test;
using namespace daptor::petsc;
using daptor::NotRepresentable;

constexpr auto item = static_cast<Index>(sizeof(PetscScalar));

/// Every import of a kind refuses by the rule, and so does explain().
struct Refusal {
  std::string name;
  std::string target;
  std::string rule;
  std::function<DistArray()> make;
};

std::ostream& operator<<(std::ostream& out, const Refusal& refusal) {
  return out << refusal.name;
}

void run_import(const std::string& target, const DistArray& array) {
  if (target == "petsc.vec") import_vec(array);
  if (target == "petsc.local-vec") import_padded_vec(array);
  if (target == "petsc.dmda" || target == "petsc.dmda-local") {
    const auto field = import_dmda(array);
    target == "petsc.dmda" ? field.global() : field.local();
  }
  if (target == "petsc.dense") import_dense(array);
}

/// What explain() says about a target: the rule of its first reason, or nothing if it can hold the
/// array.
std::string explained(const DistArray& a, const std::string& target) {
  for (const daptor::Assessment& each : daptor::explain(a))
    if (each.target == target) {
      EXPECT_EQ(each.representable, each.reasons.empty());
      return each.representable ? "" : each.reasons.front().rule;
    }
  return "no such target";
}

DistArray of_type(const daptor::DataType& type, std::vector<Dimension> dimensions) {
  return daptor::allocate(type, std::move(dimensions)).on(world);
}

/// Columns of a wider array: each row is followed by a gap.
DistArray with_gaps(std::vector<Dimension> dimensions) {
  const Index rows = dimensions[0].local_extent();
  const Index columns = dimensions[1].local_extent();
  auto memory = std::make_shared<std::vector<PetscScalar>>(
      static_cast<std::size_t>((rows + 1) * (columns + 2)));
  return daptor::describe(memory->data(), std::move(dimensions), {(columns + 2) * item, item},
                          memory)
      .on(world);
}

/// A description of extents for which there is no memory.
DistArray huge(std::vector<Dimension> dimensions, Order order = Order::c) {
  return daptor::describe(daptor::DataType::of<PetscScalar>(), nullptr, std::move(dimensions),
                          order)
      .on(world);
}

DistArray on_device() {
  return owning({daptor::block(9, line()), daptor::undistributed(2)})
      .in_space({daptor::MemorySpace::cuda, 0});
}

DistArray shifted() {
  auto memory = std::make_shared<std::vector<char>>(64 * sizeof(PetscScalar));
  const DistArray a = owning({daptor::block(9, line()), daptor::undistributed(2)});
  return a.with_memory(memory->data() + 1, memory);
}

std::vector<Dimension> plane(Index rows, Index columns) {
  return {daptor::block(rows, line()), daptor::undistributed(columns)};
}

std::vector<Refusal> refusals() {
  using namespace daptor;
  const DataType other(Kind::floating, sizeof(PetscReal) == 8 ? 4 : 8);
  const DataType swapped(
      DataType::of<PetscScalar>().kind(), sizeof(PetscScalar),
      native_byte_order() == ByteOrder::little ? ByteOrder::big : ByteOrder::little);
  std::vector<Refusal> list;
  struct Kind {
    const char* name;
    const char* target;
    const char* prefix;
  };
  for (const Kind& kind :
       {Kind{"vec", "petsc.vec", "petsc.vec"}, Kind{"local", "petsc.local-vec", "petsc.vec"},
        Kind{"dmda", "petsc.dmda", "petsc.dmda"}, Kind{"dense", "petsc.dense", "petsc.dense"}}) {
    const auto add = [&](const char* what, const char* rule, std::function<DistArray()> make) {
      list.push_back({std::string(what) + "_" + kind.name, kind.target,
                      std::string(kind.prefix) + rule, std::move(make)});
    };
    add("type", ".type", [other] { return of_type(other, {block(9, line()), undistributed(2)}); });
    add("byte_order", ".type", [swapped] {
      return of_type(swapped, {block(9, line()), undistributed(2)});
    });
    add("device", ".device", on_device);
    add("alignment", ".alignment", shifted);
  }
  list.push_back({"gaps_vec", "petsc.vec", "petsc.vec.one-run",
                  [] { return with_gaps(plane(4 * size_of(), 3)); }});
  list.push_back({"padding_inside", "petsc.vec", "petsc.vec.one-run", [] {
                    return owning({undistributed(5), padded_block(4 * size_of(), {1, 1}, true)});
                  }});
  list.push_back({"gaps_local", "petsc.local-vec", "petsc.vec.one-run",
                  [] { return with_gaps(plane(4 * size_of(), 3)); }});
  list.push_back({"gaps_dmda", "petsc.dmda", "petsc.dmda.one-run",
                  [] { return with_gaps(plane(4 * size_of(), 3)); }});
  list.push_back({"cyclic_dmda", "petsc.dmda", "petsc.dmda.distribution",
                  [] { return owning({cyclic(4 * size_of(), line())}); }});
  list.push_back({"four_dimensions", "petsc.dmda-local", "petsc.dmda.dimensions", [] {
                    return owning({block(2 * size_of(), line()), block(2, {1, 0}), block(2, {1, 0}),
                                   block(2, {1, 0})});
                  }});
  list.push_back({"empty_rank", "petsc.dmda", "petsc.dmda.empty-rank",
                  [] { return owning({block(size_of() - 1, line())}); }});
  list.push_back({"two_widths", "petsc.dmda-local", "petsc.dmda.width", [] {
                    return owning({padded_block(4 * size_of(), {2, 1}, true)});
                  }});
  list.push_back({"narrow", "petsc.dmda-local", "petsc.dmda.local-width", [] {
                    return owning({padded_block(2 * size_of(), {3, 3}, true)});
                  }});
  list.push_back({"global_of_padded", "petsc.dmda", "petsc.dmda.global-run", [] {
                    return make_grid({"two", 2, 1, {true, true}});
                  }});
  list.push_back({"rows_fastest", "petsc.dense", "petsc.dense.columns", [] {
                    return owning({block(9, line()), undistributed(3)});
                  }});
  list.push_back({"one_dimension_dense", "petsc.dense", "petsc.dense.columns",
                  [] { return owning({block(9, line())}); }});
  list.push_back({"gaps_dense", "petsc.dense", "petsc.dense.rows-run", [] {
                    auto memory = std::make_shared<std::vector<PetscScalar>>(400);
                    return describe(memory->data(),
                                    {block(4 * size_of(), line()), undistributed(3)},
                                    {2 * item, 20 * item}, memory)
                        .on(world);
                  }});
  for (const char* const name : {"apart_vec", "apart_dense"}) {
    if (size_of() == 1) break;  // no neighbour has a ghost for it
    const bool dense = std::string(name) == "apart_dense";
    list.push_back(
        {name, dense ? "petsc.dense" : "petsc.vec",
         dense ? "petsc.dense.rows-run" : "petsc.vec.one-run", [dense] {
           const Index first = 2 * daptor::test::world_rank();
           std::vector<Dimension> dimensions{unstructured(
               2 * size_of(), line(),
               IndexList(std::vector<Index>{first, (first + 2) % (2 * size_of()), first + 1}),
               OwnedPart::at({0, 2}))};
           if (dense) dimensions.push_back(undistributed(2));
           return owning(dimensions, Order::fortran);
         }});
  }
  list.push_back({"overlapping_columns", "petsc.dense", "petsc.dense.leading-dimension", [] {
                    auto memory = std::make_shared<std::vector<PetscScalar>>(400);
                    return describe(memory->data(),
                                    {block(4 * size_of(), line()), undistributed(3)},
                                    {item, 2 * item}, memory)
                        .on(world);
                  }});
  list.push_back(
      {"readonly_dense", "petsc.dense", "petsc.dense.readonly", [] {
         return owning({block(9, line()), undistributed(3)}, Order::fortran).as_readonly();
       }});
  return list;
}

/// Whether there is a call that makes a copy, to which the obstacle does not apply.
bool copies(const Refusal& refusal) {
  static const char* const hopeless[] = {
      "type",   "byte_order",         "device", "four_dimensions", "empty_rank",
      "narrow", "one_dimension_dense"};
  return std::none_of(std::begin(hopeless), std::end(hopeless),
                      [&](const char* name) { return refusal.name.rfind(name, 0) == 0; });
}

class Refused : public ::testing::TestWithParam<Refusal> {};

TEST_P(Refused, WithItsRuleOnAllRanks) {
  const Refusal& refusal = GetParam();
  const DistArray a = refusal.make();
  expect_refused_everywhere<NotRepresentable>(refusal.rule, [&] { run_import(refusal.target, a); });
  const daptor::Explanation explanation = daptor::explain(a);
  const auto verdict =
      std::find_if(explanation.begin(), explanation.end(),
                   [&](const daptor::Assessment& each) { return each.target == refusal.target; });
  ASSERT_NE(verdict, explanation.end());
  EXPECT_FALSE(verdict->representable);
  ASSERT_FALSE(verdict->reasons.empty());
  EXPECT_EQ(verdict->reasons.front().rule, refusal.rule);
  EXPECT_FALSE(verdict->reasons.front().remedy.empty());
  EXPECT_EQ(!verdict->copy.text.empty(), copies(refusal)) << verdict->copy.text;
  EXPECT_EQ(verdict->bytes_to_move.has_value(), copies(refusal));
  for (const daptor::Finding& reason : verdict->reasons)
    EXPECT_EQ(advice(reason).str().find("Or copy: ") != std::string::npos, copies(refusal))
        << reason;
  EXPECT_EQ(a.buffer().state()->view_count(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Rules, Refused, ::testing::ValuesIn(refusals()), NameOf());

TEST(RefusedForm, OfAVec) {
  // Whether PETSc's read locks hold depends on the release: RefusedReadOnly below.
  daptor::test::expect_form<PetscScalar>("petsc.vec", [](const DistArray& a) { import_vec(a); },
                                         {".readonly"});
}

TEST(RefusedForm, OfALocalVec) {
  daptor::test::expect_form<PetscScalar>(
      "petsc.vec", [](const DistArray& a) { import_padded_vec(a); }, {".readonly", ".overlap"},
      daptor::adapter::Form::Layout::one_run, daptor::adapter::SectionPart::all);
}

TEST(RefusedForm, OfADmda) {
  const auto import = [](const DistArray& a) { import_dmda(a); };
  // A list is refused for its distribution, whoever owns what of it.
  daptor::test::expect_form<PetscScalar>("petsc.dmda", import, {".readonly", ".overlap"},
                                         daptor::adapter::Form::Layout::one_run,
                                         daptor::adapter::SectionPart::all);
  daptor::test::expect_rows<PetscScalar>(
      "petsc.dmda", import,
      {{".width", [](void* memory, bool broken) {
          const Index first = 4 * rank_of();
          const daptor::BlockPadding padding({broken ? 2 : 1, 1}, {}, true);
          return daptor::describe(
              static_cast<PetscScalar*>(memory),
              {daptor::block(4 * size_of(), line(), {first, first + 4}, padding)});
        }}});
}

TEST(RefusedForm, OfADenseMat) {
  const auto import = [](const DistArray& a) { import_dense(a); };
  daptor::test::expect_rows<PetscScalar>("petsc.dense", import,
                                         daptor::test::broken_column_rows<PetscScalar>());
  const auto refused = [&](const char* rule, std::vector<Dimension> dimensions, Order order) {
    const DistArray a = owning(std::move(dimensions), order);
    expect_refused_everywhere<NotRepresentable>(rule, [&] { import(a); });
  };
  if (size_of() == 1) return;
  const std::vector<Index> shared{rank_of(), rank_of() + 1};
  refused("petsc.dense.overlap",
          {daptor::unstructured(size_of() + 1, line(), daptor::IndexList(shared)),
           daptor::undistributed(2)},
          Order::fortran);
  refused(
      "petsc.dense.order",
      {daptor::undistributed(2), daptor::block(2 * size_of(), line()), daptor::undistributed(3)},
      rank_of() == 0 ? Order::fortran : Order::c);
}

TEST(RefusedForm, OfNumbers) {
  const auto import = [](const DistArray& a) { natural_ordering(a); };
  daptor::test::expect_rows<PetscScalar>(
      "petsc.numbering", import,
      {{".index-range", [](void* memory, bool broken) {
          const Index count = 3 * size_of(), first = 3 * rank_of();
          const daptor::IndexList list(
              std::vector<Index>{first, first + 1, broken ? count : first + 2});
          return daptor::describe(static_cast<PetscScalar*>(memory), 3,
                                  {daptor::unstructured(count, line(), list, true)});
        }}});
  const std::vector<Index> same{0};
  const DistArray fewer = owning({daptor::unstructured(
      size_of() + 1, line(), daptor::IndexList(std::vector<Index>{rank_of()}), true)});
  expect_refused_everywhere<NotRepresentable>("petsc.numbering.permutation",
                                              [&] { import(fewer); });
  if (size_of() == 1) return;
  const DistArray shared = owning({daptor::unstructured(1, line(), daptor::IndexList(same))});
  expect_refused_everywhere<NotRepresentable>("petsc.numbering.overlap", [&] { import(shared); });
  const DistArray mixed = owning({daptor::block(2 * size_of(), line()), daptor::undistributed(3)},
                                 rank_of() == 0 ? Order::fortran : Order::c);
  expect_refused_everywhere<NotRepresentable>("petsc.numbering.order", [&] { import(mixed); });
}

// Index counts: PetscInt of 32 or 64 bits.
TEST(RefusedCounts, BeyondPetscInt) {
  constexpr Index limit = Index{1} << 31;
  // Two dimensions whose product is too large, although each of them fits.
  const DistArray global =
      huge({daptor::block(1 << 16, line()), daptor::undistributed((1 << 16) - 1)});
  const DistArray local =
      huge({daptor::undistributed(limit / 2), daptor::block(3 * size_of(), line())});
  const DistArray columns =
      huge({daptor::block(limit + 7, line()), daptor::undistributed(2)}, Order::fortran);
  const auto expect = [](const std::string& rule, const std::function<void()>& body) {
    if (sizeof(PetscInt) == 4)
      expect_refused_everywhere<NotRepresentable>(rule, body);
    else
      expect_refused_everywhere<daptor::InvalidArgument>("argument",
                                                         body);  // there is no such memory
  };
  expect("petsc.vec.index-range", [&] { import_vec(global); });
  expect("petsc.vec.index-range", [&] { import_vec(local); });
  expect("petsc.vec.index-range", [&] { import_padded_vec(local); });
  expect("petsc.dmda.index-range", [&] { import_dmda(global); });
  expect("petsc.dense.index-range", [&] { import_dense(columns); });
  if (sizeof(PetscInt) == 4)
    expect_refused_everywhere<NotRepresentable>(
        "petsc.numbering.index-range", [&] { local_to_global(global, Numbering::natural); });
  // A description that would fit, but without memory to wrap.
  const DistArray fits = huge({daptor::block(1000 * size_of(), line())});
  expect_refused_everywhere<daptor::InvalidArgument>("argument", [&] { import_vec(fits); });
  expect_refused_everywhere<daptor::InvalidArgument>("argument", [&] { import_dmda(fits); });
  EXPECT_TRUE(daptor::explain(fits).front().representable);
}

/// Blocks of more elements than a PetscInt counts, though the array has none.
TEST(RefusedCounts, BlocksBeyondPetscInt) {
  if (sizeof(PetscInt) > 4) return;
  const DistArray a = huge({daptor::block(0, line()), daptor::undistributed(Index{1} << 31)});
  for (const char* target : {"petsc.vec", "petsc.local-vec"}) {
    EXPECT_EQ(explained(a, target), "petsc.vec.index-range");
    expect_refused_everywhere<NotRepresentable>("petsc.vec.index-range",
                                                [&] { run_import(target, a); });
  }
  const DistArray owned = owning({daptor::block(0, line()), daptor::undistributed(Index{1} << 31)});
  expect_refused_everywhere<NotRepresentable>("petsc.vec.index-range", [&] { copy_to_vec(owned); });
  expect_refused_everywhere<NotRepresentable>("petsc.vec.index-range",
                                              [&] { copy_to_padded_vec(owned); });
}

TEST(RefusedReadOnly, OnOneRankIsRefusedOnAll) {
  for (int victim = 0; victim < size_of(); ++victim) {
    const DistArray writable = owning({daptor::block(9 * size_of(), line())});
    const DistArray a = rank_of() == victim ? writable.as_readonly() : writable;
    VecOptions trust;
    trust.trust_readonly = true;
    const ImportedVec trusted = import_vec(a, trust);
    expect_on_memory_of(trusted.get(), a);
    // PETSc 3.22 enforces its read locks in optimised builds too.
#if defined(PETSC_USE_DEBUG) || PETSC_VERSION_GE(3, 22, 0)
    const ImportedVec locked = import_vec(a);
    expect_on_memory_of(locked.get(), a);
    EXPECT_NE(static_cast<int>(VecSet(locked.get(), 1.0)), 0);
    const ImportedVec readonly = import_vec_readonly(writable);
    EXPECT_NE(static_cast<int>(VecSet(readonly.get(), 1.0)), 0);
#else
    expect_refused_everywhere<NotRepresentable>("petsc.vec.readonly", [&] { import_vec(a); });
    expect_refused_everywhere<NotRepresentable>("petsc.vec.readonly",
                                                [&] { import_padded_vec(a); });
    expect_refused_everywhere<NotRepresentable>("petsc.dmda.readonly", [&] { import_dmda(a); });
    expect_refused_everywhere<NotRepresentable>("petsc.vec.readonly",
                                                [&] { import_vec_readonly(writable); });
#endif
  }
}

TEST(RefusedReadOnly, TrustedMemoryMayBeRebound) {
  const DistArray a = owning({daptor::block(9 * size_of(), line())}).as_readonly();
  VecOptions trust;
  trust.trust_readonly = true;
  ImportedVec vec = import_vec(a, trust);
  const DistArray other = owning({daptor::block(9 * size_of(), line())});
  const DistArray b = a.with_memory(other.mutable_data(), std::make_shared<DistArray>(other));
  vec.rebind(b.as_readonly());
  expect_on_memory_of(vec.get(), b);
  // Its export is read-only too.
  EXPECT_TRUE(export_vec(vec.get()).readonly());
}

TEST(RefusedOptions, ThatDifferBetweenRanks) {
  if (size_of() == 1) return;
  const DistArray a = owning({daptor::block(9 * size_of(), line()), daptor::undistributed(2)});
  VecOptions vec;
  vec.flat = rank_of() == 0;
  expect_different(
      "flat", [&] { import_vec(a, vec); }, "false, and true on rank 0");
  DMDAOptions dmda;
  dmda.stencil_width = rank_of() == 0 ? 1 : 2;
  expect_different(
      "stencil_width", [&] { import_dmda(a, dmda); }, "2, and 1 on rank 0");
}

TEST(RefusedOptions, NegativeWidth) {
  const DistArray a = owning({daptor::block(9 * size_of(), line())});
  DMDAOptions options;
  options.stencil_width = -1;
  expect_refused_everywhere<daptor::InvalidArgument>("argument", [&] { import_dmda(a, options); });
}

// Obstacles that no rank sees by itself: explain() and the import give the same answer.
TEST(RefusedTogether, AsExplainSays) {
  if (size_of() < 2) return;
  for (int victim = 0; victim < size_of(); ++victim) {
    const bool me = rank_of() == victim;
    const std::vector<Dimension> dimensions{daptor::block(4 * size_of(), line()),
                                            daptor::undistributed(3)};
    const DistArray order = owning(dimensions, me ? Order::fortran : Order::c);
    EXPECT_EQ(explained(order, "petsc.vec"), "petsc.vec.order");
    EXPECT_EQ(explained(order, "petsc.local-vec"), "petsc.vec.order");
    EXPECT_EQ(explained(order, "petsc.dmda"), "petsc.dmda.order");
    EXPECT_EQ(explained(order, "petsc.dmda-local"), "petsc.dmda.order");
    for (const char* target : {"petsc.vec", "petsc.local-vec", "petsc.dmda", "petsc.dmda-local"})
      expect_refused_everywhere<NotRepresentable>(explained(order, target),
                                                  [&] { run_import(target, order); });

    const Index width = me ? 1 : 2;
    const DistArray widths = owning({padded_block(4 * size_of(), {width, width}, true)});
    EXPECT_EQ(explained(widths, "petsc.dmda-local"), "petsc.dmda.width");

    const std::vector<Dimension> square{
        daptor::undistributed(3), daptor::block(4 * size_of(), line()), daptor::undistributed(3)};
    const DistArray columns = owning(square, me ? Order::fortran : Order::c);
    EXPECT_EQ(explained(columns, "petsc.dense"), "petsc.dense.order");
    expect_refused_everywhere<NotRepresentable>("petsc.dense.order",
                                                [&] { run_import("petsc.dense", columns); });
  }
}

// The same for sections that form no array, of which no target is asked.
TEST(RefusedTogether, ListsOnOneRankAsExplainSays) {
  if (size_of() < 2) return;
  for (int victim = 0; victim < size_of(); ++victim) {
    const Index size = 3 * size_of();
    const DistArray one =
        owning({rank_of() == victim
                    ? daptor::unstructured(size, line(), daptor::IndexList({0, 1, 2}), true)
                    : daptor::block(size, line())});
    for (const char* target : {"petsc.vec", "petsc.local-vec", "petsc.dmda", "petsc.dmda-local"})
      expect_refused_everywhere<daptor::Malformed>(explained(one, target),
                                                   [&] { run_import(target, one); });
  }
}

TEST(RefusedTogether, RankOrderAsExplainSays) {
  const DistArray a = make_grid({"fortran", 2, 1, {true, true}, 1, true, Order::fortran});
  std::string found;
  try {
    run_import("petsc.dmda-local", a);
  } catch (const NotRepresentable& refusal) {
    found = refusal.rule();
  }
  EXPECT_EQ(explained(a, "petsc.dmda-local"), found);
}

// One rank has another type or width than the others.
TEST(RefusedRanks, ThatDisagree) {
  if (size_of() < 2) return;
  for (int victim = 0; victim < size_of(); ++victim) {
    const bool me = rank_of() == victim;
    const std::vector<Dimension> dimensions{daptor::block(4 * size_of(), line()),
                                            daptor::undistributed(3)};
    const DistArray type =
        of_type(me ? daptor::DataType::of<int>() : daptor::DataType::of<PetscScalar>(), dimensions);
    expect_refused_everywhere<daptor::Malformed>("T16", [&] { import_vec(type); });
    expect_refused_everywhere<daptor::Malformed>("T16", [&] { import_dmda(type); });
    expect_refused_everywhere<daptor::Malformed>("T16", [&] { import_dense(type); });
    const Index width = me ? 1 : 2;
    const DistArray widths = owning({padded_block(4 * size_of(), {width, width}, true)});
    expect_refused_everywhere<NotRepresentable>("petsc.dmda.width", [&] { import_dmda(widths); });
  }
}

TEST(RefusedCommunicators, NullAndForeign) {
  const DistArray a = owning({daptor::block(9 * size_of(), line())});
  EXPECT_THROW(import_vec(a.on(MPI_COMM_NULL)), daptor::InvalidArgument);
  if (size_of() > 1) {
    EXPECT_THROW(import_vec(a.on(MPI_COMM_SELF)), daptor::Malformed);
  }
}

// After Daptor's calls, even those that fail, PETSc's error handler is the user's again.
PetscErrorCode count_errors(MPI_Comm, int, const char*, const char*, PetscErrorCode code,
                            PetscErrorType, const char*, void* counter) {
  ++*static_cast<int*>(counter);
  return code;
}

TEST(ErrorHandler, IsTheUsersAfterwards) {
  int errors = 0;
  PetscPushErrorHandler(count_errors, &errors);
  const DistArray a = owning({daptor::block(9 * size_of(), line())});
  {
    const ImportedVec vec = import_vec(a);
    const DistArray back = export_vec(vec.get());
    try {
      import_dense(a);
    } catch (const NotRepresentable&) {
    }
  }
  EXPECT_EQ(errors, 0);
  Vec vec = nullptr;
  std::vector<PetscScalar> other(4);
  VecCreateSeq(PETSC_COMM_SELF, 4, &vec);
  VecPlaceArray(vec, other.data());
  EXPECT_NE(static_cast<int>(VecPlaceArray(vec, other.data())), 0);
  EXPECT_GT(errors, 0);
  VecResetArray(vec);
  VecDestroy(&vec);
  PetscPopErrorHandler();
}

TEST(Explain, SaysYesWithTheCost) {
  const DistArray a = make_grid({"two", 2, 1, {true, true}});
  for (const daptor::Assessment& each : daptor::explain(a)) {
    if (each.target == "petsc.dmda-local") {
      EXPECT_TRUE(each.representable);
      EXPECT_GT(each.bytes_per_index, 0);
    }
    if (each.target == "petsc.local-vec") {
      EXPECT_TRUE(each.representable);
      EXPECT_EQ(each.bytes_per_index, 0);
    }
    if (each.target == "petsc.vec") {
      EXPECT_FALSE(each.representable);
    }
  }
}

}  // namespace
