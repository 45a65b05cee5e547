// SPDX-License-Identifier: BSD-3-Clause
// A fault on each rank in turn, at every point of ours in every collective call: the same error
// everywhere, nothing left behind, and the next call works.

#include <algorithm>
#include <set>

#include <daptor/detail/fault.hpp>

#include "grids.hpp"

namespace {

using namespace daptor_test;
using namespace daptor::petsc;

struct Script {
  std::set<std::string> seen;
  std::string target;
  int victim = -1;
  bool fired = false;
};

Script script;

/// Left to other tests: calls of PETSc (names without a dot) and exchanges of messages, where a
/// fault ends the job, and what is done once for a communicator.
bool left_out(const std::string& name) {
  return name.find('.') == std::string::npos || name.rfind("core.exchange.", 0) == 0 ||
         name.rfind("core.communicator.", 0) == 0;
}

void record_or_throw(const char* point) {
  const std::string name = point;
  if (left_out(name)) return;
  script.seen.insert(name);
  if (name != script.target || rank_of() != script.victim) return;
  script.fired = true;
  throw std::runtime_error("planted at " + name);
}

/// Points that all ranks pass, in the same order on all of them.
std::vector<std::string> points_of(const std::function<void()>& call) {
  script = {};
  daptor::detail::set_fault_hook(record_or_throw);
  call();
  daptor::detail::set_fault_hook(nullptr);
  std::vector<std::string> common;
  std::string mine;
  for (const std::string& name : script.seen) mine += name + "\n";
  int length = static_cast<int>(mine.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, world);
  std::string first = mine;
  first.resize(static_cast<std::size_t>(length));
  MPI_Bcast(first.data(), length, MPI_CHAR, 0, world);
  for (std::size_t start = 0; start < first.size();) {
    const std::size_t stop = first.find('\n', start);
    const std::string name = first.substr(start, stop - start);
    if (least(script.seen.count(name) != 0 ? 1 : 0) != 0) common.push_back(name);
    start = stop + 1;
  }
  return common;
}

void expect_same_failure(const std::function<void()>& call) {
  std::string text;
  try {
    call();
  } catch (const daptor::LibraryFailed& error) {
    text = error.what();
    EXPECT_EQ(error.rule(), "library.c++");
    EXPECT_EQ(error.rank(), script.victim);
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another class: " << error.what();
  }
  EXPECT_NE(text.find("planted at " + script.target), std::string::npos) << text;
  const auto hash = static_cast<std::int64_t>(std::hash<std::string>{}(text) >> 1);
  EXPECT_EQ(least(hash), greatest(hash)) << text;
}

/// `call` must leave nothing behind, failing or not; `array` is what it works on. Returns the
/// points that all ranks passed.
std::vector<std::string> sweep(const DistArray& array, const std::function<void()>& call,
                               std::size_t at_least) {
  const std::vector<std::string> points = points_of(call);
  EXPECT_GE(points.size(), at_least);
  for (const std::string& point : points)
    for (int victim = 0; victim < size_of(); ++victim) {
      SCOPED_TRACE(point + " on rank " + std::to_string(victim));
      script = {};
      script.target = point;
      script.victim = victim;
      daptor::detail::set_fault_hook(record_or_throw);
      expect_same_failure(call);
      daptor::detail::set_fault_hook(nullptr);
      EXPECT_EQ(script.fired, rank_of() == victim);
      EXPECT_EQ(array.buffer().state()->view_count(), 0u);
    }
  call();
  return points;
}

std::vector<Dimension> rows() {
  return {daptor::block(5 * size_of() + 1, line()), daptor::undistributed(2)};
}

TEST(Faults, ImportVec) {
  const DistArray a = owning(rows());
  sweep(
      a, [&] { import_vec(a, world); }, 2);
}

TEST(Faults, ImportVecOfUnstructuredWithMapping) {
  const DistArray a = owning({dealt(23)});
  VecOptions options;
  options.local_to_global = true;
  sweep(
      a, [&] { import_vec(a, world, options); }, 4);
}

TEST(Faults, ImportGhostedVec) {
  std::vector<daptor::Index> ghosts;
  if (size_of() > 1) ghosts.push_back(2 * ((rank_of() + 1) % size_of()));
  const DistArray a = owning({daptor::owned_then_ghosts(
      2 * size_of(), line(), std::vector<daptor::Index>{2 * rank_of(), 2 * rank_of() + 1},
      ghosts)});
  VecOptions options;
  options.ghosts = true;
  const auto points = sweep(
      a, [&] { import_vec(a, world, options); }, 4);
  for (const char* point : {"petsc.import_vec.ghosts", "petsc.import_vec.attach"})
    EXPECT_EQ(std::count(points.begin(), points.end(), point), 1) << point;
}

TEST(Faults, ImportPaddedVec) {
  const DistArray a = owning({padded_block(4 * size_of(), {1, 1}, true)});
  sweep(
      a, [&] { import_padded_vec(a, world); }, 2);
}

TEST(Faults, Close) {
  const DistArray a = owning(rows());
  std::optional<ImportedVec> vec;
  sweep(
      a,
      [&] {
        vec = import_vec(a, world);
        try {
          vec->close();
        } catch (...) {
          vec.reset();
          throw;
        }
      },
      3);
}

TEST(Faults, ImportDMDAAndUpdate) {
  const DistArray a = make_grid({"two", 2, 1, {true, true}});
  sweep(
      a,
      [&] {
        ImportedDMDA field = import_dmda(a, world);
        field.update_padding();
        field.close();
      },
      6);
}

TEST(Faults, ImportDMDAReordered) {
  const DistArray a = make_grid({"fortran", 2, 1, {true, true}, 1, true, Order::fortran});
  DMDAOptions options;
  options.allow_reorder = true;
  sweep(
      a, [&] { import_dmda(a, world, options); }, 5);
}

TEST(Faults, ImportDense) {
  const DistArray a = owning(rows(), Order::fortran);
  sweep(
      a, [&] { import_dense(a, world); }, 2);
}

TEST(Faults, CopyToVec) {
  const DistArray a = owning({daptor::cyclic(3 * size_of() + 1, line()), daptor::undistributed(2)});
  sweep(
      a, [&] { copy_to_vec(a, world); }, 6);
  const DistArray b = make_grid({"two", 2, 1, {true, true}});
  CopyOptions options;
  options.local_size = static_cast<PetscInt>(b.owned_count());
  sweep(
      b, [&] { copy_to_vec(b, world, options); }, 6);
}

TEST(Faults, CopyToPaddedVec) {
  const DistArray a = make_grid({"two", 2, 1, {true, true}});
  sweep(
      a, [&] { copy_to_padded_vec(a, world); }, 6);
}

TEST(Faults, CopyToDMDA) {
  const DistArray a = owning({daptor::cyclic(4 * size_of(), line()), daptor::cyclic(5, {1, 0}, 2)});
  DMDAOptions options;
  options.stencil_width = 1;
  sweep(
      a, [&] { copy_to_dmda(a, world, options); }, 9);
}

TEST(Faults, LocalToGlobal) {
  const DistArray a = make_grid({"two", 2, 1, {true, false}});
  sweep(
      a, [&] { local_to_global(a, world, Numbering::natural); }, 3);
  sweep(
      a, [&] { local_to_global(a, world, Numbering::contiguous); }, 3);
  const DistArray b = owning(rows());
  sweep(
      b, [&] { local_to_global(b, world, Numbering::contiguous); }, 3);
}

TEST(Faults, NaturalOrdering) {
  const DistArray a = make_grid({"two", 2, 1, {true, false}});
  sweep(
      a, [&] { natural_ordering(a, world); }, 3);
}

}  // namespace
