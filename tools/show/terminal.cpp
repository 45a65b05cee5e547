// SPDX-License-Identifier: BSD-3-Clause
#include <ostream>
#include <string>

#include "report/text.hpp"
#include "show/canvas.hpp"
#include "show/drawing.hpp"
#include "show/legend_table.hpp"
#include "show/words.hpp"

namespace daptor::show {

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
  write_legend(out, scene, options);
}

}  // namespace daptor::show
