#include "validation/validation.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/parse.hpp"
#include "parse_section.hpp"
#include "seats.hpp"
#include "validation/merge.hpp"

namespace daptor::validation {
namespace {

constexpr Index unknown = std::numeric_limits<Index>::max();

/// Row-major number of the coordinates `distance` further along a dimension, around its end.
Index seat_along(const DistArray& array, int along, Index distance) {
  Index number = 0;
  for (int d = 0; d < array.ndim(); ++d) {
    const GridPosition grid = array.dimension(d).grid();
    const Index rank = d == along ? (grid.rank + distance + grid.size) % grid.size : grid.rank;
    number = number * grid.size + rank;
  }
  return number;
}

std::string coordinates_text(const DistArray& array) {
  std::string text = "(";
  for (int d = 0; d < array.ndim(); ++d)
    text += (d == 0 ? "" : ", ") + std::to_string(array.dimension(d).grid().rank);
  return text + ")";
}

}  // namespace

Report Validation::run(const Submission& submission) {
  std::exception_ptr failure;
  try {
    detail::fault_point("core.validate.local");
    judge(submission);
  } catch (...) {
    failure = std::current_exception();
  }
  const DistArray* mine = array_ ? &*array_ : nullptr;
  const detail::Survey all = detail::survey(mine, clean(), comm_, failure);
  check_across(all);
  const bool done = all.clean && all.described && all.uniform && all.regular() && all.unpadded &&
                    options_.level == Level::metadata && array().grid_count() == comm_.size();
  return conclude(done);
}

Report Validation::run_for_errors(const DistArray& array) {
  errors_only_ = true;
  array_ = array;
  const detail::Survey all = detail::survey(&array, true, comm_, nullptr);
  check_across(all);
  const bool done =
      all.uniform && all.regular() && all.unpadded && array.grid_count() == comm_.size();
  return conclude(done);
}

void Validation::judge(const Submission& submission) {
  report_ = judge_alone(submission, options_.profile);
  if (submission.failure()) return;
  if (!report_) return;
  array_ = submission.array() != nullptr ? *submission.array()
                                         : parse(submission.description(), options_.profile).array;
}

/// The rules that need other processes.
void Validation::check_across(const detail::Survey& all) {
  if (!all.uniform || !all.described) {
    report_.append(detail::differences(array_ ? &*array_ : nullptr, comm_));
    if (array_) report_.append(detail::check_process_count(array(), comm_));
    return;
  }
  report_.append(detail::check_process_count(array(), comm_));
  if (array().grid_count() != comm_.size()) return;  // the same on all ranks
  const bool lists = options_.level == Level::full;
  if (!all.row_major && !seat_ranks()) return;
  if (!all.even || !all.unpadded || lists) check_neighbours(all);
  if (!all.even) check_origins();
  if (lists) check_indices(array(), below_, above_, comm_, report_);
}

/// Collective. Each rank tells the rank that its coordinates' row-major number names where it sits:
/// one must arrive everywhere. Says whether the grid is a bijection; finds the ranks next to this
/// one.
bool Validation::seat_ranks() {
  const Index seat = seat_along(array(), 0, 0);
  const auto claims = comm_.exchange(agreed(comm_, [&] {
    detail::fault_point("core.validate.seats");
    return std::vector<Message>{{static_cast<int>(seat), {}}};
  }));
  const auto replies = comm_.exchange(agreed(comm_, [&] {
    std::vector<Message> others;
    if (claims.size() < 2) return others;
    for (const Message& claim : claims) {
      const Message& other = claims[claim.rank == claims[0].rank ? 1 : 0];
      others.push_back({claim.rank, detail::to_bytes(&other.rank, 1)});
    }
    return others;
  }));
  for (const Message& reply : replies) {
    const int other = detail::from_bytes<int>(reply.bytes).front();
    add("D19", -1, "proc_grid_rank",
        "coordinates " + coordinates_text(array()) + ", also those of rank " +
            std::to_string(other),
        "coordinates of its own for each process");
  }
  std::int64_t bijective = replies.empty() ? 1 : 0;
  comm_.allreduce(&bijective, 1, Reduction::min);
  if (bijective == 0) return false;
  if (seat != comm_.rank() && !errors_only_)
    add("D20", -1, "proc_grid_rank",
        "coordinates " + coordinates_text(array()) + ", row-major number " + std::to_string(seat),
        "row-major order: coordinates whose number is the rank", Severity::warning);
  const auto ranks = detail::ranks_of_seats(comm_, claims.front().rank, [&] {
    std::vector<Index> seats;
    for (int d = 0; d < array().ndim(); ++d) {
      seats.push_back(seat_along(array(), d, -1));
      seats.push_back(seat_along(array(), d, +1));
    }
    return seats;
  });
  for (std::size_t i = 0; i < ranks.size(); i += 2) {
    below_.push_back(ranks[i]);
    above_.push_back(ranks[i + 1]);
  }
  return true;
}

/// Process-local. The origin of a cyclic dimension is agreed on by all that own something of it.
void Validation::check_origins() {
  const int ndim = array().ndim();
  std::vector<std::int64_t> words(static_cast<std::size_t>(2 * ndim), unknown);
  const auto own = [&](int d) -> Index {
    const auto* cyclic = array().dimension(d).as<Cyclic>();
    if (cyclic == nullptr || cyclic->start >= array().dimension(d).global_size()) return unknown;
    const Index position = cyclic->start / cyclic->block_size;
    return (cyclic->grid.rank - position + cyclic->grid.size) % cyclic->grid.size;
  };
  for (int d = 0; d < ndim; ++d) {
    const auto i = static_cast<std::size_t>(2 * d);
    if (own(d) == unknown) continue;
    words[i] = own(d);
    words[i + 1] = -own(d);
  }
  comm_.allreduce(words.data(), 2 * ndim, Reduction::min);
  for (int d = 0; d < ndim; ++d) {
    const auto* cyclic = array().dimension(d).as<Cyclic>();
    const Index origin = words[static_cast<std::size_t>(2 * d)];
    if (cyclic == nullptr || origin == unknown) continue;
    const Index size = array().dimension(d).global_size();
    const Index position = (cyclic->grid.rank - origin + cyclic->grid.size) % cyclic->grid.size;
    const Index due = cyclic_owned_count(size, cyclic->block_size, cyclic->grid.size, position);
    if (own(d) == unknown ? due == 0 : own(d) == origin) continue;
    add("C11", d, "start",
        "start " + std::to_string(cyclic->start) + " on grid rank " +
            std::to_string(cyclic->grid.rank) + ", where grid rank " + std::to_string(origin) +
            " owns the first block",
        "starts that are a rotation of the grid ranks");
  }
}

/// Collective, unless nobody can have found anything.
Report Validation::conclude(bool nothing_to_find) {
  if (nothing_to_find) return {};
  std::int64_t all_clean = clean() ? 1 : 0;
  comm_.allreduce(&all_clean, 1, Reduction::min);
  if (all_clean == 1) return {};
  if (options_.profile == Profile::strict) report_ = parsing::refuse_warnings(report_);
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
  report_.add(std::move(finding));
}

}  // namespace daptor::validation
