// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "daptor/validate.hpp"
#include "json/recorded.hpp"
#include "report/outcome.hpp"

/// \file
/// Recorded arrays judged in one process, without MPI.

namespace daptor::cli {

/// Most ranks that are judged together: each has a stack of its own.
inline constexpr int most_ranks = 131072;

/// `--profile` and `--level`.
void add_judge_options(CLI::App& app, ValidateOptions& options);
void add_profile(CLI::App& app, Profile& profile);

/// Reads a file, or standard input where `path` is `-`, or what a file that an adapter has saved
/// says of an array. Throws InvalidArgument.
Recorded read_array(const std::string& path);

/// Judges a recorded array by the code that runs under MPI; a finding names all ranks at fault. If
/// some ranks are missing, only the rules about a single rank are judged. Throws InvalidArgument
/// for more than `most_ranks` ranks.
Report judge(const Recorded& recorded, ValidateOptions options);

/// The name of a file in messages.
std::string subject_of(const std::string& path);

/// Reads and judges a file. A file that cannot be read gives an outcome, too.
report::Outcome look_at(const std::string& path, const ValidateOptions& options);

/// The same for each array of a file that an adapter has saved, or the one that is named: whether
/// what the file says is consistent.
std::vector<report::Outcome> look_at_saved(const std::string& path, const ValidateOptions& options);

/// Thrown for a file that the subcommand cannot use. Carries the exit status.
class Refused : public std::runtime_error {
 public:
  Refused(const std::string& sentence, report::Status status)
      : std::runtime_error(sentence), status_(status) {}
  report::Status status() const { return status_; }

 private:
  report::Status status_;
};

/// All ranks of the array in a file. Throws Refused if the file cannot be read, the array does not
/// conform, or ranks are missing.
struct ConformingArray {
  std::string name;
  std::vector<Section> ranks;
};
ConformingArray read_conforming(const std::string& path);
/// The same of what was recorded of `subject`.
ConformingArray require_conforming(const std::string& subject, const Recorded& recorded);

}  // namespace daptor::cli
