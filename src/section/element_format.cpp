// SPDX-License-Identifier: BSD-3-Clause
#include "section/element_format.hpp"

#include <string>

namespace daptor::detail {
namespace {

constexpr std::string_view digits = "0123456789";

bool is_one_of(char c, std::string_view letters) {
  return letters.find(c) != std::string_view::npos;
}

/// Reads a format from left to right.
class FormatReader {
 public:
  explicit FormatReader(std::string_view format) : rest_(format) {}

  bool is_sound() {
    while (!rest_.empty())
      if (!take_next()) return false;
    return elements_ && !pending_ && open_ == 0;
  }

 private:
  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  bool take(char expected) {
    if (rest_.empty() || rest_.front() != expected) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// Skips everything up to `end`, which must follow. Accepts only `letters`, unless that is empty.
  bool take_until(char end, std::string_view letters) {
    const auto length = rest_.find(end);
    if (length == std::string_view::npos) return false;
    const std::string_view inside = rest_.substr(0, length);
    rest_.remove_prefix(length + 1);
    return letters.empty() || inside.find_first_not_of(letters) == std::string_view::npos;
  }
  bool element() {
    elements_ = true;
    pending_ = false;
    return true;
  }

  bool take_next() {
    const char c = take();
    if (is_one_of(c, " \t\n")) return true;
    if (is_one_of(c, "@=<>!^")) {
      native_ = c == '@' || c == '^';
      return pending_ = true;
    }
    if (is_one_of(c, digits) || c == '&') return pending_ = true;
    if (c == '(') return (pending_ = take_until(')', "0123456789, "));
    if (c == ':') return elements_ && !pending_ && take_until(':', "");
    if (c == 'T' || c == 'X') {
      if (!take('{')) return false;
      ++open_;
      return c == 'X' ? element() : true;
    }
    if (c == '}') return open_-- > 0 && element();
    if (c == '-') return open_ > 0 && take('>');
    if (c == 'Z') return !rest_.empty() && is_one_of(take(), "fdg") && element();
    if (is_one_of(c, "nN")) return native_ && element();
    return is_one_of(c, "xcbB?hHiIlLqQefdgspPtuwO") && element();
  }

  std::string_view rest_;
  std::size_t open_ = 0;   // number of open braces
  bool native_ = true;     // the last byte order was this machine's
  bool elements_ = false;  // at least one element was described
  bool pending_ = false;   // a count, a byte order or a pointer waits for its element
};

}  // namespace

bool is_buffer_format(std::string_view format) {
  return FormatReader(format).is_sound();
}

bool is_typestr(std::string_view typestr) {
  if (typestr.size() < 3 || !is_one_of(typestr[0], "<>|=") ||
      !is_one_of(typestr[1], "tbiufcmMOSUV"))
    return false;
  const char kind = typestr[1];
  const bool ordered = typestr[0] != '|';
  typestr.remove_prefix(2);
  const bool dated = is_one_of(kind, "mM") && typestr.back() == ']';
  if (dated) {
    const auto unit = typestr.find('[');
    if (unit == std::string_view::npos) return false;
    typestr = typestr.substr(0, unit);
  }
  const auto significant = typestr.find_first_not_of('0');
  if (!ordered && is_one_of(kind, "iufcmMU") && typestr != "1") return false;
  // A number type needs a size; text may be empty.
  if (significant == std::string_view::npos && !is_one_of(kind, "SUV")) return false;
  return !typestr.empty() && typestr.size() <= 18 &&
         typestr.find_first_not_of(digits) == std::string_view::npos;
}

}  // namespace daptor::detail
