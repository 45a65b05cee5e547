#include <optional>

#include "conformance/trial.hpp"
#include "daptor/conformance/mpi_watch.hpp"

namespace daptor::conformance {
namespace {

void watch_export(Trial& trial) {
  if (!on_all(trial.comm(), MpiWatch::available())) {
    trial.not_checked("whether exporting communicates (T17): this program has no MPI wrappers",
                      "Link it with daptor::conformance_watch.");
    return;
  }
  std::optional<Export> first;
  std::optional<Export> second;
  if (trial.candidate().first_export_sets_up &&
      !trial.together([&] { first = trial.candidate().describe(); }))
    return;
  trial.together([&] {
    MpiWatch watch;
    second = trial.candidate().describe();
    watch.stop();
    if (!watch.calls().empty())
      trial.find("T17", to_string(watch.calls()), "no call of MPI that communicates");
  });
}

}  // namespace

Report check_communication(const Subject& subject, MPI_Comm comm, const Options&) {
  return Trial::run(subject, comm, watch_export);
}

}  // namespace daptor::conformance
