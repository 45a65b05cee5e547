// SPDX-License-Identifier: BSD-3-Clause
// Writes the table of rules as Markdown, without the examples or with them.
//
//   daptor_rules_page [FILE]              one table: docs/rules.md
//   daptor_rules_page --examples [FILE]   a section for each letter, which the site makes pages of

#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "daptor/rules.hpp"
#include "rules/words.hpp"

namespace {

using daptor::examples::ExampleKind;
using daptor::examples::RuleExample;
using daptor::protocol::Rule;

using daptor::rule_words::Section;
using daptor::rule_words::sections;

constexpr const char* introduction = R"(# The rules

Every clause of the Distributed Array Protocol that Daptor knows, by the id that findings and errors
give. `daptor rule B09` prints one rule with its severity, what is needed to judge it, and examples
that keep it and break it; `daptor rule` lists them all. The site of this documentation has the same
on a page for each letter.

The column *stated in* names the section of the specification, and says so if that section only
implies the rule, permits something or advises it. A rule that is *reported as* another one has no
findings of its own. The program `daptor_rules_page` writes this page from the table in
`src/report/rules`: to change it, change that table and build the target `rules_page`.

A severity is *error* if the description is malformed (or unsupported, or its producer failed),
*warning* if the recommended profile accepts it and the strict one does not, and *note* if it is worth
knowing. `daptor rule` gives that of the recommended profile, for 0.9.x and 0.10.x if it names no
version. Rules that are judged at *level full* look at lists of indices, and their cost is
proportional to the lists.

)";

std::string anchor(std::string_view id) {
  std::string text(id);
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::string link(const std::string& id) {
  return "[" + id + "](#" + anchor(id) + ")";
}

bool is_word_character(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Converts plain text to Markdown: ids of other rules become links, and names with underscores
/// code.
std::string prose(std::string_view text, std::string_view own_id) {
  std::string result;
  while (!text.empty()) {
    const auto end = std::find_if_not(text.begin(), text.end(), is_word_character);
    const auto length = std::max<std::size_t>(1, static_cast<std::size_t>(end - text.begin()));
    const std::string word(text.substr(0, length));
    if (word != own_id && daptor::protocol::find_rule(word) != nullptr) {
      result += link(word);
    } else if (word.size() > 1 && word.find('_') != std::string::npos) {
      result += "`" + word + "`";
    } else {
      result += word;
    }
    text.remove_prefix(length);
  }
  return result;
}

/// Conforming examples that many rules share; they are shown once.
std::vector<std::string> shared_examples() {
  constexpr std::ptrdiff_t often = 4;
  std::vector<std::string> all;
  for (const Rule& rule : daptor::protocol::rules())
    for (const RuleExample& example : daptor::examples::of(rule))
      if (example.kind == ExampleKind::conforms && example.normal_form.empty())
        all.push_back(example.description);
  std::vector<std::string> shared;
  for (const std::string& text : all) {
    const bool listed = std::find(shared.begin(), shared.end(), text) != shared.end();
    if (!listed && std::count(all.begin(), all.end(), text) >= often) shared.push_back(text);
  }
  return shared;
}

void write_block(std::ostream& out, const char* language, std::string_view text) {
  out << "```" << language << '\n' << text << (text.back() == '\n' ? "" : "\n") << "```\n\n";
}

void write_example(std::ostream& out, const Rule& rule, const RuleExample& example,
                   const std::vector<std::string>& shared) {
  out << daptor::rule_words::example_title(rule, example, [&](std::string_view id) {
    return prose(id, rule.id);
  }) << ":";
  const auto at = std::find(shared.begin(), shared.end(), example.description);
  if (at != shared.end() && example.normal_form.empty()) {
    const auto number = at - shared.begin() + 1;
    out << " [shared example " << number << "](#shared-" << number << ")\n\n";
    return;
  }
  out << "\n\n";
  write_block(out, "json", example.description);
  if (example.normal_form.empty()) return;
  out << "Meaning:\n\n";
  write_block(out, "text", example.normal_form);
}

void write_rule(std::ostream& out, const Rule& rule, const std::vector<std::string>& shared) {
  out << "<a id=\"" << anchor(rule.id) << "\"></a>\n### " << rule.id;
  if (!rule.key.empty()) out << " `" << rule.key << '`';
  out << "\n\n" << prose(rule.clause, rule.id) << "\n\n";
  out << "- " << to_string(rule.kind) << ", " << to_string(rule.force) << ": " << rule.where
      << '\n';
  out << "- judged by: " << to_string(rule.scope) << '\n';
  out << "- severity: " << daptor::rule_words::severity_text(rule) << '\n';
  if (!rule.reported_as.empty())
    out << "- reported as: " << prose(rule.reported_as, rule.id) << '\n';
  if (!rule.remedy.empty()) out << "- remedy: " << prose(rule.remedy, rule.id) << '\n';
  out << '\n';
  for (const RuleExample& example : daptor::examples::of(rule))
    write_example(out, rule, example, shared);
}

/// The text of a cell of a table.
std::string cell(std::string_view text, const Rule& rule) {
  std::string result;
  for (const char c : prose(text, rule.id))
    result += c == '|' ? std::string("\\|") : std::string(1, c);
  return result;
}

/// The rule on one line, with its anchor.
void write_row(std::ostream& out, const Rule& rule) {
  out << "| <a id=\"" << anchor(rule.id) << "\"></a>" << rule.id << " | ";
  if (!rule.key.empty()) out << '`' << rule.key << "`: ";
  out << cell(rule.clause, rule) << " | " << rule.where;
  if (rule.force != daptor::protocol::Force::stated) out << " (" << to_string(rule.force) << ')';
  out << " | ";
  if (!rule.reported_as.empty()) out << "Reported as " << cell(rule.reported_as, rule) << ". ";
  out << cell(rule.remedy, rule) << " |\n";
}

void write_table(std::ostream& out) {
  out << introduction;
  for (const Section& section : sections())
    out << "- [" << section.letter << "](#" << anchor({&section.letter, 1})
        << "01): " << section.title << '\n';
  out << "\n| rule | what must hold | stated in | what to do |\n| --- | --- | --- | --- |\n";
  for (const Rule& rule : daptor::protocol::rules()) write_row(out, rule);
}

/// Sections that begin with `## `: examples that rules share, then the rules of each letter.
void write_examples(std::ostream& out) {
  const std::vector<std::string> shared = shared_examples();
  out << "## Shared examples\n\nConforming descriptions that many of the rules refer to.\n\n";
  for (std::size_t i = 0; i < shared.size(); ++i) {
    out << "<a id=\"shared-" << i + 1 << "\"></a>\nShared example " << i + 1 << ":\n\n";
    write_block(out, "json", shared[i]);
  }
  for (const Section& section : sections()) {
    out << "## " << section.letter << ": " << section.title << "\n\n"
        << "Examples are in Daptor's JSON format, where `ranks` has one entry for each rank. "
           "*Meaning* is the normal form into which Daptor reads both versions of the protocol: "
           "what "
           "a process owns (boundary padding included), its padding, which global indices "
           "communication padding copies, and the extent of its buffer.\n\n";
    for (const Rule& rule : daptor::protocol::rules())
      if (rule.id[0] == section.letter) write_rule(out, rule, shared);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool examples = !arguments.empty() && arguments.front() == "--examples";
  if (examples) arguments.erase(arguments.begin());
  if (arguments.size() > 1) {
    std::cerr << "usage: daptor_rules_page [--examples] [FILE]\n";
    return 2;
  }
  std::ofstream file;
  if (!arguments.empty()) file.open(arguments.front());
  std::ostream& out = arguments.empty() ? std::cout : file;
  if (examples)
    write_examples(out);
  else
    write_table(out);
  if (out.flush()) return 0;
  std::cerr << "daptor_rules_page: cannot write "
            << (arguments.empty() ? "the page" : arguments.front()) << '\n';
  return 1;
}
