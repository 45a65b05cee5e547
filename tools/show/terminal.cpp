// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "report/text.hpp"
#include "show/canvas.hpp"
#include "show/layout.hpp"
#include "show/words.hpp"

namespace daptor::show {
namespace {

constexpr int least_width = 40;
constexpr int least_height = 5;

int digits(Index number) {
  return static_cast<int>(std::to_string(number).size());
}

/// The picture of the array itself, in characters. Records which kinds of cells need an
/// explanation.
class Drawing {
 public:
  Drawing(const Scene& scene, const TerminalOptions& options);

  void write(std::ostream& out, bool color);
  /// Complete after `write`.
  std::vector<std::string> explanations() const;

 private:
  void fit_columns(int most, int preferred);
  void draw_region(Canvas& canvas, std::size_t i, std::size_t j);
  void draw_edge(Canvas& canvas, const Edge& edge) const;
  void draw_frame(Canvas& canvas) const;
  void label_rows(Canvas& canvas) const;
  void label_columns(Canvas& canvas) const;

  /// Whether each cell shows its rank; otherwise each region does.
  bool numbered() const { return rows_.cell == 1 && columns_.cell > number_ + mark_; }
  /// Blanks before the number in a cell.
  int indent() const { return (columns_.cell - number_ - mark_ + 1) / 2; }
  std::string label_of(const Cell& cell) const;
  const char* mark_of(const Cell& cell) const;
  const char* filler(const Cell& cell) const;
  Style style_of(const Cell& cell) const;
  const char* either(const char* unicode, const char* ascii) const {
    return unicode_ ? unicode : ascii;
  }

  int top() const { return scene_.column_dimension() < 0 ? 1 : 3; }  // inside the frame
  int left() const { return margin_ + 2; }

  const Scene& scene_;
  bool unicode_;
  int width_;
  int margin_ = 2;
  int number_;    // width of the largest rank
  int mark_ = 0;  // width of what stands behind a rank
  Track rows_;
  Track columns_;
  Seen seen_;
};

Drawing::Drawing(const Scene& scene, const TerminalOptions& options)
    : scene_(scene),
      unicode_(options.unicode),
      width_(std::max(options.width, least_width)),
      number_(digits(scene.nranks() - 1)) {
  const Line& line = scene_.rows();
  if (scene_.row_dimension() >= 0)
    margin_ =
        std::max({7, 2 + digits(line.global_of(0)), 2 + digits(line.global_of(line.extent() - 1))});
  const auto rows = static_cast<double>(line.extent());
  const auto columns = static_cast<double>(scene_.columns().extent());
  const int across = width_ - margin_ - 3;
  const int down = std::max(options.height, least_height);
  const auto between = [](int least, double amount, int most) {
    return static_cast<int>(std::clamp<double>(amount, std::min(least, most), most));
  };
  // A character is about twice as high as wide.
  rows_ = fit(line, {down, between(9, rows / columns * across / 2, down * 3 / 5), {1}, 1, 1, 1, 1});
  const int preferred = between(36, columns / rows * down * 2, across);
  fit_columns(across, preferred);
  const auto marked = [](const Stretch& region) {
    return region.part != Part::owned || region.holders.count > 1;
  };
  for (const Track* track : {&rows_, &columns_})
    if (std::any_of(track->regions.begin(), track->regions.end(), marked)) mark_ = 1;
  if (mark_ > 0) fit_columns(across, preferred);
}

void Drawing::fit_columns(int most, int preferred) {
  const int text = number_ + mark_;
  columns_ = fit(scene_.columns(), {most, preferred, {text + 2, text + 1}, 1, 1, text, text + 4});
}

std::string Drawing::label_of(const Cell& cell) const {
  if (cell.kind == Cell::Kind::folded) return either("⋯", "...");
  if (cell.kind != Cell::Kind::owned || cell.part == Part::boundary) return {};
  return std::to_string(cell.rank) + (cell.shared ? "+" : "");
}

const char* Drawing::mark_of(const Cell& cell) const {
  if (cell.part == Part::communication) return "c";
  if (cell.shared) return "+";
  return cell.part == Part::boundary ? "b" : "";
}

const char* Drawing::filler(const Cell& cell) const {
  if (cell.kind == Cell::Kind::nobody) return either("·", ".");
  if (cell.kind == Cell::Kind::unrecorded) return "?";
  if (cell.part == Part::boundary) return either("░", ":");
  if (cell.part == Part::communication) return either("▒", "%");
  return " ";
}

Style Drawing::style_of(const Cell& cell) const {
  if (cell.kind != Cell::Kind::owned) return {Style::Kind::faint};
  return {cell.part == Part::communication ? Style::Kind::dark : Style::Kind::solid,
          scene_.color(cell.rank)};
}

void Drawing::draw_region(Canvas& canvas, std::size_t i, std::size_t j) {
  const Cell cell = scene_.cell(rows_.regions[i], columns_.regions[j]);
  seen_.add(cell);
  const int row = top() + rows_.starts[i];
  const int column = left() + columns_.starts[j];
  const int high = rows_.sizes[i];
  const int wide = columns_.sizes[j];
  const Style style = style_of(cell);
  canvas.fill(row, column, high, wide, numbered() ? " " : filler(cell), style);
  std::string text = numbered() ? filler(cell) : label_of(cell);
  if (numbered()) {
    if (cell.kind == Cell::Kind::owned) {
      text = std::to_string(cell.rank) + mark_of(cell);
      text.insert(0, static_cast<std::size_t>(number_ - digits(cell.rank)), ' ');
    }
    for (int r = row; r < row + high; ++r)
      for (int c = column; c < column + wide; c += columns_.cell)
        canvas.text(r, c + indent(), text, style);
    return;
  }
  if (cell.part != Part::owned) text = " " + text + " ";
  const auto length = static_cast<int>(columns_of(text));
  if (cell.part != Part::boundary && length <= wide)
    canvas.text(row + (high - 1) / 2, column + (wide - length) / 2, text, style);
}

void Drawing::draw_edge(Canvas& canvas, const Edge& edge) const {
  const int row = top() + rows_.starts[edge.row];
  const int column = left() + columns_.starts[edge.column];
  const bool dotted = edge.border == Border::jump;
  const int beyond = dotted ? 0 : 1;  // as far as the lines that it meets
  if (edge.upper)
    canvas.horizontal(row - 1, column - beyond, column + columns_.sizes[edge.column] - 1 + beyond,
                      dotted);
  else
    canvas.vertical(column - 1, row - beyond, row + rows_.sizes[edge.row] - 1 + beyond, dotted);
}

void Drawing::draw_frame(Canvas& canvas) const {
  const int bottom = top() + rows_.length();
  const int right = left() + columns_.length();
  canvas.horizontal(top() - 1, left() - 1, right);
  canvas.horizontal(bottom, left() - 1, right);
  canvas.vertical(left() - 1, top() - 1, bottom);
  canvas.vertical(right, top() - 1, bottom);
}

void Drawing::label_rows(Canvas& canvas) const {
  if (scene_.row_dimension() < 0) return;
  canvas.text(top() - 2, 2, "dim " + std::to_string(scene_.row_dimension()));
  Lettering letters;
  letters.indent = [](double) { return 0; };
  letters.length = [](double) { return 1; };
  letters.most = rows_.length();
  for (const Tick& tick : ticks(scene_.rows(), rows_, letters))
    canvas.text(top() + static_cast<int>(tick.at), margin_ - static_cast<int>(tick.text.size()),
                tick.text, {Style::Kind::faint});
}

void Drawing::label_columns(Canvas& canvas) const {
  if (scene_.column_dimension() < 0) return;
  canvas.text(top() - 3, left(), "dimension " + std::to_string(scene_.column_dimension()));
  Lettering letters;
  letters.cells = numbered();
  // The index is written above the last digit in the cell.
  letters.indent = [this](double length) { return std::max(indent() + number_ - length, 0.0); };
  letters.length = [](double digits) { return digits; };
  letters.gap = 1;
  letters.most = width_ - left();
  for (const Tick& tick : ticks(scene_.columns(), columns_, letters))
    canvas.text(top() - 2, left() + static_cast<int>(tick.at), tick.text, {Style::Kind::faint});
}

void Drawing::write(std::ostream& out, bool color) {
  Canvas canvas(top() + rows_.length() + 1, width_ + 24, unicode_);
  for (std::size_t i = 0; i < rows_.sizes.size(); ++i)
    for (std::size_t j = 0; j < columns_.sizes.size(); ++j) draw_region(canvas, i, j);
  const std::vector<Edge> edges = edges_of(scene_, rows_, columns_);
  // Solid lines are drawn over dotted ones.
  for (const Border border : {Border::jump, Border::owner})
    for (const Edge& edge : edges)
      if (edge.border == border) draw_edge(canvas, edge);
  draw_frame(canvas);
  label_rows(canvas);
  label_columns(canvas);
  canvas.write(out, color);
}

std::vector<std::string> Drawing::explanations() const {
  std::vector<std::string> all = {
      scale_note(scene_, scene_.row_dimension(), rows_, "a line is"),
      scale_note(scene_, scene_.column_dimension(), columns_, "a column is")};
  std::string key;
  const auto explain = [&](bool there, const char* mark, const char* what) {
    if (there) key += (key.empty() ? "" : "   ") + std::string(mark) + ' ' + what;
  };
  explain(seen_.boundary, numbered() ? "b" : either("░", ":"), "boundary padding");
  explain(seen_.communication, numbered() ? "c" : either("▒", "%"),
          "communication padding, with its owner");
  explain(seen_.shared, "+", "owned by more ranks");
  explain(seen_.nobody, either("·", "."), "owned by nobody");
  explain(seen_.unrecorded, "?", "not recorded");
  all.push_back(key);
  all.erase(std::remove(all.begin(), all.end(), ""), all.end());
  return all;
}

void write_legend(std::ostream& out, const Scene& scene, const TerminalOptions& options) {
  const Legend all = legend(scene, options.unicode ? "×" : "x");
  const auto line = [&](const LegendRow& row, int color) {
    std::string text;
    for (std::size_t i = 0; i < legend_columns; ++i) {
      const std::size_t width = all.widths[i];
      if (width == 0) continue;
      const std::string space(width - std::min(columns_of(row[i]), width), ' ');
      std::string field = ' ' + (Legend::at_right(i) ? space + row[i] : row[i] + space) + ' ';
      if (i == 0 && color >= 0) field = escape({Style::Kind::solid, color}) + field + escape_end;
      text += ' ' + field;
    }
    out << text.substr(0, text.find_last_not_of(' ') + 1) << '\n';
  };
  line(all.head, -1);
  for (const LegendEntry& entry : all.entries)
    line(entry.row, options.color && entry.holds ? scene.color(entry.rank) : -1);
  if (all.left_out > 0) out << "  and " << all.left_out << " more ranks\n";
}

}  // namespace

void write_terminal(const Picture& picture, std::ostream& out, const TerminalOptions& options) {
  const Scene& scene = picture.scene();
  if (!scene.name().empty()) {
    const std::string name = detail::printable(scene.name());
    out << (options.color ? escape({Style::Kind::bold}) + name + escape_end : name) << '\n';
  }
  out << headline(scene, options.unicode ? "×" : "x") << '\n';
  for (const std::string& remark : remarks(scene)) out << remark << '\n';
  if (!scene.empty()) {
    out << '\n';
    Drawing drawing(scene, options);
    drawing.write(out, options.color);
    for (const std::string& line : drawing.explanations()) out << "  " << line << '\n';
  }
  out << '\n';
  write_legend(out, scene, options);
}

}  // namespace daptor::show
