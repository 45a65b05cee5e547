// SPDX-License-Identifier: BSD-3-Clause
#include "report/explanation.hpp"

#include <algorithm>
#include <ostream>
#include <utility>

#include <nlohmann/json.hpp>

#include "report/paint.hpp"
#include "report/text.hpp"

namespace daptor::report {
namespace {

using Json = nlohmann::ordered_json;

void write_reason(std::ostream& out, const Paint& paint, const Finding& reason) {
  out << "    " << paint.faint("because") << "  " << detail::printable(reason.found.str());
  if (reason.rank() >= 0) out << ", on rank " << reason.rank();
  if (reason.dimension >= 0) out << ", dimension " << reason.dimension;
  out << " (" << reason.rule << ")\n";
  if (!reason.expected.str().empty())
    out << "    " << paint.faint("needed ") << "  " << reason.expected.str() << '\n';
  if (!reason.remedy.str().empty())
    out << "    " << paint.faint("do     ") << "  " << reason.remedy.str() << '\n';
}

void write_copy(std::ostream& out, const Paint& paint, const TargetVerdict& verdict) {
  const Assessment& assessment = verdict.assessment;
  if (!assessment.copy) return;
  out << "    " << paint.faint("a copy ") << "  " << assessment.copy.text;
  if (assessment.bytes_to_move)
    out << " moves " << *assessment.bytes_to_move << " bytes between processes";
  out << '\n';
  if (!verdict.copy_condition.empty())
    out << "    " << paint.faint("only if") << "  " << verdict.copy_condition << '\n';
}

void write_sizes(std::ostream& out, const Paint& paint, const TargetVerdict& verdict) {
  if (!verdict.sizes.empty())
    out << "    " << paint.faint("sizes  ") << "  " << verdict.sizes << '\n';
}

void write_uses(std::ostream& out, const Paint& paint, const Assessment& assessment) {
  for (const UseCost& use : assessment.uses)
    out << "    " << paint.faint("in use ") << "  " << use << '\n';
}

/// What the verdicts hold for: `with PETSc 3.18.5, real double, 32-bit indices; ...`
void write_libraries(std::ostream& out, const std::vector<Library>& libraries) {
  const char* separator = "with ";
  for (const Library& library : libraries) {
    if (!library.has_targets) continue;
    out << separator << library.text();
    separator = "; ";
  }
  if (!libraries.empty()) out << '\n';
}

/// JSON's null for an unknown number.
Json known_number(int value) {
  return value < 0 ? Json() : Json(value);
}

/// JSON's null for an empty text.
Json known_text(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json reason_of(const Finding& reason) {
  Json json;
  json["rule"] = reason.rule;
  json["rank"] = known_number(reason.rank());
  json["dimension"] = known_number(reason.dimension);
  json["found"] = reason.found.str();
  json["expected"] = reason.expected.str();
  json["remedy"] = reason.remedy.str();
  return json;
}

Json use_of(const UseCost& use) {
  Json json;
  json["name"] = use.name;
  json["redistributions"] = use.redistributions;
  json["bytes_to_move"] = use.bytes_to_move ? Json(*use.bytes_to_move) : Json();
  return json;
}

Json target_of(const TargetVerdict& verdict) {
  const Assessment& assessment = verdict.assessment;
  Json json;
  json["target"] = assessment.target;
  json["call"] = assessment.call.str();
  json["representable"] = assessment.representable;
  json["bytes_per_index"] = assessment.bytes_per_index;
  json["copy_call"] = known_text(assessment.copy.text.str());
  json["copy_condition"] = known_text(verdict.copy_condition);
  json["bytes_to_move"] = assessment.bytes_to_move ? Json(*assessment.bytes_to_move) : Json();
  if (!assessment.padded_shape.empty()) {
    json["padded_shape"] = assessment.padded_shape;
    json["interior_shape"] = assessment.interior_shape;
  }
  json["uses"] = Json::array();
  for (const UseCost& use : assessment.uses) json["uses"].push_back(use_of(use));
  json["reasons"] = Json::array();
  for (const Finding& reason : assessment.reasons) json["reasons"].push_back(reason_of(reason));
  return json;
}

}  // namespace

std::string Library::text() const {
  return found.empty() || found == built ? built : built + "; found " + found;
}

Finding in_words_of(Language language, Finding finding) {
  const Rendering words{language};
  finding.remedy = advice(finding).in(words, finding.dimension);
  finding.found = finding.found.in(words, finding.dimension);
  finding.expected = finding.expected.in(words, finding.dimension);
  return finding;
}

std::vector<TargetVerdict> in_words_of(Language language, const Explanation& explanation) {
  const Rendering words{language};
  std::vector<TargetVerdict> verdicts;
  for (const Assessment& assessment : explanation) {
    TargetVerdict verdict{assessment, assessment.copy.condition().in(words),
                          assessment.sizes().in(words)};
    Assessment& told = verdict.assessment;
    Terms& call = told.representable ? told.call : told.copy.text;
    if (std::string named = call.in(words); !named.empty()) call = std::move(named);
    for (Finding& reason : told.reasons) reason = in_words_of(language, std::move(reason));
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

bool moves_elements(const std::vector<TargetVerdict>& verdicts) {
  return std::any_of(verdicts.begin(), verdicts.end(), [](const TargetVerdict& verdict) {
    const Assessment& told = verdict.assessment;
    return told.bytes_to_move.value_or(0) > 0 ||
           std::any_of(told.uses.begin(), told.uses.end(),
                       [](const UseCost& use) { return use.bytes_to_move.value_or(0) > 0; });
  });
}

void write_explanation(std::ostream& out, const std::vector<TargetVerdict>& verdicts,
                       const ExplainedFor& held_for, bool color) {
  const Paint paint(color);
  for (const TargetVerdict& verdict : verdicts) {
    const Assessment& assessment = verdict.assessment;
    out << paint.bold(assessment.target) << ": ";
    if (!assessment.representable) {
      out << paint.bad("no") << '\n';
      for (const Finding& reason : assessment.reasons) write_reason(out, paint, reason);
      write_copy(out, paint, verdict);
      write_sizes(out, paint, verdict);
      continue;
    }
    out << paint.good("yes") << ", by " << assessment.call.str();
    if (assessment.bytes_per_index > 0)
      out << "; keeps " << assessment.bytes_per_index << " bytes an index";
    out << '\n';
    write_uses(out, paint, assessment);
    write_sizes(out, paint, verdict);
  }
  if (!held_for.within_node.empty()) out << "within a node: " << held_for.within_node << '\n';
  write_libraries(out, held_for.libraries);
}

void write_explanation_json(std::ostream& out, const std::string& subject,
                            const std::vector<TargetVerdict>& verdicts,
                            const ExplainedFor& held_for) {
  Json json;
  json["format"] = 1;
  json["subject"] = subject;
  if (!held_for.within_node.empty()) json["within_node"] = held_for.within_node;
  for (const Library& library : held_for.libraries) {
    if (!library.has_targets) continue;
    Json& its = json["libraries"][library.name];
    its["built"] = library.built;
    its["found"] = known_text(library.found);
    its["error"] = known_text(library.error);
  }
  json["targets"] = Json::array();
  for (const TargetVerdict& verdict : verdicts) json["targets"].push_back(target_of(verdict));
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace daptor::report
