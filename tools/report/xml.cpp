// SPDX-License-Identifier: BSD-3-Clause
#include "report/xml.hpp"

#include "report/text.hpp"

namespace daptor::report::xml {
namespace {

/// U+FFFE and U+FFFF are valid UTF-8, but not characters of XML.
std::string without_noncharacters(std::string text) {
  for (const char* character : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) {
    const std::string escaped = character[2] == '\xbe' ? "\\xef\\xbf\\xbe" : "\\xef\\xbf\\xbf";
    for (std::size_t at = text.find(character); at != std::string::npos; at = text.find(character))
      text.replace(at, 3, escaped);
  }
  return text;
}

std::string escaped(std::string_view line) {
  std::string out;
  for (const char c : without_noncharacters(detail::printable(line))) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

std::string text(std::string_view text) {
  std::string out;
  for (;;) {
    const std::size_t end = text.find('\n');
    out += escaped(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string attribute(std::string_view text) {
  return '"' + escaped(text) + '"';
}

}  // namespace daptor::report::xml
