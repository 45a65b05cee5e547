// SPDX-License-Identifier: BSD-3-Clause
#include <functional>
#include <limits>
#include <set>
#include <stdexcept>

#include "../validation/one_proof.hpp"
#include "form_rows.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

constexpr Index big = Index{1} << 40;

GridPosition seat() {
  return {world_size(), world_rank()};
}

/// A description of doubles without memory.
DistArray described(std::vector<Dimension> dimensions, Order order = Order::c) {
  return describe(DataType::of<double>(), nullptr, std::move(dimensions), order).on(MPI_COMM_WORLD);
}

/// A description on memory that does not exist: enough for the checks, which only look at the
/// address.
DistArray pretended(std::vector<Dimension> dimensions, Order order = Order::c) {
  static double memory = 0;
  return described(std::move(dimensions), order).with_memory(&memory);
}

void expect_vector_refused(const std::string& rule, const Section& array,
                           const MapOptions& options = {}) {
  expect_refused_everywhere<NotRepresentable>(
      rule, [&] { tpetra::import_vector<double>(array.on(MPI_COMM_WORLD), options); });
}

void expect_columns_refused(const std::string& rule, const Section& array,
                            const MapOptions& options = {}) {
  expect_refused_everywhere<NotRepresentable>(
      rule, [&] { tpetra::import_multivector<double>(array.on(MPI_COMM_WORLD), options); });
}

void expect_map_refused(const std::string& rule, const Section& array,
                        const MapOptions& options = {}) {
  expect_refused_everywhere<NotRepresentable>(
      rule, [&] { tpetra::import_map(array.on(MPI_COMM_WORLD), options); });
}

/// What vectors ask besides the rows of every Form.
std::vector<BrokenRow> vector_rows() {
  return {{".memory", [](void* memory, bool broken) {
             return describe(DataType::of<double>(), broken ? nullptr : memory,
                             {block(4 * world_size(), seat())});
           }}};
}

/// What a MultiVector asks of its two columns.
std::vector<BrokenRow> column_rows() {
  std::vector<BrokenRow> rows = vector_rows();
  const auto add = [&](const char* rule, Index stride, Index between_rows, Index start) {
    rows.push_back({rule, [=](void* memory, bool broken) {
                      const std::vector<Dimension> dimensions{undistributed(2),
                                                              block(4 * world_size(), seat())};
                      auto* const first = static_cast<double*>(memory) + (broken ? start : 0);
                      return describe(first, dimensions,
                                      broken ? std::vector<Index>{stride, between_rows}
                                             : std::vector<Index>{40, 8});
                    }});
  };
  add(".columns", 8, 16, 0);
  add(".one-run", 64, 16, 0);
  add(".leading-dimension", 24, 8, 0);  // less than a column
  add(".leading-dimension", 36, 8, 0);  // half an element
  add(".leading-dimension", -32, 8, 4);
  add(".leading-dimension", 0, 8, 0);
  return rows;
}

TEST(Form, EachRowOnEachRank) {
  const auto vector = [](const DistArray& a) { tpetra::import_vector<double>(a); };
  const auto columns = [](const DistArray& a) { tpetra::import_multivector<double>(a); };
  const auto overlap = [](const DistArray& a) {
    tpetra::import_multivector<double>(a, {Numbering::natural, Part::overlap, 0});
  };
  // A Map may have an index on several ranks.
  expect_form<double>("tpetra", vector, {".overlap"});
  expect_form<double>("tpetra", columns, {".overlap"});
  expect_rows<double>("tpetra", vector, vector_rows());
  expect_rows<double>("tpetra", columns, column_rows());
  expect_rows<double>("tpetra", overlap, column_rows());
  const auto readonly = [](const DistArray& a) { tpetra::import_vector_readonly<double>(a); };
  expect_form<double>("tpetra", readonly, {".overlap", ".readonly"});
}

TEST(Refused, FortranOrder) {
  const Index p = world_size();
  expect_vector_refused("tpetra.order",
                        pretended({block(3 * p, seat()), undistributed(4)}, Order::fortran));
  expect_columns_refused("tpetra.order",
                         pretended({block(3 * p, seat()), undistributed(4)}, Order::fortran));
  expect_columns_refused("tpetra.columns",
                         pretended({undistributed(4), block(3 * p, seat())}, Order::fortran));
  // The order of a dimension does not matter if all others have one element.
  const auto x = tpetra::import_vector<double>(
      allocate<double>({block(3 * p, seat()), undistributed(1)}, Order::fortran)
          .on(MPI_COMM_WORLD));
  EXPECT_EQ(x.get()->getLocalLength(), 3u);
}

TEST(Refused, PaddingBetweenOwnedElements) {
  const Index p = world_size();
  const BlockPadding ring{{1, 1}, {0, 0}, true};
  expect_vector_refused("tpetra.one-run",
                        pretended({block(2 * p, seat()), block(5, {1, 0}, ring)}));
  expect_columns_refused("tpetra.one-run",
                         pretended({block(2 * p, seat()), block(5, {1, 0}, ring)}));
}

TEST(Refused, PaddedColumns) {
  const DistArray array = pretended(
      {Dimension(3, Undistributed{{0, 0}, {1, 1}, true}, true), block(4 * world_size(), seat())});
  expect_columns_refused("tpetra.columns", array);
}

TEST(Refused, NegativeIndices) {
  const Index r = world_rank();
  const Index p = world_size();
  const DistArray array =
      pretended({unstructured(3 * p, seat(), IndexList({3 * r, r == p - 1 ? -1 : 3 * r + 1}))});
  expect_map_refused("tpetra.negative-index", array);
  expect_vector_refused("tpetra.negative-index", array);
  expect_map_refused("tpetra.negative-index", array, {Numbering::natural, Part::owned, 10});
  // With numbers rank after rank, the indices do not matter.
  const auto map = tpetra::import_map(array, {Numbering::contiguous, Part::owned, 0});
  EXPECT_EQ(map->getMinGlobalIndex(), 2 * r);
}

TEST(Refused, IndicesBeyondTheSizeOfAFastDimension) {
  const DistArray array =
      pretended({block(2 * world_size(), seat()), unstructured(3, {1, 0}, IndexList({0, 3}))});
  expect_map_refused("tpetra.index-range", array);
  expect_vector_refused("tpetra.index-range", array);
}

TEST(Refused, MoreThanTheOrdinalsCount) {
  const Index p = world_size();
  const Index local_limit = std::numeric_limits<Local>::max();
  expect_map_refused("tpetra.local-ordinal", described({block((local_limit + 1) * p, seat())}));
  expect_map_refused("tpetra.local-ordinal", described({block((local_limit + 1) * p, seat())}),
                     {Numbering::contiguous, Part::owned, 0});
  expect_map_refused("tpetra.local-ordinal",
                     described({block(2 * p, seat()), undistributed(local_limit)}));
  EXPECT_EQ(
      static_cast<Index>(
          tpetra::import_map(described({block(local_limit * p, seat())}))->getGlobalNumElements()),
      local_limit * p);
  const Index last = std::numeric_limits<Index>::max();
  expect_map_refused("tpetra.global-ordinal",
                     described({unstructured(10, seat(), IndexList({last - world_rank()}))}));
  expect_map_refused("tpetra.global-ordinal",
                     described({unstructured(10, seat(), IndexList({last / 4 + world_rank()})),
                                undistributed(8)}));
  expect_map_refused("tpetra.global-ordinal",
                     described({unstructured(10, seat(), IndexList({last / 2 + 2}))}),
                     {Numbering::natural, Part::owned, last / 2});
  expect_map_refused("tpetra.global-ordinal",
                     described({unstructured(big, seat(), IndexList({world_rank()})),
                                unstructured(big, {1, 0}, IndexList({3, 2}))}));
}

TEST(Refused, TooManyOnOneRankOnly) {
  const Index p = world_size();
  const Index few = 5;
  const Index many = Index{std::numeric_limits<Local>::max()} + 1;
  const Index last = (p - 1) * few;
  const IndexRange owned = world_rank() == p - 1
                               ? IndexRange{last, last + many}
                               : IndexRange{few * world_rank(), few * (world_rank() + 1)};
  expect_map_refused("tpetra.local-ordinal", described({block(last + many, seat(), owned)}));
}

TEST(Refused, AnotherByteOrder) {
  static double memory[2];
  const DataType swapped(Kind::floating, 8, ByteOrder::big);
  expect_vector_refused("tpetra.type",
                        describe(swapped, memory, {block(2 * world_size(), seat())}));
}

TEST(Refused, ScalarsThatTheInstallationLacks) {
  using Missing = long double;
  static_assert(!tpetra::has_scalar<Missing>);
  EXPECT_FALSE(tpetra::scalar_available(DataType::of<Missing>()));
  EXPECT_TRUE(tpetra::scalar_available(DataType::of<double>()));
  const DistArray array = allocate<Missing>({block(4 * world_size(), seat())}).on(MPI_COMM_WORLD);
  expect_refused_everywhere<NotRepresentable>("tpetra.scalar",
                                              [&] { tpetra::import_multivector<Missing>(array); });
  expect_refused_everywhere<NotRepresentable>(
      "tpetra.scalar", [&] { tpetra::import_vector_readonly<Missing>(array); });
  if constexpr (!tpetra::has_scalar<std::complex<double>>) {
    using Complex = std::complex<double>;
    const DistArray z = allocate<Complex>({block(4 * world_size(), seat())}).on(MPI_COMM_WORLD);
    expect_refused_everywhere<NotRepresentable>("tpetra.scalar",
                                                [&] { tpetra::import_vector<Complex>(z); });
    EXPECT_EQ(tpetra::import_map(z)->getGlobalNumElements(),
              4u * static_cast<unsigned>(world_size()));
  }
}

TEST(Form, ReadingNeedsNoWritableMemory) {
  const DistArray array = allocate<double>({block(3 * world_size(), seat())}).on(MPI_COMM_WORLD);
  const auto x =
      tpetra::import_vector_readonly<double>(world_rank() == 0 ? array.as_readonly() : array);
  EXPECT_EQ(data_of(*x.get()), array.data());
}

TEST(Refused, PaddingThatReachesBeyondTheArray) {
  const Index p = world_size();
  const BlockPadding wide{{3, 3}, {0, 0}, false};
  if (p == 1) return;  // no internal edges
  const DistArray array = pretended({block(p, seat(), wide)});
  for (const Numbering numbering : {Numbering::natural, Numbering::contiguous})
    expect_map_refused("P14", array, {numbering, Part::overlap, 0});
}

/// The contiguous number of a ghost is that of its owner.
TEST(Refused, GhostsWithoutAnOwnerInContiguousNumbering) {
  const CallOnArray call{"import_map", [](const DistArray& array) {
                           tpetra::import_map(array, {Numbering::contiguous, Part::overlap, 0});
                         }};
  for (int at_fault = 1; at_fault < world_size(); ++at_fault) {
    const BrokenLists<double> lists(at_fault);
    expect_one_error(lists.owned_by_nobody({}), at_fault, {call});
    expect_one_error(lists.far_ghost(), at_fault, {call});
  }
}

/// A producer that has moved on to other memory.
class MovedProducer final : public Producer {
 public:
  void* begin_access(Access, void*) override { return &elsewhere_; }

 private:
  double elsewhere_ = 0;
};

TEST(Refused, MemoryThatItsProducerHasLeft) {
  static double memory[2];
  const std::vector<Dimension> dimensions{block(2 * world_size(), seat())};
  for (int one = 0; one < world_size(); ++one) {
    const Buffer moved(DataType::of<double>(), {2}, {8}, memory, false,
                       std::make_shared<SharedState>(std::make_unique<MovedProducer>()));
    const DistArray good = describe(memory, dimensions).on(MPI_COMM_WORLD);
    const DistArray array =
        world_rank() == one ? Section(protocol_0_9, moved, dimensions).on(MPI_COMM_WORLD) : good;
    expect_refused_everywhere<Stale>("stale", [&] { tpetra::import_vector<double>(array); });
    auto x = tpetra::import_vector<double>(good);
    if (world_rank() == one) {
      EXPECT_THROW(x.rebind(array), Stale);
    }
    EXPECT_EQ(data_of(*x.get()), memory);
  }
}

TEST(Malformed, RepeatedIndexOnOneRank) {
  const Index r = world_rank();
  std::vector<Index> list{2 * r, 2 * r + 1};
  if (r == 0) list = {1, 5, 1};
  const DistArray array =
      allocate<double>({unstructured(2 * world_size(), seat(), IndexList(list))})
          .on(MPI_COMM_WORLD);
  expect_refused_everywhere<daptor::Malformed>("U04",
                                               [&] { tpetra::import_vector<double>(array); });
}

TEST(Malformed, SectionsThatMakeNoArray) {
  if (world_size() == 1) return;  // one rank cannot disagree with itself
  const Index size = world_rank() == world_size() - 1 ? 100 : 50;
  const DistArray array =
      allocate<double>({unstructured(size, seat(), IndexList({world_rank()}))}).on(MPI_COMM_WORLD);
  expect_refused_everywhere<daptor::Malformed>("D10",
                                               [&] { tpetra::import_vector<double>(array); });
}

TEST(Options, OutOfRange) {
  const DistArray array = allocate<double>({block(4 * world_size(), seat())}).on(MPI_COMM_WORLD);
  for (const Index base :
       {Index{-1}, std::numeric_limits<Index>::min(), std::numeric_limits<Index>::max()}) {
    expect_refused_everywhere<InvalidArgument>("argument", [&] {
      tpetra::import_map(array, {Numbering::natural, Part::owned, base});
    });
  }
}

TEST(Options, DifferentOnOneRank) {
  if (world_size() == 1) return;
  const DistArray array = allocate<double>({block(4 * world_size(), seat())}).on(MPI_COMM_WORLD);
  const bool odd = world_rank() == world_size() - 1;
  const MapOptions plain;
  const std::pair<const char*, MapOptions> others[] = {
      {"numbering", {Numbering::contiguous, Part::owned, 0}},
      {"part", {Numbering::natural, Part::overlap, 0}},
      {"index_base", {Numbering::natural, Part::owned, 7}}};
  for (const auto& [key, other] : others)
    expect_different(key, [&, &mine = odd ? other : plain] { tpetra::import_map(array, mine); });
  expect_different("writable", [&] {
    if (odd) {
      tpetra::import_vector_readonly<double>(array);
    } else {
      tpetra::import_vector<double>(array);
    }
  });
}

TEST(Refused, ArraysOnOtherProcessesThanTheMap) {
  if (world_size() == 1) return;
  MPI_Comm turned = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank(), &turned);
  const DistArray array = labelled({{plain_block(3 * world_size(), world_size())}, {}});
  const auto map = Teuchos::rcp(new const Map(static_cast<Tpetra::global_size_t>(3 * world_size()),
                                              0, Tpetra::getDefaultComm()));
  const auto x = tpetra::copy_to_multivector<double>(array, map).get();
  expect_refused_everywhere<InvalidArgument>(
      "collective.comm", [&] { tpetra::copy_to_multivector<double>(array.on(turned), map); });
  expect_refused_everywhere<InvalidArgument>(
      "collective.comm", [&] { tpetra::copy_from_multivector(x, array.on(turned)); });
  MPI_Comm_free(&turned);
}

TEST(Options, NoCommunicator) {
  const DistArray array = allocate<double>({block(4 * world_size(), seat())}).on(MPI_COMM_WORLD);
  EXPECT_THROW(tpetra::import_map(array.on(MPI_COMM_NULL)), InvalidArgument);
  EXPECT_THROW(tpetra::export_map(Teuchos::null), InvalidArgument);
  EXPECT_THROW(tpetra::export_multivector(Teuchos::RCP<MultiVector>()), InvalidArgument);
}

/// Explained and imported on all ranks: both say the same, for the same reason.
void expect_explained(const Section& section) {
  const DistArray array = section.on(MPI_COMM_WORLD);
  const auto compare = [&](const Target& target, const std::function<void()>& import_it) {
    const Assessment assessment = assess(target, array);
    EXPECT_EQ(assessment.target, target.name);
    if (assessment.representable) {
      EXPECT_NO_THROW(import_it()) << target.name;
      return;
    }
    ASSERT_FALSE(assessment.reasons.empty());
    EXPECT_FALSE(assessment.reasons.front().expected.empty());
    EXPECT_FALSE(assessment.reasons.front().remedy.empty());
    expect_refused_everywhere<NotRepresentable>(assessment.reasons.front().rule, import_it);
  };
  const MapOptions overlap{Numbering::natural, Part::overlap, 0};
  compare(tpetra::map_target(), [&] { tpetra::import_map(array); });
  compare(tpetra::vector_target(), [&] { tpetra::import_vector<double>(array); });
  compare(tpetra::multivector_target(), [&] { tpetra::import_multivector<double>(array); });
  compare(tpetra::overlap_multivector_target(),
          [&] { tpetra::import_multivector<double>(array, overlap); });
}

TEST(Explain, SaysWhatTheImportsDo) {
  const Index p = world_size();
  const BlockPadding ring{{1, 1}, {0, 0}, true};
  for (const auto& [name, layout] : plain_layouts()) {
    SCOPED_TRACE(name);
    expect_explained(labelled(layout));
  }
  expect_explained(allocate<double>({block(4 * p, seat()), block(5, {1, 0}, ring)}));
  expect_explained(allocate<double>({block(4 * p, seat(), ring), undistributed(2)}));
  expect_explained(allocate<double>({undistributed(3), block(4 * p, seat())}, Order::fortran));
  expect_explained(pretended({unstructured(9, seat(), IndexList({-1 - world_rank()}))}));
  expect_explained(allocate<double>({block(4 * p, seat())}).as_readonly());
  expect_explained(described({block(4 * p, seat())}));
}

/// A ghost that repeats an owned index is allowed in a list, and has no place in an overlap Map.
TEST(Explain, SaysWhatRepeatedIndicesRule) {
  for (int repeating = 0; repeating < world_size(); ++repeating) {
    const Index first = 2 * world_rank();
    std::vector<Index> list{first, first + 1};
    if (world_rank() == repeating) list.push_back(first);
    const DistArray array = allocate<double>({unstructured(2 * world_size(), seat(),
                                                           IndexList(list), OwnedPart::at({0, 1}))})
                                .on(MPI_COMM_WORLD);
    const Assessment overlap = assess(tpetra::overlap_multivector_target(), array);
    ASSERT_FALSE(overlap.representable);
    EXPECT_EQ(overlap.reasons.front().rule, "U04");
    EXPECT_EQ(overlap.reasons.front().rank(), repeating);
    MapOptions options;
    options.part = Part::overlap;
    expect_refused_everywhere<Malformed>(
        "U04", [&] { tpetra::import_multivector<double>(array, options); });
    EXPECT_TRUE(assess(tpetra::multivector_target(), array).representable);
    EXPECT_NO_THROW(tpetra::import_multivector<double>(array));
  }
}

TEST(Explain, KnowsTheCostOfALayout) {
  const Index p = world_size();
  const auto bytes = [&](const Layout& layout) {
    return assess(tpetra::vector_target(), labelled(layout)).bytes_per_index;
  };
  EXPECT_EQ(bytes({{even_axis(23, p)}, {}}), 0);
  EXPECT_GE(bytes({{shuffled_axis(40, p, 3)}, {}}), 8);
  std::set<std::string> names;
  for (const Target& target : registered_targets()) names.insert(target.name);
  for (const char* name :
       {"tpetra.map", "tpetra.vector", "tpetra.multivector", "tpetra.overlap-multivector"})
    EXPECT_EQ(names.count(name), 1u) << name;
}

TEST(Fault, InImports) {
  const Index p = world_size();
  const Layout plain{{plain_block(4 * p, p)}, {}};
  const Layout shuffled{{shuffled_axis(8 * p, p, 11)}, {}};
  for (const Layout& layout : {plain, shuffled}) {
    const DistArray array = labelled(layout);
    const auto views = array.buffer().state()->view_count();
    const auto holders = array.buffer().state().use_count();
    const auto nothing_left = [&] {
      EXPECT_EQ(array.buffer().state()->view_count(), views);
      EXPECT_EQ(array.buffer().state().use_count(), holders);
    };
    for (const auto& call : std::vector<std::function<void()>>{
             [&] { tpetra::import_map(array); }, [&] { tpetra::import_vector<double>(array); },
             [&] { tpetra::import_multivector_readonly<double>(array); }}) {
      Faults().expect_agreed(call, nothing_left);
      nothing_left();
    }
  }
}

TEST(Fault, InContiguousNumbersOfGhosts) {
  const Index p = world_size();
  const MapOptions options{Numbering::contiguous, Part::overlap, 0};
  std::vector<Index> backwards;
  for (Index r = p; r-- > 0;) backwards.push_back(r);
  const Axis ring = even_axis(4 * p, p, {{1, 1}, {}, true});
  for (const Layout& layout :
       {Layout{{ring}, {}}, Layout{{ring}, backwards}, Layout{{ghosted_axis(4 * p, p, 3)}, {}},
        Layout{{undistributed_axis(2), ring}, {}}}) {
    const DistArray array = allocate<double>(layout.dimensions(world_rank())).on(MPI_COMM_WORLD);
    Faults().expect_agreed([&] { tpetra::import_multivector<double>(array, options); });
  }
}

TEST(Fault, InCopies) {
  const Index p = world_size();
  const DistArray array =
      allocate<double>({undistributed(2), cyclic(5 * p, seat(), 2), undistributed(3)})
          .on(MPI_COMM_WORLD);
  const auto nothing_left = [&] { EXPECT_EQ(array.buffer().state()->view_count(), 0u); };
  Faults().expect_agreed([&] { tpetra::copy_to_multivector<double>(array); }, nothing_left);
  Faults().expect_agreed(
      [&] {
        const auto rows = static_cast<Tpetra::global_size_t>(15 * p);
        const auto map = Teuchos::rcp(new const Map(rows, 0, Tpetra::getDefaultComm()));
        tpetra::copy_to_multivector<double>(array, map);
      },
      nothing_left);
}

TEST(Fault, InExports) {
  const auto comm = Tpetra::getDefaultComm();
  const auto fresh = [&] {
    return Teuchos::rcp(new Vector(Teuchos::rcp(
        new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(), 3, 0, comm))));
  };
  Faults().expect_agreed([&] { tpetra::export_multivector(fresh()); });
  Faults().expect_agreed([&] { tpetra::export_map(fresh()->getMap()); });
}

}  // namespace
}  // namespace daptor::test
