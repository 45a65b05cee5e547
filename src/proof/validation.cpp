// SPDX-License-Identifier: BSD-3-Clause
#include "proof/validation.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/parse.hpp"
#include "parse/section.hpp"
#include "proof/merge.hpp"

namespace daptor::validation {
namespace {

constexpr std::int64_t nobody = std::numeric_limits<std::int64_t>::max();

/// Words of the last all-reduce before those of the origins.
enum Closing : std::size_t { failed_rank, all_clean, all_seated, origins_start };

bool has_cyclic(const DistArray& array) {
  const auto& dimensions = array.dimensions();
  return std::any_of(dimensions.begin(), dimensions.end(),
                     [](const Dimension& d) { return d.as<Cyclic>() != nullptr; });
}

bool has_list(const DistArray& array) {
  const auto& dimensions = array.dimensions();
  return std::any_of(dimensions.begin(), dimensions.end(),
                     [](const Dimension& d) { return d.as<Unstructured>() != nullptr; });
}

}  // namespace

void Room::make(int ndim) {
  ndim_ = static_cast<std::size_t>(ndim);
  edge_size_ = edge_words(ndim);
  closing_size_ = origins_start + 2 * ndim_;
  const std::size_t count = 3 * edge_size_ + closing_size_ + 2 * ndim_;
  if (count > few_.size()) many_.resize(count);
}

Report Validation::run(const Submission& submission) {
  attempt([&] {
    detail::fault_point("core.validate.local");
    judge(submission);
    room_.make(array_ != nullptr ? array().ndim() : 0);
  });
  return judge_across();
}

Report Validation::run_for_errors(const DistArray& array) {
  errors_only_ = true;
  attempt([&] {
    array_ = &array;
    room_.make(array.ndim());
  });
  return judge_across();
}

void Validation::judge(const Submission& submission) {
  report_ = judge_alone(submission, options_.profile);
  if (submission.failure()) return;
  if (!report_) return;
  array_ = submission.array();
  if (array_ != nullptr) return;
  parsed_ = parse(submission.description(), options_.profile).array;
  if (parsed_) array_ = &*parsed_;
}

/// Collective. The rules that need other processes.
Report Validation::judge_across() {
  const detail::Survey all = detail::survey(array_, clean(), comm_, failure_);
  if (!all.uniform || !all.described) {
    detail::differences(array_, comm_, report_);
    attempt([&] {
      if (array_ != nullptr) report_.append(detail::check_process_count(array(), comm_));
    });
    return conclude(false);
  }
  if (array().grid_count() != comm_.size()) {  // the same on all ranks
    attempt([&] { report_.append(detail::check_process_count(array(), comm_)); });
    return conclude(false);
  }
  const bool lists = options_.level == Level::full && has_list(array());
  const bool regular = all.regular() && all.unpadded;
  if (regular && !lists && all.clean) return {};
  if (!all.row_major) {
    seat_ranks();
    if (lists && !agree_on_seats()) return conclude(false);
  } else if (!regular || lists) {
    ask_neighbours();
  }
  if (lists) check_indices(array(), room_.below(), room_.above(), comm_, report_);
  return conclude(!all.even && has_cyclic(array()));
}

/// Collective. What all ranks found; with `origins`, after they have compared those too.
Report Validation::conclude(bool origins) {
  std::int64_t* const words = room_.closing();
  words[failed_rank] = failure_ ? comm_.rank() : nobody;
  words[all_clean] = clean() ? 1 : 0;
  words[all_seated] = seated_ ? 1 : 0;
  if (origins) write_origins(words + origins_start);
  const std::size_t count = origins ? room_.closing_size() : std::size_t{origins_start};
  comm_.allreduce(words, static_cast<int>(count), Reduction::min);
  if (words[failed_rank] != nobody) agree(comm_, failure_);
  const bool same_origins = !origins || one_origin(words + origins_start);
  if (words[all_clean] == 1 && same_origins) return {};
  attempt([&] {
    detail::fault_point("core.validate.report");
    if (words[all_seated] == 1) {
      if (origins) add_origins(words + origins_start);
      report_.append(std::move(beyond_));
    }
    if (options_.profile == Profile::strict) report_ = parsing::refuse_warnings(report_);
  });
  agree(comm_, failure_);
  return merge(report_, comm_, options_.listed_ranks);
}

void Validation::add(const char* rule, int dimension, const char* key, std::string found,
                     std::string expected, Severity severity) {
  if (errors_only_ && severity != Severity::error) return;
  Finding finding;
  finding.rule = rule;
  finding.severity = severity;
  finding.dimension = dimension;
  finding.key = key;
  finding.found = std::move(found);
  finding.expected = std::move(expected);
  beyond_.add(std::move(finding));
}

}  // namespace daptor::validation
