// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <utility>
#include <variant>

#include "daptor/error.hpp"
#include "daptor/parse.hpp"
#include "proof/survey.hpp"
#include "show/scene.hpp"

namespace daptor::show {
namespace {

constexpr std::size_t most_findings = 100;

Report of_rank(const Report& report, int rank) {
  std::vector<Finding> findings = report.findings();
  for (Finding& finding : findings) {
    finding.ranks = {rank};
    finding.rank_count = 1;
  }
  return Report(std::move(findings));
}

Report failure_of(const ProducerError& error) {
  Finding finding = error_finding(rule_producer, -1, "", error.text, "a description");
  return Report({std::move(finding)});
}

std::vector<Section> sections_of(const Recorded& recorded) {
  std::vector<Section> sections;
  int first = 0;  // the rank of the first section
  Report broken;
  for (std::size_t i = 0; i < recorded.ranks.size(); ++i) {
    const auto rank = static_cast<int>(i);
    if (broken.findings().size() >= most_findings) break;
    if (const auto* error = std::get_if<ProducerError>(&recorded.ranks[i])) {
      broken.append(of_rank(failure_of(*error), rank));
      continue;
    }
    Parsed parsed = parse(std::get<Value>(recorded.ranks[i]));
    if (!parsed.array) {
      broken.append(of_rank(parsed.report, rank));
      continue;
    }
    Report apart;
    if (sections.empty())
      first = rank;
    else
      daptor::detail::differences(*parsed.array, sections.front(), first, apart);
    broken.append(of_rank(apart, rank));
    sections.push_back(std::move(*parsed.array));
  }
  if (!broken) throw_verdict(broken);
  return sections;
}

}  // namespace

Picture make_picture(const Recorded& recorded, const Options& options) {
  return Picture(
      std::make_shared<Scene>(recorded.name, recorded.nranks, sections_of(recorded), options));
}

}  // namespace daptor::show
