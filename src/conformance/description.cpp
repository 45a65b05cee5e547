// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <optional>
#include <utility>

#include "conformance/trial.hpp"

namespace daptor::conformance {
namespace {

/// What the section was accepted with when it was made; what the validation finds again is not
/// listed twice.
void add_accepted(const Report& accepted, Profile profile, Report& validated) {
  Report more;
  for (Finding finding : accepted.findings()) {
    if (profile == Profile::strict && finding.severity == Severity::warning)
      finding.severity = Severity::error;
    const auto& known = validated.findings();
    const auto same = [&](const Finding& other) {
      return other.rule == finding.rule && other.dimension == finding.dimension &&
             other.key == finding.key;
    };
    if (std::none_of(known.begin(), known.end(), same)) more.add(std::move(finding));
  }
  validated.append(std::move(more));
}

}  // namespace

Report check_description(const Subject& subject, const Comm& comm, const Options& options) {
  Trial trial(subject, comm);
  std::optional<Export> section;
  Report validated;
  const auto export_section = [&] {
    section = trial.candidate().describe();
    trial.find(section->struct_findings());
  };
  if (trial.ready() && trial.collectively(export_section)) {
    const Submission said = section->submission();
    validated = validate(said, trial.comm(), {Level::full, options.profile});
    if (said.array() != nullptr && said.array()->described()) trial.find(said.array()->warnings());
  }
  section.reset();
  add_accepted(trial.conclude(), options.profile, validated);
  return validated;
}

}  // namespace daptor::conformance
