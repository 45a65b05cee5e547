// SPDX-License-Identifier: BSD-3-Clause
#include "show/canvas.hpp"

#include <algorithm>
#include <ostream>

#include "show/palette.hpp"

namespace daptor::show {
namespace {

constexpr std::uint8_t up = 1, down = 2, left = 4, right = 8;

/// By the arms that meet in a character.
constexpr char32_t joints[16] = {U' ', U'│', U'│', U'│', U'─', U'┘', U'┐', U'┤',
                                 U'─', U'└', U'┌', U'├', U'─', U'┴', U'┬', U'┼'};

char32_t ascii_joint(std::uint8_t arms) {
  const bool across = (arms & (left | right)) != 0;
  const bool along = (arms & (up | down)) != 0;
  if (across && along) return U'+';
  return across ? U'-' : U'|';
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

void append_utf8(std::string& out, char32_t character) {
  const auto byte = [&](char32_t value) {
    out += static_cast<char>(static_cast<unsigned char>(value));
  };
  if (character < 0x80) {
    byte(character);
  } else if (character < 0x800) {
    byte(0xc0 | (character >> 6));
    byte(0x80 | (character & 0x3f));
  } else {
    byte(0xe0 | (character >> 12));
    byte(0x80 | ((character >> 6) & 0x3f));
    byte(0x80 | (character & 0x3f));
  }
}

std::string escape(Style style) {
  switch (style.kind) {
    case Style::Kind::plain:
      return {};
    case Style::Kind::faint:
      return "\x1b[2m";
    case Style::Kind::bold:
      return "\x1b[1m";
    case Style::Kind::solid:
      break;
    case Style::Kind::dark:
      break;
  }
  const std::string color = std::to_string(palette[static_cast<std::size_t>(style.color)].terminal);
  if (style.kind == Style::Kind::solid) return "\x1b[38;5;16;48;5;" + color + "m";
  return "\x1b[38;5;" + color + ";48;5;236m";
}

Canvas::Canvas(int rows, int columns, bool unicode)
    : rows_(rows),
      columns_(columns),
      unicode_(unicode),
      glyphs_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {}

const Canvas::Glyph* Canvas::at(int row, int column) const {
  if (row < 0 || row >= rows_ || column < 0 || column >= columns_) return nullptr;
  return &glyphs_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                  static_cast<std::size_t>(column)];
}

Canvas::Glyph* Canvas::at(int row, int column) {
  return const_cast<Glyph*>(static_cast<const Canvas*>(this)->at(row, column));
}

bool Canvas::blank(int row, int column) const {
  const Glyph* glyph = at(row, column);
  return glyph == nullptr || (glyph->character == U' ' && glyph->arms == 0);
}

void Canvas::put(int row, int column, char32_t character, Style style) {
  Glyph* glyph = at(row, column);
  if (glyph != nullptr) *glyph = {character, 0, style};
}

void Canvas::text(int row, int column, std::string_view text, Style style) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    char32_t character = length == 1 ? lead : lead & (0x7fU >> length);
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k)
      character = character << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
    put(row, column, character, style);
    ++column;
    i += length;
  }
}

void Canvas::fill(int row, int column, int rows, int columns, char32_t character, Style style) {
  for (int r = row; r < row + rows; ++r)
    for (int c = column; c < column + columns; ++c) put(r, c, character, style);
}

void Canvas::horizontal(int row, int from, int to) {
  for (int c = from; c <= to; ++c) {
    Glyph* glyph = at(row, c);
    if (glyph == nullptr) continue;
    if (c > from) glyph->arms |= left;
    if (c < to) glyph->arms |= right;
  }
}

void Canvas::vertical(int column, int from, int to) {
  for (int r = from; r <= to; ++r) {
    Glyph* glyph = at(r, column);
    if (glyph == nullptr) continue;
    if (r > from) glyph->arms |= up;
    if (r < to) glyph->arms |= down;
  }
}

void Canvas::dotted_horizontal(int row, int from, int to) {
  for (int c = from; c <= to; ++c) put(row, c, unicode_ ? U'┄' : U'.', {Style::Kind::faint});
}

void Canvas::dotted_vertical(int column, int from, int to) {
  for (int r = from; r <= to; ++r) put(r, column, unicode_ ? U'┊' : U':', {Style::Kind::faint});
}

char32_t Canvas::shown(const Glyph& glyph) const {
  if (glyph.arms == 0) return glyph.character;
  return unicode_ ? joints[glyph.arms] : ascii_joint(glyph.arms);
}

void Canvas::write(std::ostream& out, bool color) const {
  std::string line;
  for (int r = 0; r < rows_; ++r) {
    line.clear();
    const Glyph* row =
        glyphs_.data() + static_cast<std::size_t>(r) * static_cast<std::size_t>(columns_);
    int end = columns_;
    while (end > 0 && shown(row[end - 1]) == U' ' && row[end - 1].style.kind < Style::Kind::solid)
      --end;
    Style style;
    for (int c = 0; c < end; ++c) {
      const Style next = row[c].arms != 0 ? Style{} : row[c].style;
      if (color && !(next == style)) {
        if (style.kind != Style::Kind::plain) line += escape_end;
        line += escape(next);
        style = next;
      }
      append_utf8(line, shown(row[c]));
    }
    if (style.kind != Style::Kind::plain) line += escape_end;
    out << line << '\n';
  }
}

}  // namespace daptor::show
