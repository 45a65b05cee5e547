// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "daptor/detail/refused.hpp"
#include "daptor/types.hpp"

/// \file
/// Lists that callers write: shapes, grids, bounds and indices of any integer type, and flags.

namespace daptor {

namespace detail {

/// An entry of a list of integers, of whatever type it was.
struct AnyInteger {
  template <class T, std::enable_if_t<is_integer<T>, int> = 0>
  constexpr AnyInteger(T number) : value(static_cast<Index>(number)) {}
  template <class T, std::enable_if_t<std::is_arithmetic_v<T> && !is_integer<T>, int> = 0>
  constexpr AnyInteger(T /*number*/) : value(0) {
    static_assert(never<T>,
                  "a list of integers is wanted here, such as {4, 8}: neither bool nor float");
  }
  Index value;
};

template <class Container>
using EntryOf = std::remove_cv_t<
    std::remove_reference_t<decltype(*std::begin(std::declval<const Container&>()))>>;

template <class Container, class Base, class = void>
struct IsOtherList : std::false_type {};
template <class Container, class Base>
struct IsOtherList<Container, Base, std::void_t<EntryOf<Container>>>
    : std::bool_constant<!std::is_base_of_v<Base, Container> &&
                         std::is_convertible_v<EntryOf<Container>, Index>> {};

template <class T>
using RequireNumber =
    std::enable_if_t<std::is_arithmetic_v<std::remove_cv_t<std::remove_reference_t<T>>>, int>;

template <class T>
void refuse_widths() {
  static_assert(never<T>,
                "widths are a list: write a pair {lower, upper} for each dimension, as in "
                "= {{1, 1}, {1, 1}}");
}

}  // namespace detail

/// A list of integers, such as a shape: a std::vector<Index> that is made of any container or
/// braced list of integers, `{u.size(), 4}`. A bool is no integer. An unsigned number beyond 64
/// bits with a sign becomes the negative number that it stands for (`u.size() - 5` of three
/// elements is -2), which no shape, grid or list of indices may have.
class IndexVector : public std::vector<Index> {
 public:
  IndexVector() = default;
  IndexVector(std::vector<Index> list) : vector(std::move(list)) {}
  IndexVector(std::initializer_list<detail::AnyInteger> list) {
    reserve(list.size());
    for (const detail::AnyInteger entry : list) push_back(entry.value);
  }
  template <class Container,
            std::enable_if_t<detail::IsOtherList<Container, std::vector<Index>>::value, int> = 0>
  IndexVector(const Container& list) {
    static_assert(detail::is_integer<detail::EntryOf<Container>>,
                  "a list of integers is wanted here, such as {4, 8}: neither bool nor float");
    for (const auto& entry : list) push_back(static_cast<Index>(entry));
  }
  template <class Iterator, class = typename std::iterator_traits<Iterator>::iterator_category>
  IndexVector(Iterator first, Iterator last) : vector(first, last) {}

  template <class T, detail::RequireNumber<T> = 0>
  IndexVector& operator=(T&& /*number*/) {
    static_assert(detail::never<T>, "an option that is a list: write it in braces, as in = {1}");
    return *this;
  }
};

/// A list of flags, one for each dimension.
class FlagVector : public std::vector<bool> {
 public:
  FlagVector() = default;
  FlagVector(std::vector<bool> list) : vector(std::move(list)) {}
  FlagVector(std::initializer_list<bool> list) : vector(list) {}
  FlagVector(std::size_t count, bool flag) : vector(count, flag) {}

  template <class T, detail::RequireNumber<T> = 0>
  FlagVector& operator=(T&& /*flag*/) {
    static_assert(
        detail::never<T>,
        "an option that is a list: write a flag for each dimension, as in = {true, true}");
    return *this;
  }
};

/// A list of widths, a pair {lower, upper} for each dimension.
class PaddingVector : public std::vector<Padding> {
 public:
  PaddingVector() = default;
  PaddingVector(std::vector<Padding> list) : vector(std::move(list)) {}
  PaddingVector(std::initializer_list<Padding> list) : vector(list) {}
  PaddingVector(std::size_t count, Padding widths) : vector(count, widths) {}
  template <class T, detail::RequireNumber<T> = 0>
  PaddingVector(std::initializer_list<T> /*widths*/) {
    detail::refuse_widths<T>();
  }
  template <class T, detail::RequireNumber<T> = 0>
  PaddingVector& operator=(T&& /*width*/) {
    detail::refuse_widths<T>();
    return *this;
  }
};

}  // namespace daptor
