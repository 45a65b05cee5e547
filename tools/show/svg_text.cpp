// SPDX-License-Identifier: BSD-3-Clause
#include "show/svg_text.hpp"

#include <cstdio>

#include "report/xml.hpp"
#include "show/palette.hpp"

namespace daptor::show::svg {

std::string number(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.1f", value);
  std::string text(digits);
  if (text.size() > 2 && text.compare(text.size() - 2, 2, ".0") == 0) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string box(double x, double y, double width, double height) {
  return " x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(width) +
         "\" height=\"" + number(height) + "\"";
}

std::string text(double x, double y, std::string_view kind, std::string_view what, Anchor anchor,
                 double size) {
  std::string out = "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" class=\"";
  out += kind;
  out += "\"";
  if (anchor == Anchor::middle) out += " text-anchor=\"middle\"";
  if (anchor == Anchor::end) out += " text-anchor=\"end\"";
  if (size > 0) out += " font-size=\"" + number(size) + "\"";
  return out + ">" + report::xml::text(what) + "</text>\n";
}

std::string style_sheet() {
  std::string out =
      "<style>\n"
      "text { font-family: 'DejaVu Sans', Verdana, 'Segoe UI', Helvetica, sans-serif; }\n"
      ".page { fill: #ffffff; stroke: #d5d9e0; }\n"
      ".title { font-size: 19px; font-weight: bold; }\n"
      ".line, .head { font-size: 13px; }\n"
      ".head { font-weight: bold; }\n"
      ".title, .line, .head { fill: #1d2129; }\n"
      ".note, .index { fill: #5a6270; font-size: 12px; }\n"
      ".index { font-size: 11px; }\n"
      ".rank { font-weight: bold; }\n";
  out += std::string(".rank { fill: ") + ink + "; }\n";
  out += std::string(".border { fill: none; stroke: ") + ink +
         "; stroke-width: 1.6; stroke-linecap: square; }\n";
  out +=
      ".jump { fill: none; stroke: #16181d; stroke-width: 1; stroke-dasharray: 2 3; }\n"
      ".grid { fill: none; stroke: #ffffff; stroke-opacity: 0.55; }\n"
      ".hatch { fill: url(#hatch); }\n"
      ".shared { fill: url(#shared); }\n"
      ".tint { fill: #ffffff; fill-opacity: 0.62; }\n"
      ".group { fill: #dfe3ea; }\n"
      ".nobody { fill: url(#nobody); }\n";
  for (std::size_t i = 0; i < palette.size(); ++i) {
    const std::string name = std::to_string(i);
    out += ".c" + name + " { fill: " + palette[i].fill + "; }\n";
    out += ".o" + name + " { fill: none; stroke: " + palette[i].shade +
           "; stroke-width: 1.8; stroke-dasharray: 5 3; }\n";
  }
  out +=
      "@media (prefers-color-scheme: dark) {\n"
      ".page { fill: #1b1e24; stroke: #3a404a; }\n"
      ".title, .line, .head { fill: #eceef2; }\n"
      ".note, .index { fill: #a9b1bf; }\n"
      "}\n"
      "</style>\n"
      "<defs>\n"
      "<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\">"
      "<rect width=\"2\" height=\"6\" fill=\"#16181d\" fill-opacity=\"0.42\"/></pattern>\n"
      "<pattern id=\"shared\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\">"
      "<rect width=\"7\" height=\"1.6\" fill=\"#ffffff\" fill-opacity=\"0.75\"/></pattern>\n"
      "<pattern id=\"nobody\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
      "<rect width=\"8\" height=\"8\" fill=\"#eef0f4\"/>"
      "<circle cx=\"4\" cy=\"4\" r=\"1\" fill=\"#7d8695\"/></pattern>\n"
      "</defs>\n";
  return out;
}

}  // namespace daptor::show::svg
