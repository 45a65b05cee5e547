// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/first_failure.hpp"
#include "daptor/call.hpp"
#include "daptor/detail/small_array.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/parse.hpp"
#include "daptor/validate.hpp"
#include "proof/proven.hpp"
#include "proof/survey.hpp"
#include "ranks/agreement.hpp"

namespace daptor::proof {

/// Number of words in the message that a process sends to its neighbours along each dimension.
std::size_t edge_words(int ndim);

/// Number of words of each dimension in the last all-reduce of a walk over uneven arrays.
constexpr std::size_t distribution_words = 3;

/// Memory for the messages of a walk, for any number of dimensions; up to twelve dimensions fit
/// without an allocation.
class WalkMemory {
 public:
  /// Allocates. May throw; no other member function does.
  void make(int ndim);

  std::size_t edge_size() const { return edge_size_; }
  std::size_t closing_size() const { return closing_size_; }
  /// the edge of this process; the next two are those of its neighbours
  Index* mine() { return words(); }
  Index* from_below() { return words() + edge_size_; }
  Index* from_above() { return words() + 2 * edge_size_; }
  Index* closing() { return words() + 3 * edge_size_; }  ///< the words for the last all-reduce

 private:
  Index* words() { return words_.data(); }

  std::size_t edge_size_ = 0;
  std::size_t closing_size_ = 0;
  detail::SmallArray<Index, 128> words_;
};

/// One walk over the ranks, which proves what no process can prove alone and keeps what it has
/// found out (`detail::Proven`). It is the only judge of rules across ranks: `validate`
/// reports its findings, `require_consistent` throws them, and a GlobalIndexMap is made of what it
/// has found out.
///
/// Example: ten elements in one dimension on 4 ranks, which own [0, 3), [3, 6), [7, 9), [9, 10).
/// The start of rank 2 should be 6.
///
/// 1. In `validate`, each process judges what it can judge alone (`judge_alone`): [7, 9) is a valid
///    range. A Section, with which an import begins, obeys these rules already.
/// 2. The survey, one all-reduce: all ranks have an array with the same size and grid, and
///    they are in row-major order, but the blocks are not even. (An even array without padding
///    would be proven now, and so would an array of which all ranks have kept the same proof.)
/// 3. `ask_neighbours`, two messages: each rank sends its start and stop to both neighbours. Rank 2
///    receives [3, 6) from rank 1 and makes the finding B09, "owned [7, 9) after [3, 6) on rank 1".
///    Rank 1 sees the same gap and does not report it: of two neighbours, the upper one judges.
/// 4. `conclude`, one all-reduce: not all ranks are clean, so the reports are merged
///    (`proof/merge.hpp`), and all ranks get the same report, which names rank 2.
///
/// With start 6 and stop 9 all ranks would be clean. Each would keep the numbers of its neighbours.
///
/// In each step every rank adds its findings to its own report. All ranks take the same steps,
/// because each decision depends only on what all ranks have agreed on. A rank that fails on the
/// way continues to take part, and the last step tells all ranks.
class Walk {
 public:
  Walk(const Comm& comm, const ValidateOptions& options)
      : call_(comm, "validate"), comm_(comm), options_(options) {}

  /// Collective. The findings of all ranks, including notes and warnings.
  Report run(const Submission& submission);
  /// Collective. The errors of all ranks for an array that satisfies its local clauses; notes and
  /// warnings are not looked for and cost nothing.
  Report run_for_errors(const Section& array);

  /// Collective. Like `run_for_errors`, but throws Malformed on all ranks if there are errors.
  std::shared_ptr<const detail::Proven> prove(const Section& array);

  /// \name The steps of `run_for_errors`, for a caller that agrees on more in the same all-reduce
  /// \{
  /// Process-local. Takes the array, and says what this rank knows of it.
  /// @param place  of the array among those that are proven together
  void open(const Section& array, detail::Agreement& agreement, std::size_t place);
  /// Process-local. In place of `open`, for an array that this rank knows and others do not:
  /// `known` is the proof that it has kept.
  void resume(const Section& array, const detail::Proven& known);
  /// What has failed on this rank until now, or null.
  const std::exception_ptr& failure() const { return failure_.get(); }
  /// Collective. Goes on with what all ranks have said.
  Report go_on(detail::Agreement& agreement, std::size_t place);
  /// What was found out, if there was no error.
  std::shared_ptr<const detail::Proven> proof() const {
    return known_ != nullptr ? known_ : learned_;
  }
  /// \}

 private:
  // walk.cpp
  void judge(const Submission& submission);
  void take(const Section& array);
  void say(detail::Agreement& agreement, std::size_t place);
  void reserve_proof();
  Report judge_across();
  Report conclude(bool uneven);
  Report merge_findings(bool placed, const std::int64_t* distribution);
  void keep();

  // neighbours.cpp
  void place_neighbours();
  void ask_neighbours();
  void write_edge(int along, Index* edge) const;
  void compare_with_neighbour(int along, int neighbour_rank, const Index* theirs, bool lower);
  void compare_blocks(int along, const std::string& on_neighbour, const Index* theirs);
  void compare_padding(int along, const std::string& on_neighbour, const Index* theirs, bool lower);
  void compare_shared_parts(int along, int neighbour_rank, const Index* theirs);
  void check_due_block(int along, int neighbour_rank, const Index* theirs, bool lower);

  // positions.cpp
  bool positions_seem_distinct() const;
  void find_shared_positions();
  void find_ranks_at_positions();
  std::vector<Message> letters_to_positions();
  std::vector<Message> forward(const std::vector<Message>& left_here);
  void take_forwarded(const std::vector<Message>& forwarded);
  Finding shared_position(int other) const;
  bool agree_on_positions();

  // origins.cpp
  void write_distribution(std::int64_t* words) const;
  void learn_distribution(const std::int64_t* words);
  bool one_origin(const std::int64_t* words) const;
  void add_origins(const std::int64_t* words);

  bool is_block(int d) const { return array().dimension(d).as<Block>() != nullptr; }
  /// Runs `work`, which may fail on this rank alone; after a failure it runs no further work.
  template <class F>
  void attempt(F&& work) {
    failure_.attempt(std::forward<F>(work));
  }
  /// Adds a finding to `if_placed_`. `merge_findings` moves these to the report, if every position
  /// on the grid has one process: otherwise the process compared with may not be the neighbour.
  void add_if_placed(const char* rule, int dimension, const char* key, Terms found, Terms expected,
                     Terms remedy = {});
  Version::Rules rules() const { return array().version().rules().value_or(Version::Rules::v0_9); }
  const Section& array() const { return *array_; }
  bool clean() const { return report_.findings().empty() && if_placed_.findings().empty(); }

  Call call_;
  const Comm& comm_;
  ValidateOptions options_;
  bool errors_only_ = false;
  const Section* array_ = nullptr;
  std::optional<Section> judged_;  ///< the array of `run`
  adapter::FirstFailure failure_;
  Report report_;
  /// Findings that count only if every position on the grid has one process.
  Report if_placed_;
  bool placed_ = true;  ///< no other process is known to be at the same position
  WalkMemory memory_;
  std::shared_ptr<const detail::Proven> known_;  ///< proof of an earlier walk
  std::shared_ptr<detail::Proven> learned_;      ///< filled by this walk
  detail::PartSummary part_;                     ///< what this rank says in the survey
  std::int64_t serial_ = 0;                      ///< of the proof that comes of this walk
};

/// Process-local (validate.cpp). Finds the rules that one description breaks by itself, except U04.
/// The result has the array of the submission, or the array that was parsed, unless a finding is an
/// error.
Parsed judge_alone(const Submission& submission, Profile profile);

/// Process-local. Finds breaches of U04, and of `owned.twice` within one list.
void find_repeated(const Unstructured& list, int dimension, Report& report);

/// U12 (indices.cpp): the list of this process differs from that of `other_rank`.
Finding another_list(int dimension, int other_rank);

/// Collective. Throws Malformed on all ranks with all that `validate` finds, index lists included;
/// returns if there is no error. The array must satisfy its local clauses. A call that comes upon a
/// list that cannot be right calls this function, so that its error is the one that `validate`
/// reports.
void require_lists(const Section& array, const Comm& comm);

/// Collective. The same, but only if processes that should have the same list do not (U12). It
/// needs no communication where each list lies on one line of the grid. Otherwise it proves the
/// array (one reduction if it was proven before), sends one message for each list and each other
/// distributed dimension, and makes one more reduction.
void require_same_lists(const Section& array, const Comm& comm);

/// Collective. Judges the rules about index lists: U04, U09, U11, U12. `report` gets the findings
/// of this rank. All other rules must already be proven; `proven` has the neighbours.
void check_indices(const Section& array, const detail::Proven& proven, Call& call, Report& report);

}  // namespace daptor::proof
