// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "daptor/types.hpp"

/// \file
/// The text of a message as data. A message is written once, where it arises; what differs between
/// the languages in which a program may be written (names of calls and options, where indices
/// begin, in which order dimensions count) are terms in it, which each language renders in its own
/// way. Everything else stays as it is, whatever it looks like: no rendering searches in text.

namespace daptor {

/// The language in which a caller reads a message.
enum class Language { cpp, python, fortran, command };

/// What a call, an option or a phrase that names some is called in each language: a row of the
/// table that the adapter which has it owns (`names.hpp` in its folder). A language that does not
/// have it has a null pointer there.
///
/// \code
/// inline constexpr Name copy_to_vec{"daptor::petsc::copy_to_vec(a)", "a.copy_to_petsc()"};
/// inline constexpr Name convert{"CopyOptions::convert", "convert=True", "convert=.true."};
/// \endcode
struct Name {
  const char* cpp = nullptr;
  const char* python = nullptr;
  const char* fortran = nullptr;
  const char* command = nullptr;

  const char* in(Language language) const;
};

class Terms;

/// What messages call a collective call: one text in every language, or what each language calls
/// it, and C++'s words in a language that has none. Refers to what it was made of, which must
/// outlive it.
class CallName {
 public:
  CallName() = default;
  CallName(const char* text) noexcept : text_(text) {}
  CallName(const Name& name) noexcept : text_(name.cpp), name_(&name) {}
  CallName(Name&& name) = delete;

  /// In C++'s words; null if there is no call.
  const char* text() const noexcept { return text_; }
  const char* in(Language language) const noexcept;
  /// As a piece of a message.
  Terms terms() const;

 private:
  const char* text_ = nullptr;
  const Name* name_ = nullptr;
};

/// How a message is rendered.
struct Rendering {
  Language language = Language::cpp;
  /// In Fortran the index of the first element along each dimension; 1 where it is left out.
  std::vector<Index> first = {};
};

/// The text of a message: words in C++'s terms, in which some pieces are marked as terms. Text that
/// came from a user (a file's name, a label, a value) is never a term, and comes back byte for byte
/// in every language.
///
/// \code
/// Terms text = "the block " + terms::range({0, 4}, 1) + " of '" + name + "'";
/// text.str();                      // the block [0, 4) of 'u'
/// text.in({Language::fortran});    // the block 1:4 of 'u'
/// \endcode
class Terms {
 public:
  Terms() = default;
  Terms(std::string words) : words_(std::move(words)) {}
  Terms(std::string_view words) : words_(words) {}
  Terms(const char* words) : words_(words) {}
  Terms(const Name& name);

  /// In C++'s terms.
  const std::string& str() const { return words_; }
  bool empty() const { return words_.empty(); }
  void clear();

  /// In the terms of a language. A sentence (`terms::sentence`) that names what the language does
  /// not have is left out, and so is a text outside of sentences which does.
  /// @param dimension  the array dimension of ranges and indices that name none; -1 if none has
  std::string in(const Rendering& rendering, int dimension = -1) const;

  Terms& operator+=(const Terms& more);

  enum class Kind : char {
    name,        ///< `words` for each language
    index,       ///< a global index along `dimension`: `numbers[0]`
    range,       ///< global indices [numbers[0], numbers[1]) along `dimension`
    shape,       ///< extents in the order of the array's dimensions
    file_shape,  ///< extents in C order: the last one varies fastest
    ordinal,     ///< `numbers[0]`, counted from 0 or, if negative, from the end
    dimension,   ///< the number of a dimension
    sentence     ///< a part that is left out as a whole
  };
  /// In Python, Fortran and the command; nothing where the language has no such call or option.
  using Words = std::array<std::optional<std::string>, 3>;
  /// A marked piece of the text.
  struct Term {
    Kind kind = Kind::name;
    std::size_t begin = 0;  ///< in the text in C++'s terms
    std::size_t end = 0;
    int dimension = -1;
    std::vector<Index> numbers = {};
    /// Of a name, which copies share; null for other terms.
    std::shared_ptr<const Words> words = nullptr;

    friend bool operator==(const Term& a, const Term& b);
  };
  /// By `begin`; a sentence stands before the terms in it.
  const std::vector<Term>& terms() const { return terms_; }
  /// Text with the given terms, for what was sent from another rank.
  Terms(std::string words, std::vector<Term> terms)
      : words_(std::move(words)), terms_(std::move(terms)) {}

  friend Terms operator+(Terms left, const Terms& right) {
    left += right;
    return left;
  }
  friend bool operator==(const Terms& a, const Terms& b) {
    return a.words_ == b.words_ && a.terms_ == b.terms_;
  }
  friend bool operator!=(const Terms& a, const Terms& b) { return !(a == b); }
  /// Plain text is compared with the text in C++'s terms.
  friend bool operator==(const Terms& a, const char* b) { return a.words_ == b; }
  friend bool operator==(const Terms& a, const std::string& b) { return a.words_ == b; }
  friend bool operator!=(const Terms& a, const char* b) { return a.words_ != b; }
  friend bool operator!=(const Terms& a, const std::string& b) { return a.words_ != b; }
  friend std::ostream& operator<<(std::ostream& out, const Terms& terms) {
    return out << terms.words_;
  }

 private:
  std::string words_;
  std::vector<Term> terms_;
};

inline Terms operator+(Terms left, const Name& right) {
  left += right;
  return left;
}
inline Terms operator+(const Name& left, const Terms& right) {
  return Terms(left) + right;
}

/// Pieces of messages. Process-local.
namespace terms {

/// A global index. @param dimension  of the array; -1 for that of the finding
Terms index(Index index, int dimension = -1);
/// The number of a thing in a row, such as a step of a file: in Fortran counted from 1. A negative
/// one counts from the end, in every language.
Terms ordinal(Index number);
/// `[2, 5)`; in Fortran `3:5`
Terms range(IndexRange range, int dimension = -1);
/// `2 x 3 x 4`, in the order of the array's dimensions
Terms shape(const std::vector<Index>& extents);
/// `2 x 3 x 4`, where the last extent varies fastest; in Fortran `4 x 3 x 2`
Terms file_shape(const std::vector<Index>& extents);
/// `dimension 1`; in Fortran `dimension 2`
Terms dimension(int d);
inline Terms dimension(std::size_t d) {
  return dimension(static_cast<int>(d));
}
/// `Set the option convert`, in Python `Pass convert=True`: what a caller does about an option that
/// has the same name in every language, and is a truth value.
Terms set_option(const std::string& name);
/// A call whose words are put together: as `Name`, with nothing where the language does not have
/// it.
Terms call(std::string cpp, std::optional<std::string> python = std::nullopt,
           std::optional<std::string> fortran = std::nullopt,
           std::optional<std::string> command = std::nullopt);
/// One or more sentences, with a space before the next ones: left out as a whole in a language that
/// lacks a call or an option which it names.
Terms sentence(const Terms& text);

}  // namespace terms
}  // namespace daptor
