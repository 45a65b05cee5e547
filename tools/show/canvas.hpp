// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace daptor::show {

/// Colour and weight of a character.
struct Style {
  enum class Kind : std::uint8_t { plain, faint, bold, solid, dark };
  Kind kind = Kind::plain;
  int color = 0;  ///< of the palette, for solid (its background) and dark (its text)

  friend bool operator==(Style a, Style b) {
    return a.kind == b.kind && (a.kind < Kind::solid || a.color == b.color);
  }
};

/// A page of characters with box drawing. Rows and columns count from 0; drawing outside of the
/// page has no effect. Text is UTF-8, of one column a character.
class Canvas {
 public:
  Canvas(int rows, int columns, bool unicode);

  void text(int row, int column, std::string_view text, Style style = {});
  /// Fills a rectangle with one character.
  void fill(int row, int column, int rows, int columns, std::string_view character, Style style);

  /// A line through the middle of the characters from one to another, both included. Solid lines
  /// join where they meet; a dotted line joins no other.
  void horizontal(int row, int from, int to, bool dotted = false);
  void vertical(int column, int from, int to, bool dotted = false);

  /// The rows, without trailing blanks.
  void write(std::ostream& out, bool color) const;

 private:
  struct Glyph {
    std::string character = " ";
    std::uint8_t arms = 0;
    Style style;
  };
  Glyph* at(int row, int column);
  std::string_view shown(const Glyph& glyph) const;

  int rows_;
  int columns_;
  bool unicode_;
  std::vector<Glyph> glyphs_;
};

/// The escape sequence that starts a style; empty for plain.
std::string escape(Style style);
inline constexpr const char* escape_end = "\x1b[0m";

}  // namespace daptor::show
