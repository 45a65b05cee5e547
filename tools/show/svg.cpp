#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "report/xml.hpp"
#include "show/palette.hpp"
#include "show/plot.hpp"
#include "show/svg_text.hpp"
#include "show/words.hpp"

namespace daptor::show {
namespace {

constexpr double margin = 28;
constexpr double line_step = 22;
constexpr double text_character = 7.9;  // at most, of text of 13 pixels
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
  struct Column {
    std::string head;
    double width = 0;
    bool right = false;
  };
  void table(const Scene& scene, const Legend& legend, bool colors);
  void key(const Plot& plot);
  void sample(const std::string& shapes, const std::string& what);
  double y() const { return height_; }

  std::string out_;
  double width_ = 0;
  double height_ = 0;
};

double text_width(const std::string& text) {
  return text_character * static_cast<double>(svg::length(text));
}

std::vector<std::string> fields_of(const LegendEntry& entry) {
  if (!entry.recorded) return {std::to_string(entry.rank), "not recorded", "", "", "", ""};
  std::string remark;
  if (!entry.in_picture) remark = entry.empty ? "empty" : "not in this slice";
  return {std::to_string(entry.rank), entry.shape, entry.owned, entry.boundary,
          entry.communication,        remark};
}

Side::Side(const Scene& scene, const Plot& plot) {
  const bool few = scene.nranks() > static_cast<int>(most_entries);
  table(scene, legend(scene, few ? few_entries : most_entries, "×"), !plot.seen().groups);
  key(plot);
  for (const std::string& note : plot.notes()) {
    height_ += line_step;
    out_ += svg::text(0, y() - 6, "note", note);
    width_ = std::max(width_, text_width(note) * 0.9);
  }
}

void Side::table(const Scene& scene, const Legend& legend, bool colors) {
  std::vector<Column> columns = {{"rank", 0, true},
                                 {"section", 0, false},
                                 {"owned", 0, true},
                                 {"boundary padding", 0, false},
                                 {"communication padding", 0, false},
                                 {"", 0, false}};
  for (const LegendEntry& entry : legend.entries) {
    const std::vector<std::string> fields = fields_of(entry);
    for (std::size_t i = 0; i < fields.size(); ++i)
      columns[i].width = std::max(columns[i].width, text_width(fields[i]));
  }
  double end = 24;
  std::vector<double> starts;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    starts.push_back(end);
    if (columns[i].width == 0) continue;
    columns[i].width = std::max(columns[i].width, text_width(columns[i].head) * 1.08);
    end += columns[i].width + 18;
  }
  width_ = end;
  const auto line = [&](const std::vector<std::string>& fields, const char* kind) {
    height_ += line_step;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (columns[i].width == 0 || fields[i].empty()) continue;
      const double x = starts[i] + (columns[i].right ? columns[i].width : 0);
      out_ += svg::text(x, y() - 6, kind, fields[i],
                        columns[i].right ? svg::Anchor::end : svg::Anchor::start);
    }
  };
  std::vector<std::string> heads;
  for (const Column& column : columns) heads.push_back(column.head);
  line(heads, "head");
  for (const LegendEntry& entry : legend.entries) {
    line(fields_of(entry), entry.in_picture ? "line" : "note");
    if (colors && entry.recorded && !entry.empty)
      out_ += "<rect class=\"c" + std::to_string(scene.color(entry.rank, palette_size)) +
              "\" rx=\"3\"" + svg::box(0, y() - 18, 16, 16) + "/>\n";
  }
  if (legend.left_out > 0)
    line({"", "and " + std::to_string(legend.left_out) + " more ranks"}, "note");
}

void Side::sample(const std::string& shapes, const std::string& what) {
  height_ += line_step;
  out_ += "<g transform=\"translate(0 " + svg::number(y() - 18) + ")\">" + shapes + "</g>\n";
  out_ += svg::text(24, y() - 6, "line", what);
  width_ = std::max(width_, 24 + text_width(what));
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
  double width = 11.5 * static_cast<double>(svg::length(scene.name()));
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
