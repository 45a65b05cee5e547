// SPDX-License-Identifier: BSD-3-Clause
#include "settings.hpp"

#include <cctype>
#include <functional>
#include <optional>
#include <sstream>

#include <petscsys.h>

#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::call;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The whole options database as PETSc prints it: "-name value -name -name value".
std::string all_options() {
  char* text = nullptr;
  call("PetscOptionsGetAll", PetscOptionsGetAll, static_cast<PetscOptions>(nullptr), &text);
  std::string copy = text == nullptr ? "" : text;
  static_cast<void>(PetscFree(text));
  return copy;
}

/// Each name and each value ends with a zero byte, so that different settings cannot have the same
/// text.
std::string packed(const Settings& settings) {
  std::string text;
  for (const auto& [name, value] : settings) text += name + '\0' + value + '\0';
  return text;
}

Settings unpacked(const std::string& text) {
  Settings settings;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t name_end = text.find('\0', at);
    const std::size_t value_end = text.find('\0', name_end + 1);
    settings.emplace(text.substr(at, name_end - at),
                     text.substr(name_end + 1, value_end - name_end - 1));
    at = value_end + 1;
  }
  return settings;
}

std::string spelt(const Settings& settings, const std::string& name) {
  const auto at = settings.find(name);
  return at == settings.end() ? "not given" : at->second.empty() ? "given" : "'" + at->second + "'";
}

/// The first setting, by name, that differs between the two.
std::optional<std::string> difference(const Settings& mine, const Settings& first) {
  Settings both(mine);
  both.insert(first.begin(), first.end());
  for (const auto& [name, value] : both)
    if (spelt(mine, name) != spelt(first, name)) return name;
  return std::nullopt;
}

}  // namespace

bool is_option_name(const std::string& word) {
  PetscBool name = PETSC_FALSE;
  call("PetscOptionsValidKey", PetscOptionsValidKey, word.c_str(), &name);
  return name == PETSC_TRUE;
}

Settings options_under(const std::string& prefix) {
  const std::string dashed = lower("-" + prefix);
  Settings found;
  // value of the option that is being read; null if the option has another prefix
  std::string* value = nullptr;
  std::istringstream words(all_options());
  for (std::string word; words >> word;) {
    if (is_option_name(word)) {
      const bool ours = lower(word).rfind(dashed, 0) == 0;
      value = ours ? &found["-" + word.substr(dashed.size())] : nullptr;
    } else if (value != nullptr) {
      *value += (value->empty() ? "" : " ") + word;
    }
  }
  return found;
}

std::string of_first_rank(const std::string& mine, Call& call) {
  const Comm& comm = call.comm();
  auto size = static_cast<std::int64_t>(mine.size());
  comm->broadcast(&size, sizeof size, 0);
  std::string text = call.check(
      [&] { return comm.rank() == 0 ? mine : std::string(static_cast<std::size_t>(size), '\0'); });
  comm->broadcast(text.data(), text.size(), 0);
  return text;
}

void require_same(Call& call, const char* rule, const std::function<Settings()>& read) {
  Settings settings;
  Agreed<std::int64_t> least, greatest;
  const std::string mine = call.check([&] {
    settings = read();
    std::string text = packed(settings);
    const auto hash = static_cast<std::int64_t>(std::hash<std::string>()(text) >> 2);
    least = call.least(hash);
    greatest = call.greatest(hash);
    return text;
  });
  if (least == greatest) return;
  const std::string first = of_first_rank(mine, call);
  call.check([&] {
    const Settings theirs = unpacked(first);
    const auto name = difference(settings, theirs);
    if (!name) return;
    adapter::refuse_argument(
        rule,
        *name + ": " + spelt(settings, *name) + " here, but " + spelt(theirs, *name) + " on rank 0",
        "the same value on all ranks",
        "Compute the setting from values that are the same on all ranks.");
  });
}

}  // namespace daptor::solvers
