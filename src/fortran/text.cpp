// SPDX-License-Identifier: BSD-3-Clause
#include "text.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <regex>
#include <sstream>
#include <string_view>
#include <vector>

#include "objects.hpp"

namespace daptor::fortran {

namespace {

/// A phrase of a remedy in C++ terms, and the corresponding phrase in Fortran terms.
struct Wording {
  std::string_view there;
  std::string_view here;
};
constexpr Wording wordings[] = {
    {"owned_then_ghosts (key 'owned' of the dictionary), or name the owners in HaloOptions::owned",
     "daptor_unstructured(..., owned=...)"},
    {": section.on(comm)", ""},
    {"Redistribute to a new array, made by daptor::like",
     "Call daptor_redistribute to another array"},
    {"Set the option read_from_any", "Pass read_from_any=.true."},
    {"VecOptions::allow_overlap", "allow_overlap=.true."},
    {"owned_then_ghosts, or import it without VecOptions::ghosts",
     "daptor_unstructured(..., owned=...), or import it without ghosts=.true."},
    {"(owned_then_ghosts)", "(daptor_unstructured(..., owned=...))"},
    {"VecExportOptions::ghosts", "ghosts=.true."},
    {"daptor::petsc::copy_to_vec with CopyOptions::convert",
     "daptor_redistribute(a, b, convert=.true.), and import b"},
    {"pass daptor::without_padding(a), which is",
     "pass what a%without_padding(inside) makes, which is"},
    {"Use import_padded_vec or import_dmda for the padded section",
     "Use daptor_import_local_vec for the section with its ghost cells"},
};

std::string reworded(std::string text) {
  for (const Wording& wording : wordings) {
    const std::size_t at = text.find(wording.there);
    if (at == std::string::npos) continue;
    text.replace(at, wording.there.size(), wording.here);
  }
  return text;
}

/// What to do: the remedy, and the sentence that suggests a copy.
std::string advice_in_fortran(const Finding& finding) {
  std::string remedy = reworded(finding.remedy);
  if (!finding.copy) return remedy;
  const std::string copy =
      finding.copy.has("read_from_any")
          ? "escribe with daptor_unstructured(..., owned=...) which points each process owns; then "
            "daptor_redistribute copies the values of the owners to an array without ghosts."
          : "all daptor_redistribute to an array without ghost cells, and import that one.";
  const bool described = copy.front() == 'e';
  if (remedy.empty()) return (described ? "D" : "C") + copy;
  return remedy + (described ? " Or d" : " Or c") + copy;
}

/// The first index of each dimension; null if the call has not found any object.
std::optional<std::vector<Index>>& counted_from() {
  thread_local std::optional<std::vector<Index>> first;
  return first;
}

/// Ranges that a message writes half-open and from 0, such as [0, 4), as Fortran's bounds 1:4, and
/// the indices that it names.
/// @param first  the Fortran index of described index 0
std::string in_bounds(const std::string& text, Index first) {
  static const std::regex place(R"(\[(-?\d{1,18}), (-?\d{1,18})\)|\bindex (-?\d{1,18})\b)");
  std::string result;
  auto done = text.cbegin();
  for (std::sregex_iterator at(text.begin(), text.end(), place), end; at != end; ++at) {
    const std::smatch& match = *at;
    result.append(done, match[0].first);
    const auto number = [&](std::size_t group) { return std::stoll(match[group].str()) + first; };
    result += match[3].matched ? "index " + std::to_string(number(3))
                               : std::to_string(number(1)) + ':' + std::to_string(number(2) - 1);
    done = match[0].second;
  }
  return result.append(done, text.cend());
}

/// Whether the finding is about the array's indices and not yet in Fortran's terms.
bool counts_from_zero(const Finding& finding) {
  return finding.rule != "argument" && finding.key.rfind("proc_grid_", 0) != 0;
}

}  // namespace

void detail::begin_messages() noexcept {
  counted_from().reset();
}

void messages_count_from(const std::vector<Index>& first) {
  auto& all = counted_from();
  if (!all) all = first;
  all->resize(std::max(all->size(), first.size()), 1);
  for (std::size_t d = 0; d < all->size(); ++d)
    if ((*all)[d] != (d < first.size() ? first[d] : 1)) (*all)[d] = 1;
}

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
  const auto d = static_cast<std::size_t>(std::max(finding.dimension, 0));
  const auto& all = counted_from();
  const Index first = all && d < all->size() ? (*all)[d] : 1;
  const auto text_of = [&](const std::string& text) {
    return in_fortran(counts_from_zero(finding) ? in_bounds(text, first) : text);
  };
  translated.found = text_of(finding.found);
  translated.expected = text_of(finding.expected);
  translated.remedy = in_fortran(advice_in_fortran(finding));
  translated.copy = {};
  return to_string(translated);
}

std::string in_fortran(const Report& report) {
  std::ostringstream text;
  for (const Finding& finding : report.findings()) text << in_fortran(finding) << '\n';
  text << report.verdict();
  return text.str();
}

}  // namespace daptor::fortran
