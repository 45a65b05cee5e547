// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/terms.hpp"

#include <algorithm>
#include <tuple>

namespace daptor {
namespace {

constexpr Language others[] = {Language::python, Language::fortran, Language::command};

std::size_t place_of(Language language) {
  return static_cast<std::size_t>(std::find(std::begin(others), std::end(others), language) -
                                  std::begin(others));
}

std::string joined(const std::vector<Index>& numbers) {
  std::string text;
  for (const Index number : numbers) text += (text.empty() ? "" : " x ") + std::to_string(number);
  return text;
}

Terms marked(std::string words, Terms::Term term) {
  term.end = words.size();
  return {std::move(words), {std::move(term)}};
}

/// Renders the terms of one text in one language.
class Renderer {
 public:
  Renderer(const Terms& text, const Rendering& rendering, int dimension)
      : text_(text), rendering_(rendering), dimension_(dimension) {}

  std::string all() {
    std::string result = part(0, text_.str().size());
    if (lacking_) return {};
    // The space before a sentence whose predecessors are left out.
    if (text_.str().front() != ' ') result.erase(0, result.find_first_not_of(' '));
    return result;
  }

 private:
  using Term = Terms::Term;
  using Kind = Terms::Kind;

  /// The text from `begin` to `end`; sets `lacking_` if it names what the language does not have.
  std::string part(std::size_t begin, std::size_t end) {
    std::string result;
    const auto& terms = text_.terms();
    while (next_ < terms.size() && terms[next_].begin < end) {
      const Term& term = terms[next_++];
      result.append(text_.str(), begin, term.begin - begin);
      result += term.kind == Kind::sentence ? sentence(term) : word(term);
      begin = term.end;
    }
    return result.append(text_.str(), begin, end - begin);
  }

  std::string sentence(const Term& term) {
    const bool before = std::exchange(lacking_, false);
    std::string result = part(term.begin, term.end);
    if (std::exchange(lacking_, before)) return {};
    return result;
  }

  std::string word(const Term& term) {
    if (term.kind != Kind::name) return in_fortran() ? number(term) : as_it_is(term);
    const auto& said = (*term.words)[place_of(rendering_.language)];
    if (!said) lacking_ = true;
    return said.value_or("");
  }

  std::string as_it_is(const Term& term) const {
    return text_.str().substr(term.begin, term.end - term.begin);
  }
  bool in_fortran() const { return rendering_.language == Language::fortran; }

  Index first(const Term& term) const {
    const auto d = static_cast<std::size_t>(term.dimension < 0 ? dimension_ : term.dimension);
    return d < rendering_.first.size() ? rendering_.first[d] : 1;
  }

  /// Indices and orders as Fortran has them.
  std::string number(const Term& term) const {
    const auto& numbers = term.numbers;
    switch (term.kind) {
      case Kind::index:
        return std::to_string(numbers[0] + first(term));
      case Kind::ordinal:
        return std::to_string(numbers[0] < 0 ? numbers[0] : numbers[0] + 1);
      case Kind::range:
        return std::to_string(numbers[0] + first(term)) + ':' +
               std::to_string(numbers[1] - 1 + first(term));
      case Kind::dimension:
        return "dimension " + std::to_string(numbers[0] + 1);
      case Kind::file_shape:
        return joined({numbers.rbegin(), numbers.rend()});
      case Kind::shape:
      case Kind::name:
      case Kind::sentence:
        break;
    }
    return as_it_is(term);
  }

  const Terms& text_;
  const Rendering& rendering_;
  const int dimension_;
  std::size_t next_ = 0;  ///< the term that follows what has been rendered
  bool lacking_ = false;
};

}  // namespace

const char* Name::in(Language language) const {
  const char* const all[] = {cpp, python, fortran, command};
  return all[static_cast<std::size_t>(language)];
}

const char* CallName::in(Language language) const noexcept {
  const char* const word = name_ == nullptr ? nullptr : name_->in(language);
  return word == nullptr ? text_ : word;
}

Terms CallName::terms() const {
  if (name_ == nullptr) return text_;
  return terms::call(text_, in(Language::python), in(Language::fortran), in(Language::command));
}

bool operator==(const Terms::Term& a, const Terms::Term& b) {
  const auto fields = [](const Terms::Term& t) {
    return std::tie(t.kind, t.begin, t.end, t.dimension, t.numbers);
  };
  const bool same_words = a.words == b.words || (a.words && b.words && *a.words == *b.words);
  return same_words && fields(a) == fields(b);
}

Terms::Terms(const Name& name) : words_(name.cpp == nullptr ? "" : name.cpp) {
  Term term;
  term.end = words_.size();
  Words words;
  for (const Language language : others)
    if (const char* const word = name.in(language)) words[place_of(language)] = word;
  term.words = std::make_shared<const Words>(std::move(words));
  terms_.push_back(std::move(term));
}

void Terms::clear() {
  words_.clear();
  terms_.clear();
}

std::string Terms::in(const Rendering& rendering, int dimension) const {
  if (rendering.language == Language::cpp || terms_.empty()) return words_;
  return Renderer(*this, rendering, dimension).all();
}

Terms& Terms::operator+=(const Terms& more) {
  const std::size_t shift = words_.size();
  words_ += more.words_;
  terms_.reserve(terms_.size() + more.terms_.size());
  for (Term term : more.terms_) {
    term.begin += shift;
    term.end += shift;
    terms_.push_back(std::move(term));
  }
  return *this;
}

namespace terms {

Terms index(Index index, int dimension) {
  return marked(std::to_string(index), {Terms::Kind::index, 0, 0, dimension, {index}, nullptr});
}

Terms ordinal(Index number) {
  return marked(std::to_string(number), {Terms::Kind::ordinal, 0, 0, -1, {number}, nullptr});
}

Terms range(IndexRange range, int dimension) {
  return marked("[" + std::to_string(range.start) + ", " + std::to_string(range.stop) + ")",
                {Terms::Kind::range, 0, 0, dimension, {range.start, range.stop}, nullptr});
}

Terms shape(const std::vector<Index>& extents) {
  return marked(joined(extents), {Terms::Kind::shape, 0, 0, -1, extents, nullptr});
}

Terms file_shape(const std::vector<Index>& extents) {
  return marked(joined(extents), {Terms::Kind::file_shape, 0, 0, -1, extents, nullptr});
}

Terms dimension(int d) {
  return marked("dimension " + std::to_string(d), {Terms::Kind::dimension, 0, 0, -1, {d}, nullptr});
}

Terms set_option(const std::string& name) {
  return call("Set the option " + name, "Pass " + name + "=True", "Pass " + name + "=.true.",
              "Pass --" + name);
}

Terms call(std::string cpp, std::optional<std::string> python, std::optional<std::string> fortran,
           std::optional<std::string> command) {
  Terms::Term term;
  term.words = std::make_shared<const Terms::Words>(
      Terms::Words{std::move(python), std::move(fortran), std::move(command)});
  return marked(std::move(cpp), std::move(term));
}

Terms sentence(const Terms& text) {
  std::vector<Terms::Term> terms{{Terms::Kind::sentence, 0, text.str().size()}};
  terms.insert(terms.end(), text.terms().begin(), text.terms().end());
  return {text.str(), std::move(terms)};
}

}  // namespace terms
}  // namespace daptor
