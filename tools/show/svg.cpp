// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "report/xml.hpp"
#include "show/canvas.hpp"
#include "show/palette.hpp"
#include "show/plot.hpp"
#include "show/svg_text.hpp"
#include "show/words.hpp"

namespace daptor::show {
namespace {

constexpr double margin = 28;
constexpr double line_step = 22;
constexpr double text_character = 7.9;  // at most, of text of 13 pixels
constexpr double bold = 1.08;           // how much wider bold text is
constexpr double swatch_width = 24;
constexpr std::size_t most_entries = 24;
constexpr std::size_t few_entries = 12;

/// The legend and the key, as a block of lines.
class Side {
 public:
  Side(const Scene& scene, const Plot& plot);

  double width() const { return width_; }
  double height() const { return height_; }
  std::string draw() const { return out_; }

 private:
  void table(const Scene& scene, const Legend& legend, bool colors);
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
  const bool few = scene.nranks() > static_cast<int>(most_entries);
  table(scene, legend(scene, few ? few_entries : most_entries, "×"), !plot.seen().groups);
  key(plot);
  for (const std::string& note : plot.notes()) {
    height_ += line_step;
    out_ += svg::text(0, height_ - 6, "note", note);
    width_ = std::max(width_, text_width(note) * 0.9);
  }
}

void Side::table(const Scene& scene, const Legend& legend, bool colors) {
  std::array<double, legend_columns> widths{};
  for (const LegendEntry& entry : legend.entries) {
    const LegendRow row = legend_row(entry);
    for (std::size_t i = 0; i < legend_columns; ++i)
      widths[i] = std::max(widths[i], text_width(row[i]));
  }
  width_ = swatch_width;
  std::array<double, legend_columns> starts{};
  for (std::size_t i = 0; i < legend_columns; ++i) {
    starts[i] = width_;
    if (widths[i] == 0) continue;
    widths[i] = std::max(widths[i], text_width(legend_head()[i]) * bold);
    width_ += widths[i] + 18;
  }
  const auto line = [&](const LegendRow& row, const char* kind) {
    height_ += line_step;
    for (std::size_t i = 0; i < legend_columns; ++i) {
      if (widths[i] == 0 || row[i].empty()) continue;
      const double x = starts[i] + (at_right(i) ? widths[i] : 0);
      out_ += svg::text(x, height_ - 6, kind, row[i],
                        at_right(i) ? svg::Anchor::end : svg::Anchor::start);
    }
  };
  line(legend_head(), "head");
  for (const LegendEntry& entry : legend.entries) {
    line(legend_row(entry), entry.in_picture ? "line" : "note");
    if (colors && entry.recorded && !entry.empty)
      out_ += "<rect class=\"c" + std::to_string(scene.color(entry.rank, palette_size)) +
              "\" rx=\"3\"" + svg::box(0, height_ - 18, 16, 16) + "/>\n";
  }
  if (legend.left_out > 0)
    line({"", "and " + std::to_string(legend.left_out) + " more ranks"}, "note");
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
