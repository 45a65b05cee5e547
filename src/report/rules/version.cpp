// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/version.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <system_error>

namespace daptor {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_separator(char c) {
  return c == '.' || c == '-' || c == '_';
}

/// Takes a non-negative number off the front of the text; a number that is too large becomes the
/// largest int.
bool take_number(std::string_view& text, int& number) {
  if (text.empty() || !is_digit(text.front())) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) number = std::numeric_limits<int>::max();
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take_dot(std::string_view& text) {
  if (text.empty() || text.front() != '.') return false;
  text.remove_prefix(1);
  return true;
}

template <typename Predicate>
std::string_view take_while(std::string_view& text, Predicate predicate) {
  const auto end = std::find_if_not(text.begin(), text.end(), predicate);
  const auto length = static_cast<std::size_t>(end - text.begin());
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(length);
  return taken;
}

/// Whether this is a release word of PEP 440, which ignores case.
bool is_release_word(std::string_view word) {
  constexpr std::array<std::string_view, 12> words{"a",   "b",       "c",    "rc",  "alpha", "beta",
                                                   "pre", "preview", "post", "rev", "r",     "dev"};
  const auto same = [](char letter, char small) {
    return letter == small || (letter >= 'A' && letter <= 'Z' && letter - 'A' + 'a' == small);
  };
  return std::any_of(words.begin(), words.end(), [&](std::string_view known) {
    return std::equal(word.begin(), word.end(), known.begin(), known.end(), same);
  });
}

/// Whether the text, which begins with `+`, is a local label such as `+debian.1`.
bool is_local_label(std::string_view text) {
  text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_digit(c) || is_letter(c) || is_separator(c);
  });
}

/// Whether the text is a suffix: words with numbers (`rc1`, `.post2.dev3`, `-alpha.1`), then
/// perhaps a local label.
bool is_suffix(std::string_view text) {
  while (!text.empty()) {
    if (text.front() == '+') return is_local_label(text);
    if (is_separator(text.front())) text.remove_prefix(1);
    if (!is_release_word(take_while(text, is_letter))) return false;
    if (text.size() > 1 && is_separator(text[0]) && is_digit(text[1])) text.remove_prefix(1);
    take_while(text, is_digit);
  }
  return true;
}

}  // namespace

std::optional<Version> Version::parse(std::string_view text, std::string* suffix) {
  Version version;
  if (!take_number(text, version.major) || !take_dot(text) || !take_number(text, version.minor) ||
      !take_dot(text) || !take_number(text, version.patch) || !is_suffix(text))
    return std::nullopt;
  if (suffix != nullptr) *suffix = std::string(text);
  return version;
}

std::optional<Version::Rules> Version::rules() const {
  if (major == 0 && minor == 9) return Version::Rules::v0_9;
  if (major == 0 && minor == 10) return Version::Rules::v0_10;
  return std::nullopt;
}

std::string Version::text() const {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

std::ostream& operator<<(std::ostream& out, Version version) {
  return out << version.text();
}

}  // namespace daptor
