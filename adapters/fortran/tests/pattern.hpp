// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "daptor/fields.hpp"
#include "daptor/fortran/arguments.hpp"

namespace daptor::test {

enum class Glaze { matt, gloss, raku };

/// Options of a procedure in Fortran. All but those of the table are arguments by being here.
struct PatternOptions {
  bool flat = false;
  bool sync = true;
  int repeats = 1;
  std::int64_t bytes = 8;
  double scale = 1;
  std::string title = "none";
  Glaze glaze = Glaze::matt;
  std::int64_t step = -1;
  std::int64_t hidden = 7;
};
constexpr auto fields(const PatternOptions&) {
  return field_list(
      field("flat", &PatternOptions::flat, ""), field("sync", &PatternOptions::sync, ""),
      field("repeats", &PatternOptions::repeats, ""), field("bytes", &PatternOptions::bytes, ""),
      field("scale", &PatternOptions::scale, ""), field("title", &PatternOptions::title, ""),
      field("glaze", &PatternOptions::glaze, ""), field("step", &PatternOptions::step, ""),
      field("hidden", &PatternOptions::hidden, ""));
}

inline constexpr fortran::Argument pattern_arguments[] = {
    {"step", fortran::As::from_an_end, "number"},
    {"width", fortran::As::own},
    {"sync", fortran::As::negated, "no_sync"},
    {"glaze", fortran::As::value, "raku", static_cast<int>(Glaze::raku)},
    {"hidden", fortran::As::nothing}};

}  // namespace daptor::test

extern "C" {
/// Writes the options that arrive, as text with blanks at the end.
int daptor_fortran_pattern(const daptor_fortran_argument* options, std::int32_t width, char* text);
}
