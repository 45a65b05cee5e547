// SPDX-License-Identifier: BSD-3-Clause
#include "record.hpp"

#include <petscsys.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
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

/// As in the reports of the command `daptor`, without a dimension and without ranges of ranks.
std::string json_of(const Finding& finding, const std::string& where, long times) {
#if DAPTOR_DOCTOR_JSON
  nlohmann::ordered_json json = json::finding(finding);
  json.erase("dimension");
  json["events"] = where;
  json["times"] = times;
  return json::line(json);
#else
  static_cast<void>(finding), static_cast<void>(where), static_cast<void>(times);
  return {};
#endif
}

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
  std::string rule, severity, json;
  long times = 0;
};

std::vector<Line> split(const std::string& lines) {
  std::vector<Line> all;
  std::istringstream in(lines);
  Line line;
  while (in >> line.rule >> line.severity >> line.times && in.get() && std::getline(in, line.json))
    all.push_back(line);
  return all;
}

const char* ending(long count) {
  return count == 1 ? "" : "s";
}

void print_summary(const std::vector<Line>& lines, long looks, double seconds) {
  struct Rule {
    std::string severity;
    long objects = 0, times = 0;
  };
  std::map<std::string, Rule> rules;
  for (const Line& line : lines) {
    Rule& rule = rules[line.rule];
    rule.severity = line.severity;
    ++rule.objects;
    rule.times += line.times;
  }
  const auto count = static_cast<long>(lines.size());
  std::fprintf(stderr,
               "daptor: -daptor_check: %ld finding%s; looked at objects %ld time%s, for %.3g s\n",
               count, ending(count), looks, ending(looks), seconds);
  for (const auto& [name, rule] : rules)
    std::fprintf(stderr, "  %-30s %-8s %6ld object%-2s %6ld time%s\n", name.c_str(),
                 rule.severity.c_str(), rule.objects, ending(rule.objects), rule.times,
                 ending(rule.times));
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

void Record::add(const Finding& finding, const std::string& where, std::int64_t unnamed) {
  const std::lock_guard<std::mutex> lock(adding_);
  const std::vector<std::string> keys = keys_of(finding, where, unnamed);
  std::size_t entry = entries_.size();
  for (const std::string& key : keys)
    if (const auto known = known_.find(key); known != known_.end())
      entry = std::min(entry, known->second);
  for (const std::string& key : keys) known_.emplace(key, entry);
  if (entry < entries_.size()) {
    ++entries_[entry].times;
    return;
  }
  entries_.push_back({finding, where});
  if (entries_.size() > most_printed) return;
  std::string text = "daptor: " + to_string(finding, rendering_);
  if (!where.empty()) text += " (Found in " + where + ".)";
  std::fprintf(stderr, "%s\n", text.c_str());
  if (entries_.size() == most_printed)
    std::fprintf(stderr,
                 "daptor: further findings are counted in the summary and are in the "
                 "report of -daptor_check_report\n");
}

void Record::cannot(const std::string& sentence) {
  if (said_.emplace(sentence, true).second)
    std::fprintf(stderr, "daptor: -daptor_check: %s\n", sentence.c_str());
}

std::string Record::lines() const {
  std::string lines;
  for (const Entry& entry : entries_)
    lines += entry.finding.rule + ' ' + word(entry.finding.severity) + ' ' +
             std::to_string(entry.times) + ' ' + json_of(entry.finding, entry.where, entry.times) +
             '\n';
  return lines;
}

void Record::conclude(const std::string& report) const {
  const std::vector<Line> all = split(gathered(lines()));
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank != 0) return;
  print_summary(all, looks_, seconds_);
  if (!report.empty()) write_report(report, all, looks_, seconds_);
}

}  // namespace daptor::petsc::plugin::doctor
