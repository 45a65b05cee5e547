#include "show/legend_table.hpp"

#include <algorithm>
#include <ostream>
#include <string>

#include "show/canvas.hpp"
#include "show/palette.hpp"
#include "show/words.hpp"

namespace daptor::show {
namespace {

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

void write_legend(std::ostream& out, const Scene& scene, const TerminalOptions& options) {
  LegendTable(scene, options).write(out);
}

}  // namespace daptor::show
