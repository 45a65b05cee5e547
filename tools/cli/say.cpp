// SPDX-License-Identifier: BSD-3-Clause
#include "cli/say.hpp"

#include <iostream>

#include "report/outcome.hpp"
#include "report/ranks.hpp"
#include "report/text.hpp"

namespace daptor::cli {

void say(const std::string& sentence) {
  std::cout.flush();
  std::cerr << "daptor: " + detail::printable(sentence) + '\n';
}

void say(const Error& error) {
  say(sentence(error.finding()));
}

std::string about(const std::string& subject, const Finding& finding) {
  const bool named = finding.found.str().rfind(subject, 0) == 0;
  return (named ? "" : subject + ": ") + sentence(finding);
}

std::string sentence(const Finding& finding) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (!finding.ranks.empty())
    add((finding.rank_count > 1 ? "ranks " : "rank ") +
        report::folded(finding.ranks, finding.rank_count));
  if (finding.dimension >= 0) add("dimension " + std::to_string(finding.dimension));
  if (!finding.key.empty()) add("'" + finding.key + "'");
  text += (text.empty() ? "" : ": ") + finding.found.str();
  if (!finding.expected.str().empty()) text += "; expected " + finding.expected.str();
  const std::string remedy = report::remedy_of(finding);
  if (!remedy.empty()) text += ". " + remedy;
  return text + " (" + finding.rule + ")";
}

}  // namespace daptor::cli
