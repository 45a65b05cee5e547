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

/// Most ranks that are judged together: each is a thread here.
inline constexpr int most_ranks = 16384;

/// `--profile` and `--level`.
void add_judge_options(CLI::App& app, ValidateOptions& options);
void add_profile(CLI::App& app, Profile& profile);

/// Reads a file, or standard input where `path` is `-`. Throws Unreadable.
Recorded read_array(const std::string& path);

/// What is wrong with `recorded`, by the code that runs under MPI; a finding names all its ranks.
/// With some ranks missing, by the rules about one rank alone. Throws InvalidArgument for more than
/// `most_ranks`.
Report judge(const Recorded& recorded, ValidateOptions options);

/// What a file is called in messages.
std::string subject_of(const std::string& path);

/// Reads and judges. What cannot be read is an outcome too.
report::Outcome look_at(const std::string& path, const ValidateOptions& options);

/// A file that cannot be used for what is to be done with it. Carries the exit status.
class Refused : public std::runtime_error {
 public:
  Refused(const std::string& sentence, report::Status status)
      : std::runtime_error(sentence), status_(status) {}
  report::Status status() const { return status_; }

 private:
  report::Status status_;
};

/// All ranks of the array in a file. Throws Refused where it cannot be read, does not conform, or
/// does not have all its ranks.
struct ConformingArray {
  std::string name;
  std::vector<DistArray> ranks;
};
ConformingArray read_conforming(const std::string& path);
/// The same of what was recorded of `subject`.
ConformingArray require_conforming(const std::string& subject, const Recorded& recorded);

}  // namespace daptor::cli
