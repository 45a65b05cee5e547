// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// \file
/// The members of an option struct, listed once: beside the struct stands a function `fields`,
/// which argument-dependent lookup finds. Whatever has to know all options goes through that list:
/// that they are the same on all ranks (`Call::same`), Python's keywords, the arguments of Fortran.
/// \code
/// struct TileOptions {
///   bool readonly = false;
///   int width = 1;
/// };
/// constexpr auto fields(const TileOptions&) {
///   return daptor::field_list(daptor::field("readonly", &TileOptions::readonly),
///                             daptor::field("width", &TileOptions::width));
/// }
/// \endcode

namespace daptor {

/// One member of the struct `Options`, with its name.
template <class Options, class T>
struct Field {
  const char* name;
  T Options::*member;
};

template <class Options, class T>
constexpr Field<Options, T> field(const char* name, T Options::*member) {
  return {name, member};
}

namespace detail {

/// Stands for a value of any type in the count of members.
struct AnyMember {
  template <class T>
  operator T&() const&& noexcept;
  template <class T>
  operator T&&() const&& noexcept;
};

template <class Options, class, class... Members>
struct IsMadeOf : std::false_type {};
template <class Options, class... Members>
struct IsMadeOf<Options, std::void_t<decltype(Options{std::declval<Members>()...})>, Members...>
    : std::true_type {};

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

/// Calls `visit(name, value)` for each member of `options`, in the order of the list.
template <class Options, class Visit>
constexpr void for_each_field(Options& options, Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field.name, options.*field.member), ...); },
             fields(options));
}

}  // namespace daptor
