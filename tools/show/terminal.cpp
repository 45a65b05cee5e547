#include <algorithm>
#include <ostream>
#include <set>
#include <string>

#include "show/canvas.hpp"
#include "show/palette.hpp"
#include "show/track.hpp"
#include "show/words.hpp"
#include "text.hpp"

namespace daptor::show {
namespace {

constexpr int least_width = 40;

int digits(Index number) {
  return static_cast<int>(std::to_string(number).size());
}

/// Draws the array on a canvas, and keeps in mind what needs to be explained.
class Drawing {
 public:
  Drawing(const Scene& scene, const TerminalOptions& options)
      : scene_(scene),
        unicode_(options.unicode),
        width_(std::max(options.width, least_width)),
        height_(std::max(options.height, 5)) {}

  void write(std::ostream& out, bool color);

  std::vector<std::string> explanations() const;

 private:
  void measure();
  void fit();
  void fit_across();
  void draw(Canvas& canvas, const Track& columns);
  void draw_regions(Canvas& canvas, const Track& columns);
  void draw_region(Canvas& canvas, const Track& columns, std::size_t i, std::size_t j);
  void draw_cells(Canvas& canvas, const Track& columns, const Cell& cell, int row, int column,
                  int rows, int count);
  void draw_borders(Canvas& canvas, const Track& columns);
  void label_rows(Canvas& canvas);
  void label_columns(Canvas& canvas, const Track& columns);
  void label(Canvas& canvas, const Track& columns, int column, Index position);

  bool numbered(const Track& columns) const {
    return rows_.cell == 1 && columns.cell > labels_.number + labels_.mark;
  }
  std::string label_of(const Cell& cell) const;
  char32_t filler(const Cell& cell) const;
  Style style_of(const Cell& cell) const;
  void keep_in_mind(const Cell& cell);
  std::string about(int dimension, const Track& track, const char* what) const;

  int top() const { return scene_.column_dimension() < 0 ? 0 : 2; }
  int left() const { return margin_ + 1; }

  const Scene& scene_;
  bool unicode_;
  int width_;
  int height_;
  int margin_ = 0;
  LabelSizes labels_;
  Track rows_;
  std::vector<Track> tracks_;  // of columns; several for a broken line
  bool boundary_ = false, communication_ = false, shared_ = false, nobody_ = false,
       unrecorded_ = false;
};

void Drawing::measure() {
  labels_.number = digits(scene_.nranks() - 1);
  labels_.range = 2 * labels_.number + 1;
  margin_ = 2;
  for (const int d : {scene_.row_dimension()}) {
    if (d < 0) continue;
    const Line& line = scene_.rows();
    margin_ = std::max(margin_ + 5, 2 + digits(line.global_of(0)));
    margin_ = std::max(margin_, 2 + digits(line.global_of(line.extent() - 1)));
  }
}

void Drawing::fit() {
  const auto rows = static_cast<double>(scene_.rows().extent());
  const auto columns = static_cast<double>(scene_.columns().extent());
  const int across = width_ - margin_ - 3;
  const auto preferred = [](double amount, int least, int most) {
    return static_cast<int>(
        std::clamp(amount, static_cast<double>(std::min(least, most)), static_cast<double>(most)));
  };
  // A character is about twice as high as wide.
  rows_ =
      fit_rows(scene_.rows(), height_, preferred(rows / columns * across / 2, 9, height_ * 3 / 5));
  const int wanted = preferred(columns / rows * height_ * 2, 36, across);
  const int lines = scene_.row_dimension() < 0 ? std::max(height_ / 8, 1) : 1;
  const auto fit_again = [&] {
    const bool ranges = std::any_of(rows_.axis.regions.begin(), rows_.axis.regions.end(),
                                    [](const Stretch& region) { return region.mixed; });
    tracks_ = fit_columns(scene_.columns(), across, wanted, labels_, ranges, lines);
  };
  fit_again();
  const auto marked = [](const Stretch& region) {
    return region.part != Part::owned || region.holders.count > 1;
  };
  for (const Track* track : {&std::as_const(rows_), &std::as_const(tracks_.front())})
    if (std::any_of(track->axis.regions.begin(), track->axis.regions.end(), marked))
      labels_.mark = 1;
  if (labels_.mark > 0) fit_again();
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

void Drawing::keep_in_mind(const Cell& cell) {
  boundary_ = boundary_ || cell.part == Part::boundary;
  communication_ = communication_ || cell.part == Part::communication;
  shared_ = shared_ || cell.shared;
  nobody_ = nobody_ || cell.kind == Cell::Kind::nobody;
  unrecorded_ = unrecorded_ || cell.kind == Cell::Kind::unrecorded;
}

void Drawing::draw_cells(Canvas& canvas, const Track& columns, const Cell& cell, int row,
                         int column, int rows, int count) {
  std::string text = label_of(cell);
  if (text.empty()) append_utf8(text, filler(cell));
  const auto pad = static_cast<std::size_t>(
      std::max(labels_.number - static_cast<int>(std::to_string(cell.rank).size()), 0));
  if (cell.kind == Cell::Kind::owned) text = std::string(pad, ' ') + text;
  if (cell.part == Part::boundary) text += cell.shared ? "" : "b";
  if (cell.part == Part::communication) text += cell.shared ? "" : "c";
  const int offset = (columns.cell - labels_.number - labels_.mark + 1) / 2;
  for (int r = row; r < row + rows; ++r)
    for (int k = 0; k < count; ++k)
      canvas.text(r, column + k * columns.cell + offset, text, style_of(cell));
}

void Drawing::draw_region(Canvas& canvas, const Track& columns, std::size_t i, std::size_t j) {
  const Cell cell = scene_.cell(rows_.axis.regions[i], columns.axis.regions[j]);
  keep_in_mind(cell);
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
  const auto length = static_cast<int>(text.size()) - (unicode_ && cell.last >= 0 ? 2 : 0) -
                      (unicode_ && text == "⋯" ? 2 : 0);
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

/// Cells that differ as far as a line between them is concerned.
bool apart(const Cell& a, const Cell& b) {
  return a.kind != b.kind || a.rank != b.rank || a.shared != b.shared || a.last != b.last ||
         a.kind == Cell::Kind::mixed;
}

void Drawing::draw_borders(Canvas& canvas, const Track& columns) {
  const int bottom = top() + 1 + rows_.length();
  const int right = left() + 1 + columns.length();
  const auto& down = rows_.axis.regions;
  const auto& across = columns.axis.regions;
  const auto border = [](const Track& track, std::size_t i) {
    return track.lines && i > 0 ? border_between(track.axis.regions[i - 1], track.axis.regions[i])
                                : Border::none;
  };
  for (const bool solid : {false, true}) {
    for (std::size_t i = 0; i < down.size(); ++i) {
      for (std::size_t j = 0; j < across.size(); ++j) {
        const int row = top() + 1 + rows_.starts[i];
        const int column = left() + 1 + columns.starts[j];
        const int row_end = row + rows_.sizes[i];
        const int column_end = column + columns.sizes[j];
        const Cell here = scene_.cell(down[i], across[j]);
        if (const Border kind = border(rows_, i); kind != Border::none) {
          const bool line =
              kind == Border::owner && apart(scene_.cell(down[i - 1], across[j]), here);
          if (solid && line) canvas.horizontal(row - 1, column - 1, column_end);
          if (!solid && !line && kind == Border::jump)
            canvas.dotted_horizontal(row - 1, column, column_end - 1);
        }
        if (const Border kind = border(columns, j); kind != Border::none) {
          const bool line =
              kind == Border::owner && apart(scene_.cell(down[i], across[j - 1]), here);
          if (solid && line) canvas.vertical(column - 1, row - 1, row_end);
          if (!solid && !line && kind == Border::jump)
            canvas.dotted_vertical(column - 1, row, row_end - 1);
        }
      }
    }
  }
  canvas.horizontal(top(), left(), right);
  canvas.horizontal(bottom, left(), right);
  canvas.vertical(left(), top(), bottom);
  canvas.vertical(right, top(), bottom);
}

void Drawing::label_rows(Canvas& canvas) {
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

void Drawing::label(Canvas& canvas, const Track& columns, int column, Index position) {
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

void Drawing::label_columns(Canvas& canvas, const Track& columns) {
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
  const std::string name = "dimension " + std::to_string(dimension) + ": ";
  const auto& regions = track.axis.regions;
  if (track.axis.scale == Scale::grouped)
    return name + "not to scale; regions of several ranks, first and last named";
  if (track.axis.scale == Scale::folded) {
    const auto fold = std::find_if(regions.begin(), regions.end(),
                                   [](const Stretch& region) { return region.folded; });
    const Line& line = dimension == scene_.row_dimension() ? scene_.rows() : scene_.columns();
    return name + "not to scale; indices " + std::to_string(line.global_of(fold->positions.start)) +
           " to " + std::to_string(line.global_of(fold->positions.stop - 1)) + " are left out";
  }
  int characters = 0;
  for (const int size : track.sizes) characters += size;
  const Index extent = regions.back().positions.stop;
  const Index each = (extent + characters / 2) / characters;
  std::string text = name + "a " + what + " is about " + std::to_string(std::max<Index>(each, 1)) +
                     (each > 1 ? " indices" : " index");
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
  explain(boundary_, (letters ? "b" : mark) + std::string(" boundary padding"));
  explain(communication_,
          (letters ? "c" : copy) + std::string(" communication padding, with its owner"));
  explain(shared_, "+ owned by more ranks");
  explain(nobody_, std::string(unicode_ ? "·" : ".") + " owned by nobody");
  explain(unrecorded_, "? not recorded");
  add(key);
  return all;
}

class LegendTable {
 public:
  LegendTable(const Scene& scene, const TerminalOptions& options)
      : scene_(scene),
        color_(options.color),
        legend_(legend(scene, scene.nranks() <= 24 ? 24 : 12, options.unicode ? "×" : "x")) {}

  void write(std::ostream& out) const;

 private:
  std::string swatch(const LegendEntry& entry, const std::string& text) const;

  const Scene& scene_;
  bool color_;
  Legend legend_;
};

/// Columns that text takes up.
std::size_t columns_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string right(const std::string& text, std::size_t width) {
  const std::size_t length = columns_of(text);
  return (length < width ? std::string(width - length, ' ') : "") + text;
}

std::string left(const std::string& text, std::size_t width) {
  const std::size_t length = columns_of(text);
  return text + (length < width ? std::string(width - length, ' ') : "");
}

std::string LegendTable::swatch(const LegendEntry& entry, const std::string& text) const {
  if (!color_ || !entry.recorded || entry.empty) return text;
  const Style style{Style::Kind::solid, scene_.color(entry.rank, palette_size)};
  return escape(style) + text + escape_end;
}

void LegendTable::write(std::ostream& out) const {
  std::size_t rank = 4, shape = 7, owned = 5, boundary = 0;
  bool communication = false;
  for (const LegendEntry& entry : legend_.entries) {
    rank = std::max(rank, std::to_string(entry.rank).size());
    shape = std::max(shape, columns_of(entry.shape));
    owned = std::max(owned, entry.owned.size());
    if (!entry.boundary.empty())
      boundary = std::max({boundary, columns_of(entry.boundary), std::size_t{16}});
    communication = communication || !entry.communication.empty();
  }
  std::string head =
      "  " + right("rank", rank) + "   " + left("section", shape) + "   " + right("owned", owned);
  if (boundary > 0) head += "   " + left("boundary padding", boundary);
  if (communication) head += "   communication padding";
  out << head << '\n';
  for (const LegendEntry& entry : legend_.entries) {
    std::string line =
        " " + swatch(entry, " " + right(std::to_string(entry.rank), rank) + " ") + "  ";
    if (!entry.recorded) {
      out << line << "not recorded\n";
      continue;
    }
    line += left(entry.shape, shape) + "   " + right(entry.owned, owned);
    if (boundary > 0) line += "   " + left(entry.boundary, boundary);
    if (communication) line += "   " + entry.communication;
    if (entry.empty)
      line += "   empty";
    else if (!entry.in_picture)
      line += "   not in this slice";
    const std::size_t end = line.find_last_not_of(' ');
    out << line.substr(0, end + 1) << '\n';
  }
  if (legend_.left_out > 0 && !scene_.focus())
    out << "  and " << legend_.left_out << " more ranks\n";
}

}  // namespace

void write_terminal(const Picture& picture, std::ostream& out, const TerminalOptions& options) {
  const Scene& scene = picture.scene();
  const auto paint = [&](Style::Kind kind, const std::string& text) {
    return options.color ? escape({kind}) + text + escape_end : text;
  };
  if (!scene.name().empty())
    out << paint(Style::Kind::bold, detail::printable(scene.name())) << '\n';
  out << headline(scene, options.unicode ? "×" : "x") << '\n';
  for (const std::string& remark : remarks(scene)) out << remark << '\n';
  Drawing drawing(scene, options);
  if (!scene.empty()) {
    out << '\n';
    drawing.write(out, options.color);
    for (const std::string& line : drawing.explanations()) out << "  " << line << '\n';
  }
  out << '\n';
  LegendTable(scene, options).write(out);
}

}  // namespace daptor::show
