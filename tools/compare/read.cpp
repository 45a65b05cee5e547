// SPDX-License-Identifier: BSD-3-Clause
#include <cerrno>
#include <fstream>
#include <limits>
#include <string>
#include <system_error>

#include <nlohmann/json.hpp>

#include "compare/trace_file.hpp"
#include "daptor/error.hpp"

namespace daptor::compare {
namespace {

using Json = nlohmann::json;

/// Numbers that are not finite are texts.
double number_of(const Json& json) {
  if (json.is_number()) return json.get<double>();
  const auto text = json.get<std::string>();
  const double infinity = std::numeric_limits<double>::infinity();
  if (text == "inf") return infinity;
  if (text == "-inf") return -infinity;
  return std::numeric_limits<double>::quiet_NaN();
}

std::complex<double> complex_of(const Json& json) {
  if (json.is_array()) return {number_of(json.at(0)), number_of(json.at(1))};
  return number_of(json);
}

std::optional<double> number_in(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) return std::nullopt;
  return number_of(*found);
}

std::optional<Extreme> extreme_in(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) return std::nullopt;
  return Extreme{number_of(found->at("value")), found->at("at").get<std::vector<std::int64_t>>()};
}

Print print_of(const Json& json) {
  Print print;
  print.count = json.at("count");
  print.not_finite = json.value("not_finite", std::int64_t{0});
  print.rows = json.value("rows", std::int64_t{-1});
  print.columns = json.value("columns", std::int64_t{-1});
  print.is_complex = json.at("sum").is_array();
  print.sum = complex_of(json.at("sum"));
  print.mixed = complex_of(json.at("mixed"));
  print.magnitudes = number_of(json.at("magnitudes"));
  print.norm = number_of(json.at("norm"));
  print.least = extreme_in(json, "least");
  print.greatest = extreme_in(json, "greatest");
  print.largest = extreme_in(json, "largest");
  print.diagonal = number_in(json, "diagonal");
  print.diagonal_magnitudes = number_in(json, "diagonal_magnitudes");
  print.row_sum = number_in(json, "row_sum");
  print.natural = json.value("order", std::string("natural")) == "natural";
  print.grid = json.value("grid", std::vector<std::int64_t>{});
  return print;
}

Solve solve_of(const Json& json) {
  Solve solve;
  solve.type = json.value("type", std::string());
  solve.preconditioner = json.value("preconditioner", std::string());
  solve.steps = json.value("steps", std::int64_t{0});
  solve.reason = json.value("reason", std::int64_t{0});
  solve.residual = number_in(json, "residual");
  solve.rtol = number_in(json, "rtol");
  solve.true_residual = number_in(json, "true_residual");
  solve.right_hand_side = number_in(json, "right_hand_side");
  solve.time = number_in(json, "time");
  solve.step_tolerance = number_in(json, "step_tolerance");
  return solve;
}

Item item_of(const Json& json) {
  Item item;
  item.event = json.at("event");
  item.when = json.at("when");
  item.role = json.at("role");
  item.level = json.at("level");
  const Json& object = json.at("object");
  item.object_class = object.at("class");
  item.name = object.value("name", std::string());
  item.object = object.value("id", std::int64_t{0});
  item.by = json.value("by", std::int64_t{0});
  item.tolerance = number_in(json, "tolerance").value_or(0);
  item.within = json.value("within", std::vector<std::string>{});
  item.since = json.value("since", std::vector<std::string>{});
  item.place = json.value("place", std::string());
  if (const auto print = json.find("print"); print != json.end()) item.print = print_of(*print);
  if (const auto solve = json.find("solve"); solve != json.end()) item.solve = solve_of(*solve);
  return item;
}

void read_head(const Json& json, Trace& trace) {
  if (json.at("daptor") != "trace" || json.at("format") != 1)
    throw InvalidArgument("", trace.file + " is no trace of a format that this command knows",
                          "a file that -daptor_check_trace or daptor::Tracing has written");
  const Json& facts = json.at("facts");
  trace.ranks = json.at("ranks");
  trace.level = facts.value("level", 1);
  trace.epsilon = facts.at("epsilon");
  trace.program = facts.value("program", std::string());
  trace.petsc = facts.value("petsc", std::string());
  trace.scalar = facts.value("scalar", std::string());
}

[[noreturn]] void refuse_line(const Trace& trace, std::size_t number, const std::string& why) {
  throw InvalidArgument(
      "", trace.file + " is no trace: line " + std::to_string(number) + " cannot be read: " + why,
      "a file that -daptor_check_trace or daptor::Tracing has written");
}

}  // namespace

Trace read_trace(const std::string& path) {
  Trace trace;
  trace.file = path;
  std::ifstream in(path);
  if (!in)
    throw InvalidArgument("", path + " cannot be read: " + std::generic_category().message(errno),
                          "a trace");
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    // The last line of a run that was ended may be a part of one.
    const bool whole = !in.eof();
    try {
      const Json json = Json::parse(line);
      if (number == 1)
        read_head(json, trace);
      else if (json.contains("end"))
        trace.ended = true;
      else
        trace.items.push_back(item_of(json));
    } catch (const nlohmann::json::exception& error) {
      if (whole || number == 1) refuse_line(trace, number, error.what());
    }
  }
  if (number == 0) refuse_line(trace, 1, "the file is empty");
  return trace;
}

}  // namespace daptor::compare
