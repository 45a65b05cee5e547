// SPDX-License-Identifier: BSD-3-Clause
#include "ml_options.hpp"

#include <cctype>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "daptor/adapter/reason.hpp"

namespace daptor::solvers::plugin {
namespace {

using Kind = ParameterOption::Kind;

/// One option of PETSc's interface to ML.
struct MlOption {
  /// Its `parameter` is set to the value; it is empty if no single parameter has this meaning.
  ParameterOption option;
  /// The values of a text, separated by blanks.
  const char* values = nullptr;
  /// What is done in place of any value but the initial one; null if the option is translated.
  const char* instead = nullptr;
  /// What the value means besides `parameter`.
  void (*meaning)(const std::string& value, MlRequest& request) = nullptr;
  /// PETSc reads the option only where this one, without its dash, is neither false nor 0.
  const char* only_with = nullptr;
};

void choose_verbosity(const std::string& value, MlRequest& request) {
  const int level = std::atoi(value.c_str());
  const char* const word = level <= 0   ? "none"
                           : level <= 3 ? "low"
                           : level <= 6 ? "medium"
                           : level <= 9 ? "high"
                                        : "extreme";
  request.muelu.parameters.set("verbosity", std::string(word));
}

/// ML halves the threshold from each level to the next.
void halve_on_each_level(const std::string& value, MlRequest& request) {
  double threshold = std::strtod(value.c_str(), nullptr);
  if (threshold == 0) return;
  const int levels = request.muelu.parameters.get<int>("max levels");
  for (int level = 1; level < levels; ++level)
    request.muelu.parameters.sublist("level " + std::to_string(level))
        .set("aggregation: drop tol", threshold /= 2);
}

void choose_near_null_space(const std::string& value, MlRequest& request) {
  if (value == "USER") request.muelu.near_null = NearNull::required;
  if (value == "BLOCK" || value == "SCALAR") request.muelu.near_null = NearNull::none;
  if (value == "SCALAR") request.muelu.parameters.set("number of equations", 1);
}

void keep_prolongators(const std::string& value, MlRequest& request) {
  if (value == "true") request.muelu.parameters.set("reuse: type", std::string("RP"));
}

void use_distances(const std::string& value, MlRequest& request) {
  if (value == "true")
    request.muelu.parameters.set("aggregation: drop scheme", std::string("distance laplacian"));
}

// clang-format off
constexpr const char* with_repartition = "pc_ml_repartition";
constexpr const char* with_energy = "pc_ml_EnergyMinimization";
constexpr Range any_number{};
constexpr Range any_count{0, largest_int, false, true};
constexpr Range energies{-1, 4, false, true};

constexpr MlOption ml_table[] = {
    {{"pc_ml_PrintLevel", "", Kind::integer, "0", "Print level", any_count}, nullptr, nullptr, choose_verbosity},
    {{"pc_ml_maxNlevels", "max levels", Kind::integer, "10", "Maximum number of levels", number_of_levels}},
    {{"pc_ml_maxCoarseSize", "coarse: max size", Kind::integer, "1", "Maximum number of rows of the coarsest level", from_one}},
    {{"pc_ml_CoarsenScheme", "", Kind::text, "Uncoupled", "Kind of aggregation"}, "Uncoupled Coupled MIS METIS", "uncoupled aggregation"},
    {{"pc_ml_DampingFactor", "sa: damping factor", Kind::real, "1.3333333333333333", "Damping factor of the smoothed prolongator", prolongator_damping}},
    {{"pc_ml_Threshold", "aggregation: drop tol", Kind::real, "0", "Couplings below this threshold are ignored", not_negative}, nullptr, nullptr, halve_on_each_level},
    {{"pc_ml_SpectralNormScheme_Anorm", "", Kind::flag, "false", "Damp by a norm, not by the spectral radius"}, nullptr, "the spectral radius, by power iterations"},
    {{"pc_ml_Symmetrize", "", Kind::flag, "false", "Aggregate by the matrix plus its transpose"}, nullptr, "aggregation by the matrix alone"},
    {{"pc_ml_BlockScaling", "", Kind::flag, "false", "Scale all unknowns of a node together"}, nullptr, "scaling by the diagonal"},
    {{"pc_ml_nullspace", "", Kind::text, "AUTO", "Near-null vectors"}, "AUTO USER BLOCK SCALAR", nullptr, choose_near_null_space},
    {{"pc_ml_EnergyMinimization", "", Kind::integer, "0", "Norm of the energy minimization", energies}, nullptr, "smoothed aggregation"},
    {{"pc_ml_EnergyMinimizationDropTol", "", Kind::real, "0", "Drop tolerance of the energy minimization", any_number}, nullptr, "no dropping", nullptr, with_energy},
    {{"pc_ml_EnergyMinimizationCheap", "", Kind::flag, "false", "Cheaper variant of norm 2"}, nullptr, "smoothed aggregation", nullptr, with_energy},
    {{"pc_ml_reuse_interpolation", "", Kind::flag, "false", "Keep the interpolation if only values change"}, nullptr, nullptr, keep_prolongators},
    {{"pc_ml_KeepAggInfo", "", Kind::flag, "false", "No effect: MueLu keeps what it needs"}},
    {{"pc_ml_Reusable", "", Kind::flag, "false", "No effect: MueLu keeps what it needs"}},
    {{"pc_ml_OldHierarchy", "", Kind::flag, "false", "Older routine of ML"}, nullptr, "MueLu's only routine"},
    {{"pc_ml_repartition", "repartition: enable", Kind::flag, "false", "Move coarse levels to fewer processes"}},
    {{"pc_ml_repartitionMaxMinRatio", "repartition: max imbalance", Kind::real, "1.3", "Acceptable ratio of rows of processes", not_negative}, nullptr, nullptr, nullptr, with_repartition},
    {{"pc_ml_repartitionMinPerProc", "repartition: min rows per proc", Kind::integer, "512", "Minimum number of rows of a process", from_one}, nullptr, nullptr, nullptr, with_repartition},
    {{"pc_ml_repartitionPutOnSingleProc", "", Kind::integer, "5000", "Rows that go to one process", any_count}, nullptr, "the minimum number of rows of a process alone", nullptr, with_repartition},
    {{"pc_ml_repartitionType", "", Kind::text, "Zoltan", "Library"}, "Zoltan ParMETIS", "Zoltan2", nullptr, with_repartition},
    {{"pc_ml_repartitionZoltanScheme", "", Kind::text, "RCB", "Algorithm of Zoltan"}, "RCB hypergraph fast_hypergraph", "division in space", nullptr, with_repartition},
    {{"pc_ml_Aux", "", Kind::flag, "false", "Aggregate by the distances of nodes"}, nullptr, nullptr, use_distances, with_repartition},
    {{"pc_ml_AuxThreshold", "aggregation: drop tol", Kind::real, "0", "Threshold of the distances", not_negative}, nullptr, nullptr, nullptr, with_repartition},
};
// clang-format on

std::string in_lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The value as the table spells it; upper and lower case do not matter.
std::string known_value(const MlOption& row, const std::string& value) {
  std::istringstream values(row.values);
  for (std::string known; values >> known;)
    if (in_lower_case(known) == in_lower_case(value)) return known;
  adapter::refuse_argument("trilinos.option", std::string("-") + row.option.name + ' ' + value,
                           std::string("one of ") + row.values,
                           "Give another value, or leave the option out.");
}

/// The value of an option that was given.
std::optional<std::string> given_value(const MlOption& row, const Options& options) {
  const auto at = options.given().find(std::string("-") + row.option.name);
  if (at == options.given().end()) return std::nullopt;
  return row.values == nullptr ? at->second : known_value(row, at->second);
}

bool is_read(const MlOption& row, const Options& options) {
  if (row.only_with == nullptr) return true;
  const auto at = options.given().find(std::string("-") + row.only_with);
  return at != options.given().end() && at->second != "false" && at->second != "0";
}

}  // namespace

MlRequest ml_defaults() {
  MlRequest request;
  request.muelu.near_null = NearNull::of_matrix;
  request.muelu.without_zeros = true;
  request.muelu.stops_at_one_node = true;
  request.muelu.damps_as_ml = true;
  request.muelu.hints = false;
  Teuchos::ParameterList& list = request.muelu.parameters;
  list.set("max levels", 10);
  list.set("coarse: max size", 1);
  list.set("sa: damping factor", 4.0 / 3.0);
  list.set("smoother: pre or post", std::string("none"));
  list.set("coarse: type", std::string("none"));
  return request;
}

MlRequest read_ml_options(Options& options) {
  options.heading("ML, through MueLu of Trilinos");
  MlRequest request = ml_defaults();
  for (const MlOption& row : ml_table) {
    if (!is_read(row, options)) continue;
    Teuchos::ParameterList unused;
    const bool copied = *row.option.parameter != '\0';
    options.parameter(row.option, copied ? request.muelu.parameters : unused);
    const auto value = given_value(row, options);
    if (!value) continue;
    if (row.meaning != nullptr) row.meaning(*value, request);
    if (row.instead != nullptr && *value != row.option.initial)
      request.untranslated.push_back(std::string("-") + row.option.name + ' ' + *value +
                                     " has no counterpart in MueLu; in its place: " + row.instead);
  }
  return request;
}

}  // namespace daptor::solvers::plugin
