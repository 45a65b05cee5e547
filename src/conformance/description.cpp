// SPDX-License-Identifier: BSD-3-Clause
#include <optional>

#include "conformance/trial.hpp"

namespace daptor::conformance {

Report check_description(const Subject& subject, const Comm& comm, const Options& options) {
  Trial trial(subject, comm);
  std::optional<Export> section;
  Report validated;
  const auto export_section = [&] {
    section = trial.candidate().describe();
    trial.find(section->struct_findings());
  };
  if (trial.ready() && trial.together(export_section))
    validated = validate(section->submission(), trial.comm(), {Level::full, options.profile});
  section.reset();
  Report report = trial.conclude();
  report.append(std::move(validated));
  return report;
}

}  // namespace daptor::conformance
