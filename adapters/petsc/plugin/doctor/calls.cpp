// SPDX-License-Identifier: BSD-3-Clause
#include "calls.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include <petsc/private/petscimpl.h>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/report.hpp"
#include "source_line.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

constexpr std::size_t most_named = 8;  ///< ranks of a group
constexpr std::size_t longest_text = 160;

std::string ranks_text(const std::vector<int>& ranks) {
  std::vector<int> named = ranks;
  named.resize(std::min(named.size(), most_named));
  std::string text = (ranks.size() == 1 ? "rank " : "ranks ") + adapter::joined_text(named, ", ");
  if (named.size() < ranks.size()) text += ", ... (" + std::to_string(ranks.size()) + " ranks)";
  return text;
}

/// Collective. Whether all ranks have the same text.
bool same_text(const Comm& comm, const std::string& text) {
  const auto hash = static_cast<std::int64_t>(std::hash<std::string>{}(text) >> 1U);
  std::array<std::int64_t, 2> ends{hash, -hash};
  comm->allreduce(ends.data(), 2, Reduction::max);
  return ends[0] == -ends[1];
}

/// Collective. The texts of all ranks, cut off after `longest_text`.
std::vector<std::string> texts_of_all(const Comm& comm, const std::string& mine) {
  std::array<char, longest_text> cut{};
  std::copy_n(mine.begin(), std::min(mine.size(), cut.size() - 1), cut.begin());
  std::vector<char> all(cut.size() * static_cast<std::size_t>(comm.size()));
  const int length = static_cast<int>(cut.size());
  MPI_Allgather(cut.data(), length, MPI_CHAR, all.data(), length, MPI_CHAR, comm->mpi());
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < all.size(); i += cut.size()) texts.emplace_back(all.data() + i);
  return texts;
}

/// All ranks of `comm`, in numbers of PETSC_COMM_WORLD.
std::vector<int> all_in_world(const Comm& comm) {
  std::vector<int> ranks(static_cast<std::size_t>(comm.size()));
  std::iota(ranks.begin(), ranks.end(), 0);
  return in_world(ranks, comm->mpi());
}

/// The options, `-ksp_rtol 1e-8`, in alphabetical order.
std::vector<std::string> options() {
  char* text = nullptr;
  if (static_cast<int>(PetscOptionsGetAll(nullptr, &text)) != 0 || text == nullptr) return {};
  std::istringstream words(text);
  static_cast<void>(PetscFree(text));
  std::vector<std::string> all;
  for (std::string word; words >> word;) {
    const bool is_name = word.size() > 1 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9');
    if (is_name || all.empty())
      all.push_back(word);
    else
      all.back() += ' ' + word;
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// Collective. The first option that not all ranks have in the same form; on each rank its own form
/// of it, or its absence.
std::string first_different(const Comm& comm, const std::vector<std::string>& mine) {
  // The ranks go through their lists together. Where entries differ, the option is the one that
  // comes first in the alphabet among all ranks.
  for (std::size_t i = 0;; ++i) {
    const std::string own = i < mine.size() ? mine[i] : "";
    if (same_text(comm, own)) continue;
    std::vector<std::string> names;
    for (const std::string& text : texts_of_all(comm, own))
      if (!text.empty()) names.push_back(text.substr(0, text.find(' ')));
    const std::string name = *std::min_element(names.begin(), names.end());
    for (const std::string& option : mine)
      if (option.substr(0, option.find(' ')) == name) return option;
    return "no " + name;
  }
}

}  // namespace

std::vector<int> in_world(const std::vector<int>& ranks, MPI_Comm comm) {
  std::vector<int> numbers(ranks.size());
  MPI_Group group = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
  MPI_Comm_group(comm, &group);
  MPI_Comm_group(PETSC_COMM_WORLD, &world);
  MPI_Group_translate_ranks(group, static_cast<int>(ranks.size()), ranks.data(), world,
                            numbers.data());
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  numbers.erase(std::remove(numbers.begin(), numbers.end(), MPI_UNDEFINED), numbers.end());
  return numbers;
}

std::string class_text(PetscObject object) {
  if (object == nullptr) return "null";
  return object->class_name == nullptr ? "object" : object->class_name;
}

std::string call_text(const char* event, PetscObject object) {
  std::string text = event;
  if (object == nullptr) return text;
  text += " of " + class_text(object);
  if (object->name != nullptr) text += std::string(" '") + object->name + "'";
  return text;
}

std::string by_rank(const std::vector<std::string>& texts, const std::vector<int>& ranks) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<int>> groups;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::vector<int>& group = groups[texts[i]];
    if (group.empty()) order.push_back(texts[i]);
    group.push_back(ranks[i]);
  }
  std::string text;
  for (const std::string& each : order)
    text += (text.empty() ? "" : "; ") + ranks_text(groups[each]) + ": " + each;
  return text;
}

std::optional<Finding> different_calls(const Comm& comm, const char* event, Objects objects) {
  std::string kind = event;
  for (PetscObject const object : objects) kind += ' ' + class_text(object);
  if (same_text(comm, kind)) return {};
  std::string call = call_text(event, objects[0]);
  const std::vector<std::string> calls = texts_of_all(comm, call);
  if (std::set<std::string>(calls.begin(), calls.end()).size() == 1)
    for (std::size_t i = 1; i < objects.size(); ++i) call += ", " + class_text(objects[i]);
  const SourceLine place = line_of_program();
  if (place.line > 0) call += ' ' + text_of(place);
  return error_finding(
      "check.calls.different", -1, "calls", by_rank(texts_of_all(comm, call), all_in_world(comm)),
      "the same collective call, with the same kinds of objects, on all ranks",
      "Look for a branch, or a loop's end, that depends on values which only some ranks have.");
}

std::optional<Finding> different_options(const Comm& comm) {
  const std::vector<std::string> mine = options();
  std::string all;
  for (const std::string& option : mine) all += option + '\n';
  if (same_text(comm, all)) return {};
  Finding finding = error_finding(
      "check.calls.options", -1, "options",
      by_rank(texts_of_all(comm, first_different(comm, mine)), all_in_world(comm)),
      "the same options on all ranks",
      "Solvers that are set up by them would make different collective calls. Set options on all "
      "ranks, and by values that all ranks have.");
  finding.severity = Severity::warning;
  return finding;
}

}  // namespace daptor::petsc::plugin::doctor
