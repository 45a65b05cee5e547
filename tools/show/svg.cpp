// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "report/xml.hpp"
#include "show/layout.hpp"
#include "show/palette.hpp"
#include "show/svg_text.hpp"
#include "show/words.hpp"

namespace daptor::show {
namespace {

constexpr double margin = 28;
constexpr double line_step = 22;
constexpr double text_character = 7.9;   // at most, of text of 13 pixels
constexpr double index_character = 6.7;  // of an index label
constexpr double bold = 1.08;            // how much wider bold text is
constexpr double swatch_width = 24;

std::string fill_class(const Scene& scene, int rank) {
  return "c" + std::to_string(scene.color(rank));
}

std::string path(const std::string& commands, const char* kind) {
  return commands.empty() ? ""
                          : std::string("<path class=\"") + kind + "\" d=\"" + commands + "\"/>\n";
}

std::string stroke(double x, double y, char direction, double to) {
  return "M" + svg::number(x) + " " + svg::number(y) + direction + svg::number(to);
}

/// The picture of the array itself, without the text around it.
class Plot {
 public:
  explicit Plot(const Scene& scene);

  double width() const { return width_; }
  double height() const { return height_; }
  /// Draws it with its upper left corner at (0, 0), axes included.
  std::string draw();
  /// Complete after `draw`.
  const Seen& seen() const { return seen_; }
  /// Outlines of the ranks' sections are drawn, padding included.
  bool outlined() const { return outlined_; }
  /// One sentence for each dimension that is not drawn cell by cell.
  std::vector<std::string> notes() const;

 private:
  void fit_line();
  void fit_plane();
  bool outlined_along(int dimension, const Track& track, double& halo);
  bool legible_outlines();
  std::string draw_region(std::size_t i, std::size_t j, std::string& labels);
  std::string cell_grid() const;
  std::string borders() const;
  std::string outline(int rank) const;
  std::string row_labels() const;
  std::string column_labels() const;

  const Scene& scene_;
  Track rows_;
  Track columns_;
  Seen seen_;
  bool outlined_ = false;
  double left_ = 0;  // of the array
  double top_ = 0;
  double halo_x_ = 0;  // for outlines beyond the array
  double halo_y_ = 0;
  double width_ = 0;
  double height_ = 0;
};

Plot::Plot(const Scene& scene) : scene_(scene) {
  if (scene_.row_dimension() < 0)
    fit_line();
  else
    fit_plane();
  outlined_ = legible_outlines();
  if (!outlined_) halo_x_ = halo_y_ = 0;
  left_ = 8 + halo_x_;
  if (scene_.row_dimension() >= 0) {
    const Line& line = scene_.rows();
    const auto length = [&](Index position) {
      return static_cast<double>(std::to_string(line.global_of(position)).size());
    };
    left_ += 26 + index_character * std::max(length(0), length(line.extent() - 1));
  }
  top_ = halo_y_ + (scene_.column_dimension() >= 0 ? 40 : 8);
  width_ = left_ + columns_.length() + halo_x_ + 24;
  height_ = top_ + rows_.length() + halo_y_ + 8;
}

void Plot::fit_line() {
  constexpr int length = 880;
  constexpr int height = 64;
  const Index extent = scene_.columns().extent();
  std::vector<int> cells;
  if (extent <= length / 22) cells = {std::min(length / static_cast<int>(extent), 44)};
  columns_ = fit(scene_.columns(), {length, length, cells, 0, 12, 12, 46});
  rows_ = fit(scene_.rows(), {height, height, {44}, 0, 12, 12, 12});
}

void Plot::fit_plane() {
  constexpr double most_width = 600, most_height = 520;
  constexpr double smallest_cell = 13, largest_cell = 40;
  const auto rows = static_cast<double>(scene_.rows().extent());
  const auto columns = static_cast<double>(scene_.columns().extent());
  const double each = std::min(most_width / columns, most_height / rows);
  // Cells are square if both dimensions are drawn cell by cell.
  const auto room = [&](double extent, double least, double most, int fold) {
    const double length = std::clamp(extent * each, least, most);
    const double cell = std::min(each >= smallest_cell ? each : length / extent, largest_cell);
    std::vector<int> cells;
    if (cell >= smallest_cell) cells = {static_cast<int>(cell)};
    return Room{static_cast<int>(most), static_cast<int>(length), cells, 0, 11, 11, fold};
  };
  rows_ = fit(scene_.rows(), room(rows, 160, most_height, 34));
  columns_ = fit(scene_.columns(), room(columns, 220, most_width, 46));
}

/// Whether outlines along a dimension are legible, and how far they reach beyond the array.
bool Plot::outlined_along(int dimension, const Track& track, double& halo) {
  if (dimension < 0) return true;
  for (int rank = 0; rank < scene_.nranks(); ++rank) {
    const Dimension& along = scene_.section(rank)->dimension(dimension);
    const Padding padding = along.communication_padding();
    // The ghosts of an index list lie anywhere, so no outline can enclose them.
    if (along.as<Unstructured>() != nullptr && padding != Padding{}) return false;
    const auto beyond = [&](Index width) { return static_cast<double>(width) * track.cell + 4; };
    if (padding.lower > 0 && along.grid().first()) halo = std::max(halo, beyond(padding.lower));
    if (padding.upper > 0 && along.grid().last()) halo = std::max(halo, beyond(padding.upper));
  }
  return track.cell > 0 && halo <= 90;
}

bool Plot::legible_outlines() {
  if (scene_.focus() || scene_.partial() || scene_.nranks() > 16) return false;
  bool any = false;
  for (int rank = 0; rank < scene_.nranks(); ++rank)
    for (const int d : {scene_.row_dimension(), scene_.column_dimension()})
      any = any ||
            (d >= 0 && scene_.section(rank)->dimension(d).communication_padding() != Padding{});
  return any && outlined_along(scene_.row_dimension(), rows_, halo_y_) &&
         outlined_along(scene_.column_dimension(), columns_, halo_x_);
}

std::string Plot::draw_region(std::size_t i, std::size_t j, std::string& labels) {
  const Cell cell = scene_.cell(rows_.regions[i], columns_.regions[j]);
  seen_.add(cell);
  const double x = left_ + columns_.starts[j];
  const double y = top_ + rows_.starts[i];
  const double width = columns_.sizes[j];
  const double height = rows_.sizes[i];
  std::string out;
  const auto rect = [&](const std::string& kind) {
    out += "<rect class=\"" + kind + "\"" + svg::box(x, y, width, height) + "/>\n";
  };
  std::string text;
  if (cell.kind == Cell::Kind::owned) {
    rect(fill_class(scene_, cell.rank));
    if (cell.shared) rect("shared");
    if (cell.part == Part::boundary) rect("hatch");
    if (cell.part == Part::communication) rect("tint");
    text = std::to_string(cell.rank) + (cell.shared ? "+" : "");
  } else {
    rect(cell.kind == Cell::Kind::nobody ? "nobody" : "group");
    if (cell.kind != Cell::Kind::nobody) text = cell.kind == Cell::Kind::folded ? "⋯" : "?";
  }
  const auto letters = static_cast<double>(columns_of(text));
  const double size =
      std::min({18.0, height * 0.62, (width - 3) / (0.68 * std::max(letters, 1.0))});
  if (!text.empty() && cell.part != Part::boundary && size >= 7.5)
    labels += svg::text(x + width / 2, y + height / 2 + size * 0.36, "rank", text,
                        svg::Anchor::middle, size);
  return out;
}

std::string Plot::cell_grid() const {
  std::string lines;
  const double right = left_ + columns_.length();
  const double bottom = top_ + rows_.length();
  for (int x = columns_.cell; x > 0 && x < columns_.length(); x += columns_.cell)
    lines += stroke(left_ + x, top_, 'V', bottom);
  for (int y = rows_.cell; y > 0 && y < rows_.length(); y += rows_.cell)
    lines += stroke(left_, top_ + y, 'H', right);
  return path(lines, "grid");
}

std::string Plot::borders() const {
  std::string solid;
  std::string jumps;
  for (const Edge& edge : edges_of(scene_, rows_, columns_)) {
    const double x = left_ + columns_.starts[edge.column];
    const double y = top_ + rows_.starts[edge.row];
    (edge.border == Border::owner ? solid : jumps) +=
        edge.upper ? stroke(x, y, 'H', x + columns_.sizes[edge.column])
                   : stroke(x, y, 'V', y + rows_.sizes[edge.row]);
  }
  return path(jumps, "jump") + path(solid, "border") + "<rect class=\"border\"" +
         svg::box(left_, top_, columns_.length(), rows_.length()) + "/>\n";
}

std::string Plot::outline(int rank) const {
  struct Span {
    double from, to;
  };
  // Outlines of neighbours would hide each other, so those of every second process are smaller, and
  // a side without padding is drawn inside the rank's own elements.
  const auto span = [&](int d, const Track& track, int other) -> Span {
    if (d < 0) return {6, track.length() - 6.0};
    const Section& section = *scene_.section(rank);
    const Dimension& dimension = section.dimension(d);
    const Padding padding = dimension.communication_padding();
    const auto* block = dimension.as<Block>();
    const IndexRange owned =
        block != nullptr ? block->owned : IndexRange{0, dimension.global_size()};
    const bool second = other >= 0 && section.dimension(other).grid().rank % 2 == 1;
    const double inset = second ? 4 : 1.2;
    const auto at = [&](Index position) { return static_cast<double>(position) * track.cell; };
    return {at(owned.start - padding.lower) + inset + (padding.lower > 0 ? 0 : 3),
            at(owned.stop + padding.upper) - inset - (padding.upper > 0 ? 0 : 3)};
  };
  const Span x = span(scene_.column_dimension(), columns_, scene_.row_dimension());
  const Span y = span(scene_.row_dimension(), rows_, scene_.column_dimension());
  return "<rect class=\"o" + std::to_string(scene_.color(rank)) + "\" rx=\"3\"" +
         svg::box(left_ + x.from, top_ + y.from, x.to - x.from, y.to - y.from) + "/>\n";
}

std::string Plot::row_labels() const {
  if (scene_.row_dimension() < 0) return {};
  std::string out;
  Lettering letters;
  letters.indent = [this](double height) { return (rows_.cell - height) / 2; };
  letters.length = [](double) { return 12; };
  letters.most = rows_.length();
  for (const Tick& tick : ticks(scene_.rows(), rows_, letters))
    out +=
        svg::text(left_ - halo_x_ - 6, top_ + tick.at + 10, "index", tick.text, svg::Anchor::end);
  const int middle = rows_.length() / 2;
  return out + "<g transform=\"translate(14 " + svg::number(top_ + middle) + ") rotate(-90)\">" +
         svg::text(0, 0, "note", "dimension " + std::to_string(scene_.row_dimension()),
                   svg::Anchor::middle) +
         "</g>\n";
}

std::string Plot::column_labels() const {
  if (scene_.column_dimension() < 0) return {};
  const double y = top_ - halo_y_;
  std::string out =
      svg::text(left_ + columns_.length() / 2.0, y - 24, "note",
                "dimension " + std::to_string(scene_.column_dimension()), svg::Anchor::middle);
  Lettering letters;
  letters.indent = [this](double width) { return (columns_.cell - width) / 2; };
  letters.length = [](double digits) { return index_character * digits; };
  letters.gap = 7;
  letters.most = columns_.length() + 8;
  for (const Tick& tick : ticks(scene_.columns(), columns_, letters))
    out += svg::text(left_ + tick.at, y - 6, "index", tick.text);
  return out;
}

std::string Plot::draw() {
  std::string fills;
  std::string labels;
  for (std::size_t i = 0; i < rows_.sizes.size(); ++i)
    for (std::size_t j = 0; j < columns_.sizes.size(); ++j) fills += draw_region(i, j, labels);
  std::string out = fills + cell_grid() + borders() + labels;
  for (int rank = 0; outlined_ && rank < scene_.nranks(); ++rank)
    if (scene_.in_picture(rank)) out += outline(rank);
  return out + row_labels() + column_labels();
}

std::vector<std::string> Plot::notes() const {
  std::vector<std::string> all = {
      scale_note(scene_, scene_.row_dimension(), rows_, "100 pixels are", 100),
      scale_note(scene_, scene_.column_dimension(), columns_, "100 pixels are", 100)};
  all.erase(std::remove(all.begin(), all.end(), ""), all.end());
  return all;
}

/// Writes the legend and the key as a block of lines.
class Side {
 public:
  Side(const Scene& scene, const Plot& plot);

  double width() const { return width_; }
  double height() const { return height_; }
  std::string draw() const { return out_; }

 private:
  void table(const Scene& scene);
  void key(const Plot& plot);
  void sample(const std::string& shapes, const std::string& what);

  std::string out_;
  double width_ = 0;
  double height_ = 0;
};

double text_width(const std::string& text) {
  return text_character * static_cast<double>(columns_of(text));
}

Side::Side(const Scene& scene, const Plot& plot) {
  table(scene);
  key(plot);
  for (const std::string& note : plot.notes()) {
    height_ += line_step;
    out_ += svg::text(0, height_ - 6, "note", note);
    width_ = std::max(width_, text_width(note) * 0.9);
  }
}

void Side::table(const Scene& scene) {
  const Legend all = legend(scene, "×");
  width_ = swatch_width;
  std::array<double, legend_columns> from{};
  std::array<double, legend_columns> to{};
  for (std::size_t i = 0; i < legend_columns; ++i) {
    from[i] = width_;
    to[i] = width_ + text_character * bold * static_cast<double>(all.widths[i]);
    if (all.widths[i] > 0) width_ = to[i] + 18;
  }
  const auto line = [&](const LegendRow& row, const char* kind) {
    height_ += line_step;
    for (std::size_t i = 0; i < legend_columns; ++i) {
      if (all.widths[i] == 0 || row[i].empty()) continue;
      const bool right = Legend::at_right(i);
      out_ += svg::text(right ? to[i] : from[i], height_ - 6, kind, row[i],
                        right ? svg::Anchor::end : svg::Anchor::start);
    }
  };
  line(all.head, "head");
  for (const LegendEntry& entry : all.entries) {
    line(entry.row, entry.in_picture ? "line" : "note");
    if (entry.holds)
      out_ += "<rect class=\"" + fill_class(scene, entry.rank) + "\" rx=\"3\"" +
              svg::box(0, height_ - 18, 16, 16) + "/>\n";
  }
  if (all.left_out > 0) line({"", "and " + std::to_string(all.left_out) + " more ranks"}, "note");
}

void Side::sample(const std::string& shapes, const std::string& what) {
  height_ += line_step;
  out_ += "<g transform=\"translate(0 " + svg::number(height_ - 18) + ")\">" + shapes + "</g>\n";
  out_ += svg::text(swatch_width, height_ - 6, "line", what);
  width_ = std::max(width_, swatch_width + text_width(what));
}

void Side::key(const Plot& plot) {
  const std::string where = svg::box(0, 0, 16, 16);
  const auto rect = [&](const char* kind) {
    return std::string("<rect class=\"") + kind + "\"" + where + "/>";
  };
  height_ += line_step / 2;
  if (plot.seen().boundary) sample(rect("c0") + rect("hatch"), "boundary padding");
  if (plot.seen().communication)
    sample(rect("c0") + rect("tint"), "communication padding, with its owner");
  if (plot.outlined())
    sample("<rect class=\"o0\" rx=\"3\"" + svg::box(1, 1, 14, 14) + "/>",
           "a rank's section with its communication padding");
  if (plot.seen().shared) sample(rect("c0") + rect("shared"), "+ owned by more ranks");
  if (plot.seen().nobody) sample(rect("nobody"), "owned by nobody");
  if (plot.seen().unrecorded) sample(rect("group"), "not recorded");
}

std::string header(const Scene& scene, double& y) {
  std::string out;
  y = margin;
  if (!scene.name().empty()) {
    y += 16;
    out += svg::text(margin, y, "title", scene.name());
    y += 8;
  }
  y += 16;
  out += svg::text(margin, y, "line", headline(scene, "×"));
  for (const std::string& remark : remarks(scene)) {
    y += 19;
    out += svg::text(margin, y, "line", remark);
  }
  y += 14;
  return out;
}

double header_width(const Scene& scene) {
  double width = 11.5 * static_cast<double>(columns_of(scene.name()));
  width = std::max(width, text_width(headline(scene, "×")));
  for (const std::string& remark : remarks(scene)) width = std::max(width, text_width(remark));
  return width;
}

std::string group(double x, double y, const std::string& content) {
  return "<g transform=\"translate(" + svg::number(x) + " " + svg::number(y) + ")\">\n" + content +
         "</g>\n";
}

}  // namespace

void write_svg(const Picture& picture, std::ostream& out) {
  const Scene& scene = picture.scene();
  double top = 0;
  std::string body = header(scene, top);
  double width = header_width(scene);
  double height = top;
  if (scene.empty()) {
    height += margin;
  } else {
    Plot plot(scene);
    body += group(margin, top, plot.draw());
    const Side side(scene, plot);
    const bool beside = scene.row_dimension() >= 0;
    const double x = beside ? margin + plot.width() + 12 : margin;
    const double y = beside ? top + 12 : top + plot.height() + 4;
    body += group(x, y, side.draw());
    width = std::max(width, x - margin + side.width());
    width = std::max(width, plot.width());
    height = std::max(top + plot.height(), y + side.height()) + margin;
  }
  const std::string size_w = svg::number(width + 2 * margin);
  const std::string size_h = svg::number(height);
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << size_w << "\" height=\"" << size_h
      << "\" viewBox=\"0 0 " << size_w << " " << size_h << "\" role=\"img\">\n"
      << "<title>" << report::xml::text(scene.name().empty() ? "Who owns what" : scene.name())
      << "</title>\n<desc>" << report::xml::text(headline(scene, "×")) << "</desc>\n"
      << svg::style_sheet() << "<rect class=\"page\" rx=\"10\""
      << svg::box(0.5, 0.5, width + 2 * margin - 1, height - 1) << "/>\n"
      << body << "</svg>\n";
}

}  // namespace daptor::show
