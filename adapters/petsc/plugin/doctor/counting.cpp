// SPDX-License-Identifier: BSD-3-Clause
#include "counting.hpp"

#include <petscsys.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#if DAPTOR_DOCTOR_JSON
#include <nlohmann/json.hpp>
#endif

#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "exit_status.hpp"
#include "petsc/plugin/program_option.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

constexpr const char* suppress_option = "-daptor_check_suppress";
constexpr const char* baseline_option = "-daptor_check_baseline";
constexpr const char* severity_option = "-daptor_check_severity";
constexpr const char* status_option = "-daptor_check_status";

std::string content_of(const char* option, const std::string& path) {
  std::ifstream in(path);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in.is_open() || in.bad()) throw InvalidArgument(option, path, "a file that can be read");
  return text;
}

/// The lines of the findings in a report that an earlier run has written.
std::string lines_of_report(const std::string& path) {
#if DAPTOR_DOCTOR_JSON
  const auto report =
      nlohmann::json::parse(content_of(baseline_option, path), nullptr, /*exceptions*/ false);
  std::string lines;
  try {
    for (const auto& finding : report.at("findings"))
      lines += finding.at("suppression").get<std::string>() + '\n';
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument(baseline_option, path,
                          "a report that -daptor_check_report of this version has written");
  }
  return lines;
#else
  throw InvalidArgument(baseline_option, path,
                        "no baseline: nlohmann-json was not found when the plug-in was built");
#endif
}

/// Collective over PETSC_COMM_WORLD. What rank 0 has made, on all ranks.
template <class Make>
std::string from_first_rank(const char* option, const Make& make) {
  const Comm world(PETSC_COMM_WORLD);
  std::string text;
  Call(world, option).check([&] {
    if (world.rank() == 0) text = make();
  });
  auto size = static_cast<unsigned long long>(text.size());
  MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG_LONG, 0, PETSC_COMM_WORLD);
  text.resize(size);
  MPI_Bcast(text.data(), static_cast<int>(size), MPI_CHAR, 0, PETSC_COMM_WORLD);
  return text;
}

Severity severity_option_of(const std::string& word) {
  for (const auto& [known, severity] :
       {std::pair{"error", Severity::error}, std::pair{"warning", Severity::warning},
        std::pair{"note", Severity::note}})
    if (word == known) return severity;
  throw InvalidArgument(severity_option, word, "'error', 'warning' or 'note'");
}

int status_of(const std::string& text) {
  char* end = nullptr;
  const long status = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || status < 1 || status > 255)
    throw InvalidArgument(status_option, text, "a number from 1 to 255");
  if (!can_end_with())
    throw InvalidArgument(status_option, text, "no status: this C library is not glibc");
  return static_cast<int>(status);
}

}  // namespace

const char* word_of(State state) {
  switch (state) {
    case State::fresh:
      return "new";
    case State::known:
      return "known";
    case State::suppressed:
      break;
  }
  return "suppressed";
}

Counting Counting::of_program() {
  Counting counting;
  if (const auto word = program_option(severity_option)) counting.from_ = severity_option_of(*word);
  if (const auto text = program_option(status_option)) counting.status_ = status_of(*text);
  if (const auto path = program_option(suppress_option)) {
    const std::string text =
        from_first_rank(suppress_option, [&] { return content_of(suppress_option, *path); });
    counting.suppressions_ = Suppressions(suppress_option, *path, text);
    counting.suppressions_file_ = *path;
  }
  if (const auto path = program_option(baseline_option)) {
    const std::string text =
        from_first_rank(baseline_option, [&] { return lines_of_report(*path); });
    counting.baseline_ = Suppressions(baseline_option, *path, text);
  }
  return counting;
}

State Counting::state_of(const Finding& finding, const SourceLine& place) {
  if (suppressions_.take(finding, place)) return State::suppressed;
  return baseline_.take(finding, place) ? State::known : State::fresh;
}

void Counting::end_severely() const {
  if (status_ != 0) end_with(status_);
}

void Counting::end_together(bool severe) const {
  if (status_ == 0) return;
  int rank = 0, size = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(PETSC_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
  MPI_Comm_size(machine, &size);
  const Process own = this_process();
  std::vector<Process> all(static_cast<std::size_t>(size));
  MPI_Gather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, 0, machine);
  MPI_Comm_free(&machine);
  all.erase(all.begin());  // rank 0 itself
  if (rank == 0 && severe)
    end_with(status_, all);
  else
    end_with(0);
}

void Counting::tell_unused() const {
  const std::vector<Suppression>& lines = suppressions_.lines();
  std::vector<long> times;
  times.reserve(lines.size());
  for (const Suppression& line : lines) times.push_back(line.times);
  std::vector<long> all(times.size());
  MPI_Reduce(times.data(), all.data(), static_cast<int>(times.size()), MPI_LONG, MPI_SUM, 0,
             PETSC_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank != 0) return;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (all[i] == 0)
      std::fprintf(stderr, "  %s:%d fits no finding: %s  %s  %s\n", suppressions_file_.c_str(),
                   lines[i].number, lines[i].rule.c_str(), lines[i].object.c_str(),
                   lines[i].place.c_str());
}

}  // namespace daptor::petsc::plugin::doctor
