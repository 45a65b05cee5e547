// SPDX-License-Identifier: BSD-3-Clause
// Exports of the Tpetra adapter, tried out by the conformance kit. Tpetra's own functions write
// labels to the elements, and read and write them again. Imports make the same collective calls on
// all ranks.

#include <gtest/gtest.h>
#include <mpi.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <Teuchos_DefaultMpiComm.hpp>
#include <Tpetra_Map.hpp>
#include <Tpetra_MultiVector.hpp>

#include "daptor/conformance.hpp"
#include "daptor/daptor.hpp"
#include "daptor/tpetra.hpp"
#include "sequence.hpp"

namespace daptor::test {
namespace {

using conformance::Candidate;
using conformance::MultiIndex;
using conformance::Subject;
using Map = Tpetra::Map<>;
using Global = Map::global_ordinal_type;
using Local = Map::local_ordinal_type;
using MultiVector = Tpetra::MultiVector<double>;
using MapPointer = Teuchos::RCP<const Map>;

Tpetra::global_size_t count_them() {
  return Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid();
}

/// Uneven blocks, with a rank that has none.
MapPointer contiguous(const Teuchos::RCP<const Teuchos::Comm<int>>& comm) {
  const auto count = static_cast<std::size_t>((comm->getRank() * 3 + 2) % 5);
  return Teuchos::rcp(new Map(count_them(), count, 0, comm));
}

/// Indices dealt in turn, backwards.
MapPointer dealt(const Teuchos::RCP<const Teuchos::Comm<int>>& comm) {
  std::vector<Global> list;
  const Global stride = comm->getSize();
  for (Global i = 22 - comm->getRank(); i >= 0; i -= stride) list.push_back(i);
  return Teuchos::rcp(new Map(count_them(), list.data(), static_cast<Local>(list.size()), 0, comm));
}

/// The index is `{column, row}`, or the row alone for one column, as the adapter describes it.
std::pair<std::size_t, Local> place(const MultiIndex& index) {
  return {index.size() > 1 ? static_cast<std::size_t>(index[0]) : 0,
          static_cast<Local>(index.back())};
}

Candidate candidate_of(const Teuchos::RCP<MultiVector>& vector) {
  auto own = std::make_shared<Teuchos::RCP<MultiVector>>(vector);
  Candidate candidate{[own] { return tpetra::export_multivector(*own); }};
  candidate.first_export_sets_up = true;  // the first export on a Map is collective
  candidate.destroy = [own] { *own = Teuchos::null; };
  candidate.read = [own](const MultiIndex& local) {
    const auto [column, row] = place(local);
    return (*own)->getData(column)[row];
  };
  candidate.write = [own](const MultiIndex& local, double value) {
    const auto [column, row] = place(local);
    (*own)->replaceLocalValue(row, column, value);
  };
  return candidate;
}

using MakeMap = MapPointer (*)(const Teuchos::RCP<const Teuchos::Comm<int>>&);

Subject multivector(MakeMap make_map, std::size_t columns) {
  return [make_map, columns](MPI_Comm comm) {
    const MapPointer map = make_map(Teuchos::rcp(new Teuchos::MpiComm<int>(comm)));
    auto vector = Teuchos::rcp(new MultiVector(map, columns));
    const auto size = static_cast<Global>(map->getGlobalNumElements());
    for (std::size_t column = 0; column < columns; ++column)
      for (Local row = map->getMinLocalIndex(); map->isNodeLocalElement(row); ++row) {
        const Global label = static_cast<Global>(column) * size + map->getGlobalElement(row);
        vector->replaceLocalValue(row, column, static_cast<double>(label));
      }
    return candidate_of(vector);
  };
}

struct Case {
  std::string name;
  Subject subject;
};

std::ostream& operator<<(std::ostream& out, const Case& one) {
  return out << one.name;
}

class TpetraProducer : public ::testing::TestWithParam<Case> {};

TEST_P(TpetraProducer, Conforms) {
  const Report report = conformance::check(GetParam().subject, MPI_COMM_WORLD);
  // A section may be empty in the middle, which the protocol allows with a warning.
  for (const Finding& finding : report.findings())
    EXPECT_TRUE(finding.rule == "B06" || finding.severity == Severity::note) << finding;
  EXPECT_FALSE(report.has("behaviour.not-checked")) << report;
}

INSTANTIATE_TEST_SUITE_P(Exports, TpetraProducer,
                         ::testing::Values(Case{"block", multivector(contiguous, 1)},
                                           Case{"unstructured", multivector(dealt, 1)},
                                           Case{"block_columns", multivector(contiguous, 3)},
                                           Case{"unstructured_columns", multivector(dealt, 2)}),
                         [](const auto& instance) { return instance.param.name; });

/// Arrays that can be a MultiVector, and arrays that cannot on one rank.
std::vector<std::pair<std::string, Section>> arrays(const GridPosition& line, bool here) {
  const Index size = 5 * line.size;
  const Section good = allocate<double>({undistributed(2), block(size, line)}, Order::c);
  std::vector<Index> list;
  for (Index i = line.rank; i < size; i += line.size) list.push_back(i);
  return {
      {"block", good},
      {"cyclic", allocate<double>({cyclic(size, line, 2)})},
      {"unstructured", allocate<double>({unstructured(size, line, IndexList(list), true)})},
      {"read-only on one rank", here ? good.as_readonly() : good},
      {"another type on one rank",
       here ? allocate<short>({undistributed(2), block(size, line)}) : good},
      {"another shape on one rank",
       here ? allocate<double>({undistributed(3), block(size, line)}) : good},
      {"another distribution on one rank",
       here ? allocate<double>({undistributed(2), cyclic(size, line)}) : good},
  };
}

TEST(CollectiveSequence, OfImportMultiVector) {
  const Comm comm(MPI_COMM_WORLD);
  const GridPosition line{comm.size(), comm.rank()};
  const auto import = [](const Section& array) {
    static_cast<void>(tpetra::import_multivector<double>(array.on(MPI_COMM_WORLD)));
  };
  watch([&] { import(arrays(line, false).front().second); });  // makes the objects that are kept
  for (const auto& [name, array] : arrays(line, comm.rank() == comm.size() / 2))
    expect_same_sequence_with_faults([&import, &array = array] { import(array); },
                                     "import_multivector, " + name);
}

}  // namespace
}  // namespace daptor::test
