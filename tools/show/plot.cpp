// SPDX-License-Identifier: BSD-3-Clause
#include "show/plot.hpp"

#include <algorithm>
#include <cmath>

#include "show/canvas.hpp"
#include "show/edges.hpp"
#include "show/palette.hpp"
#include "show/svg_text.hpp"

namespace daptor::show {
namespace {

constexpr double most_width = 600;
constexpr double most_height = 520;
constexpr double line_width = 880;
constexpr double line_height = 64;
constexpr double largest_cell = 40;
constexpr double smallest_cell = 13;
constexpr double index_height = 11;
constexpr double character = 6.7;  // of an index label
constexpr int most_outlines = 16;
constexpr double least_outline = 5;
constexpr double most_halo = 90;

IndexRange all_of(const Line& line) {
  return {0, line.extent()};
}

std::string path(const std::string& commands, const char* kind) {
  return commands.empty() ? ""
                          : std::string("<path class=\"") + kind + "\" d=\"" + commands + "\"/>\n";
}

std::string stroke(double x, double y, char direction, double to) {
  return "M" + svg::number(x) + " " + svg::number(y) + direction + svg::number(to);
}

double label_width(const Line& line, Index position) {
  return character * static_cast<double>(std::to_string(line.global_of(position)).size());
}

}  // namespace

Plot::Plot(const Scene& scene) : scene_(scene) {
  fit();
  outlined_ = legible_outlines();
  if (!outlined_) halo_x_ = halo_y_ = 0;
  left_ = 8 + halo_x_;
  if (scene_.row_dimension() >= 0) {
    const Line& line = scene_.rows();
    left_ += 26 + std::max(label_width(line, 0), label_width(line, line.extent() - 1));
  }
  top_ = halo_y_ + (scene_.column_dimension() >= 0 ? 40 : 8);
  panel_height_ = rows_.length() + 34;
  double length = 0;
  for (const Ruler& ruler : columns_) length = std::max(length, ruler.length());
  width_ = left_ + length + halo_x_ + 24;
  height_ = top_ + rows_.length() + halo_y_ + 8 +
            static_cast<double>(columns_.size() - 1) * panel_height_;
}

void Plot::fit() {
  if (scene_.row_dimension() < 0)
    fit_line();
  else
    fit_plane();
}

void Plot::fit_line() {
  Room room{line_width, line_width, 12, 0, 92, 46};
  const Line& line = scene_.columns();
  rows_ =
      make_ruler(scene_.rows(), all_of(scene_.rows()), {line_height, line_height, 12, 44, 44, 44});
  const auto a_line = static_cast<Index>(line_width / 22);
  const Index extent = line.extent();
  if (extent <= a_line) room.cell = std::min(line_width / static_cast<double>(extent), 44.0);
  const bool fine = extent > a_line && extent <= 6 * a_line &&
                    !stretches(line, all_of(line), static_cast<std::size_t>(extent / 3));
  if (!fine) {
    columns_ = {make_ruler(line, all_of(line), room)};
    return;
  }
  const Index each = evenly(extent, a_line);
  room.cell = line_width / static_cast<double>(each);
  for (Index start = 0; start < extent; start += each)
    columns_.push_back(make_ruler(line, {start, std::min(start + each, extent)}, room));
}

void Plot::fit_plane() {
  const auto rows = static_cast<double>(scene_.rows().extent());
  const auto columns = static_cast<double>(scene_.columns().extent());
  const double each = std::min(most_width / columns, most_height / rows);
  const double cell = each >= smallest_cell ? std::min(each, largest_cell) : 0;
  const double wide = std::clamp(columns * each, 220.0, most_width);
  const double high = std::clamp(rows * each, 160.0, most_height);
  const auto own_cell = [&](double extent, double most) {
    return cell == 0 && extent * smallest_cell <= most ? std::min(most / extent, largest_cell)
                                                       : cell;
  };
  rows_ = make_ruler(scene_.rows(), all_of(scene_.rows()),
                     {most_height, high, 11, own_cell(rows, high), 40, 34});
  columns_ = {make_ruler(scene_.columns(), all_of(scene_.columns()),
                         {most_width, wide, 11, own_cell(columns, wide), 92, 46})};
}

/// Whether outlines along a dimension can be read, and how far they go beyond the array.
bool Plot::outlined_along(int dimension, const Ruler& ruler, double& halo) const {
  if (dimension < 0) return true;
  if (ruler.axis.scale == Scale::grouped || ruler.axis.scale == Scale::folded) return false;
  const Index last = ruler.axis.regions.back().positions.stop - 1;
  for (int rank = 0; rank < scene_.nranks(); ++rank) {
    const Dimension& along = scene_.section(rank)->dimension(dimension);
    const Padding padding = along.communication_padding();
    // Ghosts of a list lie anywhere: no outline goes around them.
    if (along.as<Unstructured>() != nullptr && padding != Padding{}) return false;
    const double lower = (ruler.at(1) - ruler.at(0)) * static_cast<double>(padding.lower);
    const double upper = (ruler.at(last + 1) - ruler.at(last)) * static_cast<double>(padding.upper);
    if (padding.lower > 0 && along.grid().first()) halo = std::max(halo, lower + 4);
    if (padding.upper > 0 && along.grid().last()) halo = std::max(halo, upper + 4);
    if ((padding.lower > 0 && lower < least_outline) ||
        (padding.upper > 0 && upper < least_outline))
      return false;
  }
  return halo <= most_halo;
}

bool Plot::legible_outlines() {
  if (scene_.focus() || scene_.partial() || scene_.nranks() > most_outlines) return false;
  if (columns_.size() > 1) return false;
  bool any = false;
  for (int rank = 0; rank < scene_.nranks(); ++rank)
    for (const int d : {scene_.row_dimension(), scene_.column_dimension()})
      any = any ||
            (d >= 0 && scene_.section(rank)->dimension(d).communication_padding() != Padding{});
  return any && outlined_along(scene_.row_dimension(), rows_, halo_y_) &&
         outlined_along(scene_.column_dimension(), columns_.front(), halo_x_);
}

std::string Plot::label(const Cell& cell, double x, double y, double width, double height) const {
  std::string what;
  const char* kind = "rank";
  double size = 18;
  if (cell.kind == Cell::Kind::owned) {
    what = std::to_string(cell.rank) + (cell.shared ? "+" : "");
  } else if (cell.kind == Cell::Kind::unrecorded) {
    what = "?";
  } else if (cell.kind == Cell::Kind::mixed) {
    what = cell.folded || cell.last < 0
               ? "⋯"
               : std::to_string(cell.rank) + "–" + std::to_string(cell.last);
    kind = "many";
    size = 13;
  }
  const auto letters = static_cast<double>(columns_of(what));
  size = std::min({size, height * 0.62, (width - 3) / (0.68 * std::max(letters, 1.0))});
  if (what.empty() || size < 7.5) return {};
  return svg::text(x + width / 2, y + height / 2 + size * 0.36, kind, what, svg::Anchor::middle,
                   size);
}

std::string Plot::regions(const Ruler& columns) {
  std::string fills;
  std::string labels;
  for (std::size_t i = 0; i < rows_.sizes.size(); ++i) {
    for (std::size_t j = 0; j < columns.sizes.size(); ++j) {
      const Cell cell = scene_.cell(rows_.axis.regions[i], columns.axis.regions[j]);
      const double x = left_ + columns.starts[j];
      const double y = top_ + rows_.starts[i];
      const double width = columns.sizes[j];
      const double height = rows_.sizes[i];
      const auto rect = [&](const std::string& kind) {
        fills += "<rect class=\"" + kind + "\"" + svg::box(x, y, width, height) + "/>\n";
      };
      seen_.add(cell);
      if (cell.kind == Cell::Kind::owned) {
        rect("c" + std::to_string(scene_.color(cell.rank, palette_size)));
        if (cell.shared) rect("shared");
        if (cell.part == Part::boundary) rect("hatch");
        if (cell.part == Part::communication) rect("tint");
      } else {
        rect(cell.kind == Cell::Kind::nobody ? "nobody" : "group");
      }
      if (cell.part != Part::boundary) labels += label(cell, x, y, width, height);
    }
  }
  return fills + cell_grid(columns) + borders(columns) + labels;
}

std::string Plot::cell_grid(const Ruler& columns) const {
  std::string lines;
  const double right = left_ + columns.length();
  const double bottom = top_ + rows_.length();
  const auto inner = [](const Ruler& ruler) { return ruler.cell >= 9 ? ruler.length() : 0; };
  for (double x = columns.cell; x < inner(columns) - 1; x += columns.cell)
    lines += stroke(left_ + x, top_, 'V', bottom);
  for (double y = rows_.cell; y < inner(rows_) - 1; y += rows_.cell)
    lines += stroke(left_, top_ + y, 'H', right);
  return path(lines, "grid");
}

std::string Plot::borders(const Ruler& columns) const {
  std::string solid;
  std::string jumps;
  for (const Edge& edge : edges_of(scene_, rows_.axis, columns.axis)) {
    const double x = left_ + columns.starts[edge.column];
    const double y = top_ + rows_.starts[edge.row];
    (edge.border == Border::owner ? solid : jumps) +=
        edge.upper ? stroke(x, y, 'H', x + columns.sizes[edge.column])
                   : stroke(x, y, 'V', y + rows_.sizes[edge.row]);
  }
  return path(jumps, "jump") + path(solid, "border") + "<rect class=\"border\"" +
         svg::box(left_, top_, columns.length(), rows_.length()) + "/>\n";
}

std::string Plot::outlines(const Ruler& columns) const {
  struct Span {
    double from, to;
  };
  // Outlines of neighbours would hide each other: those of every second process are smaller, and a
  // side without padding is inside what the rank owns.
  const auto span = [&](int rank, int d, const Ruler& ruler, int other) -> Span {
    if (d < 0) return {6, ruler.length() - 6};
    const DistArray& section = *scene_.section(rank);
    const Dimension& dimension = section.dimension(d);
    const Padding padding = dimension.communication_padding();
    const auto* block = dimension.as<Block>();
    const IndexRange owned =
        block != nullptr ? block->owned : IndexRange{0, dimension.global_size()};
    const bool second = other >= 0 && section.dimension(other).grid().rank % 2 == 1;
    const double inset = second ? 4 : 1.2;
    return {ruler.at(owned.start - padding.lower) + inset + (padding.lower > 0 ? 0 : 3),
            ruler.at(owned.stop + padding.upper) - inset - (padding.upper > 0 ? 0 : 3)};
  };
  std::string out;
  for (int rank = 0; rank < scene_.nranks(); ++rank) {
    if (!scene_.in_picture(rank)) continue;
    const Span x = span(rank, scene_.column_dimension(), columns, scene_.row_dimension());
    const Span y = span(rank, scene_.row_dimension(), rows_, scene_.column_dimension());
    out += "<rect class=\"o" + std::to_string(scene_.color(rank, palette_size)) + "\" rx=\"3\"" +
           svg::box(left_ + x.from, top_ + y.from, x.to - x.from, y.to - y.from) + "/>\n";
  }
  return out;
}

std::string Plot::row_labels() const {
  std::string out;
  const Line& line = scene_.rows();
  const double x = left_ - halo_x_ - 6;
  double free = -1e9;
  const auto write = [&](Index position, double y) {
    if (y - index_height < free) return;
    out +=
        svg::text(x, top_ + y, "index", std::to_string(line.global_of(position)), svg::Anchor::end);
    free = y + 1;
  };
  const auto& regions = rows_.axis.regions;
  const bool ends = rows_.cell == 0 && !regions.back().mixed && regions.back().positions.size() > 1;
  const double last = rows_.length() - (ends ? 12 : 0);
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (regions[i].folded) continue;
    const Index count = rows_.cell > 0 ? regions[i].positions.size() : 1;
    for (Index k = 0; k < count; ++k) {
      const double y = rows_.starts[i] + static_cast<double>(k) * rows_.cell;
      const double baseline = rows_.cell > 0 ? y + rows_.cell / 2 + 4 : y + index_height;
      if (baseline <= last + 1) write(regions[i].positions.start + k, baseline);
    }
  }
  if (ends) write(line.extent() - 1, rows_.length() - 1);
  const double middle = top_ + rows_.length() / 2;
  out += "<g transform=\"translate(14 " + svg::number(middle) + ") rotate(-90)\">" +
         svg::text(0, 0, "note", "dimension " + std::to_string(scene_.row_dimension()),
                   svg::Anchor::middle) +
         "</g>\n";
  return out;
}

std::string Plot::column_labels(const Ruler& columns) const {
  std::string out;
  const Line& line = scene_.columns();
  const double y = top_ - halo_y_ - 6;
  const auto& regions = columns.axis.regions;
  std::vector<std::pair<double, double>> taken;
  const auto write = [&](Index position, double from, svg::Anchor anchor) {
    const double width = label_width(line, position);
    if (anchor == svg::Anchor::start && from + width > columns.length() + 8) {
      anchor = svg::Anchor::end;
      from = columns.length();
    }
    double begin = from;
    if (anchor == svg::Anchor::middle) begin -= width / 2;
    if (anchor == svg::Anchor::end) begin -= width;
    for (const auto& [start, stop] : taken)
      if (begin < stop + 7 && start < begin + width + 7) return;
    taken.emplace_back(begin, begin + width);
    out += svg::text(left_ + from, y, "index", std::to_string(line.global_of(position)), anchor);
  };
  const Index last = regions.back().positions.stop - 1;
  if (columns.cell > 0) {
    const auto middle = [&](Index position) { return columns.at(position) + columns.cell / 2; };
    write(regions.front().positions.start, middle(regions.front().positions.start),
          svg::Anchor::middle);
    write(last, middle(last), svg::Anchor::middle);
    for (const Stretch& region : regions) {
      for (Index p = region.positions.start; p < region.positions.stop; ++p)
        write(p, middle(p), svg::Anchor::middle);
    }
  } else {
    write(regions.front().positions.start, 0, svg::Anchor::start);
    if (!regions.back().mixed && regions.back().positions.size() > 1)
      write(last, columns.length(), svg::Anchor::end);
    for (std::size_t j = 0; j < regions.size(); ++j)
      if (!regions[j].folded)
        write(regions[j].positions.start, columns.starts[j], svg::Anchor::start);
  }
  if (&columns == &columns_.front())
    out += svg::text(left_ + columns.length() / 2, top_ - halo_y_ - 24, "note",
                     "dimension " + std::to_string(scene_.column_dimension()), svg::Anchor::middle);
  return out;
}

std::string Plot::panel(const Ruler& columns) {
  std::string out = regions(columns);
  if (outlined_) out += outlines(columns);
  if (scene_.row_dimension() >= 0) out += row_labels();
  if (scene_.column_dimension() >= 0) out += column_labels(columns);
  return out;
}

std::string Plot::draw() {
  std::string out;
  for (std::size_t i = 0; i < columns_.size(); ++i)
    out += "<g transform=\"translate(0 " + svg::number(static_cast<double>(i) * panel_height_) +
           ")\">\n" + panel(columns_[i]) + "</g>\n";
  return out;
}

std::string Plot::note(int dimension, const Ruler& ruler) const {
  if (dimension < 0 || ruler.axis.scale == Scale::cells) return {};
  if (ruler.axis.scale != Scale::shrunk) return chosen_note(scene_, dimension, ruler.axis);
  const double extent = static_cast<double>(ruler.axis.regions.back().positions.stop);
  const double each = 100 * extent / ruler.length();
  std::string text = "dimension " + std::to_string(dimension) + ": 100 pixels are about " +
                     std::to_string(std::llround(each)) + " indices";
  if (ruler.widened) text += "; small regions are drawn larger";
  return text;
}

std::vector<std::string> Plot::notes() const {
  std::vector<std::string> all;
  for (std::string text :
       {note(scene_.row_dimension(), rows_), note(scene_.column_dimension(), columns_.front())})
    if (!text.empty()) all.push_back(std::move(text));
  return all;
}

}  // namespace daptor::show
