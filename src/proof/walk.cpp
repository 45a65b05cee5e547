// SPDX-License-Identifier: BSD-3-Clause
#include "proof/walk.hpp"

#include <limits>
#include <string>

#include "daptor/adapter/order.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"
#include "proof/merge.hpp"
#include "ranks/lowest_rank.hpp"
#include "report/rules/judged.hpp"

namespace daptor::proof {
namespace {

/// Words of the last all-reduce that precede those of each dimension.
enum Closing : std::size_t { failed_rank, all_clean, all_placed, distribution_start };

}  // namespace

void WalkMemory::make(int ndim) {
  const auto dimensions = static_cast<std::size_t>(ndim);
  edge_size_ = edge_words(ndim);
  closing_size_ = distribution_start + distribution_words * dimensions;
  words_.resize(3 * edge_size_ + closing_size_);
}

Report Walk::run(const Submission& submission) {
  attempt([&] {
    detail::fault_point("core.validate.local");
    judge(submission);
    memory_.make(array_ != nullptr ? array_->ndim() : 0);
    if (array_ != nullptr) reserve_proof();
  });
  return judge_across();
}

Report Walk::run_for_errors(const Section& array) {
  take(array);
  return judge_across();
}

void Walk::open(const Section& array, detail::Agreement& agreement, std::size_t place) {
  take(array);
  say(agreement, place);
}

void Walk::resume(const Section& array, const detail::Proven& known) {
  errors_only_ = true;
  array_ = &array;
  part_ = known.part;
}

std::shared_ptr<const detail::Proven> Walk::prove(const Section& array) {
  const Report report = run_for_errors(array);
  if (!report) throw Malformed(report);
  return proof();
}

/// Process-local. Makes a walk for errors alone.
void Walk::take(const Section& array) {
  errors_only_ = true;
  attempt([&] {
    memory_.make(array.ndim());
    array_ = &array;
    known_ = detail::ProofAccess::kept(array, comm_);
    if (known_ == nullptr) reserve_proof();
  });
}

/// Process-local.
void Walk::say(detail::Agreement& agreement, std::size_t place) {
  attempt([&] {
    part_ = detail::say(array_, clean(), comm_, known_.get(),
                        agreement.words() + detail::facts_start(place));
  });
  agreement[detail::falling_serial] = ~detail::last_serial();
  if (failure_) agreement[detail::unsurveyed] = comm_.rank();
}

void Walk::judge(const Submission& submission) {
  Parsed judged = judge_alone(submission, options_.profile);
  report_ = std::move(judged.report);
  judged_ = std::move(judged.array);
  if (judged_) array_ = &*judged_;
}

/// Allocates the memory for what the walk learns.
void Walk::reserve_proof() {
  learned_ = std::make_shared<detail::Proven>();
  learned_->along.resize(static_cast<std::size_t>(array().ndim()));
}

/// Collective. Judges the rules that need other processes.
Report Walk::judge_across() {
  detail::Agreement agreement(comm_, nullptr, 1);
  say(agreement, 0);
  agreement.reduce();
  if (agreement[detail::unsurveyed] != detail::nobody)
    detail::throw_from(comm_, static_cast<int>(agreement[detail::unsurveyed]), failure());
  return go_on(agreement, 0);
}

Report Walk::go_on(detail::Agreement& agreement, std::size_t place) {
  const detail::Survey all = detail::heard(agreement.words() + detail::facts_start(place), part_);
  serial_ = ~agreement[detail::falling_serial] + 1 + static_cast<std::int64_t>(place);
  const bool lists =
      options_.level == Level::full && array_ != nullptr && adapter::has_lists(array());
  if (all.proven) {
    if (!lists) return {};
    check_indices(array(), *known_, call_, report_);
    return conclude(false);
  }
  known_ = nullptr;
  // A rank that has kept a proof has not allocated memory for another one. That may fail here, and
  // nothing may fail on one rank alone from here on.
  if (all.kept)
    call_.check([&] {
      if (learned_ != nullptr || array_ == nullptr) return;
      memory_.make(array().ndim());
      reserve_proof();
    });
  if (!all.uniform || !all.described) {
    learned_ = nullptr;
    detail::differences(array_, call_, report_);
    attempt([&] {
      if (array_ != nullptr) report_.append(detail::check_process_count(array(), comm_));
    });
    return conclude(false);
  }
  if (array().grid_count() != comm_.size()) {  // the same on all ranks
    learned_ = nullptr;
    attempt([&] { report_.append(detail::check_process_count(array(), comm_)); });
    return conclude(false);
  }
  learned_->part = all.part;
  learned_->row_major = all.row_major;
  learned_->rank_here = comm_.rank();
  if (all.row_major) place_neighbours();
  if (all.regular() && all.unpadded && !lists && all.clean) {
    keep();
    return {};
  }
  if (!all.row_major) {
    if (positions_seem_distinct())
      find_ranks_at_positions();
    else
      find_shared_positions();
    if (lists && !agree_on_positions()) return conclude(false);
  } else if (!all.regular() || !all.unpadded) {
    ask_neighbours();
  }
  if (lists) check_indices(array(), *learned_, call_, report_);
  return conclude(!all.even);
}

/// Collective. Merges the findings of all ranks. With `uneven`, the same all-reduce also says which
/// dimensions have even blocks and where cyclic dimensions begin.
Report Walk::conclude(bool uneven) {
  std::int64_t* const words = memory_.closing();
  std::int64_t* const distribution = words + distribution_start;
  words[failed_rank] = failure_ ? comm_.rank() : detail::nobody;
  words[all_clean] = clean() ? 1 : 0;
  words[all_placed] = placed_ ? 1 : 0;
  if (uneven) write_distribution(distribution);
  const std::size_t count = uneven ? memory_.closing_size() : std::size_t{distribution_start};
  comm_->allreduce(words, static_cast<int>(count), Reduction::min);
  if (words[failed_rank] != detail::nobody)
    detail::throw_from(comm_, static_cast<int>(words[failed_rank]), failure());
  if (uneven) learn_distribution(distribution);
  const bool same_origins = !uneven || one_origin(distribution);
  if (words[all_clean] == 1 && same_origins) {
    keep();
    return {};
  }
  Report merged = merge_findings(words[all_placed] == 1, uneven ? distribution : nullptr);
  if (merged) keep();
  return merged;
}

/// Collective. One report of what all ranks have found. `placed`: every position on the grid has
/// one process. `distribution`: what `learn_distribution` took, or null for even blocks.
Report Walk::merge_findings(bool placed, const std::int64_t* distribution) {
  const auto local = [&] {
    if (placed) {
      if (distribution != nullptr) add_origins(distribution);
      report_.append(std::move(if_placed_));
    }
    if (options_.profile == Profile::strict && array_ != nullptr)
      report_ = detail::judged_strictly(report_, rules());
    return std::move(report_);
  };
  return merge(local, options_.listed_ranks, call_);
}

/// Keeps what was learned beside the description, on all ranks or on none.
void Walk::keep() {
  if (learned_ == nullptr || known_ != nullptr) return;
  learned_->communicator_number = comm_->open_call().communicator_number;
  learned_->serial = serial_;
  detail::note_serial(serial_);
  detail::ProofAccess::keep(array(), learned_);
}

void Walk::add_if_placed(const char* rule, int dimension, const char* key, Terms found,
                         Terms expected, Terms remedy) {
  if (errors_only_ && detail::severity_of(rule, rules()) != Severity::error) return;
  if_placed_.add(detail::judged(rule, rules(), dimension, key, std::move(found),
                                std::move(expected), std::move(remedy)));
}

}  // namespace daptor::proof
