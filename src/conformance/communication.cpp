// SPDX-License-Identifier: BSD-3-Clause
#include <optional>

#include "conformance/trial.hpp"
#include "daptor/conformance/mpi_watch.hpp"

namespace daptor::conformance {
namespace {

/// Makes one export and records the MPI calls that it makes.
void watch_export(Trial& trial, std::optional<Export>& section) {
  MpiWatch watch;
  section = trial.candidate().describe();
  watch.stop();
  if (!watch.calls().empty())
    trial.find("T17", to_string(watch.calls()), "no communicating MPI call");
}

void watch_exports(Trial& trial) {
  if (!on_all(trial.comm(), MpiWatch::available())) {
    trial.not_checked(
        "whether an export communicates (T17): MPI calls cannot be observed here",
        {"Link the program with daptor::conformance_watch.",
         "Run the check with the daptor command, or link the program with "
         "daptor::conformance_watch.",
         "Import daptor.conformance before mpi4py, or run `python3 -m daptor check` or "
         "`python3 -m pytest -p daptor.pytest_plugin`, which do."});
    return;
  }
  std::optional<Export> first;
  if (!trial.candidate().first_export_sets_up) {
    trial.collectively([&] { watch_export(trial, first); });
    return;
  }
  if (!trial.collectively([&] { first = trial.candidate().describe(); })) return;
  std::optional<Export> second;
  if (trial.export_again(second, "whether an export communicates (T17)"))
    trial.collectively([&] { watch_export(trial, second); });
}

}  // namespace

Report check_communication(const Subject& subject, const Comm& comm, const Options&) {
  return Trial::run(subject, comm, watch_exports);
}

}  // namespace daptor::conformance
