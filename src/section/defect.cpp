// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/defect.hpp"

#include <utility>

namespace daptor {

Defect::Defect(ErrorKind kind, Report report)
    : held_(std::make_shared<const Held>(Held{kind, std::move(report)})) {}

const Report& Defect::report() const {
  static const Report nothing;
  return held_ ? held_->report : nothing;
}

void Defect::raise() const {
  if (held_) throw_error(held_->kind, held_->report);
}

Defect Defect::joined(const Defect& other) const {
  if (!held_ || held_ == other.held_) return other;
  if (!other) return *this;
  Report both = held_->report;
  both.append(other.held_->report);
  return {held_->kind, std::move(both)};
}

Defect Defect::in_dimension(int number) const {
  if (!held_) return *this;
  std::vector<Finding> findings = held_->report.findings();
  for (Finding& finding : findings)
    if (finding.dimension < 0) finding.dimension = number;
  return {held_->kind, Report(std::move(findings))};
}

}  // namespace daptor
