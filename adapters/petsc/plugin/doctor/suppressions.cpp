// SPDX-License-Identifier: BSD-3-Clause
#include "suppressions.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <sstream>

#include "daptor/error.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

bool fits(const std::string& pattern, const std::string& text) {
  std::size_t p = 0, t = 0, star = std::string::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string::npos) {
      // The star stands for one character more.
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string::npos;
}

/// A pattern that fits the text. Quotes, and bytes that a report may not keep as they are, are left
/// open.
std::string quoted(std::string text) {
  for (char& c : text)
    if (c == '"' || c < ' ' || c > '~') c = '?';
  return '"' + text + '"';
}

/// What stands in parentheses, as a type or a size, is left open.
std::string with_open_kind(const std::string& object) {
  const std::size_t begin = object.rfind(" ("), end = object.find(')', begin);
  if (begin == std::string::npos || end == std::string::npos) return object;
  return object.substr(0, begin) + " (*" + object.substr(end);
}

/// The words of a line, each of which may stand in double quotes; `nullopt` if a quote stays open.
std::optional<std::vector<std::string>> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while ((at = line.find_first_not_of(" \t\r", at)) != std::string::npos && line[at] != '#') {
    const bool in_quotes = line[at] == '"';
    const std::size_t begin = in_quotes ? at + 1 : at;
    const std::size_t end = line.find_first_of(in_quotes ? "\"" : " \t\r", begin);
    if (in_quotes && end == std::string::npos) return std::nullopt;
    words.push_back(line.substr(begin, end - begin));
    if (end == std::string::npos) break;
    at = end + 1;
  }
  return words;
}

/// The ways in which a pattern may name a place.
std::vector<std::string> names_of(const SourceLine& place) {
  const std::string site = site_of(place);
  if (place.line == 0) return {site};
  const std::string folder = place.file.substr(0, place.file.rfind('/') + 1);
  const std::string file = place.file.substr(folder.size());
  const std::string number = ':' + std::to_string(place.line);
  return {site, folder + site, file + number, place.file + number};
}

bool fits(const Suppression& line, const Finding& finding) {
  return fits(line.rule, finding.rule) && fits(line.object, object_of(finding));
}

}  // namespace

std::string object_of(const Finding& finding) {
  const std::string found = finding.found.str();
  const std::string kind = finding.key.substr(0, finding.key.find(','));
  if (kind.empty() || found.rfind(kind, 0) != 0) return finding.key;
  return found.substr(0, found.find(": "));
}

std::string line_for(const Finding& finding, const SourceLine& place) {
  const std::string site = site_of(place);
  return finding.rule + "  " + quoted(with_open_kind(object_of(finding))) + "  " +
         (site.empty() ? "*" : quoted(site));
}

Suppressions::Suppressions(const std::string& option, const std::string& file,
                           const std::string& text) {
  std::istringstream in(text);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const auto words = words_of(line);
    if (words && words->empty()) continue;
    if (!words || words->size() != 3)
      throw InvalidArgument(
          option, "line " + std::to_string(number) + " of " + file + ": " + line,
          "a rule, an object and a place, each a pattern with * and ?, in double quotes if it has "
          "blanks, as the summary and the report of a run print them");
    lines_.push_back({(*words)[0], (*words)[1], (*words)[2], number});
  }
}

bool Suppressions::take(const Finding& finding, const SourceLine& place) {
  const std::vector<std::string> names = names_of(place);
  for (Suppression& line : lines_) {
    if (!fits(line, finding)) continue;
    if (std::none_of(names.begin(), names.end(),
                     [&](const std::string& name) { return fits(line.place, name); }))
      continue;
    ++line.times;
    return true;
  }
  return false;
}

}  // namespace daptor::petsc::plugin::doctor
