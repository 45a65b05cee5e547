// SPDX-License-Identifier: BSD-3-Clause
#include "cli/man.hpp"

#include <ostream>
#include <sstream>

#include "daptor/config.hpp"

namespace daptor::cli {
namespace {

/// Text escaped for troff, so that dashes are not hyphens and no line starts with a command by
/// accident.
std::string roff(const std::string& text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '-') {
      out += "\\-";
    } else if (c == '\\') {
      out += "\\e";
    } else {
      out += c;
    }
    line_start = c == '\n';
  }
  return out;
}

bool begins(const std::string& line, const char* words) {
  return line.rfind(words, 0) == 0;
}

/// The name of the section that a line of a footer begins; empty if the line continues the current
/// section.
std::string section_of(const std::string& line) {
  if (begins(line, "Example")) return line == "Example:" ? "EXAMPLE" : "EXAMPLES";
  return begins(line, "Exit status:") ? "EXIT STATUS" : "";
}

/// A footer as sections, in order; lines that are indented are shown as typed. What stands before
/// the first named section is the description.
void write_footer(std::ostream& out, const std::string& footer, bool description) {
  std::istringstream lines(footer);
  std::string current = "DESCRIPTION", begun;
  for (std::string line; std::getline(lines, line);) {
    if (const std::string section = section_of(line); !section.empty()) {
      current = section;
      if (section != "EXIT STATUS") continue;
    }
    if (line.empty() || (current == "DESCRIPTION") != description) continue;
    if (begun != current) out << ".SH " << current << '\n';
    begun = current;
    const bool typed = begins(line, "  ");
    out << (typed ? ".br\n" : "") << roff(typed ? line.substr(2) : line) << '\n';
  }
}

std::string bold_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  return text;
}

void write_synopsis(std::ostream& out, const CommandDescription& command) {
  out << ".SH SYNOPSIS\n.B " << command.full_name() << '\n';
  if (command.name.empty()) {
    out << "\\fICOMMAND\\fR ...\n";
    return;
  }
  out << "[\\fIOPTIONS\\fR]";
  for (const OptionDescription& option : command.options) {
    if (option.positional()) {
      const std::string name = "\\fI" + option.argument + "\\fR" + (option.repeated ? " ..." : "");
      out << (option.required ? " " + name : " [" + name + "]");
    } else if (option.required) {
      out << ' ' << bold_names({option.names.back()}) << " \\fI" << option.argument << "\\fR";
    }
  }
  out << '\n';
}

void write_options(std::ostream& out, const CommandDescription& command) {
  out << ".SH OPTIONS\n";
  for (const OptionDescription& option : command.options) {
    out << ".TP\n" << bold_names(option.names);
    if (!option.argument.empty())
      out << (option.positional() ? "" : " ") << "\\fI" << roff(option.argument) << "\\fR";
    out << '\n' << roff(option.text) << ".\n";
  }
}

std::string page_name(const CommandDescription& command) {
  return command.name.empty() ? "daptor" : "daptor-" + command.name;
}

}  // namespace

void write_man_page(std::ostream& out, const std::vector<CommandDescription>& commands,
                    std::size_t which) {
  const CommandDescription& command = commands.at(which);
  out << ".TH " << roff(page_name(command)) << " 1 \"\" \"Daptor " DAPTOR_VERSION_STRING "\"\n"
      << ".SH NAME\n"
      << roff(page_name(command)) << " \\- " << roff(command.text) << '\n';
  write_synopsis(out, command);
  write_footer(out, command.footer, true);
  if (command.name.empty()) {
    out << ".SH COMMANDS\n";
    for (const CommandDescription& each : commands)
      if (!each.name.empty())
        out << ".TP\n\\fB" << roff(page_name(each)) << "\\fR(1)\n" << roff(each.text) << ".\n";
  }
  write_options(out, command);
  write_footer(out, command.footer, false);
  out << ".SH SEE ALSO\n";
  std::string separator;
  for (const CommandDescription& each : commands) {
    if (&each == &command) continue;
    out << separator << ".BR " << roff(page_name(each)) << " (1)";
    separator = ",\n";
  }
  out << '\n';
}

}  // namespace daptor::cli
