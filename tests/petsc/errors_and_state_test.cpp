// SPDX-License-Identifier: BSD-3-Clause
// After a collective call that fails because of one rank, the state of an exported Vec has grown on
// all ranks or on none: otherwise its cached norm counts on some ranks alone, and the next VecNorm
// never ends.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <daptor/daptor.hpp>

#include "support.hpp"

namespace {

using namespace daptor_test;
using namespace daptor::petsc;

/// What one of the ranks passes in place of the right arguments.
enum class Wrong { nothing, array, readonly, memory, type };

/// The arguments of a call, with which one rank may be at fault.
struct Given {
  DistArray vec;    ///< of the exported Vec, or what takes its place
  DistArray other;  ///< elements of the same type and layout
  DistArray mask;
};

using Call = std::function<void(const Given&)>;

std::vector<std::pair<const char*, Call>> calls() {
  return {
      {"redistribute", [](const Given& g) { daptor::redistribute(g.other, g.vec); }},
      {"redistribute from", [](const Given& g) { daptor::redistribute(g.vec, g.other); }},
      {"HaloExchange", [](const Given& g) { daptor::HaloExchange(g.vec).update(); }},
      {"enumerate", [](const Given& g) { daptor::enumerate(g.vec, 0, 1); }},
      {"scan_copy", [](const Given& g) { daptor::scan_copy(g.other, g.vec, g.mask); }},
      {"scan_add in place", [](const Given& g) { daptor::scan_add(g.vec, g.vec, g.mask); }},
      {"pack", [](const Given& g) { daptor::pack(g.other, g.mask, g.vec); }},
      {"unpack", [](const Given& g) { daptor::unpack(g.other, g.mask, g.vec); }},
      {"multiply",
       [](const Given& g) {
         // One entry a row, in column 0.
         std::vector<PetscScalar> values(4, 1);
         const std::vector<Index> columns(4, 0), lengths(4, 1);
         daptor::multiply(daptor::csr_from_rows(values, columns, lengths, 4 * size_of(), world),
                          g.other, g.vec);
       }},
      {"import_vec", [](const Given& g) { import_vec(g.vec); }},
      {"import_dmda", [](const Given& g) { import_dmda(g.vec); }},
      {"copy_to_vec", [](const Given& g) { copy_to_vec(g.vec); }},
      {"explain", [](const Given& g) { daptor::explain(g.vec); }},
  };
}

/// An exported Vec whose norm PETSc has cached.
class Normed {
 public:
  Normed() {
    VecCreateMPI(PETSC_COMM_WORLD, 4, PETSC_DECIDE, &vec_);
    VecSet(vec_, 1);
    norm();
  }
  Normed(const Normed&) = delete;
  Normed& operator=(const Normed&) = delete;
  ~Normed() { VecDestroy(&vec_); }

  Vec get() const { return vec_; }
  double norm() const {
    PetscReal norm = 0;
    VecNorm(vec_, NORM_2, &norm);
    return norm;
  }

 private:
  Vec vec_ = nullptr;
};

DistArray wrong_array(const DistArray& right, Wrong wrong) {
  switch (wrong) {
    case Wrong::array:
      return Section().on(right.comm());
    case Wrong::readonly:
      return right.as_readonly();
    case Wrong::memory:
      return right.with_memory(nullptr);
    case Wrong::type:
      return daptor::allocate(daptor::DataType::of<float>(), right.dimensions()).on(right.comm());
    case Wrong::nothing:
      break;
  }
  return right;
}

/// The call with the last rank's Vec, or its other array, replaced.
void run(const Call& call, const DistArray& array, Wrong wrong, bool of_other) {
  const std::vector<daptor::Dimension> dimensions = array.dimensions();
  const DistArray other = daptor::allocate<PetscScalar>(dimensions).on(world);
  const DistArray mask = daptor::allocate<int>(dimensions).on(world);
  const bool here = rank_of() == size_of() - 1;
  const DistArray vec = here && !of_other ? wrong_array(array, wrong) : array;
  call({vec, here && of_other ? wrong_array(other, wrong) : other, mask});
}

TEST(ErrorsAndState, WrongArgumentOnOneRank) {
  for (const auto& [name, call] : calls())
    for (const Wrong wrong :
         {Wrong::nothing, Wrong::array, Wrong::readonly, Wrong::memory, Wrong::type})
      for (const bool of_other : {false, true}) {
        SCOPED_TRACE(std::string(name) + ", wrong: " + std::to_string(static_cast<int>(wrong)) +
                     (of_other ? ", the other array" : ", the Vec"));
        const Normed x;
        const DistArray array = export_vec(x.get());
        try {
          run(call, array, wrong, of_other);
        } catch (const daptor::Error&) {
        }
        expect_states_equal(x.get());
        x.norm();
      }
}

TEST(ErrorsAndState, FaultOnOneRank) {
  for (const auto& [name, call] : calls()) {
    SCOPED_TRACE(name);
    const Normed x;
    const DistArray array = export_vec(x.get());
    const auto traced = [&, &call = call] {
      x.norm();
      try {
        run(call, array, Wrong::nothing, false);
      } catch (...) {
        expect_states_equal(x.get());
        throw;
      }
      expect_states_equal(x.get());
    };
    if (std::string(name) != "explain") {
      daptor::test::Faults().expect_agreed(traced);
      continue;
    }
    // A target that a lower rank refuses is refused, whatever fails on another.
    for (const daptor::test::Point& point : daptor::test::points_of(traced))
      for (const int rank : point.ranks) {
        const daptor::test::Fault fault(point.name, rank);
        try {
          traced();
        } catch (const daptor::LibraryFailed&) {
        }
      }
  }
}

TEST(ErrorsAndState, AskingIsNotWriting) {
  const Normed x;
  const DistArray array = export_vec(x.get());
  const std::int64_t state = state_of(x.get());
  EXPECT_THROW(
      run([](const Given& g) { daptor::redistribute(g.other, g.vec); }, array, Wrong::array, true),
      daptor::Error);
  const daptor::HaloExchange halo(array);
  const daptor::Redistribution planned(daptor::allocate<PetscScalar>(array.dimensions()).on(world),
                                       array);
  EXPECT_EQ(state_of(x.get()), state);
  { const daptor::WriteLease lease(array); }
  EXPECT_GT(state_of(x.get()), state);
}

}  // namespace
