// SPDX-License-Identifier: BSD-3-Clause
#include "../../examples/demo/matrix_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <sstream>

#include "../../examples/demo/console.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

using Lines = std::vector<std::string>;

/// A file that only this process has, removed at the end of the scope.
class File {
 public:
  explicit File(const std::string& text)
      : path_("matrix_file_test." + std::to_string(world_size()) + "." +
              std::to_string(world_rank())) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::string fixed(const std::vector<std::string>& fields, std::size_t per_line) {
  std::string text;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    text += fields[i];
    if ((i + 1) % per_line == 0 || i + 1 == fields.size()) text += "\n";
  }
  return text;
}

/// A tridiagonal matrix in Harwell-Boeing format.
Lines boeing(int rows, int columns, const std::string& type = "RUA") {
  std::vector<std::string> starts, row_numbers, values;
  for (int c = 1; c <= columns; ++c) {
    starts.push_back(fmt::format("{:10}", values.size() + 1));
    for (int r = std::max(c - 1, 1); r <= std::min(c + 1, rows); ++r) {
      row_numbers.push_back(fmt::format("{:10}", r));
      values.push_back(fmt::format("{:20.12E}", r == c ? 4.0 : -1.0));
    }
  }
  starts.push_back(fmt::format("{:10}", values.size() + 1));
  const auto lines = [](const auto& list, std::size_t per_line) {
    return (list.size() + per_line - 1) / per_line;
  };
  const std::string text =
      fmt::format("{:<72}{:<8}\n{:14}{:14}{:14}{:14}{:14}\n", "a matrix", "KEY",
                  lines(starts, 8) + lines(row_numbers, 8) + lines(values, 4), lines(starts, 8),
                  lines(row_numbers, 8), lines(values, 4), 0) +
      fmt::format("{:<14}{:14}{:14}{:14}{:14}\n{:<16}{:<16}{:<20}\n", type, rows, columns,
                  values.size(), 0, "(8I10)", "(8I10)", "(1P,4E20.12)") +
      fixed(starts, 8) + fixed(row_numbers, 8) + fixed(values, 4);
  Lines result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) result.push_back(line);
  return result;
}

Lines market(int rows, const std::string& kind = "matrix coordinate real general") {
  Lines lines{"%%MatrixMarket " + kind, "% a comment", ""};
  for (int r = 1; r <= rows; ++r)
    for (int c = std::max(r - 1, 1); c <= std::min(r + 1, rows); ++c)
      lines.push_back(fmt::format("{} {} {}", r, c, r == c ? 4.0 : -1.25));
  lines[2] = fmt::format("{0} {0} {1}", rows, lines.size() - 3);
  return lines;
}

void expect_refused(const std::string& text, const std::string& words) {
  const File file(text);
  try {
    inspect_matrix_file(file.path());
    ADD_FAILURE() << "accepted, expected: " << words << "\n" << text;
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

Lines changed(Lines lines, const std::function<void(Lines&)>& change) {
  change(lines);
  return lines;
}

TEST(MatrixFile, acceptsHarwellBoeing) {
  const File file(joined(boeing(40, 40)));
  const MatrixFile found = inspect_matrix_file(file.path());
  EXPECT_EQ(found.format, MatrixFile::Format::harwell_boeing);
  EXPECT_EQ(found.rows, 40);
  EXPECT_EQ(found.entries, 118);
  EXPECT_FALSE(found.symmetric);
  EXPECT_TRUE(inspect_matrix_file(File(joined(boeing(3, 3, "rsa"))).path()).symmetric);
}

TEST(MatrixFile, acceptsMatrixMarket) {
  const File file(joined(market(40)));
  const MatrixFile found = inspect_matrix_file(file.path());
  EXPECT_EQ(found.format, MatrixFile::Format::matrix_market);
  EXPECT_EQ(found.rows, 40);
  EXPECT_EQ(found.entries, 118);
  EXPECT_FALSE(found.symmetric);
  EXPECT_TRUE(
      inspect_matrix_file(File(joined(market(2, "matrix coordinate integer symmetric"))).path())
          .symmetric);
}

TEST(MatrixFile, refusesWhatIsNoMatrix) {
  EXPECT_THROW(inspect_matrix_file("no/such/file"), std::runtime_error);
  EXPECT_THROW(inspect_matrix_file("."), std::runtime_error);
  expect_refused("", "is empty");
  expect_refused("It was a dark and stormy night;\nthe rain fell.\n\n\n\n", "is not a matrix");
  expect_refused(std::string("\x7f"
                             "ELF\0\1\2\n\xff\xfe\n\n\n",
                             13),
                 "is not a matrix");
  expect_refused("\x1f\x8b\x08 packed", "is compressed");
}

/// Cut off after every line, and after every few bytes.
TEST(MatrixFile, refusesEveryCutOffFile) {
  for (const Lines& whole : {boeing(9, 9), market(9)}) {
    for (std::size_t kept = 0; kept < whole.size(); ++kept) {
      const File file(joined(Lines(whole.begin(), whole.begin() + static_cast<long>(kept))));
      EXPECT_THROW(inspect_matrix_file(file.path()), std::runtime_error) << kept << " lines";
    }
    const std::string text = joined(whole);
    const bool fixed_columns = whole == boeing(9, 9);
    // The last number of a Matrix Market file may be cut off and still be a number.
    const std::size_t end = fixed_columns ? text.size() - 2 : text.rfind(' ');
    for (std::size_t kept = 0; kept <= end; kept += kept + 40 < end ? 7 : 1) {
      const File file(text.substr(0, kept));
      EXPECT_THROW(inspect_matrix_file(file.path()), std::runtime_error) << kept << " bytes";
    }
  }
}

TEST(MatrixFile, saysWhereHarwellBoeingIsWrong) {
  const Lines good = boeing(40, 40);
  expect_refused(joined(Lines(good.begin(), good.end() - 1)), "is cut off");
  expect_refused(joined(changed(good, [](Lines& l) { l[4].replace(8, 2, "77"); })),
                 "where a number from 1 to 1 belongs");
  expect_refused(joined(changed(good, [](Lines& l) { l[11].replace(8, 2, "41"); })),
                 "in line 12, where a number from 1 to 40 belongs");
  expect_refused(joined(changed(good, [](Lines& l) { l.back().replace(4, 3, "x.y"); })),
                 "where a value belongs");
  expect_refused(joined(changed(good, [](Lines& l) { l[3].replace(0, 8, "(8A10)  "); })),
                 "is not a matrix");
  expect_refused(joined(boeing(40, 39)), "has 40 rows and 39 columns");
  expect_refused(joined(boeing(40, 40, "CUA")), "complex");
  expect_refused(joined(boeing(40, 40, "PUA")), "no values");
  expect_refused(joined(boeing(40, 40, "RUE")), "unassembled");
}

TEST(MatrixFile, saysWhereMatrixMarketIsWrong) {
  const Lines good = market(40);
  expect_refused(joined(Lines(good.begin(), good.begin() + 20)),
                 "is cut off: it has 17 of 118 entries");
  expect_refused(joined(Lines(good.begin(), good.begin() + 2)), "is cut off before its sizes");
  expect_refused(joined(changed(good, [](Lines& l) { l[2] = "41 40 118"; })),
                 "has 41 rows and 40 columns");
  expect_refused(joined(changed(good, [](Lines& l) { l[2] = "many"; })), "no sizes in line 3");
  expect_refused(joined(changed(good, [](Lines& l) { l[2] = "40 40 -1"; })), "no sizes in line 3");
  expect_refused(joined(changed(good, [](Lines& l) { l[9] = "77 1 1.0"; })),
                 "an entry outside the matrix in line 10");
  expect_refused(joined(changed(good, [](Lines& l) { l[9] += " and more"; })),
                 "no entry of a matrix in line 10");
  expect_refused(joined(changed(good, [](Lines& l) { l.push_back("1 1 1"); })),
                 "has 119 entries where it says 118");
  expect_refused(joined(market(4, "matrix coordinate complex general")), "type 'complex'");
  expect_refused(joined(market(4, "matrix coordinate pattern general")), "type 'pattern'");
  expect_refused(joined(market(4, "matrix array real general")), "not of a sparse matrix");
}

}  // namespace
}  // namespace daptor::test
