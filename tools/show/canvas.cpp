// SPDX-License-Identifier: BSD-3-Clause
#include "show/canvas.hpp"

#include <algorithm>
#include <ostream>

#include "show/palette.hpp"

namespace daptor::show {
namespace {

constexpr std::uint8_t arm_up = 1, arm_down = 2, arm_left = 4, arm_right = 8;

/// Box-drawing characters, indexed by the arms that meet in a character.
constexpr const char* joints[16] = {" ", "│", "│", "│", "─", "┘", "┐", "┤",
                                    "─", "└", "┌", "├", "─", "┴", "┬", "┼"};
constexpr const char* ascii_joints[16] = {" ", "|", "|", "|", "-", "+", "+", "+",
                                          "-", "+", "+", "+", "-", "+", "+", "+"};

}  // namespace

std::string escape(Style style) {
  const std::string color = std::to_string(palette[static_cast<std::size_t>(style.color)].terminal);
  switch (style.kind) {
    case Style::Kind::plain:
      break;
    case Style::Kind::faint:
      return "\x1b[2m";
    case Style::Kind::bold:
      return "\x1b[1m";
    case Style::Kind::solid:
      return "\x1b[38;5;16;48;5;" + color + "m";
    case Style::Kind::dark:
      return "\x1b[38;5;" + color + ";48;5;236m";
  }
  return {};
}

Canvas::Canvas(int rows, int columns, bool unicode)
    : rows_(rows),
      columns_(columns),
      unicode_(unicode),
      glyphs_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {}

Canvas::Glyph* Canvas::at(int row, int column) {
  if (row < 0 || row >= rows_ || column < 0 || column >= columns_) return nullptr;
  return &glyphs_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                  static_cast<std::size_t>(column)];
}

void Canvas::text(int row, int column, std::string_view text, Style style) {
  while (!text.empty()) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (Glyph* glyph = at(row, column++)) *glyph = {std::string(text.substr(0, length)), 0, style};
    text.remove_prefix(std::min(length, text.size()));
  }
}

void Canvas::fill(int row, int column, int rows, int columns, std::string_view character,
                  Style style) {
  for (int r = row; r < row + rows; ++r)
    for (int c = column; c < column + columns; ++c) text(r, c, character, style);
}

void Canvas::horizontal(int row, int from, int to, bool dotted) {
  if (dotted) return fill(row, from, 1, to - from + 1, unicode_ ? "┄" : ".", {Style::Kind::faint});
  for (int c = from; c <= to; ++c) {
    Glyph* glyph = at(row, c);
    if (glyph == nullptr) continue;
    if (c > from) glyph->arms |= arm_left;
    if (c < to) glyph->arms |= arm_right;
  }
}

void Canvas::vertical(int column, int from, int to, bool dotted) {
  if (dotted)
    return fill(from, column, to - from + 1, 1, unicode_ ? "┊" : ":", {Style::Kind::faint});
  for (int r = from; r <= to; ++r) {
    Glyph* glyph = at(r, column);
    if (glyph == nullptr) continue;
    if (r > from) glyph->arms |= arm_up;
    if (r < to) glyph->arms |= arm_down;
  }
}

std::string_view Canvas::shown(const Glyph& glyph) const {
  if (glyph.arms == 0) return glyph.character;
  return (unicode_ ? joints : ascii_joints)[glyph.arms];
}

void Canvas::write(std::ostream& out, bool color) const {
  for (int r = 0; r < rows_; ++r) {
    const Glyph* row =
        glyphs_.data() + static_cast<std::size_t>(r) * static_cast<std::size_t>(columns_);
    int end = columns_;
    while (end > 0 && shown(row[end - 1]) == " " && row[end - 1].style.kind < Style::Kind::solid)
      --end;
    Style style;
    for (int c = 0; c < end; ++c) {
      const Style next = row[c].arms != 0 ? Style{} : row[c].style;
      if (color && !(next == style)) {
        out << (style.kind != Style::Kind::plain ? escape_end : "") << escape(next);
        style = next;
      }
      out << shown(row[c]);
    }
    out << (style.kind != Style::Kind::plain ? escape_end : "") << '\n';
  }
}

}  // namespace daptor::show
