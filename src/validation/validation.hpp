#pragma once

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/communicator.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/validate.hpp"
#include "uniform.hpp"

namespace daptor::validation {

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
  /// What a process tells the ones next to it along a dimension.
  using Edge = std::vector<Index>;

  void judge(const Submission& submission);
  Report judge_across();
  void make_room();

  void ask_neighbours();
  void seat_ranks();
  std::vector<Message> seat_claims();
  std::vector<Message> forward(const std::vector<Message>& left_here);
  void take_forwarded(const std::vector<Message>& forwarded);
  Finding double_seat(int other) const;
  std::size_t edge_size() const;
  std::size_t letter_size() const;
  void write_edge(int along, Edge& edge) const;
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
  std::optional<DistArray> array_;
  std::exception_ptr failure_;
  Report report_;
  /// What counts only where every place on the grid has one process.
  Report beyond_;
  bool seated_ = true;              ///< as far as this rank can tell, it does
  std::vector<int> below_, above_;  ///< ranks next to this one along each dimension, around the end
  Edge mine_, from_below_, from_above_;
  std::vector<std::int64_t> words_;
};

/// Process-local. What one description breaks by itself, but for U04.
Report judge_alone(const Submission& submission, Profile profile);

/// Process-local. U04.
void find_repeated(const IndexList& indices, int dimension, Report& report);

/// Collective. What only the index lists tell: U04, U09, U11, U12. `report` gets what this rank
/// finds. The array is proven by all other rules.
void check_indices(const DistArray& array, const std::vector<int>& below,
                   const std::vector<int>& above, const Communicator& comm, Report& report);

}  // namespace daptor::validation
