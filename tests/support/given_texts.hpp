// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What users call things, where it looks like what messages are made of: a message must have it
// byte for byte in every language, and its sentence must not have what a terminal obeys.

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "daptor/report.hpp"

namespace daptor::test {

/// Some texts, the same in each run and on all ranks, of at most 60 bytes.
/// @param with_control  also with control characters and bytes that are no UTF-8
inline std::vector<std::string> given_texts(bool with_control = true) {
  const std::vector<std::string> pieces{
      "import_vec", "fft::run",    "daptor::load", "CopyOptions::convert",
      "[0, 4)",     "dimension 2", "index 3",      "{call}",
      "{}",         "%s%n",        "rank 1",       "\xc3\xbc",
      "2 x 3",      " ",           "\"",           "convert=True",
      "\\x1b",      "a%gather"};
  const std::vector<std::string> control{"\x1b[31m", "\n", "\t", "\x7f", "\xc2\x9b", "\xff", "\r"};
  std::mt19937 random(7);
  const auto some = [&](const std::vector<std::string>& of) {
    return of[std::uniform_int_distribution<std::size_t>(0, of.size() - 1)(random)];
  };
  std::vector<std::string> texts(pieces);
  texts.erase(texts.begin() + 13);  // a space alone
  for (int i = 0; i < 12; ++i) {
    std::string text = some(pieces) + some(pieces);
    if (with_control && i % 2 == 1) text += some(control);
    texts.push_back(text + some(pieces));
  }
  return texts;
}

/// Each language's `found` has the text as it was given, and the sentence nothing that a terminal
/// obeys.
inline void expect_given(const Finding& finding, const std::string& text) {
  for (const Language language : {Language::cpp, Language::python, Language::fortran}) {
    const Rendering rendering{language};
    const std::string found = finding.found.in(rendering, finding.dimension);
    EXPECT_NE(found.find(text), std::string::npos) << finding;
    for (const char c : to_string(finding, rendering))
      EXPECT_FALSE((c >= 0 && c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) << finding;
  }
}

}  // namespace daptor::test
