// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "compare/compare.hpp"
#include "json/finding.hpp"
#include "report/paint.hpp"
#include "report/text.hpp"

namespace daptor::compare {
namespace {

using Ordered = nlohmann::ordered_json;

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

std::string counted(std::int64_t count, const char* what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

std::string run_text(const Trace& run) {
  return run.file + " (" + counted(run.ranks, "rank") + ")";
}

/// What goes into an event, or comes out of it.
std::string side_text(const Item& item) {
  if (item.event == "trace") return "trace";
  return (item.when == "in" ? "what goes into " : "what comes out of ") + item.event;
}

std::string what_text(const Item& item) {
  return object_text(item) + (item.role.empty() ? "" : ", " + item.role);
}

/// The line of an item in its file, whose first line is about the run.
std::string line_text(const Item& item, const Trace& run) {
  return std::to_string(&item - run.items.data() + 2);
}

class Text {
 public:
  Text(std::ostream& out, const Comparison& comparison, bool color)
      : out_(out), comparison_(comparison), paint_(color) {}

  void write() {
    if (comparison_.first)
      write_first();
    else if (comparison_.stopped != nullptr)
      write_stopped();
    else
      out_ << paint_.good("No difference") << " beyond rounding"
           << (comparison_.of_solves > 0 ? " and the tolerances of solves" : "") << ": "
           << run_text(comparison_.one) << " and " << run_text(comparison_.other) << ", "
           << counted(comparison_.equal, "pair") << " of objects compared.\n";
    write_rest();
  }

 private:
  void write_first() {
    const Item& one = *comparison_.first->one;
    out_ << paint_.bad("First difference") << ": " << side_text(one) << ", "
         << paint_.bold(what_text(one)) << '\n';
    write_place();
    if (!one.within.empty()) out_ << "  within      " << joined(one.within) << '\n';
    if (!one.since.empty()) out_ << "  since then  " << joined(one.since) << '\n';
    write_table();
    if (comparison_.object_before)
      out_ << "\nThe last time that it was equal: " << side_text(*comparison_.object_before->one)
           << " (line " << line_text(*comparison_.object_before->one, comparison_.one) << " of "
           << comparison_.one.file << ").\n";
    else
      out_ << "\nIt was not seen before.\n";
    if (comparison_.before)
      out_ << "Equal before: " << counted(comparison_.equal, "pair") << ", the last one "
           << side_text(*comparison_.before->one) << ", " << what_text(*comparison_.before->one)
           << ".\n";
  }

  void write_place() {
    const std::string& place = comparison_.first->one->place;
    const std::string& other = comparison_.first->other->place;
    if (place.empty() && other.empty()) return;
    out_ << "  called      " << place;
    if (other != place) out_ << (place.empty() ? "" : "; ") << other << " in the other run";
    out_ << '\n';
  }

  void write_table() {
    std::vector<std::vector<std::string>> rows{
        {"", run_text(comparison_.one), run_text(comparison_.other), "difference", "explained"}};
    for (const Difference& number : comparison_.numbers)
      rows.push_back({number.what, number.one, number.other,
                      compare::number_text(number.difference, 3),
                      compare::number_text(number.explained, 3)});
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows)
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    out_ << '\n';
    for (const auto& row : rows) {
      std::string line = "  ";
      for (std::size_t i = 0; i < row.size(); ++i)
        line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
      out_ << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
    }
  }

  void write_stopped() {
    const Trace& run = *comparison_.stopped;
    out_ << paint_.bad("First difference") << ": " << run_text(run)
         << " has no end; its last line is " << side_text(run.items.back()) << ", "
         << paint_.bold(what_text(run.items.back()))
         << ", and the other run goes on.\nEqual before: " << counted(comparison_.equal, "pair")
         << ".\n";
  }

  void write_rest() {
    for (const More& more : comparison_.more)
      out_ << paint_.faint("note") << ": " << run_text(*more.run) << " has "
           << counted(more.count, "line") << " more, from line "
           << line_text(*more.first, *more.run) << ": " << side_text(*more.first) << ", "
           << what_text(*more.first) << ".\n";
    for (const std::string& note : comparison_.notes)
      out_ << paint_.faint("note") << ": " << note << ".\n";
    if (comparison_.first && comparison_.of_solves > 0)
      out_ << paint_.faint("note") << ": solves before have left a relative difference of "
           << compare::number_text(comparison_.of_solves, 3)
           << "; smaller tolerances of the solvers, in both runs, show smaller differences.\n";
    const bool deeper = comparison_.options.level == 1 && comparison_.first &&
                        comparison_.first->one->when == "out" &&
                        comparison_.first->one->event.find("Solve") != std::string::npos;
    if (!deeper) return;
    const bool there = comparison_.one.level > 1 && comparison_.other.level > 1;
    out_ << "To see inside: "
         << (there ? "--level 2" : "-daptor_check_trace_level 2 in both runs, then --level 2")
         << ".\n";
  }

  std::ostream& out_;
  const Comparison& comparison_;
  report::Paint paint_;
};

Ordered json_of(const Item& item, const Trace& run) {
  Ordered json{{"line", &item - run.items.data() + 2},
               {"event", item.event},
               {"when", item.when},
               {"role", item.role},
               {"class", item.object_class},
               {"name", item.name}};
  json["place"] = item.place;
  json["within"] = item.within;
  json["since"] = item.since;
  return json;
}

Ordered json_of(const Trace& run) {
  return {{"file", run.file}, {"ranks", run.ranks}, {"petsc", run.petsc}, {"ended", run.ended}};
}

}  // namespace

void write_text(std::ostream& out, const Comparison& comparison, bool color) {
  Text(out, comparison, color).write();
}

void write_json(std::ostream& out, const Comparison& comparison) {
  Ordered json{{"format", 1},
               {"differs", comparison.differs()},
               {"runs", Ordered::array({json_of(comparison.one), json_of(comparison.other)})},
               {"level", comparison.options.level},
               {"equal", comparison.equal},
               {"of_solves", comparison.of_solves}};
  json["first"] = nullptr;
  if (comparison.first) {
    Ordered first{{"one", json_of(*comparison.first->one, comparison.one)},
                  {"other", json_of(*comparison.first->other, comparison.other)}};
    first["numbers"] = Ordered::array();
    for (const Difference& number : comparison.numbers)
      first["numbers"].push_back({{"what", number.what},
                                  {"one", number.one},
                                  {"other", number.other},
                                  {"difference", compare::number_text(number.difference, 17)},
                                  {"explained", compare::number_text(number.explained, 17)}});
    json["first"] = first;
  }
  json["before"] = comparison.before ? json_of(*comparison.before->one, comparison.one) : Ordered();
  json["object_before"] = comparison.object_before
                              ? json_of(*comparison.object_before->one, comparison.one)
                              : Ordered();
  json["stopped"] = comparison.stopped == nullptr ? Ordered() : Ordered(comparison.stopped->file);
  json["more"] = Ordered::array();
  for (const More& more : comparison.more)
    json["more"].push_back({{"file", more.run->file},
                            {"count", more.count},
                            {"first", json_of(*more.first, *more.run)}});
  json["notes"] = comparison.notes;
  out << json.dump(2, ' ', false, Ordered::error_handler_t::replace) << '\n';
}

}  // namespace daptor::compare
