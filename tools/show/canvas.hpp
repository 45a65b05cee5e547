// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace daptor::show {

/// How a character is painted.
struct Style {
  enum class Kind : std::uint8_t { plain, faint, bold, solid, dark };
  Kind kind = Kind::plain;
  int color = 0;  ///< of the palette, for solid (its background) and dark (its text)

  friend bool operator==(Style a, Style b) {
    return a.kind == b.kind && (a.kind < Kind::solid || a.color == b.color);
  }
};

/// A page of characters with box drawing. Rows and columns count from 0; what lies outside is
/// ignored.
class Canvas {
 public:
  Canvas(int rows, int columns, bool unicode);

  void put(int row, int column, char32_t character, Style style = {});
  /// ASCII text, or UTF-8 of one column a character.
  void text(int row, int column, std::string_view text, Style style = {});
  void fill(int row, int column, int rows, int columns, char32_t character, Style style);

  /// Lines through the middle of characters; where they meet, they join. From one character to
  /// another, both included.
  void horizontal(int row, int from, int to);
  void vertical(int column, int from, int to);
  /// A light line that joins nothing.
  void dotted_horizontal(int row, int from, int to);
  void dotted_vertical(int column, int from, int to);

  bool blank(int row, int column) const;
  /// Rows without the blanks at their ends.
  void write(std::ostream& out, bool color) const;

 private:
  struct Glyph {
    char32_t character = U' ';
    std::uint8_t arms = 0;
    Style style;
  };
  Glyph* at(int row, int column);
  const Glyph* at(int row, int column) const;
  char32_t shown(const Glyph& glyph) const;

  int rows_;
  int columns_;
  bool unicode_;
  std::vector<Glyph> glyphs_;
};

/// The escape sequence that starts a style; empty for plain.
std::string escape(Style style);
inline constexpr const char* escape_end = "\x1b[0m";

/// Columns that UTF-8 text takes up, where each character takes one.
std::size_t columns_of(std::string_view text);

/// Appends a character as UTF-8.
void append_utf8(std::string& out, char32_t character);

}  // namespace daptor::show
