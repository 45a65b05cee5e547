// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>
#include <vector>

#include "daptor/adapter/merged.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/mat_rows.hpp"
#include "daptor/petsc/adapter/state.hpp"
#include "daptor/petsc/check.hpp"
#include "findings.hpp"
#include "objects.hpp"
#include "petsc/src/native/names.hpp"
#include "vec_values.hpp"

namespace daptor::petsc {
namespace {

constexpr std::size_t values_per_hash = 1024;

/// A run of values in memory.
struct Run {
  const PetscScalar* begin = nullptr;
  std::size_t count = 0;
};

void add_hashes(Run values, std::vector<std::uint64_t>& hashes) {
  for (std::size_t i = 0; i < values.count; i += values_per_hash)
    hashes.push_back(detail::hash_of(values.begin + i,
                                     values.begin + std::min(i + values_per_hash, values.count)));
}

}  // namespace

struct ValueWatch::State {
  PetscObject object;
  PetscObjectState state;
  std::vector<std::uint64_t> hashes;
  std::vector<Index> counts;  ///< of values, in each run

  explicit State(PetscObject watched) : object(watched), state(detail::object_state(watched)) {
    PetscClassId id = 0;
    detail::call("PetscObjectGetClassId", PetscObjectGetClassId, watched, &id);
    if (id == MAT_CLASSID)
      read(reinterpret_cast<Mat>(watched));
    else
      read(reinterpret_cast<Vec>(watched));
  }

  void judge(const State& before, detail::Findings& findings) const {
    if (state != before.state || counts != before.counts) return;
    const auto change = std::mismatch(hashes.begin(), hashes.end(), before.hashes.begin());
    if (change.first == hashes.end()) return;
    tell(change.first - hashes.begin(), findings);
  }

 private:
  void add(Run values) {
    add_hashes(values, hashes);
    counts.push_back(static_cast<Index>(values.count));
  }
  void read(Vec vec) {
    const detail::VecValues values(vec);
    add({values.begin(), values.count()});
  }
  /// The entries of the rows of this rank, those of the block of its own columns first.
  void read(Mat mat) {
    PetscBool assembled = PETSC_FALSE;
    if (detail::is_one_of(object, {MATSEQAIJ, MATMPIAIJ}))
      detail::call("MatAssembled", MatAssembled, mat, &assembled);
    if (assembled == PETSC_FALSE) return;
    const detail::MatBlocks blocks = detail::blocks_of(mat);
    for (Mat const block : {blocks.own, blocks.other}) {
      const detail::OpenBlock open(block);
      add({open.values(), open.entries()});
    }
  }

  void tell(Index hash, detail::Findings& findings) const {
    constexpr auto step = static_cast<Index>(values_per_hash);
    std::size_t run = 0;
    for (; hash >= (counts[run] + step - 1) / step; ++run) hash -= (counts[run] + step - 1) / step;
    const IndexRange changed{hash * step, std::min((hash + 1) * step, counts[run])};
    const bool of_mat = counts.size() > 1;
    if (of_mat)
      findings.error("check.mat.unnoticed-write",
                     "an entry among those at " + terms::range(changed) +
                         (run == 0 ? " of the columns that this rank owns"
                                   : " of the columns that other ranks own") +
                         " has changed, and the state of the matrix has not",
                     "a change of its state with every change of its entries",
                     names::assemble_behind);
    else
      findings.error("check.vec.unnoticed-write",
                     "a value among the local ones " + terms::range(changed) +
                         " has changed, and PETSc has not been told",
                     "a change of the Vec's state with every change of its values",
                     names::no_kept_pointer + " PETSc uses norms of the former values otherwise.");
  }
};

ValueWatch::ValueWatch(Vec vec) {
  detail::require_session();
  state_ = std::make_unique<State>(detail::object(vec));
}
ValueWatch::ValueWatch(Mat mat) {
  detail::require_session();
  state_ = std::make_unique<State>(detail::object(mat));
}
ValueWatch::ValueWatch(ValueWatch&& other) noexcept = default;
ValueWatch& ValueWatch::operator=(ValueWatch&& other) noexcept = default;
ValueWatch::~ValueWatch() = default;

Report ValueWatch::look_here() const {
  const State now(state_->object);
  detail::Findings findings = detail::findings_about(now.object);
  now.judge(*state_, findings);
  return findings.report();
}

Report ValueWatch::look() {
  Call call(detail::comm_of(state_->object), "petsc::ValueWatch::look");
  std::unique_ptr<State> now;
  Report report = adapter::merged(call, [&] {
    detail::require_session();
    now = std::make_unique<State>(state_->object);
    detail::Findings findings = detail::findings_about(now->object);
    now->judge(*state_, findings);
    return findings.report();
  });
  state_ = std::move(now);
  return report;
}

}  // namespace daptor::petsc
