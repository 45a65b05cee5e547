#pragma once

#include <optional>
#include <vector>

#include "daptor/communicator.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/validate.hpp"
#include "uniform.hpp"

namespace daptor::validation {

/// One validation, step by step. Each step adds what this rank finds to its own report; what all
/// found is merged at the end, and only where somebody found something. All ranks take every step
/// together: which steps there are depends on nothing but what they have agreed on.
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
  void check_across(const detail::Survey& all);
  bool seat_ranks();
  void check_neighbours(const detail::Survey& all);
  void compare_with_neighbour(int along, int neighbour_rank, const std::vector<Index>& theirs,
                              bool lower);
  void check_origins();
  Report conclude(bool all_clean);

  std::vector<Index> edge_record(int along) const;
  void add(const char* rule, int dimension, const char* key, std::string found,
           std::string expected, Severity severity = Severity::error);
  const DistArray& array() const { return *array_; }
  bool clean() const { return report_.findings().empty(); }

  const Communicator& comm_;
  ValidateOptions options_;
  bool errors_only_ = false;
  std::optional<DistArray> array_;
  Report report_;
  std::vector<int> below_, above_;  ///< ranks next to this one along each dimension, around the end
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
