// SPDX-License-Identifier: BSD-3-Clause
#include "record.hpp"

#include <petscsys.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

#if DAPTOR_DOCTOR_JSON
#include <nlohmann/json.hpp>

#include "json/finding.hpp"
#endif

#include "daptor/adapter/text.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

/// So many findings are printed when they are made; the summary counts all of them.
constexpr std::size_t most_printed = 20;

/// What a finding that is made again is known by: the rule and the object, by its name. Programs
/// make objects without a name anew in each step, and then all of the text says which one it is.
std::vector<std::string> keys_of(const Finding& finding, const std::string& where,
                                 std::int64_t unnamed) {
  const std::string rule = finding.rule + ' ' + finding.key + ' ', found = finding.found.str();
  if (unnamed == 0) return {rule + found.substr(0, found.find(": "))};
  return {rule + std::to_string(unnamed),
          rule + found + ' ' + adapter::joined_text(finding.ranks, ",") + ' ' + where};
}

std::string word(Severity value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

#if DAPTOR_DOCTOR_JSON

nlohmann::ordered_json json_of(const SourceLine& place) {
  if (!place.known()) return nullptr;
  if (place.line > 0)
    return {{"file", place.file}, {"line", place.line}, {"function", place.function}};
  return {{"binary", place.binary}, {"offset", place.offset}, {"function", place.function}};
}

#endif

/// Collective over PETSC_COMM_WORLD. The texts of all ranks behind each other, on rank 0.
std::string gathered(const std::string& mine) {
  const MPI_Comm world = PETSC_COMM_WORLD;
  int size = 1, count = static_cast<int>(mine.size());
  MPI_Comm_size(world, &size);
  std::vector<int> counts(static_cast<std::size_t>(size)), starts(counts.size() + 1);
  MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, world);
  for (std::size_t i = 0; i < counts.size(); ++i) starts[i + 1] = starts[i] + counts[i];
  std::string all(static_cast<std::size_t>(starts.back()), ' ');
  MPI_Gatherv(mine.data(), count, MPI_CHAR, all.data(), counts.data(), starts.data(), MPI_CHAR, 0,
              world);
  return all;
}

/// A line of a process's record.
struct Line {
  std::string rule, severity, state, suppression, json;
  long times = 0;

  bool counts() const { return state == word_of(State::fresh); }
};

Severity severity_of(const std::string& text) {
  for (const Severity each : {Severity::error, Severity::warning})
    if (text == word(each)) return each;
  return Severity::note;
}

std::vector<Line> split(const std::string& lines) {
  std::vector<Line> all;
  std::istringstream in(lines);
  Line line;
  while (in >> line.rule >> line.severity >> line.times >> line.state && in.get() &&
         std::getline(in, line.suppression, '\t') && std::getline(in, line.json))
    all.push_back(line);
  return all;
}

const char* ending(long count) {
  return count == 1 ? "" : "s";
}

long count(const std::vector<Line>& lines, State state) {
  return static_cast<long>(std::count_if(
      lines.begin(), lines.end(), [&](const Line& line) { return line.state == word_of(state); }));
}

/// What does not count, and what to write into a file where a finding is meant.
void print_suppressions(const std::vector<Line>& lines) {
  const long suppressed = count(lines, State::suppressed), known = count(lines, State::known);
  if (suppressed + known > 0)
    std::fprintf(stderr, "  not counted: %ld suppressed, %ld known from the baseline\n", suppressed,
                 known);
  std::set<std::string> meant;
  for (const Line& line : lines)
    if (line.counts()) meant.insert(line.suppression);
  if (meant.empty()) return;
  std::fprintf(stderr, "  what is meant can be suppressed (-daptor_check_suppress FILE):\n");
  std::size_t printed = 0;
  for (const std::string& suppression : meant)
    if (printed++ < most_printed) std::fprintf(stderr, "    %s\n", suppression.c_str());
}

void print_summary(const std::vector<Line>& lines, long looks, double seconds) {
  struct Rule {
    std::string severity;
    long objects = 0, times = 0;
  };
  std::map<std::string, Rule> rules;
  for (const Line& line : lines) {
    if (!line.counts()) continue;
    Rule& rule = rules[line.rule];
    rule.severity = line.severity;
    ++rule.objects;
    rule.times += line.times;
  }
  const long findings = count(lines, State::fresh);
  std::fprintf(stderr,
               "daptor: -daptor_check: %ld finding%s; looked at objects %ld time%s, for %.3g s\n",
               findings, ending(findings), looks, ending(looks), seconds);
  for (const auto& [name, rule] : rules)
    std::fprintf(stderr, "  %-30s %-8s %6ld object%-2s %6ld time%s\n", name.c_str(),
                 rule.severity.c_str(), rule.objects, ending(rule.objects), rule.times,
                 ending(rule.times));
  print_suppressions(lines);
}

void write_report(const std::string& path, const std::vector<Line>& lines, long looks,
                  double seconds) {
  std::ofstream out(path);
  out << "{\n  \"format\": 1,\n  \"looks\": " << looks << ",\n  \"seconds\": " << seconds
      << ",\n  \"findings\": [";
  const char* between = "\n    ";
  for (const Line& line : lines) {
    out << between << line.json;
    between = ",\n    ";
  }
  out << (lines.empty() ? "" : "\n  ") << "]\n}\n";
  out.flush();
  if (!out) std::fprintf(stderr, "daptor: -daptor_check_report: cannot write %s\n", path.c_str());
}

}  // namespace

bool Record::add(const Finding& finding, const std::string& where, std::int64_t unnamed) {
  const std::lock_guard<std::mutex> lock(adding_);
  const std::vector<std::string> keys = keys_of(finding, where, unnamed);
  std::size_t before = entries_.size();
  for (const std::string& key : keys)
    if (const auto known = known_.find(key); known != known_.end())
      before = std::min(before, known->second);
  const bool again = before < entries_.size();
  if (again && entries_[before].state == State::fresh) {
    for (const std::string& key : keys) known_.emplace(key, before);
    ++entries_[before].times;
    return counting_.is_severe(finding.severity);
  }
  const SourceLine place = where.empty() ? SourceLine{} : line_of_program();
  const State state = counting_.state_of(finding, place);
  // What does not count at one place may count at another one.
  const bool same = again && state != State::fresh;
  for (const std::string& key : keys) known_[key] = same ? before : entries_.size();
  if (same) {
    ++entries_[before].times;
    return false;
  }
  entries_.push_back({finding, where, place, state});
  if (state != State::fresh) return false;
  print(entries_.back());
  if (counting_.is_severe(finding.severity)) counting_.end_severely();
  return counting_.is_severe(finding.severity);
}

void Record::print(const Entry& entry) {
  if (++printed_ > most_printed) return;
  std::string found = entry.where;
  const std::string place = text_of(entry.place);
  if (!place.empty()) found += (found.empty() ? "" : ", ") + place;
  std::string text = "daptor: " + to_string(entry.finding, rendering_);
  if (!found.empty()) text += " (Found in " + found + ".)";
  std::fprintf(stderr, "%s\n", text.c_str());
  if (printed_ == most_printed)
    std::fprintf(stderr,
                 "daptor: further findings are counted in the summary and are in the "
                 "report of -daptor_check_report\n");
}

void Record::cannot(const std::string& sentence) {
  if (said_.emplace(sentence, true).second)
    std::fprintf(stderr, "daptor: -daptor_check: %s\n", sentence.c_str());
}

/// As in the reports of the command `daptor`, without a dimension and without ranges of ranks.
std::string Record::json_of(const Entry& entry) {
#if DAPTOR_DOCTOR_JSON
  nlohmann::ordered_json json = json::finding(entry.finding);
  json.erase("dimension");
  json["events"] = entry.where;
  json["times"] = entry.times;
  json["place"] = doctor::json_of(entry.place);
  json["state"] = word_of(entry.state);
  json["suppression"] = line_for(entry.finding, entry.place);
  return json::line(json);
#else
  static_cast<void>(entry);
  return {};
#endif
}

std::string Record::lines() const {
  std::string lines;
  for (const Entry& entry : entries_)
    lines += entry.finding.rule + ' ' + word(entry.finding.severity) + ' ' +
             std::to_string(entry.times) + ' ' + word_of(entry.state) + ' ' +
             line_for(entry.finding, entry.place) + '\t' + json_of(entry) + '\n';
  return lines;
}

void Record::conclude(const std::string& report) const {
  const std::vector<Line> all = split(gathered(lines()));
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0) print_summary(all, looks_, seconds_);
  counting_.tell_unused();
  counting_.end_together(std::any_of(all.begin(), all.end(), [&](const Line& line) {
    return line.counts() && counting_.is_severe(severity_of(line.severity));
  }));
  if (rank == 0 && !report.empty()) write_report(report, all, looks_, seconds_);
}

}  // namespace daptor::petsc::plugin::doctor
