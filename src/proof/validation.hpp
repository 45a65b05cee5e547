// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/communicator.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/validate.hpp"
#include "proof/uniform.hpp"

namespace daptor::validation {

/// Of what a process tells the ones next to it along a dimension.
std::size_t edge_words(int ndim);

/// What is sent and received on the way, for any number of dimensions; without an allocation for up
/// to eleven.
class Room {
 public:
  /// May throw; nothing else does.
  void make(int ndim);

  std::size_t edge_size() const { return edge_size_; }
  std::size_t closing_size() const { return closing_size_; }
  Index* mine() { return words(); }  ///< an edge, and those of the ranks beside
  Index* from_below() { return words() + edge_size_; }
  Index* from_above() { return words() + 2 * edge_size_; }
  Index* closing() { return words() + 3 * edge_size_; }  ///< for the last reduction
  /// The ranks next to this one along each dimension, around the end.
  Index* below() { return closing() + closing_size_; }
  Index* above() { return below() + ndim_; }

 private:
  Index* words() { return many_.empty() ? few_.data() : many_.data(); }

  std::size_t ndim_ = 0;
  std::size_t edge_size_ = 0;
  std::size_t closing_size_ = 0;
  std::array<Index, 128> few_;
  std::vector<Index> many_;
};

/// One validation, step by step. Each step adds what this rank finds to its own report; what all
/// found is merged at the end, and only where somebody found something. All ranks take every step
/// together: which steps there are depends on nothing but what they have agreed on. A rank that
/// fails on its way goes on taking part, and the last step tells all.
class Validation {
 public:
  Validation(const Communicator& comm, const ValidateOptions& options)
      : comm_(comm), options_(options) {}

  /// Collective. What all ranks found.
  Report run(const Submission& submission);
  /// Collective. The same for an array that keeps its local clauses; notes and warnings are not
  /// looked for, and cost nothing.
  Report run_for_errors(const DistArray& array);

 private:
  void judge(const Submission& submission);
  Report judge_across();

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

  void write_origins(std::int64_t* words) const;
  bool one_origin(const std::int64_t* words) const;
  void add_origins(const std::int64_t* words);
  bool agree_on_seats();
  Report conclude(bool origins);

  /// Runs what may fail on this rank alone; once something has, nothing more.
  template <class F>
  void attempt(F&& work) {
    if (failure_) return;
    try {
      std::forward<F>(work)();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  void add(const char* rule, int dimension, const char* key, std::string found,
           std::string expected, Severity severity = Severity::error);
  const DistArray& array() const { return *array_; }
  bool clean() const { return report_.findings().empty() && beyond_.findings().empty(); }

  const Communicator& comm_;
  ValidateOptions options_;
  bool errors_only_ = false;
  const DistArray* array_ = nullptr;
  std::optional<DistArray> parsed_;  ///< where it was not an array before
  std::exception_ptr failure_;
  Report report_;
  /// What counts only where every place on the grid has one process.
  Report beyond_;
  bool seated_ = true;  ///< as far as this rank can tell, it does
  Room room_;
};

/// Process-local. What one description breaks by itself, but for U04.
Report judge_alone(const Submission& submission, Profile profile);

/// Process-local. U04.
void find_repeated(const IndexList& indices, int dimension, Report& report);

/// Collective. What only the index lists tell: U04, U09, U11, U12. `report` gets what this rank
/// finds. The array is proven by all other rules.
void check_indices(const DistArray& array, const Index* below, const Index* above,
                   const Communicator& comm, Report& report);

}  // namespace daptor::validation
