// SPDX-License-Identifier: BSD-3-Clause
#include "rules/examples.hpp"

#include <map>
#include <stdexcept>

namespace daptor::examples {

/// Defined by the build: the files of `examples/`, shared.txt first.
const std::vector<std::string_view>& files();

namespace {

using Named = std::map<std::string_view, std::string>;

bool starts_with(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

std::string_view without_end_of_line(std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  return text;
}

[[noreturn]] void refuse(std::string_view heading, const std::string& why) {
  throw std::logic_error("the example [" + std::string(heading) + "] " + why);
}

/// A heading, and the lines up to the next.
struct Block {
  std::string_view heading;
  std::string_view text;
};

std::vector<Block> blocks_of(std::string_view file) {
  std::vector<Block> blocks;
  constexpr std::string_view opening = "\n[";
  std::size_t at = file.find(opening);
  while (at != std::string_view::npos) {
    const std::size_t next = file.find(opening, at + 1);
    const std::string_view block = file.substr(at + opening.size(), next - at - opening.size());
    const std::size_t end = block.find("]\n");
    if (end == std::string_view::npos) refuse(block.substr(0, 40), "has no end of its heading");
    blocks.push_back({block.substr(0, end), without_end_of_line(block.substr(end + 2))});
    at = next;
  }
  return blocks;
}

/// Splits `a, b` at a separator.
std::vector<std::string_view> parts_of(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    text = at == std::string_view::npos ? std::string_view() : text.substr(at + separator.size());
  }
  return parts;
}

std::optional<ExampleKind> kind_of(std::string_view word) {
  if (word == "conforms") return ExampleKind::conforms;
  if (word == "breaks") return ExampleKind::breaks;
  if (word == "under 0.9") return ExampleKind::under_0_9;
  if (word == "under 0.10") return ExampleKind::under_0_10;
  return std::nullopt;
}

std::optional<Verdict> verdict_of(std::string_view word) {
  if (word == "conforms") return Verdict::conforms;
  if (word == "malformed") return Verdict::malformed;
  if (word == "unsupported") return Verdict::unsupported;
  if (word == "producer failed") return Verdict::producer_failed;
  return std::nullopt;
}

RuleExample example_of(const Block& block, const Named& named) {
  RuleExample example;
  const std::size_t space = block.heading.find(' ');
  const std::size_t colon = block.heading.find(": ");
  example.rule = block.heading.substr(0, space);
  const auto kind = kind_of(block.heading.substr(space + 1, colon - space - 1));
  if (!kind) refuse(block.heading, "does not say what it shows");
  example.kind = *kind;
  if (colon != std::string_view::npos) {
    example.findings = parts_of(block.heading.substr(colon + 2), ", ");
    const auto verdict = verdict_of(example.findings.front());
    if (!verdict) refuse(block.heading, "has no verdict after the colon");
    example.verdict = *verdict;
    example.findings.erase(example.findings.begin());
  }
  for (const std::string_view id : example.findings)
    if (protocol::find_rule(id) == nullptr && id != "producer")  // what a producer threw
      refuse(block.heading, "has no rule '" + std::string(id) + "'");

  constexpr std::string_view meaning = "\nmeans\n";
  const std::size_t means = block.text.find(meaning);
  const std::string_view description = block.text.substr(0, means);
  if (means != std::string_view::npos)
    example.normal_form = std::string(block.text.substr(means + meaning.size())) + '\n';
  if (!starts_with(description, "= ")) {
    example.description = description;
    return example;
  }
  const auto found = named.find(description.substr(2));
  if (found == named.end()) refuse(block.heading, "refers to a name that no description has");
  example.description = found->second;
  return example;
}

/// Whether the text is a rule's id: a letter and two digits.
bool looks_like_rule(std::string_view id) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return id.size() == 3 && id[0] >= 'A' && id[0] <= 'Z' && digit(id[1]) && digit(id[2]);
}

/// A heading begins with a rule's id; otherwise it is the name of a description.
bool is_rule(std::string_view heading) {
  const std::string_view id = heading.substr(0, heading.find(' '));
  if (!looks_like_rule(id)) return false;
  if (protocol::find_rule(id) == nullptr) refuse(heading, "is of no rule");
  return true;
}

}  // namespace

std::vector<RuleExample> read(std::string_view text, const std::vector<std::string_view>& shared) {
  Named named;
  std::vector<std::string_view> naming = shared;
  naming.push_back(text);
  for (const std::string_view file : naming)
    for (const Block& block : blocks_of(file))
      if (!is_rule(block.heading)) named.emplace(block.heading, block.text);
  std::vector<RuleExample> examples;
  for (const Block& block : blocks_of(text))
    if (is_rule(block.heading)) examples.push_back(example_of(block, named));
  return examples;
}

const std::vector<RuleExample>& all() {
  static const std::vector<RuleExample> examples = [] {
    std::vector<RuleExample> read_so_far;
    for (const std::string_view file : files()) {
      const auto more = read(file, {files().front()});
      read_so_far.insert(read_so_far.end(), more.begin(), more.end());
    }
    return read_so_far;
  }();
  return examples;
}

std::vector<RuleExample> of(const protocol::Rule& rule) {
  std::vector<RuleExample> examples;
  for (const RuleExample& example : all())
    if (example.rule == rule.id) examples.push_back(example);
  return examples;
}

std::optional<RuleExample> first_of(const protocol::Rule& rule, ExampleKind kind) {
  for (const RuleExample& example : all())
    if (example.rule == rule.id && example.kind == kind) return example;
  return std::nullopt;
}

}  // namespace daptor::examples
