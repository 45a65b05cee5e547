// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/rules.hpp"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <iterator>
#include <memory>
#include <ostream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/renamed_rules.hpp"
#include "daptor/conformance/checks.hpp"
#include "daptor/error.hpp"
#include "report/paint.hpp"
#include "rules/words.hpp"

namespace daptor::cli {
namespace {

using Json = nlohmann::ordered_json;

struct RuleOptions {
  std::vector<std::string> ids;
  OutputOptions output;
};

/// A rule of behaviour in the form of the other rules.
protocol::Rule behaviour_rule(const conformance::BehaviourRule& behaviour) {
  protocol::Rule rule;
  rule.id = behaviour.id;
  rule.clause = behaviour.clause;
  rule.where = "what producers must be able to do";
  rule.force = protocol::Force::implied;
  rule.scope = protocol::Scope::behaviour;
  rule.checked_0_9 = rule.checked_0_10 = true;
  rule.severity = rule.severity_0_10 = rule.strict = rule.strict_0_10 = behaviour.severity;
  rule.remedy = behaviour.remedy;
  return rule;
}

/// The rules of behaviour that are not in the table.
const std::vector<protocol::Rule>& behaviour_rules() {
  static const std::vector<protocol::Rule> all = [] {
    std::vector<protocol::Rule> list;
    for (const conformance::BehaviourRule& behaviour : conformance::behaviour_rules())
      if (protocol::find_rule(behaviour.id) == nullptr) list.push_back(behaviour_rule(behaviour));
    return list;
  }();
  return all;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::vector<const protocol::Rule*> known_rules() {
  std::vector<const protocol::Rule*> all;
  for (const std::vector<protocol::Rule>* list : {&protocol::rules(), &behaviour_rules()})
    for (const protocol::Rule& rule : *list) all.push_back(&rule);
  return all;
}

/// `b09` for `B9`: in small letters, and numbers of one digit with a zero.
std::string canonical(const std::string& id) {
  std::string text = lower(id);
  const std::size_t digits = text.find_first_of("0123456789");
  const bool one_digit = digits != std::string::npos && digits > 0 && digits + 1 == text.size();
  return one_digit ? text.insert(digits, "0") : text;
}

/// The requested rules, or all. Throws InvalidArgument for an id that no rule has.
std::vector<const protocol::Rule*> chosen_rules(const std::vector<std::string>& ids) {
  std::vector<const protocol::Rule*> all = known_rules();
  if (ids.empty()) return all;
  std::vector<const protocol::Rule*> chosen;
  for (const std::string& id : ids) {
    const auto known = std::find_if(all.begin(), all.end(), [&](const protocol::Rule* rule) {
      return canonical(std::string(rule->id)) == canonical(id);
    });
    if (known == all.end())
      throw InvalidArgument("", "no rule " + id, "one that daptor rule lists");
    chosen.push_back(*known);
  }
  return chosen;
}

/// Writes `text` on lines of at most `width` characters, each of which begins with `indent`.
void write_wrapped(std::ostream& out, std::string_view text, const std::string& indent,
                   std::size_t width) {
  std::istringstream words{std::string(text)};
  std::string line, word;
  while (words >> word) {
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      out << indent << line << '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  out << indent << line << '\n';
}

void write_indented(std::ostream& out, const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out << "    " << line << '\n';
}

void write_page(std::ostream& out, const protocol::Rule& rule, const report::Paint& paint) {
  out << paint.bold(std::string(rule.id));
  if (!rule.key.empty()) out << "  " << rule.key;
  out << "\n\n";
  write_wrapped(out, rule.clause, "  ", 76);
  out << "\n  " << to_string(rule.kind) << ", " << to_string(rule.force) << ": " << rule.where
      << "\n  judged by: " << to_string(rule.scope)
      << "\n  severity: " << rule_words::severity_text(rule) << '\n';
  if (!rule.reported_as.empty()) out << "  reported as: " << rule.reported_as << '\n';
  if (!rule.remedy.empty()) write_wrapped(out, "do: " + std::string(rule.remedy), "  ", 76);
  for (const examples::RuleExample& example : examples::of(rule)) {
    const std::string title = rule_words::example_title(
        rule, example, [](std::string_view id) { return std::string(id); });
    out << '\n' << "  " << paint.bold(title) << ":\n";
    write_indented(out, example.description);
    if (example.normal_form.empty()) continue;
    out << "  Meaning:\n";
    write_indented(out, example.normal_form);
  }
}

/// Writes one line: the first sentence of the clause.
void write_first_sentence(std::ostream& out, const protocol::Rule& rule) {
  const std::string_view first = rule.clause.substr(0, rule.clause.find(". "));
  const bool stopped = !first.empty() && first.back() == '.';
  out << "  " << rule.id << "  " << first.substr(0, first.size() - (stopped ? 1 : 0)) << '\n';
}

void write_list(std::ostream& out, const report::Paint& paint) {
  for (const rule_words::Section& section : rule_words::sections()) {
    out << paint.bold(std::string(section.title)) << '\n';
    for (const protocol::Rule& rule : protocol::rules())
      if (rule.id.front() == section.letter) write_first_sentence(out, rule);
  }
  out << paint.bold("What producers do, beside T17 and T18") << '\n';
  for (const protocol::Rule& rule : behaviour_rules()) write_first_sentence(out, rule);
  out << paint.faint("For one of them with its examples: daptor rule B09") << '\n';
}

void write_text(std::ostream& out, const std::vector<const protocol::Rule*>& chosen,
                const RuleOptions& options) {
  const report::Paint paint(wants_color(options.output));
  if (options.ids.empty()) return write_list(out, paint);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (i > 0) out << '\n';
    write_page(out, *chosen[i], paint);
  }
}

template <class T>
std::string word(T value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

/// The severity as JSON; null if the rule gives no finding under this version.
Json severity_of(const protocol::Rule& rule, Version::Rules rules, Profile profile) {
  const bool checked = rules == Version::Rules::v0_9 ? rule.checked_0_9 : rule.checked_0_10;
  return checked ? Json(word(rule.severity_for(rules, profile))) : Json();
}

Json example_of(const examples::RuleExample& example) {
  constexpr const char* kinds[] = {"conforms", "breaks", "under 0.9", "under 0.10"};
  Json json;
  json["kind"] = kinds[static_cast<std::size_t>(example.kind)];
  json["description"] = example.description;
  json["verdict"] = word(example.verdict);
  json["findings"] = example.findings;
  json["meaning"] = example.normal_form;
  return json;
}

Json rule_of(const protocol::Rule& rule) {
  Json json;
  json["id"] = rule.id;
  json["kind"] = to_string(rule.kind);
  json["key"] = rule.key;
  json["clause"] = rule.clause;
  json["where"] = rule.where;
  json["force"] = to_string(rule.force);
  json["scope"] = to_string(rule.scope);
  for (const Profile profile : {Profile::recommended, Profile::strict}) {
    const char* name = profile == Profile::strict ? "strict" : "severity";
    json[name]["0.9"] = severity_of(rule, Version::Rules::v0_9, profile);
    json[name]["0.10"] = severity_of(rule, Version::Rules::v0_10, profile);
  }
  json["reported_as"] = rule.reported_as;
  json["remedy"] = rule.remedy;
  json["examples"] = Json::array();
  for (const examples::RuleExample& example : examples::of(rule))
    json["examples"].push_back(example_of(example));
  return json;
}

void write_json(std::ostream& out, const std::vector<const protocol::Rule*>& chosen) {
  Json json;
  json["format"] = 1;
  json["rules"] = Json::array();
  for (const protocol::Rule* rule : chosen) json["rules"].push_back(rule_of(*rule));
  out << json.dump(2) << '\n';
}

/// Answers for ids that have other names now; they belong to adapters, whose rules have no page
/// here. Returns the ids that are left.
std::vector<std::string> answer_renamed(const RuleOptions& options) {
  std::vector<std::string> left;
  for (const std::string& id : options.ids) {
    const auto* const known =
        std::find_if(std::begin(renamed_rules), std::end(renamed_rules),
                     [&](const RenamedRule& each) { return each.old == lower(id); });
    if (known == std::end(renamed_rules))
      left.push_back(id);
    else
      std::cout << known->old << " is " << known->now << " now; docs/errors.md leads to its page\n";
  }
  return left;
}

int show_rules(RuleOptions options) {
  const std::size_t asked = options.ids.size();
  options.ids = answer_renamed(options);
  if (asked > 0 && options.ids.empty()) return 0;
  const std::vector<const protocol::Rule*> chosen = chosen_rules(options.ids);
  deliver(options.output.file, [&](std::ostream& out) {
    if (options.output.format == Format::json) return write_json(out, chosen);
    write_text(out, chosen, options);
  });
  return 0;
}

}  // namespace

void add_rule(CLI::App& daptor, Action& action) {
  auto options = std::make_shared<RuleOptions>();
  CLI::App* rule =
      daptor.add_subcommand("rule", "Show a rule with its examples, or list all rules");
  rule->footer("Example:\n  daptor rule B09");
  rule->add_option("ids", options->ids, "Ids of rules, as B09; none: a list of all")
      ->type_name("ID");
  add_output_options(*rule, options->output, Formats::text_json);
  rule->callback([options, &action] {
    action = [options] {
      return once(by(options->output.file), [&] { return show_rules(*options); });
    };
  });
}

}  // namespace daptor::cli
