#include "cli/say.hpp"

#include <iostream>

#include "text.hpp"

namespace daptor::cli {

void say(const std::string& sentence) {
  std::cout.flush();
  std::cerr << "daptor: " + detail::printable(sentence) + '\n';
}

void say(const Error& error) {
  say(sentence(error.finding()));
}

std::string about(const std::string& subject, const Finding& finding) {
  const bool named = finding.found.rfind(subject, 0) == 0;
  return (named ? "" : subject + ": ") + sentence(finding);
}

std::string sentence(const Finding& finding) {
  std::string text = finding.found;
  if (!finding.key.empty()) text = finding.key + ": " + text;
  if (!finding.expected.empty()) text += "; expected " + finding.expected;
  if (!finding.remedy.empty()) text += ". " + finding.remedy;
  return text + " (" + finding.rule + ")";
}

}  // namespace daptor::cli
