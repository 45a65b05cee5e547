// SPDX-License-Identifier: BSD-3-Clause
#include "show/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ostream>

#include "show/edges.hpp"
#include "show/palette.hpp"

namespace daptor::show {
namespace {

constexpr int least_width = 40;
constexpr int least_height = 5;

int digits(Index number) {
  return static_cast<int>(std::to_string(number).size());
}

}  // namespace

Drawing::Drawing(const Scene& scene, const TerminalOptions& options)
    : scene_(scene),
      unicode_(options.unicode),
      width_(std::max(options.width, least_width)),
      height_(std::max(options.height, least_height)) {}

void Drawing::measure() {
  labels_.number = digits(scene_.nranks() - 1);
  labels_.range = 2 * labels_.number + 1;
  margin_ = 2;
  if (scene_.row_dimension() < 0) return;
  const Line& line = scene_.rows();
  margin_ =
      std::max({7, 2 + digits(line.global_of(0)), 2 + digits(line.global_of(line.extent() - 1))});
}

void Drawing::fit_columns_of(int across, int preferred) {
  const bool ranges = std::any_of(rows_.axis.regions.begin(), rows_.axis.regions.end(),
                                  [](const Stretch& region) { return region.mixed; });
  const int lines = scene_.row_dimension() < 0 ? std::max(height_ / 8, 1) : 1;
  tracks_ = fit_columns(scene_.columns(), across, preferred, labels_, ranges, lines);
}

void Drawing::fit() {
  const auto rows = static_cast<double>(scene_.rows().extent());
  const auto columns = static_cast<double>(scene_.columns().extent());
  const int across = width_ - margin_ - 3;
  const auto between = [](int least, double amount, int most) {
    return static_cast<int>(std::clamp<double>(amount, std::min(least, most), most));
  };
  // A character is about twice as high as wide.
  rows_ =
      fit_rows(scene_.rows(), height_, between(9, rows / columns * across / 2, height_ * 3 / 5));
  const int preferred = between(36, columns / rows * height_ * 2, across);
  fit_columns_of(across, preferred);
  const auto marked = [](const Stretch& region) {
    return region.part != Part::owned || region.holders.count > 1;
  };
  for (const Axis& axis : {rows_.axis, tracks_.front().axis})
    if (std::any_of(axis.regions.begin(), axis.regions.end(), marked)) labels_.mark = 1;
  if (labels_.mark > 0) fit_columns_of(across, preferred);
}

std::string Drawing::label_of(const Cell& cell) const {
  switch (cell.kind) {
    case Cell::Kind::owned:
      return std::to_string(cell.rank) + (cell.shared ? "+" : "");
    case Cell::Kind::mixed:
      break;
    case Cell::Kind::nobody:
    case Cell::Kind::unrecorded:
      return {};
  }
  if (cell.folded || cell.last < 0) return unicode_ ? "⋯" : "...";
  return std::to_string(cell.rank) + (unicode_ ? "–" : "-") + std::to_string(cell.last);
}

const char* Drawing::mark_of(const Cell& cell) const {
  if (cell.part == Part::communication) return "c";
  if (cell.shared) return "+";
  return cell.part == Part::boundary ? "b" : "";
}

char32_t Drawing::filler(const Cell& cell) const {
  if (cell.kind == Cell::Kind::nobody) return unicode_ ? U'·' : U'.';
  if (cell.kind == Cell::Kind::unrecorded) return U'?';
  if (cell.kind == Cell::Kind::mixed) return U' ';
  if (cell.part == Part::boundary) return unicode_ ? U'░' : U':';
  if (cell.part == Part::communication) return unicode_ ? U'▒' : U'%';
  return U' ';
}

Style Drawing::style_of(const Cell& cell) const {
  if (cell.kind != Cell::Kind::owned) return {Style::Kind::faint};
  const int color = scene_.color(cell.rank, palette_size);
  return {cell.part == Part::communication ? Style::Kind::dark : Style::Kind::solid, color};
}

void Drawing::draw_cells(Canvas& canvas, const Track& columns, const Cell& cell, int row,
                         int column, int rows, int count) {
  std::string text;
  if (cell.kind == Cell::Kind::owned) {
    text = std::to_string(cell.rank);
    text.insert(0, static_cast<std::size_t>(labels_.number) - text.size(), ' ');
    text += mark_of(cell);
  } else {
    append_utf8(text, filler(cell));
  }
  const int offset = (columns.cell - labels_.number - labels_.mark + 1) / 2;
  for (int r = row; r < row + rows; ++r)
    for (int k = 0; k < count; ++k)
      canvas.text(r, column + k * columns.cell + offset, text, style_of(cell));
}

void Drawing::draw_region(Canvas& canvas, const Track& columns, std::size_t i, std::size_t j) {
  const Cell cell = scene_.cell(rows_.axis.regions[i], columns.axis.regions[j]);
  seen_.add(cell);
  const int row = top() + 1 + rows_.starts[i];
  const int column = left() + 1 + columns.starts[j];
  const int high = rows_.sizes[i];
  const int wide = columns.sizes[j];
  const Style style = style_of(cell);
  if (numbered(columns)) {
    canvas.fill(row, column, high, wide, U' ', style);
    draw_cells(canvas, columns, cell, row, column, high, wide / columns.cell);
    return;
  }
  canvas.fill(row, column, high, wide, filler(cell), style);
  std::string text = label_of(cell);
  const auto length = static_cast<int>(columns_of(text));
  const bool padding = cell.part != Part::owned;
  if (text.empty() || cell.part == Part::boundary || length + (padding ? 2 : 0) > wide) return;
  if (padding) text = " " + text + " ";
  const int shift = (wide - length - (padding ? 2 : 0)) / 2;
  canvas.text(row + (high - 1) / 2, column + shift, text, style);
}

void Drawing::draw_regions(Canvas& canvas, const Track& columns) {
  for (std::size_t i = 0; i < rows_.sizes.size(); ++i)
    for (std::size_t j = 0; j < columns.sizes.size(); ++j) draw_region(canvas, columns, i, j);
}

void Drawing::draw_edge(Canvas& canvas, const Track& columns, const Edge& edge) const {
  const int row = top() + 1 + rows_.starts[edge.row];
  const int column = left() + 1 + columns.starts[edge.column];
  const int row_end = row + rows_.sizes[edge.row];
  const int column_end = column + columns.sizes[edge.column];
  const bool solid = edge.border == Border::owner;
  if (edge.upper && solid)
    canvas.horizontal(row - 1, column - 1, column_end);
  else if (edge.upper)
    canvas.dotted_horizontal(row - 1, column, column_end - 1);
  else if (solid)
    canvas.vertical(column - 1, row - 1, row_end);
  else
    canvas.dotted_vertical(column - 1, row, row_end - 1);
}

void Drawing::draw_borders(Canvas& canvas, const Track& columns) const {
  const std::vector<Edge> edges = edges_of(scene_, rows_.axis, columns.axis);
  // Solid lines go over dotted ones.
  for (const Border border : {Border::jump, Border::owner})
    for (const Edge& edge : edges)
      if (edge.border == border && (edge.upper ? rows_.lines : columns.lines))
        draw_edge(canvas, columns, edge);
  const int bottom = top() + 1 + rows_.length();
  const int right = left() + 1 + columns.length();
  canvas.horizontal(top(), left(), right);
  canvas.horizontal(bottom, left(), right);
  canvas.vertical(left(), top(), bottom);
  canvas.vertical(right, top(), bottom);
}

void Drawing::label_rows(Canvas& canvas) const {
  if (scene_.row_dimension() < 0) return;
  const Line& line = scene_.rows();
  const auto write = [&](int row, Index position) {
    const std::string text = std::to_string(line.global_of(position));
    if (canvas.blank(row, margin_ - 1))
      canvas.text(row, margin_ - static_cast<int>(text.size()), text, {Style::Kind::faint});
  };
  canvas.text(top() - 1, 2, "dim " + std::to_string(scene_.row_dimension()));
  for (std::size_t i = 0; i < rows_.sizes.size(); ++i) {
    const Stretch& region = rows_.axis.regions[i];
    const int row = top() + 1 + rows_.starts[i];
    if (region.folded) continue;
    const Index count = rows_.cell > 0 ? region.positions.size() : 1;
    for (Index k = 0; k < count; ++k) write(row + static_cast<int>(k), region.positions.start + k);
  }
  if (!rows_.axis.regions.back().mixed) write(top() + rows_.length(), line.extent() - 1);
}

void Drawing::label(Canvas& canvas, const Track& columns, int column, Index position) const {
  const std::string text = std::to_string(scene_.columns().global_of(position));
  const auto length = static_cast<int>(text.size());
  const int row = top() - 1;
  if (numbered(columns))  // above the number in the cell
    column += std::max(
        (columns.cell - labels_.number - labels_.mark + 1) / 2 + labels_.number - length, 0);
  if (column + length > width_) return;
  for (int c = column - 1; c <= column + length; ++c)
    if (!canvas.blank(row, c)) return;
  canvas.text(row, column, text, {Style::Kind::faint});
}

void Drawing::label_columns(Canvas& canvas, const Track& columns) const {
  if (scene_.column_dimension() < 0) return;
  if (&columns == &tracks_.front())
    canvas.text(top() - 2, left() + 1, "dimension " + std::to_string(scene_.column_dimension()));
  const auto& regions = columns.axis.regions;
  const auto start = [&](std::size_t j) { return left() + 1 + columns.starts[j]; };
  const Index last = regions.back().positions.stop - 1;
  if (numbered(columns)) {
    label(canvas, columns, start(0), regions.front().positions.start);
    label(canvas, columns, left() + 1 + columns.length() - columns.cell, last);
  } else if (!regions.back().mixed && regions.back().positions.size() > 1) {
    label(canvas, columns, start(0), regions.front().positions.start);
    label(canvas, columns, left() + 1 + columns.length() - digits(scene_.columns().global_of(last)),
          last);
  }
  for (std::size_t j = 0; j < regions.size(); ++j)
    if (!regions[j].folded) label(canvas, columns, start(j), regions[j].positions.start);
  if (!numbered(columns)) return;
  for (std::size_t j = 0; j < regions.size(); ++j)
    for (Index k = 1; k < regions[j].positions.size(); ++k)
      label(canvas, columns, start(j) + static_cast<int>(k) * columns.cell,
            regions[j].positions.start + k);
}

void Drawing::draw(Canvas& canvas, const Track& columns) {
  draw_regions(canvas, columns);
  draw_borders(canvas, columns);
  label_rows(canvas);
  label_columns(canvas, columns);
}

void Drawing::write(std::ostream& out, bool color) {
  measure();
  fit();
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    Canvas canvas(top() + rows_.length() + 2, width_ + 24, unicode_);
    draw(canvas, tracks_[i]);
    canvas.write(out, color);
  }
}

std::string Drawing::about(int dimension, const Track& track, const char* what) const {
  if (dimension < 0 || track.axis.scale == Scale::cells) return {};
  if (track.axis.scale != Scale::shrunk) return chosen_note(scene_, dimension, track.axis);
  const auto characters = std::accumulate(track.sizes.begin(), track.sizes.end(), 0);
  const auto extent = static_cast<double>(track.axis.regions.back().positions.stop);
  const auto each = std::max(std::llround(extent / characters), 1LL);
  std::string text = "dimension " + std::to_string(dimension) + ": a " + what + " is about " +
                     std::to_string(each) + (each > 1 ? " indices" : " index");
  if (track.widened) text += "; small regions are drawn larger";
  return text;
}

std::vector<std::string> Drawing::explanations() const {
  std::vector<std::string> all;
  const auto add = [&](std::string text) {
    if (!text.empty()) all.push_back(std::move(text));
  };
  add(about(scene_.row_dimension(), rows_, "line"));
  add(about(scene_.column_dimension(), tracks_.front(), "column"));
  const bool letters = numbered(tracks_.front());
  const std::string mark = unicode_ ? "░" : ":";
  const std::string copy = unicode_ ? "▒" : "%";
  std::string key;
  const auto explain = [&](bool there, const std::string& what) {
    if (there) key += (key.empty() ? "" : "   ") + what;
  };
  explain(seen_.boundary, (letters ? "b" : mark) + std::string(" boundary padding"));
  explain(seen_.communication,
          (letters ? "c" : copy) + std::string(" communication padding, with its owner"));
  explain(seen_.shared, "+ owned by more ranks");
  explain(seen_.nobody, std::string(unicode_ ? "·" : ".") + " owned by nobody");
  explain(seen_.unrecorded, "? not recorded");
  add(key);
  return all;
}

}  // namespace daptor::show
