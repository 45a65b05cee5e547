// SPDX-License-Identifier: BSD-3-Clause
#include "text.hpp"

#include <cctype>
#include <sstream>
#include <string_view>

namespace daptor::fortran {

namespace {

/// A phrase of a remedy in C++ terms, and the corresponding phrase in Fortran terms.
struct Wording {
  std::string_view there;
  std::string_view here;
  bool to_the_end = false;  ///< whether the rest of the text is replaced too
};
constexpr Wording wordings[] = {
    {"owned_then_ghosts (key 'owned' of the dictionary), or name the owners in HaloOptions::owned",
     "daptor_unstructured(..., owned=...)"},
    {"Redistribute to a new array, made by daptor::like",
     "Call daptor_redistribute to another array"},
    {"Set the option read_from_any", "Pass read_from_any=.true."},
    {"VecOptions::allow_overlap", "allow_overlap=.true."},
    {"owned_then_ghosts, or import it without VecOptions::ghosts",
     "daptor_unstructured(..., owned=...), or import it without ghosts=.true."},
    {"VecExportOptions::ghosts", "ghosts=.true."},
    {"Use import_padded_vec or import_dmda for the padded section",
     "Use daptor_import_local_vec for the section with its ghost cells"},
    {"Or copy: daptor::petsc::copy_to_",
     "Or copy: call daptor_redistribute to an array without ghost cells, and import that one.",
     true},
};

std::string reworded(std::string text) {
  for (const Wording& wording : wordings) {
    const std::size_t at = text.find(wording.there);
    if (at == std::string::npos) continue;
    text.replace(at, wording.to_the_end ? std::string::npos : wording.there.size(), wording.here);
  }
  return text;
}

}  // namespace

std::string in_fortran(const std::string& text) {
  constexpr std::string_view word = "dimension ";
  // Longer numbers are not dimensions.
  constexpr std::size_t most_digits = 3;
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, done)) {
    const std::size_t begin = at + word.size();
    std::size_t end = begin;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    result.append(text, done, begin - done);
    if (end > begin && end - begin <= most_digits) {
      result += std::to_string(std::stoi(text.substr(begin, end - begin)) + 1);
    } else {
      result.append(text, begin, end - begin);
    }
    done = end;
  }
  return result.append(text, done, std::string::npos);
}

std::string in_fortran(const Finding& finding) {
  Finding translated = finding;
  if (finding.dimension >= 0) translated.dimension = finding.dimension + 1;
  translated.found = in_fortran(finding.found);
  translated.expected = in_fortran(finding.expected);
  translated.remedy = in_fortran(reworded(finding.remedy));
  return to_string(translated);
}

std::string in_fortran(const Report& report) {
  std::ostringstream text;
  for (const Finding& finding : report.findings()) text << in_fortran(finding) << '\n';
  text << report.verdict();
  return text.str();
}

}  // namespace daptor::fortran
