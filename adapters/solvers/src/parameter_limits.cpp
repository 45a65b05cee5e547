// SPDX-License-Identifier: BSD-3-Clause
#include "parameter_limits.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>
#include <string>

#include <MueLu_MasterList.hpp>
#include <Teuchos_StrUtils.hpp>

#include "daptor/adapter/reason.hpp"

namespace daptor::solvers {
namespace {

/// The range of a parameter that is a whole number.
struct Limit {
  const char* name;
  std::int64_t least;
  std::int64_t most;
};

constexpr std::int64_t any = std::numeric_limits<int>::max();

constexpr Limit limits[] = {
    {"aggregation: block diagonal: interleaved blocksize", 1, any},
    {"aggregation: brick x size", 1, any},
    {"aggregation: brick y size", 1, any},
    {"aggregation: brick z size", 1, any},
    {"chebyshev: eigenvalue normalization frequency", 1, any},
    {"relaxation: mtgs cluster size", 1, any},
    {"repartition: min rows per proc", 1, any},
    {"repartition: min rows per thread", 0, any},
    {"repartition: target rows per proc", 0, any},
    {"repartition: target rows per thread", 0, any},
    // They end, but not within the time of a job; a negative number counts down from 2^32.
    {"emin: num iterations", 0, 10000},
    {"emin: num reuse iterations", 0, 10000},
    {"emin: pattern order", 0, 100},
    {"partitioner: overlap", 0, 1000},
    {"schwarz: overlap level", 0, 1000},
    // Each level has fewer rows than the one before.
    {"max levels", 1, 1000},
};

/// Numbers of unknowns at a node, by the parameters that say them: of MueLu, of its factories, of
/// its reader of ML's parameters, and of Ifpack2's line smoothers.
constexpr const char* unknowns_of_node[] = {"number of equations", "PDE equations",
                                            "partitioner: PDE equations"};

std::optional<std::int64_t> whole_number(const Teuchos::ParameterEntry& entry) {
  if (entry.isType<int>()) return Teuchos::getValue<int>(entry);
  if (entry.isType<long>()) return Teuchos::getValue<long>(entry);
  if (entry.isType<long long>()) return Teuchos::getValue<long long>(entry);
  return std::nullopt;
}

[[noreturn]] void refuse(const std::string& path, std::int64_t value, const std::string& more,
                         const std::string& expected, const char* remedy) {
  adapter::refuse_argument("trilinos.parameter", "'" + path + "' " + std::to_string(value) + more,
                           expected, remedy);
}

void require_whole_nodes(const std::string& path, std::int64_t unknowns, Index local_rows) {
  if (unknowns >= 1 && local_rows % unknowns == 0) return;
  refuse(path, unknowns, ", for " + std::to_string(local_rows) + " rows of this process",
         "a divisor of the number of each process's rows",
         "Give each process the rows of whole nodes, in their order, or leave the parameter out: "
         "each row is then a node.");
}

void require_within(const std::string& path, std::int64_t value, const Limit& limit) {
  if (value >= limit.least && value <= limit.most) return;
  refuse(path, value, "",
         "a whole number, at least " + std::to_string(limit.least) +
             (limit.most == any ? "" : ", at most " + std::to_string(limit.most)),
         "Give another value, or leave the parameter out.");
}

/// More parts than rows are an error of Ifpack2 on that process alone. A negative number stands for
/// rows in each part.
void require_rows_for_parts(const std::string& path, std::int64_t parts, Index local_rows) {
  if (parts <= local_rows) return;
  refuse(path, parts, ", for " + std::to_string(local_rows) + " rows of this process",
         "at most the number of each process's rows", "Give fewer parts, or leave it out.");
}

void look_at(const std::string& name, const std::string& path, std::int64_t value,
             Index local_rows) {
  for (const char* unknowns : unknowns_of_node)
    if (name == unknowns) require_whole_nodes(path, value, local_rows);
  if (name == "partitioner: local parts") require_rows_for_parts(path, value, local_rows);
  for (const Limit& limit : limits)
    if (name == limit.name) require_within(path, value, limit);
}

/// Whether this type of Ifpack2 is an error on a process without rows, and on that one alone: one
/// that divides them into parts, at least one, or sweeps in two stages.
bool needs_rows(const std::string& type) {
  const std::string capitals = Teuchos::StrUtils::allCaps(type);
  const auto has = [&](const char* word) { return capitals.find(word) != std::string::npos; };
  return (has("BLOCK") && has("RELAXATION")) || has("TWO-STAGE");
}

void look_at_type(const std::string& path, const std::string& type, Index local_rows) {
  if (local_rows > 0 || !needs_rows(type)) return;
  adapter::refuse_argument(
      "trilinos.parameter", "'" + path + "' " + type + ", on a process without rows",
      "rows on each process, for this type", "Choose another type, or give each process rows.");
}

/// Whether a parameter of this name is a type of Ifpack2: `smoother: type`, `type` of a factory.
bool names_type(const std::string& name) {
  const auto at = name.rfind("type");
  return at != std::string::npos && at + 4 == name.size();
}

/// The number of values in text such as "{ 2, 1 }".
std::int64_t count_in(const std::string& text) {
  if (text.find_first_of("0123456789") == std::string::npos) return 0;
  return 1 + std::count(text.begin(), text.end(), ',');
}

/// MueLu looks up a block among the numbers of unknowns of a strided Map.
void look_at_block(const Teuchos::ParameterList& list, const std::string& name,
                   const std::string& path, std::int64_t block) {
  constexpr const char* ending = "Strided block id";
  const auto at = name.find(ending);
  if (at == std::string::npos) return;
  const std::string striding = name.substr(0, at) + "Striding info";
  const std::int64_t count =
      list.isType<std::string>(striding) ? count_in(list.get<std::string>(striding)) : 0;
  if (block == -1 || (block >= 0 && block < count)) return;
  refuse(path, block, ", with " + std::to_string(count) + " numbers in '" + striding + "'",
         "the position of one of them, counted from 0, or -1", "Correct one of both.");
}

constexpr const char* remapping = "repartition: remap parts";

/// Looks at all parameters of a list and its sublists.
class Walk {
 public:
  Walk(const Teuchos::ParameterList& all, const Division& matrix) : all_(all), matrix_(matrix) {
    look_at_list(all, "");
  }

 private:
  void look_at_list(const Teuchos::ParameterList& list, const std::string& path) const {
    for (auto at = list.begin(); at != list.end(); ++at) {
      const Teuchos::ParameterEntry& entry = list.entry(at);
      const std::string& name = list.name(at);
      if (entry.isList()) {
        look_at_list(Teuchos::getValue<Teuchos::ParameterList>(entry), path + name + '/');
      } else if (const auto value = whole_number(entry)) {
        look_at(name, path + name, *value, matrix_.local_rows);
        look_at_block(list, name, path + name, *value);
      } else if (entry.isType<bool>() && Teuchos::getValue<bool>(entry)) {
        if (name == remapping) require_rows_everywhere(path + name);
        if (name == "rap: triple product") require_implicit_transpose(list, path + name);
      } else if (entry.isType<std::string>()) {
        look_at_text(list, name, path, Teuchos::getValue<std::string>(entry));
      }
    }
  }

  void look_at_text(const Teuchos::ParameterList& list, const std::string& name,
                    const std::string& path, const std::string& value) const {
    if (names_type(name)) look_at_type(path + name, value, matrix_.local_rows);
    if (name == "aggregation: drop scheme") look_at_scheme(list, path + name, value);
    if (name == "factory" && value == "RepartitionFactory" && !list.isParameter(remapping))
      require_rows_everywhere(path + remapping);
  }

  /// Tpetra reads past the end of the transposed prolongator's arrays.
  void require_implicit_transpose(const Teuchos::ParameterList& list,
                                  const std::string& path) const {
    constexpr const char* name = "transpose: use implicit";
    const Teuchos::ParameterList& with_name = list.isParameter(name) ? list : all_;
    const bool implicit = with_name.isType<bool>(name) && with_name.get<bool>(name);
    if (matrix_.processes == 1 || implicit) return;
    adapter::refuse_argument("trilinos.parameter", "'" + path + "' true, on several processes",
                             "'" + std::string(name) + "' true with it",
                             "Set both, or leave the triple product out.");
  }

  /// MueLu fails on one process where another has no rows.
  void require_rows_everywhere(const std::string& path) const {
    if (matrix_.rows_everywhere) return;
    adapter::refuse_argument("trilinos.parameter",
                             "'" + path + "' true, with a process without rows", "false",
                             "Set it to false, or give each process rows.");
  }

  /// Without a threshold, MueLu keeps the couplings with other processes in what it takes for
  /// blocks of one process.
  void look_at_scheme(const Teuchos::ParameterList& list, const std::string& path,
                      const std::string& scheme) const {
    if (matrix_.processes == 1) return;
    if (scheme != "block diagonal classical" && scheme != "block diagonal distance laplacian")
      return;
    constexpr const char* name = "aggregation: drop tol";
    const Teuchos::ParameterList& with_threshold = list.isParameter(name) ? list : all_;
    if (with_threshold.isType<double>(name) && with_threshold.get<double>(name) > 0) return;
    adapter::refuse_argument(
        "trilinos.parameter",
        "'" + path + "' " + scheme + " without a threshold, on several processes",
        "a value of '" + std::string(name) + "' above 0",
        "Set this threshold, or choose the scheme 'block diagonal'.");
  }

  const Teuchos::ParameterList& all_;
  const Division& matrix_;
};

/// The number of equations that a `problem: type` stands for; 1 of a type that MueLu will refuse.
int equations_of(const std::string& problem) {
  constexpr const char* name = "number of equations";
  try {
    const auto list = MueLu::MasterList::GetProblemSpecificList(problem);
    return list->isType<int>(name) ? list->get<int>(name) : 1;
  } catch (const std::exception&) {
    return 1;
  }
}

/// The `problem: type` if it decides on the number of equations; otherwise empty.
std::string deciding_problem(const Teuchos::ParameterList& list) {
  constexpr const char* name = "problem: type";
  const bool decides = list.isType<std::string>(name) && !list.isParameter("number of equations") &&
                       !list.isSublist("Hierarchy");
  return decides ? list.get<std::string>(name) : std::string();
}

}  // namespace

int equations_in(const Teuchos::ParameterList& parameters) {
  const auto number = [](const Teuchos::ParameterList& list, const char* name) {
    return list.isType<int>(name) ? list.get<int>(name) : 1;
  };
  if (parameters.isSublist("Hierarchy"))
    return parameters.isSublist("Matrix") ? number(parameters.sublist("Matrix"), "PDE equations")
                                          : 1;
  const std::string problem = deciding_problem(parameters);
  return problem.empty() ? number(parameters, "number of equations") : equations_of(problem);
}

void require_safe_type(const std::string& type, Index local_rows) {
  look_at_type("type", type, local_rows);
}

void require_safe(const Teuchos::ParameterList& parameters, const Division& matrix) {
  static_cast<void>(Walk(parameters, matrix));
  const std::string problem = deciding_problem(parameters);
  if (!problem.empty())
    require_whole_nodes("problem: type' " + problem + ", hence 'number of equations",
                        equations_in(parameters), matrix.local_rows);
}

}  // namespace daptor::solvers
