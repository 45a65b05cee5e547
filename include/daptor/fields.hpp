// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

/// \file
/// The members of an option struct and the words of an enumeration, listed once: beside the type
/// stands a function `fields` or `words`, which argument-dependent lookup finds. Whatever has to
/// know all options goes through these lists: that they are the same on all ranks (`Call::same`),
/// Python's keywords and their documentation, Fortran's arguments, the page of options. What an
/// option means is therefore said in its field, in words that hold in every language, and not again
/// at the member.
/// \code
/// enum class Glaze { matt, gloss };
/// constexpr auto words(Glaze) {
///   return daptor::word_list(daptor::word("matt", Glaze::matt, "as it is fired"),
///                            daptor::word("gloss", Glaze::gloss, "fired twice"));
/// }
/// struct TileOptions {
///   bool readonly = false;
///   int width = 0;
///   Glaze glaze = Glaze::matt;
/// };
/// constexpr auto fields(const TileOptions&) {
///   return daptor::field_list(
///       daptor::field("readonly", &TileOptions::readonly, "lock the tile for reading"),
///       daptor::optional_field("width", &TileOptions::width, "elements in a row; not given: all"),
///       daptor::field("glaze", &TileOptions::glaze, "how the surface is treated"));
/// }
/// \endcode

namespace daptor {

/// One member of the struct `Options`, with its name and what it means.
template <class Options, class T>
struct Field {
  using Value = T;
  const char* name;
  T Options::*member;
  const char* text;  ///< without a full stop; sentences within are separated by semicolons
  /// The member's default stands for an option that is not given, which a language may write as
  /// "nothing" (Python: None) rather than as this value.
  bool optional;
};

template <class Options, class T>
constexpr Field<Options, T> field(const char* name, T Options::*member, const char* text) {
  return {name, member, text, false};
}

/// A member whose default stands for "not given": a number that no program passes, an empty text.
template <class Options, class T>
constexpr Field<Options, T> optional_field(const char* name, T Options::*member, const char* text) {
  return {name, member, text, true};
}

/// An enumerator, as programs in other languages, files and messages write it.
template <class Enum>
struct Word {
  std::string_view name;
  Enum value;
  std::string_view text;  ///< what it means, in a few words; may be empty
};

template <class Enum>
constexpr Word<Enum> word(std::string_view name, Enum value, std::string_view text = {}) {
  return {name, value, text};
}

/// All enumerators of an enumeration.
template <class Enum, class... More>
constexpr std::array<Word<Enum>, 1 + sizeof...(More)> word_list(Word<Enum> first, More... more) {
  return {first, more...};
}

/// The word of an enumerator; empty for a value that has none.
template <class Enum>
constexpr std::string_view word_of(Enum value) {
  for (const auto& each : words(Enum{}))
    if (each.value == value) return each.name;
  return {};
}

/// The enumerator of this word.
template <class Enum>
constexpr std::optional<Enum> enumerator_of(std::string_view name) {
  for (const auto& each : words(Enum{}))
    if (each.name == name) return each.value;
  return std::nullopt;
}

namespace detail {

/// Stands for a value of any type in the count of members.
struct AnyMember {
  template <class T>
  operator T&() const&& noexcept;
  template <class T>
  operator T&&() const&& noexcept;
};

// GCC warns of the conversion to an optional, which is never run.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
template <class Options, class, class... Members>
struct IsMadeOf : std::false_type {};
template <class Options, class... Members>
struct IsMadeOf<Options, std::void_t<decltype(Options{std::declval<Members>()...})>, Members...>
    : std::true_type {};
#pragma GCC diagnostic pop

/// Number of members of an aggregate: the most values with which it can be initialized.
template <class Options, class... Members>
constexpr std::size_t member_count() {
  if constexpr (IsMadeOf<Options, void, Members..., AnyMember>::value)
    return member_count<Options, Members..., AnyMember>();
  else
    return sizeof...(Members);
}

}  // namespace detail

/// The fields of a struct, in any order. Does not compile if one is missing.
template <class Options, class... T>
constexpr std::tuple<Field<Options, T>...> field_list(Field<Options, T>... fields) {
  static_assert(sizeof...(T) == detail::member_count<Options>(),
                "fields() must list every member of the struct");
  return {fields...};
}

/// Calls `visit(field, value)` for each member of `options`, in the order of the list.
template <class Options, class Visit>
constexpr void for_each_field(Options& options, Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field, options.*field.member), ...); },
             fields(options));
}

}  // namespace daptor
