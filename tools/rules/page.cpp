// SPDX-License-Identifier: BSD-3-Clause
// Writes the table of rules as a page of Markdown.
//
//   daptor_rules_page [FILE]

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

Every clause of the Distributed Array Protocol that Daptor knows, by its id. Findings, errors and
`daptor rule ID` use the same ids. This page is written by the program `daptor_rules_page` from the
table in `src/rules`: to change the page, change the table and build the target `rules_page`.

For each rule the page says whether the specification states it, implies it, permits it or only
advises it; what is needed to judge it; and how severe a finding is:

- *error*: the description is malformed (or unsupported, or its producer failed);
- *warning*: accepted in the recommended profile, an error in the strict one;
- *note*: worth knowing.

A severity without a version holds for 0.9.x and 0.10.x. Severities are those of the recommended
profile. The strict profile turns warnings into errors; what else it changes is said at the rule.
Rules with scope *level full* look at lists of indices, and their cost is proportional to the lists.

Examples are in Daptor's JSON format, where `ranks` has one entry for each rank. *Meaning* is the
normal form into which Daptor reads both versions of the protocol: what a process owns (boundary
padding included), its padding, which global indices communication padding copies, and the extent of
its buffer.

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

void write_summary(std::ostream& out) {
  for (const Section& section : sections()) {
    out << "- **" << section.letter << "** " << section.title << ":";
    for (const Rule& rule : daptor::protocol::rules())
      if (rule.id[0] == section.letter) out << " [" << rule.id << "](#" << anchor(rule.id) << ")";
    out << '\n';
  }
  out << '\n';
}

void write_page(std::ostream& out) {
  out << introduction;
  write_summary(out);
  const std::vector<std::string> shared = shared_examples();
  out << "## Shared examples\n\nConforming descriptions that many of the rules below refer to.\n\n";
  for (std::size_t i = 0; i < shared.size(); ++i) {
    out << "<a id=\"shared-" << i + 1 << "\"></a>\nShared example " << i + 1 << ":\n\n";
    write_block(out, "json", shared[i]);
  }
  for (const Section& section : sections()) {
    out << "## " << section.letter << ": " << section.title << "\n\n";
    for (const Rule& rule : daptor::protocol::rules())
      if (rule.id[0] == section.letter) write_rule(out, rule, shared);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2) {
    std::cerr << "usage: daptor_rules_page [FILE]\n";
    return 2;
  }
  if (argc == 1) {
    write_page(std::cout);
    return std::cout.flush() ? 0 : 1;
  }
  std::ofstream file(argv[1]);
  write_page(file);
  file.close();
  if (file) return 0;
  std::cerr << "daptor_rules_page: cannot write " << argv[1] << '\n';
  return 1;
}
