// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/first_failure.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/validate.hpp"
#include "proof/proven.hpp"
#include "proof/uniform.hpp"

namespace daptor::validation {

/// Number of words in the message that a process sends to its neighbours along each dimension.
std::size_t edge_words(int ndim);

/// The memory for what is sent and received on the way, for any number of dimensions; allocates
/// nothing for up to twelve.
class Room {
 public:
  /// May throw; no other member function does.
  void make(int ndim);

  std::size_t edge_size() const { return edge_size_; }
  std::size_t closing_size() const { return closing_size_; }
  Index* mine() { return words(); }  ///< this process's edge, and those of the ranks beside it
  Index* from_below() { return words() + edge_size_; }
  Index* from_above() { return words() + 2 * edge_size_; }
  Index* closing() { return words() + 3 * edge_size_; }  ///< for the last reduction

 private:
  Index* words() { return many_.empty() ? few_.data() : many_.data(); }

  std::size_t edge_size_ = 0;
  std::size_t closing_size_ = 0;
  std::array<Index, 128> few_;
  std::vector<Index> many_;
};

/// For each dimension: the start of every process's block and the size at the end; null where
/// blocks are even or the dimension has none.
using Bounds = std::vector<std::shared_ptr<std::vector<Index>>>;

/// One walk over the ranks, which proves what no process can tell alone and leaves behind what it
/// has found out (`detail::Proven`, `Bounds`). It is the only judge of rules across ranks:
/// `validate` reports what it finds, `require_consistent` throws it, and a GlobalIndexMap is what
/// it leaves behind.
///
/// Example: ten elements in one dimension on 4 ranks, which own [0, 3), [3, 6), [7, 9), [9, 10).
/// The start of rank 2 should be 6.
///
/// 1. Each process judges what it can judge alone (`judge_alone`): nothing is wrong with [7, 9).
/// 2. `detail::survey`, one all-reduce: all have an array with the same size and grid, ranks are
///    row-major, but the blocks are not even. An even array without padding is proven by now; so is
///    one for which all ranks bring the same kept proof.
/// 3. `ask_neighbours`, two messages: each rank tells both neighbours its start and stop. Rank 2
///    hears [3, 6) from rank 1, and adds the finding B09, "owned [7, 9) after [3, 6) on rank 1", to
///    its own report. Rank 1 hears the same gap and says nothing: the upper process of a pair
///    judges it.
/// 4. `conclude`, one all-reduce: not all ranks are clean, so the reports are merged
///    (`proof/merge.hpp`), and all ranks have one report that names rank 2.
///
/// With start 6 all ranks would be clean. Each would keep that its neighbours are the ranks before
/// and after it and that blocks are uneven. A GlobalIndexMap then also gathers the bounds 0, 3, 6,
/// 9, 10 along the dimension, in two messages.
///
/// Each step adds what this rank finds to its own report. All ranks take every step together: which
/// steps there are depends on nothing but what they have agreed on. A rank that fails on its way
/// goes on taking part, and the last step tells all.
class Walk {
 public:
  Walk(const Comm& comm, const ValidateOptions& options) : comm_(comm), options_(options) {}

  /// Collective. What all ranks found, notes and warnings included.
  Report run(const Submission& submission);
  /// Collective. The errors that all ranks found in an array that keeps its local clauses; notes
  /// and warnings are not looked for, and cost nothing.
  Report run_for_errors(const DistArray& array);
  /// Collective. The same, and throws Malformed on all ranks where there are errors. `prepare` may
  /// throw and must not communicate; it is the first thing that happens, and its failure is
  /// everybody's.
  std::shared_ptr<const detail::Proven> prove(
      const DistArray& array, const std::function<void()>& prepare = [] {});
  /// Collective. As `prove`, and gathers the bounds of irregular blocks: one for each process of
  /// the dimension.
  std::shared_ptr<const detail::Proven> prove(const DistArray& array,
                                              const std::function<void()>& prepare, Bounds& bounds);

 private:
  void judge(const Submission& submission);
  void begin(const DistArray& array);
  Report judge_across();
  void place_neighbours();

  void ask_neighbours();
  void seat_ranks();
  std::vector<Message> seat_claims();
  std::vector<Message> forward(const std::vector<Message>& left_here);
  void take_forwarded(const std::vector<Message>& forwarded);
  Finding double_seat(int other) const;
  void write_edge(int along, Index* edge) const;
  void compare_with_neighbour(int along, int neighbour_rank, const Index* theirs, bool lower);
  void compare_blocks(int along, const std::string& on_neighbour, const Index* theirs);
  void compare_padding(int along, const std::string& on_neighbour, const Index* theirs, bool lower);
  void compare_shared_parts(int along, const std::string& on_neighbour, const Index* theirs);
  void check_due_block(int along, int neighbour_rank, const Index* theirs, bool lower);

  void write_distribution(std::int64_t* words) const;
  void learn_distribution(const std::int64_t* words);
  bool one_origin(const std::int64_t* words) const;
  void add_origins(const std::int64_t* words);
  bool agree_on_seats();
  Report conclude(bool uneven);
  void keep(std::int64_t serial);

  bool is_block(int d) const { return array().dimension(d).as<Block>() != nullptr; }
  void reserve_bounds(const detail::Proven* known);
  void gather_bounds(const detail::Proven& proven);

  /// Runs what may fail on this rank alone; once something has, nothing more.
  template <class F>
  void attempt(F&& work) {
    failure_.attempt(std::forward<F>(work));
  }
  void add(const char* rule, int dimension, const char* key, std::string found,
           std::string expected);
  Version::Rules rules() const { return array().version().rules().value_or(Version::Rules::v0_9); }
  const DistArray& array() const { return *array_; }
  bool clean() const { return report_.findings().empty() && beyond_.findings().empty(); }

  const Comm& comm_;
  ValidateOptions options_;
  bool errors_only_ = false;
  const DistArray* array_ = nullptr;
  std::optional<DistArray> parsed_;  ///< where it was not an array before
  adapter::FirstFailure failure_;
  Report report_;
  /// What counts only where every place on the grid has one process.
  Report beyond_;
  bool seated_ = true;  ///< as far as this rank can tell, it does
  Room room_;
  std::shared_ptr<const detail::Proven> known_;  ///< from an earlier walk
  std::shared_ptr<detail::Proven> learned_;      ///< filled on the way
  Bounds* bounds_ = nullptr;                     ///< wanted where not null
};

/// Process-local. What one description breaks by itself, but for U04.
Report judge_alone(const Submission& submission, Profile profile);

/// Process-local. U04.
void find_repeated(const IndexList& indices, int dimension, Report& report);

/// Collective. What only the index lists tell: U04, U09, U11, U12. `report` gets what this rank
/// finds. The array is proven by all other rules, and `proven` has the neighbours.
void check_indices(const DistArray& array, const detail::Proven& proven, const Comm& comm,
                   Report& report);

}  // namespace daptor::validation
