// SPDX-License-Identifier: BSD-3-Clause
#include "record.hpp"

#include <petscsys.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <sstream>
#include <utility>

#if DAPTOR_DOCTOR_JSON
#include <nlohmann/json.hpp>

#include "json/finding.hpp"
#endif

#include "daptor/adapter/merged.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/call.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

/// So many findings are printed when they are made; the summary counts all of them.
constexpr std::size_t most_printed = 20;
/// So many are written into the report when they are made; further ones once a second.
constexpr std::size_t most_saved_at_once = 64;
/// So many findings a process keeps that other ranks do not know.
constexpr std::size_t most_alone = 100;

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

/// What all processes have done.
struct Total {
  long looks = 0, comparisons = 0;
  double seconds = 0;
};

/// Collective over PETSC_COMM_WORLD. The sums, and the longest time, on rank 0.
Total total_of(const Total& mine) {
  Total total;
  MPI_Reduce(&mine.looks, &total.looks, 2, MPI_LONG, MPI_SUM, 0, PETSC_COMM_WORLD);
  MPI_Reduce(&mine.seconds, &total.seconds, 1, MPI_DOUBLE, MPI_MAX, 0, PETSC_COMM_WORLD);
  return total;
}

std::string counted(long count, const char* what) {
  return std::to_string(count) + ' ' + what + ending(count);
}

void print_summary(const std::vector<Line>& lines, const Total& total) {
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
  std::string done;
  if (total.looks > 0 || total.comparisons == 0)
    done = "looked at objects " + counted(total.looks, "time");
  if (total.comparisons > 0)
    done += (done.empty() ? "" : ", ") + std::string("compared calls ") +
            counted(total.comparisons, "time");
  std::fprintf(stderr, "daptor: -daptor_check: %s; %s, for %.3g s\n",
               counted(count(lines, State::fresh), "finding").c_str(), done.c_str(), total.seconds);
  for (const auto& [name, rule] : rules)
    std::fprintf(stderr, "  %-30s %-8s %6ld object%-2s %6ld time%s\n", name.c_str(),
                 rule.severity.c_str(), rule.objects, ending(rule.objects), rule.times,
                 ending(rule.times));
  print_suppressions(lines);
}

/// For messages between ranks: one line.
std::string in_words(const SourceLine& place) {
  std::string text = std::to_string(place.line) + ' ' + std::to_string(place.offset);
  for (const std::string* each : {&place.file, &place.function, &place.binary})
    text += '\t' + *each;
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

SourceLine from_words(const std::string& text) {
  SourceLine place;
  std::istringstream in(text);
  in >> place.line >> place.offset;
  in.get();
  for (std::string* each : {&place.file, &place.function, &place.binary})
    std::getline(in, *each, '\t');
  return place;
}

int rank_in_world() {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  return rank;
}

}  // namespace

Record::Record(const std::string& report, Counting counting)
    : counting_(std::move(counting)),
      rank_(rank_in_world()),
      process_(getpid()),
      path_(report),
      file_(report, rank_) {
  if (!file_.wanted()) return;
  if (rank_ == 0 && !file_.begin(head())) say("-daptor_check_report: cannot write " + path_);
  MPI_Barrier(PETSC_COMM_WORLD);  // or it would replace what others have written
}

Record::~Record() {
  if (concluded_ || getpid() != process_) return;  // a process that was forked has found nothing
  try {
    for (Alone& alone : std::exchange(alone_, {})) {
      alone.finding.ranks = {rank_};
      add_at(&alone.place, alone.finding, alone.where, 0);
    }
    save();
  } catch (...) {  // the process ends
  }
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

bool Record::add(const Finding& finding, const std::string& where, std::int64_t unnamed) {
  return add_at(nullptr, finding, where, unnamed);
}

/// @param place  null: the line that the program is in
bool Record::add_at(const SourceLine* place, const Finding& finding, const std::string& where,
                    std::int64_t unnamed) {
  const std::lock_guard<std::mutex> lock(adding_);
  const std::vector<std::string> keys = keys_of(finding, where, unnamed);
  std::size_t before = entries_.size();
  for (const std::string& key : keys)
    if (const auto known = known_.find(key); known != known_.end())
      before = std::min(before, known->second);
  const bool again = before < entries_.size();
  const bool severe = counting_.is_severe(finding.severity);
  if (again && entries_[before].state == State::fresh) {
    for (const std::string& key : keys) known_.emplace(key, before);
    ++entries_[before].times;
    save_in_time();
    return severe;
  }
  SourceLine at = place == nullptr ? SourceLine{} : *place;
  if (place == nullptr && !where.empty()) at = line_of_program();
  const State state = counting_.state_of(finding, at);
  // What does not count at one place may count at another one.
  const bool same = again && state != State::fresh;
  for (const std::string& key : keys) known_[key] = same ? before : entries_.size();
  if (same)
    ++entries_[before].times;
  else
    entries_.push_back({finding, where, at, state});
  const bool counts = state == State::fresh;
  if (counts) print(entries_.back());
  if (counts && severe) counting_.end_severely();
  if (!same && entries_.size() <= most_saved_at_once)
    save_now();
  else
    save_in_time();
  return counts && severe;
}

void Record::add_alone(const Finding& finding, const std::string& where, const std::string& object,
                       bool named) {
  const bool known = std::any_of(alone_.begin(), alone_.end(), [&](const Alone& other) {
    return other.object == object && other.finding.rule == finding.rule;
  });
  if (!known && alone_.size() < most_alone)
    alone_.push_back({finding, where, object, named, line_of_program()});
}

void Record::say(const std::string& sentence) {
  const std::lock_guard<std::mutex> lock(adding_);
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

void Record::save() {
  const std::lock_guard<std::mutex> lock(adding_);
  save_now();
}

void Record::save_now() {
  if (!file_.wanted() || entries_.empty()) return;
  file_.update(head(), findings());
  saved_at_ = std::chrono::steady_clock::now();
}

void Record::save_in_time() {
  if (std::chrono::steady_clock::now() - saved_at_ >= std::chrono::seconds(1)) save_now();
}

std::vector<std::string> Record::findings() const {
  std::vector<std::string> all;
  for (const Entry& entry : entries_) all.push_back(json_of(entry));
  return all;
}

std::string Record::lines() const {
  std::string lines;
  for (const Entry& entry : entries_)
    lines += entry.finding.rule + ' ' + word(entry.finding.severity) + ' ' +
             std::to_string(entry.times) + ' ' + word_of(entry.state) + ' ' +
             line_for(entry.finding, entry.place) + '\t' + json_of(entry) + '\n';
  return lines;
}

/// Collective over PETSC_COMM_WORLD. What ranks have found alone of one object becomes one finding.
void Record::gather_alone() {
  constexpr char between = '\n';
  Call call(PETSC_COMM_WORLD, "-daptor_check");
  const Report report = adapter::merged(call, [&] {
    Report mine;
    for (const Alone& alone : alone_) {
      Finding finding = alone.finding;
      finding.key += between + alone.where + between + (alone.named ? "named" : "") + between +
                     in_words(alone.place) + between + alone.object;
      mine.add(std::move(finding));
    }
    return mine;
  });
  alone_.clear();
  if (rank_ != 0) return;
  std::int64_t unnamed = 0;
  for (Finding finding : report.findings()) {
    std::istringstream key(finding.key);
    std::string where, named, place;
    std::getline(key, finding.key);
    std::getline(key, where);
    std::getline(key, named);
    std::getline(key, place);
    const SourceLine at = from_words(place);
    add_at(&at, finding, where, named.empty() ? --unnamed : 0);
  }
}

void Record::conclude() {
  concluded_ = true;
  gather_alone();
  const Total total = total_of({looks_, comparisons_, seconds_});
  const std::vector<Line> all = split(gathered(lines()));
  if (rank_ == 0) print_summary(all, total);
  counting_.tell_unused();
  counting_.end_together(std::any_of(all.begin(), all.end(), [&](const Line& line) {
    return line.counts() && counting_.is_severe(severity_of(line.severity));
  }));
  if (rank_ != 0 || !file_.wanted()) return;
  std::vector<std::string> findings;
  for (const Line& line : all) findings.push_back(line.json);
  if (!file_.end({true, total.looks, total.seconds}, findings))
    say("-daptor_check_report: cannot write " + path_);
}

}  // namespace daptor::petsc::plugin::doctor
