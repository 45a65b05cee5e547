// SPDX-License-Identifier: BSD-3-Clause
#include "cli/launch.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string_view>

#include "cli/judge.hpp"
#include "cli/say.hpp"
#include "cli/session.hpp"
#include "report/outcome.hpp"

namespace daptor::cli {
namespace {

/// The variables of Open MPI, of MPICH and Intel MPI, and of PMIx.
constexpr const char* rank_variables[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};

std::optional<int> number_in(const char* variable) {
  const char* const value = std::getenv(variable);
  if (value == nullptr) return std::nullopt;
  const std::string_view text = value;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

/// Slurm sets its variables in the script of a job, too, which is one process.
std::optional<int> rank_in_slurm() {
  return number_in("SLURM_STEP_NUM_TASKS").value_or(1) > 1 ? number_in("SLURM_PROCID")
                                                           : std::nullopt;
}

}  // namespace

bool launched() {
  for (const char* variable : rank_variables)
    if (const char* value = std::getenv(variable); value != nullptr && *value != '\0') return true;
  return rank_in_slurm().has_value();
}

std::optional<int> launched_rank() {
  std::optional<int> rank;
  for (const char* variable : rank_variables)
    if (!rank) rank = number_in(variable);
  if (!rank) rank = rank_in_slurm();
  // Launchers give other ranks than the first no terminal to read from.
  if (rank && *rank > 0 && isatty(STDIN_FILENO) == 1) return std::nullopt;
  return rank;
}

void silence_other_ranks() {
  if (launched_rank().value_or(0) == 0) return;
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  std::cout.flush();
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

int told(const Action& work) noexcept {
  try {
    const int status = work();
    std::cout.flush();
    if (!std::cout) throw std::runtime_error("standard output cannot be written");
    return status;
  } catch (const Refused& refusal) {
    say(refusal.what());
    return static_cast<int>(refusal.status());
  } catch (const Error& error) {
    say(error);
  } catch (const std::bad_alloc&) {
    std::fputs("daptor: not enough memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "daptor: %s\n", error.what());
  } catch (...) {
    std::fputs("daptor: an error of unknown type\n", stderr);
  }
  return static_cast<int>(report::Status::unusable);
}

int once(By by, const Action& work) noexcept {
  const auto rank = launched_rank();
  if (!rank || by == By::each) {
    silence_other_ranks();
    return told(work);
  }
  return told([&] {
    return run_session({}, [&](const Session&) {
      return static_cast<report::Status>(*rank == 0 ? told(work) : 0);
    });
  });
}

}  // namespace daptor::cli
