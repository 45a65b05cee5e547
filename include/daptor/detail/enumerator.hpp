// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace daptor::detail {

/// How the compiler spells a value in its name of this function; empty if it is no enumerator.
template <auto Value>
constexpr std::string_view spelled() {
  // GCC: "... [with auto Value = daptor::Stencil::box; ...]". Clang: "... [Value = ...]".
  std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t start = text.find("Value = ") + std::string_view("Value = ").size();
  text = text.substr(start, text.find_first_of(";]", start) - start);
  // What is no enumerator is spelled as a cast, "(daptor::Stencil)2".
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return {};
  text = text.substr(colon + 1);
  return text.find(')') == std::string_view::npos ? text : std::string_view();
}

template <class Enum, std::size_t... Values>
constexpr std::array<std::string_view, sizeof...(Values)> all_spelled(
    std::index_sequence<Values...>) {
  return {spelled<static_cast<Enum>(Values)>()...};
}

/// The enumerator as it is spelled, without its type: `box`. Empty for those from 16 on.
template <class Enum>
std::string_view enumerator(Enum value) {
  static constexpr auto names = all_spelled<Enum>(std::make_index_sequence<16>());
  const auto place = static_cast<std::size_t>(value);
  return place < names.size() ? names[place] : std::string_view();
}

}  // namespace daptor::detail
