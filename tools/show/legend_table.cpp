// SPDX-License-Identifier: BSD-3-Clause
#include "show/legend_table.hpp"

#include <algorithm>
#include <array>
#include <ostream>
#include <string>

#include "show/canvas.hpp"
#include "show/palette.hpp"
#include "show/words.hpp"

namespace daptor::show {
namespace {

constexpr int all_ranks = 24;  // as many as are listed all
constexpr int first_ranks = 12;

using Widths = std::array<std::size_t, legend_columns>;

Widths widths_of(const Legend& legend) {
  Widths widths{};
  for (const LegendEntry& entry : legend.entries) {
    const LegendRow row = legend_row(entry);
    for (std::size_t i = 0; i < legend_columns; ++i)
      widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  for (std::size_t i = 0; i < legend_columns; ++i)
    if (widths[i] > 0) widths[i] = std::max(widths[i], columns_of(legend_head()[i]));
  return widths;
}

std::string field(const LegendRow& row, const Widths& widths, std::size_t i) {
  const std::string space(widths[i] - std::min(columns_of(row[i]), widths[i]), ' ');
  return at_right(i) ? space + row[i] : row[i] + space;
}

/// The fields behind the rank.
std::string rest(const LegendRow& row, const Widths& widths) {
  std::string line;
  for (std::size_t i = 1; i < legend_columns; ++i)
    if (widths[i] > 0) line += "  " + field(row, widths, i) + ' ';
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

}  // namespace

void write_legend(std::ostream& out, const Scene& scene, const TerminalOptions& options) {
  const Legend all = legend(scene, scene.nranks() <= all_ranks ? all_ranks : first_ranks,
                            options.unicode ? "×" : "x");
  const Widths widths = widths_of(all);
  out << "  " << field(legend_head(), widths, 0) << ' ' << rest(legend_head(), widths) << '\n';
  for (const LegendEntry& entry : all.entries) {
    const LegendRow row = legend_row(entry);
    std::string rank = ' ' + field(row, widths, 0) + ' ';
    if (options.color && entry.recorded && !entry.empty)
      rank =
          escape({Style::Kind::solid, scene.color(entry.rank, palette_size)}) + rank + escape_end;
    out << ' ' << rank << rest(row, widths) << '\n';
  }
  if (all.left_out > 0) out << "  and " << all.left_out << " more ranks\n";
}

}  // namespace daptor::show
