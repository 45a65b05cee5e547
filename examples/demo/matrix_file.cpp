// SPDX-License-Identifier: BSD-3-Clause
#include "matrix_file.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <vector>

#include "console.hpp"

namespace {

struct Lines : std::vector<std::string> {
  bool last_line_ends = true;
};

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw std::runtime_error("the matrix file '" + path + "' " + what);
}

Lines read_lines(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) refuse(path, "does not exist");
  if (std::filesystem::is_directory(path, error)) refuse(path, "is a directory");
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse(path, std::string("cannot be read: ") + std::strerror(errno));
  Lines lines;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (lines.empty() && line.compare(0, 2, "\x1f\x8b") == 0)
      refuse(path, "is compressed; unpack it with gunzip first");
    lines.push_back(std::move(line));
    lines.last_line_ends = !in.eof();
  }
  if (lines.empty()) refuse(path, "is empty");
  return lines;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::optional<std::int64_t> integer(const std::string& text) {
  std::istringstream in(text);
  std::int64_t value = 0;
  std::string rest;
  if (!(in >> value) || in >> rest) return std::nullopt;
  return value;
}

/// Fortran also writes exponents with a D.
bool is_number(std::string text) {
  std::replace(text.begin(), text.end(), 'D', 'E');
  std::replace(text.begin(), text.end(), 'd', 'e');
  const char* const begin = text.c_str();
  char* end = nullptr;
  std::strtod(begin, &end);
  return end != begin &&
         text.find_first_not_of(" \t", static_cast<std::size_t>(end - begin)) == std::string::npos;
}

void require_square(const std::string& path, std::int64_t rows, std::int64_t columns) {
  if (rows != columns)
    refuse(path, fmt::format("has {} rows and {} columns; the demonstration needs a square matrix",
                             rows, columns));
  if (rows < 1) refuse(path, "has no rows");
  if (rows > PETSC_MAX_INT) refuse(path, "has more rows than PETSc's integers hold");
}

// Matrix Market: a banner, comments, sizes, and one entry per line.

MatrixFile inspect_matrix_market(const std::string& path, const Lines& lines) {
  std::istringstream banner(lower(lines.front()));
  std::string mark, object, form, field, symmetry;
  banner >> mark >> object >> form >> field >> symmetry;
  if (object != "matrix" || form != "coordinate")
    refuse(path, "is a Matrix Market file, but not of a sparse matrix (matrix coordinate)");
  if (field != "real" && field != "integer" && field != "double")
    refuse(path, "has values of type '" + field + "'; the demonstration needs real ones");
  if (symmetry != "general" && symmetry != "symmetric" && symmetry != "skew-symmetric")
    refuse(path, "has the symmetry '" + symmetry + "', which a real matrix cannot have");

  std::size_t at = 1;
  const auto blank = [&](const std::string& line) {
    return line.find_first_not_of(" \t") == std::string::npos;
  };
  while (at < lines.size() && (lines[at][0] == '%' || blank(lines[at]))) ++at;
  if (at == lines.size()) refuse(path, "is cut off before its sizes");
  MatrixFile file{path, MatrixFile::Format::matrix_market, 0, 0, symmetry != "general"};
  std::int64_t columns = 0;
  std::string more;
  std::istringstream sizes(lines[at]);
  if (!(sizes >> file.rows >> columns >> file.entries) || sizes >> more || file.entries < 0)
    refuse(path, fmt::format("has no sizes in line {}", at + 1));
  require_square(path, file.rows, columns);

  std::int64_t found = 0;
  while (++at < lines.size()) {
    if (blank(lines[at]) || lines[at][0] == '%') continue;
    std::istringstream entry(lines[at]);
    std::int64_t row = 0, column = 0;
    std::string value;
    if (!(entry >> row >> column >> value) || entry >> more || !is_number(value)) {
      if (at + 1 == lines.size()) refuse(path, fmt::format("is cut off in line {}", at + 1));
      refuse(path, fmt::format("has no entry of a matrix in line {}", at + 1));
    }
    if (row < 1 || row > file.rows || column < 1 || column > columns)
      refuse(path, fmt::format("has an entry outside the matrix in line {}", at + 1));
    ++found;
  }
  if (found < file.entries)
    refuse(path, fmt::format("is cut off: it has {} of {} entries", found, file.entries));
  if (found > file.entries)
    refuse(path, fmt::format("has {} entries where it says {}", found, file.entries));
  return file;
}

// Harwell-Boeing: a header of four or five lines with the Fortran formats of the three lists,
// followed by the starts of the columns, the rows of the entries, and their values.

/// Numbers in fixed columns: how many are on a line, and how many characters each has.
struct FixedFormat {
  std::size_t per_line = 0;
  std::size_t width = 0;
};

std::optional<FixedFormat> fixed_format(const std::string& text) {
  static const std::regex pattern(R"((\d*)\s*[IEDFG](\d+)(\.\d+)?(E\d+)?\s*\)+\s*$)",
                                  std::regex::icase);
  std::smatch match;
  if (!std::regex_search(text, match, pattern) || match[2].length() > 4 || match[1].length() > 4)
    return std::nullopt;
  const std::string count = match[1];
  const FixedFormat format{count.empty() ? 1 : std::stoul(count), std::stoul(match[2])};
  if (format.per_line == 0 || format.width == 0) return std::nullopt;
  return format;
}

/// Reads one of the three lists.
class FixedColumns {
 public:
  FixedColumns(const std::string& path, const Lines& lines, std::size_t first_line,
               FixedFormat format)
      : path_(path), lines_(lines), first_line_(first_line), format_(format) {}

  std::string text(std::int64_t number) const {
    const auto n = static_cast<std::size_t>(number);
    const std::size_t line = first_line_ + n / format_.per_line;
    const std::size_t column = n % format_.per_line * format_.width;
    if (line >= lines_.size())
      refuse(path_, fmt::format("is cut off after line {}", lines_.size()));
    std::string field =
        lines_[line].size() > column ? lines_[line].substr(column, format_.width) : std::string();
    const bool last = line + 1 == lines_.size();
    if (field.empty() || (last && !lines_.last_line_ends && field.size() < format_.width))
      refuse(path_, fmt::format("is {} in line {}", last ? "cut off" : "too short", line + 1));
    return field;
  }
  std::int64_t integer_at(std::int64_t number, std::int64_t low, std::int64_t high) const {
    const std::string field = text(number);
    const auto value = integer(field);
    if (!value || *value < low || *value > high)
      refuse(path_, fmt::format("has '{}' in line {}, where a number from {} to {} belongs", field,
                                line_of(number), low, high));
    return *value;
  }
  std::size_t line_of(std::int64_t number) const {
    return first_line_ + static_cast<std::size_t>(number) / format_.per_line + 1;
  }

 private:
  const std::string& path_;
  const Lines& lines_;
  std::size_t first_line_;
  FixedFormat format_;
};

struct BoeingHeader {
  std::string type;
  std::int64_t start_lines = 0, row_lines = 0, value_lines = 0;
  std::int64_t rows = 0, columns = 0, entries = 0;
  FixedFormat starts, row_numbers, values;
  std::size_t lines = 4;
};

/// `nullopt` if the first lines are not a header of this format.
std::optional<BoeingHeader> boeing_header(const Lines& lines) {
  if (lines.size() < 4) return std::nullopt;
  const auto field = [&](std::size_t line, std::size_t number) {
    const std::size_t at = number * 14;
    return lines[line].size() > at ? integer(lines[line].substr(at, 14)) : std::nullopt;
  };
  BoeingHeader header;
  const auto total = field(1, 0);
  const auto starts = field(1, 1);
  const auto row_numbers = field(1, 2);
  const auto values = field(1, 3);
  const auto rows = field(2, 1);
  const auto columns = field(2, 2);
  const auto entries = field(2, 3);
  if (!total || !starts || !row_numbers || !values || !rows || !columns || !entries ||
      lines[3].size() < 33)
    return std::nullopt;
  header.type = lower(lines[2].substr(0, 3));
  if (header.type.find_first_not_of("rcpsuhzae") != std::string::npos) return std::nullopt;
  const auto start_format = fixed_format(lines[3].substr(0, 16));
  const auto row_format = fixed_format(lines[3].substr(16, 16));
  const auto value_format = fixed_format(lines[3].substr(32, 20));
  if (!start_format || !row_format) return std::nullopt;
  header.start_lines = *starts;
  header.row_lines = *row_numbers;
  header.value_lines = *values;
  header.rows = *rows;
  header.columns = *columns;
  header.entries = *entries;
  header.starts = *start_format;
  header.row_numbers = *row_format;
  header.values = value_format.value_or(FixedFormat{});
  header.lines = field(1, 4).value_or(0) > 0 ? 5 : 4;
  return header;
}

MatrixFile inspect_harwell_boeing(const std::string& path, const Lines& lines,
                                  const BoeingHeader& header) {
  if (header.type[0] == 'c') refuse(path, "has complex values; the demonstration needs real ones");
  if (header.type[0] == 'p') refuse(path, "has the pattern of a matrix only, and no values");
  if (header.type[2] != 'a') refuse(path, "has unassembled elements; it must be assembled");
  require_square(path, header.rows, header.columns);
  if (header.entries < 0 || header.start_lines < 1 || header.row_lines < 0 ||
      header.values.width == 0)
    refuse(path, "has a header that does not say what follows");

  std::size_t at = header.lines;
  const FixedColumns starts(path, lines, at, header.starts);
  std::int64_t previous = 1;
  for (std::int64_t c = 0; c <= header.columns; ++c)
    previous = starts.integer_at(c, c == 0 ? 1 : previous, c == 0 ? 1 : header.entries + 1);
  if (previous != header.entries + 1)
    refuse(path, fmt::format("has column starts that end at {}, with {} entries", previous,
                             header.entries));
  at += static_cast<std::size_t>(header.start_lines);
  const FixedColumns rows(path, lines, at, header.row_numbers);
  for (std::int64_t e = 0; e < header.entries; ++e) rows.integer_at(e, 1, header.rows);
  at += static_cast<std::size_t>(header.row_lines);
  const FixedColumns values(path, lines, at, header.values);
  for (std::int64_t e = 0; e < header.entries; ++e)
    if (!is_number(values.text(e)))
      refuse(path, fmt::format("has '{}' in line {}, where a value belongs", values.text(e),
                               values.line_of(e)));
  return {path, MatrixFile::Format::harwell_boeing, header.rows, header.entries,
          header.type[1] == 's'};
}

}  // namespace

MatrixFile inspect_matrix_file(const std::string& path) {
  const Lines lines = read_lines(path);
  if (lower(lines.front()).compare(0, 14, "%%matrixmarket") == 0)
    return inspect_matrix_market(path, lines);
  if (const auto header = boeing_header(lines)) return inspect_harwell_boeing(path, lines, *header);
  refuse(path, "is not a matrix in Matrix Market or Harwell-Boeing format");
}

MatrixFile inspect_on_all(const std::string& path) {
  MatrixFile file;
  std::string problem;
  if (rank_of(PETSC_COMM_WORLD) == 0) {
    try {
      file = inspect_matrix_file(path);
    } catch (const std::exception& error) {
      problem = error.what();
    }
  }
  throw_on_all(problem);
  file.path = path;
  std::int64_t numbers[] = {static_cast<std::int64_t>(file.format), file.rows, file.entries,
                            file.symmetric ? 1 : 0};
  MPI_Bcast(numbers, 4, MPI_INT64_T, 0, PETSC_COMM_WORLD);
  file.format = static_cast<MatrixFile::Format>(numbers[0]);
  file.rows = numbers[1];
  file.entries = numbers[2];
  file.symmetric = numbers[3] != 0;
  return file;
}
